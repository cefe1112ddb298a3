import FieldstoneCore
import Foundation

/// Operations one after the other, each made from the output of the one before, as one operation.
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
/// The links run on a queue of the chain's own, with their own handlers. The first link that fails
/// or is cancelled ends the chain likewise. Cancelling the chain cancels the link under way. (Seed:
/// Mold's `buildResult(object:)`.)
final class ChainedOperation<Output: Sendable>: StatefulOperation<Output>,
  @unchecked Sendable
{
  private let links: @Sendable (OperationQueue) async throws -> Output

  init(links: @escaping @Sendable (OperationQueue) async throws -> Output) {
    self.links = links
    super.init()
  }

  /// Runs the links.
  @concurrent
  override func run() async throws -> Output {
    let queue = OperationQueue()
    queue.qualityOfService = qualityOfService
    return try await links(queue)
  }
}

extension StatefulOperation {
  /// Goes on with another operation, made from this one's output.
  ///
  /// - Parameter next: makes the operation; its error is the chain's failure.
  /// - Returns: the whole chain as one operation; add that to a queue, and not this one.
  public final func then<Next>(
    _ next: @escaping @Sendable (Output) throws -> StatefulOperation<Next>
  ) -> StatefulOperation<Next> {
    then(unless: { _ in nil }, next)
  }

  /// Goes on with another operation, unless a validator has an output without it.
  ///
  /// - Parameters:
  ///   - early: gives the chain's output, or nil where the next operation is needed; an error ends
  ///     the chain as a failure.
  ///   - next: makes the operation; its error is the chain's failure.
  /// - Returns: the whole chain as one operation; add that to a queue, and not this one.
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

  /// Runs as a link of a chain; one that was started before is only waited for.
  func output(in queue: OperationQueue) async throws -> Output {
    if state.withLock({ $0.isFresh }) { queue.addOperation(self) }
    return try await withTaskCancellationHandler {
      try await self.outcome.get()
    } onCancel: {
      self.cancel()
    }
  }
}
