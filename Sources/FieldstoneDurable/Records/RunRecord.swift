public import FieldstoneCore
public import Foundation

/// A run as it stands in a journal.
public struct RunRecord: Sendable, Hashable, Codable, Identifiable {
  /// Names the run.
  public var id: RunID
  /// The name of its flow.
  public var flow: String
  /// The version of the flow that wrote the stage.
  public var version: Int
  /// The key that its caller gave; no two runs of a flow have the same.
  ///
  /// A run that is over loses it to a later start with ``TakenKeyPolicy/restartIfOver``.
  public var key: String?
  /// What goes first of the runs that are due: the higher number, a level for an hour of waiting.
  public var priority: Int
  /// What it has in common with others of its flow, for limits and pauses.
  public var concurrencyKey: String?
  /// What is to be done about it.
  public var state: RunState
  /// The number of the stage in the run's chain; the first is 0.
  public var sequence: Int
  /// How often it was claimed: a worker with a lower number has lost it.
  public var fence: Int
  /// The stage as JSON, or the completion as JSON once it is completed.
  public var payload: Data
  /// How many attempts at the stage have begun, without those that ended with a crash.
  public var attempts: Int
  /// How often a worker has died, or stalled for longer than its lease, while it had the run at this
  /// stage; forgotten once a worker lives through an attempt.
  public var crashes: Int
  /// How many of the crashes came while the run was tried alone; only these can make it dead.
  public var loneCrashes: Int
  /// When it was started, by the wall clock.
  public var startedAt: Date
  /// When its record was last changed, by the wall clock.
  public var changedAt: Date
  /// Until when it waits, by the wall clock; nil when there is nothing to wait for.
  ///
  /// Of a run that awaits a signal or children it is the time-out, or `Date.distantFuture` without one.
  public var dueAt: Date?
  /// The name of the signal that it awaits, or that its stage has received.
  public var awaitedSignal: String?
  /// The run that has started it as its child; nil when none has.
  public var parent: RunID?
  /// Its wait for the children that the stage before has started; nil when that has started none.
  public var join: RunJoin?
  /// The worker that has it, while it runs.
  public var worker: String?
  /// Whether it is paused by itself; pauses of its flow or its concurrency key are others.
  public var isPaused: Bool
  /// What its last failed attempt said, or why it is blocked.
  public var error: String?

  /// When it is cancelled unless it is over, by the journal's clock; nil for never.
  public var deadline: Date?
  /// What it can be found by.
  public var attributes: [String: RunAttribute] = [:]
  /// The trace that it belongs to, as an instrument writes it into headers.
  public var trace: [String: String] = [:]

  /// Makes a record.
  public init(
    id: RunID, flow: String, version: Int, key: String? = nil, priority: Int = 0,
    concurrencyKey: String? = nil,
    state: RunState = .ready,
    sequence: Int = 0, fence: Int = 0, payload: Data, attempts: Int = 0, crashes: Int = 0,
    loneCrashes: Int = 0, startedAt: Date, changedAt: Date, dueAt: Date? = nil,
    awaitedSignal: String? = nil, parent: RunID? = nil, join: RunJoin? = nil, worker: String? = nil,
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
    self.awaitedSignal = awaitedSignal
    self.parent = parent
    self.join = join
    self.worker = worker
    self.isPaused = isPaused
    self.error = error
  }
}

extension RunRecord {
  /// Why it was cancelled: by a person or with its parent, or at its deadline; nil when it was not.
  public var cancellationReason: CancellationReason? {
    guard state == .cancelled else { return nil }
    let isLate = deadline.map { $0 <= changedAt } ?? false
    return isLate ? CancellationReason.deadline : CancellationReason.caller
  }

  /// Its place among the runs that are due, when it has been due since a time: the earliest goes first.
  package func place(dueSince date: Date) -> Date { date - Double(priority) * secondsPerPriority }
}

/// How much a level of priority counts, in seconds of waiting.
package let secondsPerPriority = 3_600.0
