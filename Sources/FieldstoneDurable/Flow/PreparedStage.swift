import Foundation

/// A stage ready to be worked on, its type forgotten.
struct PreparedStage: Sendable {
  let retryPolicy: @Sendable () -> StageRetryPolicy
  let timeLimit: @Sendable () -> Duration?
  let perform: @Sendable (StageCall) async throws -> PreparedStep
}

/// What an attempt at a stage knows.
struct StageCall: Sendable {
  let run: RunID
  let sequence: Int
  let attempt: Int
  let now: Date
  let signal: SignalRecord?
  let requests: any StageRequests
}

/// What came of an attempt, ready to be written.
struct PreparedStep: Sendable {
  let next: Checkpoint.Next
  /// The stage that is to be worked on at once; there with ``Checkpoint/Next/stage(_:)`` only.
  let following: PreparedStage?
  let outbox: StageOutbox.Content
}
