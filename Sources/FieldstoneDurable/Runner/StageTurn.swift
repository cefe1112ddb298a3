import Foundation

/// The work on a run's stages, one after the other.
typealias StageWork = Task<StageWorkEnd, Never>

/// How the work on a run's stages has come to its end.
enum StageWorkEnd: Sendable {
  /// The run is no longer here.
  case over
  /// A stage was cut short, or must not begin: what it has come to is dropped.
  case cutShort(ActiveLease.Ending)
  /// A stage has cancelled the task that it was in, and come to this all the same.
  case cancelledItself(StageTurn, Result<PreparedStep, any Error>)
}

/// A stage whose turn it is, and what is counted at it.
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
  /// Whether a stage before it was worked on here.
  var isFollowing = false
  /// When the work began.
  var beganAt = Date.distantPast
  var beganAtUptime = Duration.zero

  /// The number of the attempt, crashes counted in.
  var number: Int { attempt + crashes }
}

/// The run whose stage the current task works on.
enum StageScope {
  @TaskLocal static var run: RunID?

  /// Refuses to wait for a run within the work of a stage, which keeps its place meanwhile.
  static func checkMayAwait(_ id: RunID) throws(DurableRunnerError) {
    if let run { throw .awaitedInStage(id, of: run) }
  }
}
