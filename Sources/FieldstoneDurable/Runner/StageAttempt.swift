/// An attempt at a stage, about to be made: what ``DurableRunnerOptions/aroundStage`` is given.
public struct StageAttempt: Sendable {
  /// The name of the flow.
  public let flow: String
  /// Names the run.
  public let run: RunID
  /// The number of the stage in the run's chain; the first is 0.
  public let sequence: Int
  /// How many attempts at this stage have begun, this one included.
  public let number: Int
  /// The trace that the run belongs to, as its start has it.
  public let trace: [String: String]

  let work: @Sendable () async throws -> PreparedStep

  /// Does the stage's work, in the task of the caller, so that it sees the caller's task-locals.
  ///
  /// - Throws: what the work throws.
  public func perform() async throws -> StageOutcome {
    StageOutcome(step: try await work())
  }
}

/// What the work of an attempt has come to: only the work itself can make one.
public struct StageOutcome: Sendable {
  let step: PreparedStep
}
