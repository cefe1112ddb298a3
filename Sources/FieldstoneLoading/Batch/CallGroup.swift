public import FieldstoneCore

/// Calls of several integrators, possibly of different types, that start together and end
/// separately.
///
/// ```swift
/// let screen = CallGroup(profile.call(id), messages.call(.unread))
/// let (user, inbox) = try await screen.outcomes()
/// ```
///
/// A failure does not affect the other calls. If the first failure should end all of them, make a
/// ``GroupProvider`` of the integrators' providers (``Integrator/asProvider()``). The group is a
/// value: each use makes new calls. (Seed: IDMCore's `IntegrationBatchCall`.)
public struct CallGroup<each Value: Sendable>: Sendable {
  private let call: (repeat CallBuilder<each Value>)

  /// Makes a group of calls without starting them.
  public init(_ call: repeat CallBuilder<each Value>) {
    self.call = (repeat each call)
  }

  /// Starts the calls, in order, and waits until all have ended.
  ///
  /// Each call has its own handlers, and its integrator's policy applies. Cancelling the task
  /// cancels every call that has not ended.
  ///
  /// - Returns: the outcome of each call, in the order of the calls.
  /// - Throws: `CancellationError` if the task was cancelled, and no other error.
  @MainActor
  public func outcomes() async throws -> (repeat Outcome<each Value>) {
    try Task.checkCancellation()
    let started = (repeat (each call).start())
    var calls: [AnyCall] = []
    for call in repeat each started { calls.append(call) }
    // Types are erased because the compiler crashes on closures over packs.
    try await calls.waitForEnds()
    return (repeat await (each started).outcome)
  }
}

extension Sequence {
  /// Starts all calls at once, in order, and waits until all have ended.
  ///
  /// The calls may belong to different integrators with the same type of value. Cancelling the task
  /// cancels every call that has not ended. To limit concurrency, make a batch
  /// (``Integrator/batchCollecting(_:maxConcurrent:)``).
  ///
  /// - Returns: the outcome of each call, in the order of the calls.
  /// - Throws: `CancellationError` if the task was cancelled, and no other error.
  @MainActor
  public func outcomes<Value>() async throws -> [Outcome<Value>]
  where Element == CallBuilder<Value> {
    try Task.checkCancellation()
    let calls = map { $0.start() }
    try await (calls as [AnyCall]).waitForEnds()
    var outcomes: [Outcome<Value>] = []
    for call in calls { outcomes.append(await call.outcome) }
    return outcomes
  }
}

@MainActor
extension [AnyCall] {
  /// Waits until all calls have ended; cancelling the task cancels them.
  ///
  /// - Throws: `CancellationError` if the task was cancelled.
  fileprivate func waitForEnds() async throws {
    await withTaskCancellationHandler {
      for call in self { _ = await call.anyOutcome }
    } onCancel: {
      MainDispatch.async { for call in self { call.cancel() } }
    }
    try Task.checkCancellation()
  }
}
