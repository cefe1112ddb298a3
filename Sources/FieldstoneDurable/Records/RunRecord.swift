public import FieldstoneCore
public import Foundation

/// The current record of a run in a journal.
public struct RunRecord: Sendable, Hashable, Codable, Identifiable {
  /// Identifies the run.
  public var id: RunID
  /// The name of its flow.
  public var flow: String
  /// The version of the flow that wrote the stage.
  public var version: Int
  /// The key that its caller gave; unique among the flow's runs.
  ///
  /// A run that is over loses it to a later start with ``TakenKeyPolicy/restartIfOver``.
  public var key: String?
  /// Higher numbers are claimed first; a level counts as much as an hour of waiting.
  public var priority: Int
  /// The key that it shares with other runs of its flow, for limits and pauses.
  public var concurrencyKey: String?
  /// The state of the run.
  public var state: RunState
  /// The number of the stage in the run's chain; the first is 0.
  public var sequence: Int
  /// The number of its claims: a worker with a lower number has lost the run.
  public var fence: Int
  /// The stage as JSON, or the completion as JSON once it is completed.
  public var payload: Data
  /// The number of attempts at the stage that have begun, without those that ended in a crash.
  public var attempts: Int
  /// How often a worker died, or stalled beyond its lease, while it held the run at this stage.
  ///
  /// It is reset once a worker survives an attempt.
  public var crashes: Int
  /// The number of crashes while the run was tried alone; only these can make it dead.
  public var loneCrashes: Int
  /// When it was started, by the wall clock.
  public var startedAt: Date
  /// When its record was last changed, by the wall clock.
  public var changedAt: Date
  /// Until when it waits, by the wall clock; nil if it does not wait.
  ///
  /// For a run that awaits a signal or children it is the time-out, or `Date.distantFuture` without
  /// one.
  public var dueAt: Date?
  /// The names of the signals that it awaits, or of which its stage has received one.
  public var awaitedSignals: [String]
  /// The run that started it as its child; nil if none did.
  public var parent: RunID?
  /// Its wait for the children that the previous stage started; nil if there are none.
  public var join: RunJoin?
  /// The worker that holds it, while it runs.
  public var worker: String?
  /// Whether the run itself is paused; pauses of its flow or its concurrency key are separate.
  public var isPaused: Bool
  /// The error of its last failed attempt, or the reason that it is blocked.
  public var error: String?

  /// When it is cancelled if it is unfinished, by the journal's clock; nil for never.
  public var deadline: Date?
  /// The values by which it can be found.
  public var attributes: [String: RunAttribute] = [:]
  /// The trace that it belongs to, in the form of an instrument's headers.
  public var trace: [String: String] = [:]
  /// The stage of another run that it was forked from; nil if it is no fork.
  public var origin: RunOrigin?

  /// Makes a record.
  public init(
    id: RunID, flow: String, version: Int, key: String? = nil, priority: Int = 0,
    concurrencyKey: String? = nil,
    state: RunState = .ready,
    sequence: Int = 0, fence: Int = 0, payload: Data, attempts: Int = 0, crashes: Int = 0,
    loneCrashes: Int = 0, startedAt: Date, changedAt: Date, dueAt: Date? = nil,
    awaitedSignals: [String] = [], parent: RunID? = nil, join: RunJoin? = nil,
    worker: String? = nil,
    isPaused: Bool = false,
    error: String? = nil
  ) {
    self.id = id
    self.flow = flow
    self.version = version
    self.key = key
    self.priority = priority
    self.concurrencyKey = concurrencyKey
    self.state = state
    self.sequence = sequence
    self.fence = fence
    self.payload = payload
    self.attempts = attempts
    self.crashes = crashes
    self.loneCrashes = loneCrashes
    self.startedAt = startedAt
    self.changedAt = changedAt
    self.dueAt = dueAt
    self.awaitedSignals = awaitedSignals
    self.parent = parent
    self.join = join
    self.worker = worker
    self.isPaused = isPaused
    self.error = error
  }
}

extension RunRecord {
  /// Why it was cancelled: by a person, with its parent or at its deadline; nil if it was not.
  public var cancellationReason: CancellationReason? {
    guard state == .cancelled else { return nil }
    let isLate = deadline.map { $0 <= changedAt } ?? false
    return isLate ? CancellationReason.deadline : CancellationReason.caller
  }

  /// Its sort key among due runs, given the time since when it is due: the earliest goes first.
  package func place(dueSince date: Date) -> Date { date - Double(priority) * secondsPerPriority }
}

/// The seconds of waiting that a level of priority counts as.
package let secondsPerPriority = 3_600.0
