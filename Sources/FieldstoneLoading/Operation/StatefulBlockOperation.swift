/// A stateful operation whose work is a closure.
///
/// ```swift
/// queue.addOperation(
///   StatefulBlockOperation { try parse(file) }.onSuccess { table.show($0) })
/// ```
public final class StatefulBlockOperation<Output: Sendable>: StatefulOperation<Output>,
  @unchecked Sendable
{
  private let synchronous: (@Sendable () throws -> Output)?
  private let asynchronous: (@Sendable () async throws -> Output)?

  /// Makes an operation from a closure that runs on the thread of the operation's queue.
  public init(_ body: @escaping @Sendable () throws -> Output) {
    synchronous = body
    asynchronous = nil
    super.init()
  }

  /// Makes an operation from an asynchronous closure, which runs off the main actor.
  public init(_ body: @escaping @Sendable () async throws -> Output) {
    synchronous = nil
    asynchronous = body
    super.init()
  }

  /// Runs the synchronous closure.
  public override func run() throws -> Output {
    guard let synchronous else { return try super.run() }
    return try synchronous()
  }

  /// Runs the asynchronous closure.
  @concurrent
  public override func run() async throws -> Output {
    guard let asynchronous else { return try await super.run() }
    return try await asynchronous()
  }
}
