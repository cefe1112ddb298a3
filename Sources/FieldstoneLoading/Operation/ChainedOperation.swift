import FieldstoneCore
import Foundation

/// A sequence of operations as one operation, each made from the previous output.
///
/// ```swift
/// let welcome = login
///   .then { session in LoadProfile(session) }
///   .then(unless: { profile in profile.isComplete ? Screen.home(profile) : nil }) { profile in
///     AskForMissing(profile)
///   }
/// queue.addOperation(welcome)
/// ```
///
/// The links run on a separate queue, with their own handlers. The chain ends with the first link
/// that fails or is cancelled, with the same outcome. Cancelling the chain cancels the link under
/// way. (Seed: Mold's `buildResult(object:)`.)
final class ChainedOperation<Output: Sendable>: StatefulOperation<Output>,
  @unchecked Sendable
{
  typealias Links = @Sendable (OperationQueue) async throws -> Output

  /// The links, which retain the operation before; nil after the end.
  private let links: Locked<Links?>

  init(links: @escaping Links) {
    self.links = Locked(links)
    super.init()
  }

  deinit {
    releaseLinks()
  }

  /// Runs the links.
  @concurrent
  override func run() async throws -> Output {
    guard let links = links.withLock({ $0 }) else { throw CallCancelled(.released) }
    let queue = OperationQueue()
    queue.qualityOfService = qualityOfService
    return try await links(queue)
  }

  override func didEnd() {
    releaseLinks()
  }

  private func releaseLinks() {
    Trampoline.run { [links] in _ = links.withLock { $0.take() } }
  }
}

extension StatefulOperation {
  /// Appends another operation, made from this one's output.
  ///
  /// Several chains may begin with this operation: it runs once, and a chain that is cancelled while
  /// it runs cancels it for all. If you add it to a queue, too, do so before a chain starts, and on
  /// Apple's systems before one of its dependencies has finished.
  ///
  /// - Parameter next: makes the operation; an error that it throws fails the chain.
  /// - Returns: the whole chain as one operation; add it to a queue instead of this one.
  public final func then<Next>(
    _ next: @escaping @Sendable (Output) throws -> StatefulOperation<Next>
  ) -> StatefulOperation<Next> {
    then(unless: { _ in nil }, next)
  }

  /// Appends another operation, unless a closure returns the output without it.
  ///
  /// - Parameters:
  ///   - early: returns the chain's output, or nil if the next operation is needed; an error that
  ///     it throws fails the chain.
  ///   - next: makes the operation; an error that it throws fails the chain.
  /// - Returns: the whole chain as one operation; add it to a queue instead of this one.
  public final func then<Next>(
    unless early: @escaping @Sendable (Output) throws -> Next?,
    _ next: @escaping @Sendable (Output) throws -> StatefulOperation<Next>
  ) -> StatefulOperation<Next> {
    ChainedOperation<Next> { queue in
      let output = try await self.output(in: queue)
      if let early = try early(output) { return early }
      return try await next(output).output(in: queue)
    }
  }

  /// Runs as a link of a chain; an operation that was started before, that is in a queue or that
  /// belongs to another chain is only awaited.
  func output(in queue: OperationQueue) async throws -> Output {
    if state.withLock({ $0.claimForQueue() }) { queue.addOperation(self) }
    return try await withTaskCancellationHandler {
      try await self.outcome.get()
    } onCancel: {
      Trampoline.run { self.cancel() }
    }
  }
}
