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
  var lease: Lease?
  var steps: [StepRecord] = []
  /// Those that no checkpoint has consumed, in the order in which they came.
  var signals: [SignalRecord] = []
  /// The identifiers of all that ever came, consumed ones too, by their bytes as in a database.
  var knownSignals: [[UInt8]: String] = [:]

  /// The signal that a claim gives.
  var signal: SignalRecord? {
    guard let name = record.awaitedSignal else { return nil }
    return signals.first { $0.name == name }
  }

  /// Since when it is due; nil while it is not.
  func due(at time: JournalTime) -> Date? {
    switch record.state {
    case .running:
      // A run without a lease would be nobody's for ever.
      lease?.isOver(at: time) ?? true ? .distantPast : nil
    case .ready:
      switch record.dueAt {
      case nil: record.changedAt
      case let date? where date <= time.date: date
      case _?:
        // After a failed attempt the time is the next attempt's, whatever has come.
        if record.attempts == 0, let signal { max(record.changedAt, signal.sentAt) } else { nil }
      }
    case .completed, .dead, .blocked, .cancelled: nil
    }
  }

  /// Whether its work may have ended its worker, as far as whoever would take it over is concerned.
  func isSuspect(to request: ClaimRequest) -> Bool {
    record.state == .running && record.attempts >= request.suspects.attempts
  }

  /// Whether a worker that comes with this fence still has it.
  func isHeld(by claim: RunClaim) -> Bool {
    record.state == .running && record.fence == claim.fence
  }

  /// Leaves the stage behind as a link of the chain.
  mutating func leave(_ kind: StepRecord.Kind, beganAt: Date, endedAt: Date) {
    steps.append(
      StepRecord(
        sequence: record.sequence, fence: record.fence, kind: kind, version: record.version,
        payload: record.payload, attempts: record.attempts, beganAt: beganAt, endedAt: endedAt,
        worker: record.worker, error: record.error))
    record.sequence += 1
    record.attempts = 0
    record.error = nil
    record.changedAt = endedAt
  }

  /// Takes it from its worker.
  mutating func release(to state: RunState, due date: Date? = nil, at time: JournalTime) {
    record.state = state
    record.dueAt = date
    record.worker = nil
    record.changedAt = time.date
    lease = nil
  }
}
