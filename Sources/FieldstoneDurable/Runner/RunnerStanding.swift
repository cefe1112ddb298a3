import FieldstoneCore
package import Foundation

/// What a runner does at a moment, for tools that show it.
package struct RunnerStanding: Sendable, Hashable {
  /// Whether it works.
  package enum Activity: Sendable, Hashable {
    /// ``DurableRunner/run()`` was not called, or has returned.
    case idle
    case working
    /// It claims no more, and the runs that it holds go on to their next checkpoints.
    case shuttingDown
  }

  /// A run that it holds.
  package struct Held: Sendable, Hashable {
    package var run: RunID
    package var flow: String
    /// The number of the stage.
    package var sequence: Int
    /// The number of the attempt at the stage, including crashes.
    package var attempt: Int
    /// When the run was claimed, or the stage before this one was checkpointed.
    package var since: Date
    /// What is left of the lease; zero once it is over.
    package var leaseLeft: Duration
  }

  package var activity = Activity.idle
  /// The number of runs that it holds.
  package var heldCount = 0
  /// The first of them, in the order of their claims.
  package var held: [Held] = []
}

extension RunnerSession {
  /// What the runner does at the moment.
  func standing(atMost limit: Int) -> RunnerStanding {
    let (leases, now, uptime) = (activeLeases, time.now, time.uptime)
    return RunnerStanding(
      activity: isStopping ? .shuttingDown : .working, heldCount: leases.count,
      held: leases.prefix(max(0, limit)).map { $0.held(at: now, uptime: uptime) })
  }
}
