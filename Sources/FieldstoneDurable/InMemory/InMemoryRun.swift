import Foundation

/// A run in memory, with all its data.
struct InMemoryRun {
  /// A worker's lease on it.
  struct Lease {
    var end: Duration
    var boot: String

    init(_ lease: Duration, from time: JournalTime) {
      end = time.uptime + lease
      boot = time.boot
    }

    /// Extends it to at least the end of another lease.
    mutating func prolong(to other: Lease) {
      // A renewal may arrive after a checkpoint that was requested later.
      if boot != other.boot || end < other.end { self = other }
    }

    func isOver(at time: JournalTime) -> Bool {
      boot != time.boot || time.uptime >= end
    }
  }

  var record: RunRecord
  /// Its place among the children of its parent.
  var place: ChildPlace?
  /// Whether it continues without its parent.
  var isDetached = false
  /// The number of its ancestors.
  var depth = 0
  /// How it ended while its parent waited for it.
  var joined: RunState?
  /// The error of that end, if it was retried since.
  var joinedError: String?
  var lease: Lease?
  /// Its group, while it is in quarantine.
  var group: Int?
  /// Whether its worker has tried it alone so far.
  var isAlone = false
  /// The fingerprint of the error that made it dead or blocked.
  var fingerprint: ErrorFingerprint?
  /// Whether it has a place of its concurrency key.
  var hasPlace = false
  /// Whether it has a place of its flow.
  var hasFlowPlace = false
  /// Whether it was due at a claim, and its concurrency key had no place left: it waits for that alone.
  var isBehind = false
  var steps: [StepRecord] = []
  /// The starts that have replaced its first stage.
  var replacements: [RunID] = []
  /// The signals that it has received.
  var signals = InMemorySignals()

  /// The signal that a claim delivers.
  var signal: SignalRecord? {
    if record.awaitedSignals.isEmpty { return nil }
    return signals.first(of: record.awaitedSignals)
  }

  /// Its sort key among due runs, earliest first; nil while it is not due.
  func due(at time: JournalTime) -> Date? {
    switch record.state {
    case .running:
      // Otherwise no worker would ever claim a running run without a lease.
      lease?.isOver(at: time) ?? true ? .distantPast : nil
    case .ready:
      switch record.dueAt {
      case nil: record.place(dueSince: record.changedAt)
      case let date? where date <= time.date: record.place(dueSince: date)
      case let date?:
        // After a failed attempt this is the next attempt's time, even if a signal has arrived. A
        // run that was parked in the future would wait longer by the amount that the clock was set
        // back.
        if record.attempts > 0 {
          record.changedAt > time.date ? record.place(dueSince: date) : nil
        } else {
          signal.map { record.place(dueSince: max(record.changedAt, $0.sentAt)) }
        }
      }
    case .completed, .dead, .blocked, .cancelled: nil
    }
  }

  /// Whether the death of its worker puts it into quarantine, or into another group.
  func isCrashSuspected(by request: ClaimRequest) -> Bool {
    guard request.quarantine != .disregarded else { return false }
    return group != nil || record.crashes + 1 >= request.quarantine.crashes
  }

  /// Whether a worker with this fence still holds it.
  func isHeld(by claim: RunClaim) -> Bool {
    record.state == .running && record.fence == claim.fence
  }

  /// Takes another start's stage, which no worker has claimed yet.
  mutating func replace(by start: RunStart, at time: JournalTime) {
    record.version = start.version
    record.payload = start.payload
    record.priority = start.effectivePriority
    record.changedAt = time.date
    record.dueAt = start.dueAt(at: time)
    isBehind = false
    record.take(start)
  }

  /// Appends the stage to the chain as a link.
  mutating func leave(_ kind: StepRecord.Kind, beganAt: Date, endedAt: Date) {
    steps.append(
      StepRecord(
        sequence: record.sequence, fence: record.fence, kind: kind, version: record.version,
        payload: record.payload, attempts: record.attempts + record.crashes, beganAt: beganAt,
        endedAt: endedAt,
        worker: record.worker, error: record.error))
    record.sequence += 1
    record.attempts = 0
    record.error = nil
    record.changedAt = endedAt
    clear()
  }

  /// Stores its end for its parent, before it is made ready again.
  mutating func keepOutcome() {
    if joined == .dead, joinedError == nil { joinedError = record.error }
  }

  /// Resets its crashes: its worker has survived an attempt, or an operator has changed it.
  mutating func clear() {
    record.crashes = 0
    record.loneCrashes = 0
    group = nil
    isAlone = false
  }

  /// Counts a crash: its worker has died, or counts as dead.
  mutating func countCrash() {
    record.crashes += 1
    if isAlone { record.loneCrashes += 1 }
    isAlone = false
  }

  /// Removes a past deadline, because an operator continues the run.
  mutating func loseDeadline(at time: JournalTime) {
    if record.state.isOver, let deadline = record.deadline, deadline <= time.date {
      record.deadline = nil
    }
  }

  /// Takes it from its worker.
  mutating func release(to state: RunState, due date: Date? = nil, at time: JournalTime) {
    record.state = state
    record.dueAt = date?.known
    record.worker = nil
    record.changedAt = time.date
    isBehind = false
    // It no longer waits for its children, unless it waits at all.
    if state != .ready || date == nil { record.join?.policy = nil }
    lease = nil
    isAlone = false
    // Only claimable runs are in a group.
    if state != .ready { group = nil }
  }
}

extension Date {
  /// The date itself; the distant past, as in databases, if it is not a number: such a date would
  /// never come, and has no order among others.
  var known: Date { timeIntervalSinceReferenceDate.isNaN ? .distantPast : self }
}

extension RunRecord {
  /// Takes the values of a start, except its stage.
  mutating func take(_ start: RunStart) {
    deadline = start.deadline?.known
    attributes = start.attributes
    trace = start.trace
  }
}
