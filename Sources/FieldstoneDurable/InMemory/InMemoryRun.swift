import Foundation

/// A run in memory, with all that belongs to it.
struct InMemoryRun {
  /// How long a worker has it.
  struct Lease {
    var end: Duration
    var boot: String

    init(_ lease: Duration, from time: JournalTime) {
      end = time.uptime + lease
      boot = time.boot
    }

    /// Makes it last at least as long as another.
    mutating func prolong(to other: Lease) {
      // A renewal may come after a checkpoint that was asked for later.
      if boot != other.boot || end < other.end { self = other }
    }

    func isOver(at time: JournalTime) -> Bool {
      boot != time.boot || time.uptime >= end
    }
  }

  var record: RunRecord
  /// Its place among the children of its parent.
  var place: ChildPlace?
  /// Whether it goes on without its parent.
  var isDetached = false
  /// How many ancestors it has.
  var depth = 0
  /// How it ended while its parent waited for it.
  var joined: RunState?
  /// Its error then, once it was retried.
  var joinedError: String?
  var lease: Lease?
  /// Its group, while it is in quarantine.
  var group: Int?
  /// Whether its worker has tried it alone up to now.
  var isAlone = false
  /// Whether it has a place of its concurrency key.
  var hasPlace = false
  var steps: [StepRecord] = []
  /// The starts that have replaced its first stage.
  var replacements: [RunID] = []
  /// Those that no checkpoint has consumed, in the order in which they came.
  var signals: [SignalRecord] = []
  /// The identifiers of all that ever came, consumed ones too, by their bytes as in a database.
  var knownSignals: [[UInt8]: String] = [:]

  /// The signal that a claim gives.
  var signal: SignalRecord? {
    guard let name = record.awaitedSignal else { return nil }
    return signals.first { $0.name.utf8.elementsEqual(name.utf8) }
  }

  /// Its place among those that are due, the earliest first; nil while it is not due.
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
        // After a failed attempt the time is the next attempt's, whatever has come. Parked in the
        // future, it would wait for as much longer as the clock was set back.
        if record.attempts > 0 {
          record.changedAt > time.date ? record.place(dueSince: date) : nil
        } else {
          signal.map { record.place(dueSince: max(record.changedAt, $0.sentAt)) }
        }
      }
    case .completed, .dead, .blocked, .cancelled: nil
    }
  }

  /// Whether it comes into quarantine, or into another group, by the death of its worker.
  func isCrashSuspected(by request: ClaimRequest) -> Bool {
    guard request.quarantine != .disregarded else { return false }
    return group != nil || record.crashes + 1 >= request.quarantine.crashes
  }

  /// Whether a worker that comes with this fence still has it.
  func isHeld(by claim: RunClaim) -> Bool {
    record.state == .running && record.fence == claim.fence
  }

  /// Takes another start's stage, which no worker has had yet.
  mutating func replace(by start: RunStart, at time: JournalTime) {
    record.version = start.version
    record.payload = start.payload
    record.priority = start.effectivePriority
    record.changedAt = time.date
    record.dueAt = start.dueAt(at: time)
    record.take(start)
  }

  /// Leaves the stage behind as a link of the chain.
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

  /// Keeps how it ended for its parent, before it is made ready again.
  mutating func keepOutcome() {
    if joined == .dead, joinedError == nil { joinedError = record.error }
  }

  /// Its worker has lived through an attempt, or a person vouches for it.
  mutating func clear() {
    record.crashes = 0
    record.loneCrashes = 0
    group = nil
    isAlone = false
  }

  /// Its worker has died, or is taken for dead.
  mutating func countCrash() {
    record.crashes += 1
    if isAlone { record.loneCrashes += 1 }
    isAlone = false
  }

  /// A person lets it go on after its deadline.
  mutating func loseDeadline(at time: JournalTime) {
    if record.state.isOver, let deadline = record.deadline, deadline <= time.date {
      record.deadline = nil
    }
  }

  /// Takes it from its worker.
  mutating func release(to state: RunState, due date: Date? = nil, at time: JournalTime) {
    record.state = state
    record.dueAt = date
    record.worker = nil
    record.changedAt = time.date
    // It waits for its children no longer, unless it waits at all.
    if state != .ready || date == nil { record.join?.policy = nil }
    lease = nil
    isAlone = false
    // Only runs that can be claimed are in a group.
    if state != .ready { group = nil }
  }
}

extension RunRecord {
  /// Takes what a start says beside its stage.
  mutating func take(_ start: RunStart) {
    deadline = start.deadline
    attributes = start.attributes
    trace = start.trace
  }
}
