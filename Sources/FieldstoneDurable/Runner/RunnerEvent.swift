public import Foundation

/// An event of a runner, for logs and metrics.
public struct RunnerEvent: Sendable, Hashable {
  /// The kinds of events.
  public enum Kind: Sendable, Hashable {
    /// This runner added a run to the journal, or found an existing one by its key.
    ///
    /// For a start by a stage, the event names the identifier that the context has returned. If the
    /// key was taken, no run has it: a checkpoint does not say which run it has found.
    case started
    /// A run was claimed; the attempt's number includes crashes.
    case claimed(attempt: Int)
    /// A stage's work is done and its checkpoint has returned; the duration is that of this
    /// attempt.
    case stageFinished(attempt: Int, duration: Duration)
    /// A run has completed; follows the last ``stageFinished(attempt:duration:)``.
    case completed
    /// An attempt failed, and there will be another.
    case retry(attempt: Int, at: Date, error: String)
    /// The last attempt failed.
    case dead(attempts: Int, error: String)
    /// This code can't read the stage.
    case blocked(error: String)
    /// A run was given back: at a shutdown, because no checkpoint was written while the lease
    /// lasted, or after its stage so that a quarantined group can be tried.
    case parked
    /// A run was given back at its checkpoint, because it, its concurrency key or its flow is
    /// paused.
    case paused
    /// A run was lost while it was worked on; the work's result is dropped.
    case lost(Loss)
    /// The journal was unavailable; the runner tries again.
    case journalUnavailable(error: String)
    /// The executor of the stages ran nothing for this long, because work blocks or occupies its
    /// threads.
    ///
    /// Reported after a third of a lease, and again with the whole time when it is over.
    case executorHeldUp(for: Duration, isOver: Bool)
    /// Renewals have stopped, because the executor of the stages was held up for
    /// ``DurableRunnerOptions/maximumHeldUpLeases``; they resume once it runs something.
    case renewalStopped(heldUpFor: Duration)
    /// The journal keeps other limits for the flow than this code declares; the journal's limits
    /// apply.
    case limitsDiffer(declared: FlowLimits?, kept: FlowLimits?)
    /// A schedule started a run for a tick.
    case scheduled(by: String, tick: Date)
    /// Ticks of a schedule were not started, because the run before them was unfinished.
    case ticksOverlapped(schedule: String, ticks: [Date])
    /// Ticks of a schedule were missed, from the first to the last.
    ///
    /// If a later run was started for them, `last` is that run's tick.
    case ticksMissed(schedule: String, first: Date, last: Date)
    /// A schedule can't be read or its run can't be started; its ticks wait until that is
    /// corrected.
    case scheduleFailed(schedule: String, error: String)
    /// A payload is larger than ``PayloadLimits/warning``.
    case payloadWarning(bytes: Int, limit: Int)
  }

  /// The ways in which a run is lost.
  public enum Loss: String, Sendable, Hashable, Codable, CaseIterable {
    /// Another worker holds the run, or it was cancelled or changed.
    case claimLost
    /// The lease expired before the journal could be reached, after renewals had stopped, or after
    /// the runner ended.
    case leaseEnded
  }

  /// The kind of event.
  public var kind: Kind
  /// The name of the flow; nil for an event without a flow.
  public var flow: String?
  /// Identifies the run; nil for an event without a run.
  public var run: RunID?
  /// The number of the stage in the run's chain; nil for an event without a stage.
  public var sequence: Int?
  /// The runner, while something observes it.
  package var source = RunnerEventSource()

  /// Makes an event.
  public init(_ kind: Kind, flow: String? = nil, run: RunID? = nil, sequence: Int? = nil) {
    self.kind = kind
    self.flow = flow
    self.run = run
    self.sequence = sequence
  }
}

/// The runner of an event; it has no part in the equality of events.
package struct RunnerEventSource: Sendable, Hashable {
  /// Identifies the runner; nil for an event made elsewhere.
  package var id: ObjectIdentifier?

  package static func == (left: Self, right: Self) -> Bool { true }

  package func hash(into hasher: inout Hasher) {}
}
