public import Foundation

/// Something that has happened in a runner, for logs and metrics.
public struct RunnerEvent: Sendable, Hashable {
  /// What happened.
  public enum Kind: Sendable, Hashable {
    /// A run was put into the journal by this runner, or found there by its key.
    case started
    /// A run was claimed; the number of the attempt counts crashes in.
    case claimed(attempt: Int)
    /// A stage's work is done and its checkpoint has returned; the duration is of this attempt.
    case stageFinished(attempt: Int, duration: Duration)
    /// A run has come to its completion; follows the last ``stageFinished(attempt:duration:)``.
    case completed
    /// An attempt failed, and there will be another.
    case retry(attempt: Int, at: Date, error: String)
    /// There will be no other attempt.
    case dead(attempts: Int, error: String)
    /// The stage can't be read by this code.
    case blocked(error: String)
    /// A run was given back because the runner shuts down, because its checkpoint could not be
    /// written while its lease lasted, or after its stage so that a quarantined group can be tried.
    case parked
    /// A run was given back at its checkpoint, as it, its concurrency key or its flow is paused.
    case paused
    /// A run was lost while it was worked on; what the work came to is dropped.
    case lost(Loss)
    /// The journal could not be used, and is tried again.
    case journalUnavailable(error: String)
    /// The executor of the stages ran nothing for so long, as work blocks its threads or keeps them
    /// busy; told after a third of a lease, and again with the whole time when it is over.
    case executorHeldUp(for: Duration, isOver: Bool)
    /// No lease is renewed any more, as the executor of the stages was held up for
    /// ``DurableRunnerOptions/maximumHeldUpLeases``; they are again once it runs something.
    case renewalStopped(heldUpFor: Duration)
    /// The journal keeps other limits for the flow than this code declares; the journal's hold.
    case limitsDiffer(declared: FlowLimits?, kept: FlowLimits?)
    /// A run was started by a schedule, for a tick of it.
    case scheduled(by: String, tick: Date)
    /// Ticks of a schedule were not started as a run before them was not over.
    case ticksOverlapped(schedule: String, ticks: [Date])
    /// Ticks of a schedule were not started as they were missed: the first of them, and the last; or, where
    /// a later one was started for them, that one.
    case ticksMissed(schedule: String, first: Date, last: Date)
    /// A schedule can't be read or its run can't be started; its ticks wait until somebody mends it.
    case scheduleFailed(schedule: String, error: String)
    /// A payload is larger than ``PayloadLimits/warning``.
    case payloadWarning(bytes: Int, limit: Int)
  }

  /// How a run was lost.
  public enum Loss: String, Sendable, Hashable, Codable, CaseIterable {
    /// Another worker has it now, or it was cancelled or changed.
    case claimLost
    /// The lease ended before the journal could be reached, or as renewals had stopped; or the runner
    /// ended before, and the lease ends by itself.
    case leaseEnded
  }

  /// What happened.
  public var kind: Kind
  /// The name of the flow; nil where it concerns no flow.
  public var flow: String?
  /// Names the run; nil where it concerns none.
  public var run: RunID?
  /// The number of the stage in the run's chain; nil where it concerns none.
  public var sequence: Int?

  /// Makes an event.
  public init(_ kind: Kind, flow: String? = nil, run: RunID? = nil, sequence: Int? = nil) {
    self.kind = kind
    self.flow = flow
    self.run = run
    self.sequence = sequence
  }
}
