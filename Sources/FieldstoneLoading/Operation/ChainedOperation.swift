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
/// The links run on a queue of the chain's own, with their own handlers. The first one that fails or
/// is cancelled ends the chain likewise, and no further link is made; cancelling the chain cancels
/// the link under way. (Seed: Mold's `buildResult(object:)`.)
public final class ChainedOperation<Output: Sendable>: StatefulOperation<Output>,
  @unchecked Sendable
{
  private let links: @Sendable (OperationQueue) async throws -> Output

  init(links: @escaping @Sendable (OperationQueue) async throws -> Output) {
    self.links = links
    super.init()
  }

  /// Makes a chain of operations with one kind of output, which a validator can end early.
  ///
  /// - Parameters:
  ///   - first: the first link.
  ///   - isEnough: asked with every output but the last; true ends the chain as a success with that
  ///     output, and what it throws ends it as a failure.
  ///   - links: make the next operation from the output before; what one throws is a failure.
  public convenience init(
    _ first: StatefulOperation<Output>,
    endingWhen isEnough: @escaping @Sendable (Output) throws -> Bool = { _ in false },
    then links: [@Sendable (Output) throws -> StatefulOperation<Output>]
  ) {
    self.init { queue in
      var output = try await first.output(in: queue)
      for link in links {
        if try isEnough(output) { break }
        output = try await link(output).output(in: queue)
      }
      return output
    }
  }

  /// Runs the links.
  @concurrent
  public override func run() async throws -> Output {
    let queue = OperationQueue()
    queue.qualityOfService = qualityOfService
    return try await links(queue)
  }
}

extension StatefulOperation {
  /// Goes on with another operation, made from this one's output.
  ///
  /// - Parameter next: makes the operation; what it throws is the chain's failure.
  /// - Returns: the whole chain as one operation; add that to a queue, and not this one.
  public final func then<Next>(
    _ next: @escaping @Sendable (Output) throws -> StatefulOperation<Next>
  ) -> ChainedOperation<Next> {
    then(unless: { _ in nil }, next)
  }

  /// Goes on with another operation, unless a validator has an output without it.
  ///
  /// - Parameters:
  ///   - early: gives what the next operation need not come up with any more, or nil where it has
  ///     to; what it throws ends the chain as a failure.
  ///   - next: makes the operation; what it throws is the chain's failure.
  /// - Returns: the whole chain as one operation; add that to a queue, and not this one.
  public final func then<Next>(
    unless early: @escaping @Sendable (Output) throws -> Next?,
    _ next: @escaping @Sendable (Output) throws -> StatefulOperation<Next>
  ) -> ChainedOperation<Next> {
    ChainedOperation { queue in
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
