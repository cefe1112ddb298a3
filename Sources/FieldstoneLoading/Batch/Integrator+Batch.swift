public import FieldstoneCore

extension Integrator {
  /// Makes many calls, never more than a number of them at once, and fails with the first that
  /// fails.
  ///
  /// The values are in the order of the parameters. The first failure cancels the other calls of
  /// the batch, and so does cancelling the task. Each is a call like any other: its policy holds,
  /// so that `.concurrent` is the one to use.
  ///
  /// - Parameters:
  ///   - parameters: those of each call.
  ///   - maxConcurrent: how many calls are made at once; less than one counts as one.
  /// - Throws: the first failure; `CancellationError` when the task was cancelled;
  ///   ``/FieldstoneCore/CallCancelled`` when something else cancelled one of the calls.
  public func batch(
    _ parameters: [Parameters], maxConcurrent: Int = 4
  ) async throws -> [Value] {
    try await asProvider().batched(maxConcurrent: maxConcurrent)
      .load(parameters, reporting: LoadEvents())
  }

  /// Makes many calls, never more than a number of them at once, and collects how each one ended.
  ///
  /// The outcomes are in the order of the parameters; a failure disturbs none of the others.
  ///
  /// - Parameters:
  ///   - parameters: those of each call.
  ///   - maxConcurrent: how many calls are made at once; less than one counts as one.
  /// - Throws: `CancellationError` when the task was cancelled, and nothing else.
  public func batchCollecting(
    _ parameters: [Parameters], maxConcurrent: Int = 4
  ) async throws -> [Outcome<Value>] {
    try await asProvider().batchedCollecting(maxConcurrent: maxConcurrent)
      .load(parameters, reporting: LoadEvents())
  }
}
