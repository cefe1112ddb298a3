public import FieldstoneCore

/// Calls of several integrators, of different types too, that are made at once and end each by
/// itself.
///
/// ```swift
/// let screen = CallGroup(profile.call(id), messages.call(.unread))
/// let (user, inbox) = try await screen.outcomes()
/// ```
///
/// A failure disturbs none of the others. For a first failure that ends all of them, make a
/// ``GroupProvider`` of the integrators' providers (``Integrator/asProvider()``). It is a value: each
/// use makes the calls anew. (Seed: IDMCore's `IntegrationBatchCall`.)
public struct CallGroup<each Value: Sendable>: Sendable {
  private let call: (repeat CallBuilder<each Value>)

  /// Makes a group of calls, which starts none of them.
  public init(_ call: repeat CallBuilder<each Value>) {
    self.call = (repeat each call)
  }

  /// Starts the calls, in order, and waits until all have ended.
  ///
  /// Each is a call like any other, with its own handlers, and its integrator's policy holds.
  /// Cancelling the task cancels every one that has not ended.
  ///
  /// - Returns: how each call ended, in the order of the calls.
  /// - Throws: `CancellationError` when the task was cancelled, and nothing else.
  @MainActor
  public func outcomes() async throws -> (repeat Outcome<each Value>) {
    try Task.checkCancellation()
    let started = (repeat (each call).start())
    var calls: [AnyCall] = []
    for call in repeat each started { calls.append(call) }
    // Without its types: the compiler crashes on closures over packs.
    try await calls.waitForEnds()
    return (repeat await (each started).outcome)
  }
}

extension Sequence {
  /// Starts the calls, in order and all at once, and waits until all have ended.
  ///
  /// The calls may be those of different integrators whose values have one type. Cancelling the
  /// task cancels every one that has not ended. For a bound, make a batch
  /// (``Integrator/batchCollecting(_:maxConcurrent:)``).
  ///
  /// - Returns: how each call ended, in the order of the calls.
  /// - Throws: `CancellationError` when the task was cancelled, and nothing else.
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
  /// Waits until all have ended; cancelling the task cancels them.
  ///
  /// - Throws: `CancellationError` when the task was cancelled.
  fileprivate func waitForEnds() async throws {
    await withTaskCancellationHandler {
      for call in self { _ = await call.anyOutcome }
    } onCancel: {
      MainDispatch.async { for call in self { call.cancel() } }
    }
    try Task.checkCancellation()
  }
}
