/// An attempt at a stage that is about to begin, passed to ``DurableRunnerOptions/aroundStage``.
public struct StageAttempt: Sendable {
  /// The name of the flow.
  public let flow: String
  /// Identifies the run.
  public let run: RunID
  /// The number of the stage in the run's chain; the first is 0.
  public let sequence: Int
  /// The number of attempts at this stage that have begun, including this one.
  public let number: Int
  /// The trace that the run belongs to, from its start.
  public let trace: [String: String]

  let work: @Sendable () async throws -> PreparedStep

  /// Whether a shutdown or the loss of the run has cut the work short, so its result is dropped.
  package let isCutShort: @Sendable () -> Bool

  /// The error of the time limit once it is over, by which the attempt fails whatever the work does.
  package let limitError: @Sendable () -> (any Error)?

  /// Does the stage's work in the caller's task, so that it sees the caller's task-locals.
  ///
  /// - Throws: the work's errors.
  public func perform() async throws -> StageOutcome {
    StageOutcome(step: try await work())
  }
}

/// The result of an attempt's work; only the work itself can make one.
public struct StageOutcome: Sendable {
  let step: PreparedStep
}
