import Foundation

/// The work on a run's stages, one after the other.
typealias StageWork = Task<StageWorkEnd, Never>

/// How the work on a run's stages ended.
enum StageWorkEnd: Sendable {
  /// This worker no longer has the run.
  case over
  /// A stage was cut short, or must not begin: its result is dropped.
  case cutShort(ActiveLease.Ending)
  /// A stage has cancelled its own task, and has this result nevertheless.
  case cancelledItself(StageTurn, Result<PreparedStep, any Error>)
}

/// A stage whose turn it is, with its counts.
struct StageTurn: Sendable {
  let stage: PreparedStage
  /// The version of the flow that works on it.
  let version: Int
  var attempt = 1
  var crashes = 0
  var signal: SignalRecord?
  /// The number of the stage whose children were awaited.
  var joinedSequence: Int?
  /// Whether the run has a parent.
  var isChild = false
  /// Whether this worker has worked on a stage before it.
  var isFollowing = false
  /// When the work began.
  var beganAt = Date.distantPast
  var beganAtUptime = Duration.zero

  /// The number of the attempt, including crashes.
  var number: Int { attempt + crashes }
}

/// The run whose stage the current task works on.
enum StageScope {
  @TaskLocal static var run: RunID?

  /// Throws within the work of a stage, which would occupy its place while it waits for a run.
  static func checkMayAwait(_ id: RunID) throws(DurableRunnerError) {
    if let run { throw .awaitedInStage(id, of: run) }
  }
}
