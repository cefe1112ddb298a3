import FieldstoneDurable
import Foundation

/// A run as the promises have it: what it stands at is one value, not several optional ones.
struct ModelRun {
  enum Standing: Equatable {
    case due
    case until(Date)
    case receiving(until: Date?)
    case joining(until: Date?)
    case running(worker: String, end: Duration, boot: String)
    case over(RunState)
  }

  var id: RunID
  var flow: String
  var version: Int
  var key: String?
  var priority = 0
  var deadline: Date?
  var attributes: [String: RunAttribute] = [:]
  var trace: [String: String] = [:]
  var origin: RunOrigin?
  var concurrencyKey: String?
  /// Whether it has a place of its concurrency key.
  var hasPlace = false
  var hasFlowPlace = false
  /// The starts that took the place of its own.
  var replacements: [RunID] = []
  var payload: Data
  var standing = Standing.due {
    didSet { isBehind = false }
  }
  /// Whether it was due at a claim that had no place of its key for it: it waits for that alone.
  var isBehind = false
  var sequence = 0
  var fence = 0
  var attempts = 0
  var crashes = 0
  var loneCrashes = 0
  /// Its group of crash-suspected runs.
  var group: Int?
  /// Whether its worker has tried it alone up to now.
  var isAlone = false
  var startedAt: Date
  var changedAt: Date
  var error: String?
  var awaited: [String] = []
  /// When it had a signal that it awaits; nil where that is not kept.
  var signalledAt: Date?
  var parent: RunID?
  var place: ChildPlace?
  var isDetached = false
  /// How it ended while its parent waited, and its error then.
  var end: RunState?
  var endError: String?
  /// Its children: when it goes on, and how many have not ended.
  var join: RunJoin?
  var steps: [StepRecord] = []
  var inbox: [SignalRecord] = []
  var known: [String: KnownSignal] = [:]

  struct KnownSignal {
    var name: String
    /// The stage that has consumed it.
    var consumedBy: Int?
  }

  var worker: String? {
    if case .running(let worker, _, _) = standing { worker } else { nil }
  }

  var state: RunState {
    switch standing {
    case .due, .until, .receiving, .joining: .ready
    case .running: .running
    case .over(let state): state
    }
  }

  var record: RunRecord {
    let dueAt: Date? =
      switch standing {
      case .until(let date): date
      case .receiving(let date), .joining(let date): date ?? .distantFuture
      default: nil
      }
    var record = RunRecord(
      id: id, flow: flow, version: version, key: key, priority: priority,
      concurrencyKey: concurrencyKey, state: state,
      sequence: sequence,
      fence: fence, payload: payload, attempts: attempts, crashes: crashes,
      loneCrashes: loneCrashes, startedAt: startedAt,
      changedAt: changedAt, dueAt: dueAt, awaitedSignals: awaited, parent: parent,
      join: recordedJoin,
      worker: worker, error: error)
    record.deadline = deadline
    record.attributes = attributes
    record.trace = trace
    record.origin = origin
    return record
  }

  /// It has a policy only while it waits.
  private var recordedJoin: RunJoin? {
    var join = join
    if case .joining = standing { return join }
    join?.policy = nil
    return join
  }

  var child: ChildRecord? {
    place.map {
      ChildRecord(
        id: id, place: $0, flow: flow, isDetached: isDetached, state: state, end: end,
        completion: end == .completed ? payload : nil,
        error: end == .dead ? endError ?? error : nil)
    }
  }

  /// The oldest signal that it awaits.
  var next: SignalRecord? { inbox.first { awaited.contains($0.name) } }

  /// What comes first of two runs that are due: an hour earlier for each level of priority.
  func due(at time: JournalTime) -> Date? {
    if worker != nil { return dueDate(at: time) }
    return dueDate(at: time).map { $0 - Double(priority) * 3_600 }
  }

  private func dueDate(at time: JournalTime) -> Date? {
    switch standing {
    case .due: return changedAt
    case .until(let date):
      // A pause after a failed attempt does not begin in the future.
      let isSetBack = attempts > 0 && changedAt > time.date
      return date <= time.date || isSetBack ? date : nil
    case .receiving(let date):
      if next != nil, let signalledAt { return signalledAt }
      if let date, date <= time.date { return date }
      guard let next else { return nil }
      return max(changedAt, next.sentAt)
    case .joining(let date): return date.flatMap { $0 <= time.date ? $0 : nil }
    case .running(_, let end, let boot):
      return boot != time.boot || end <= time.uptime ? .distantPast : nil
    case .over: return nil
    }
  }

  /// When it will be due by itself.
  func nextDue(at time: JournalTime) -> Date? {
    if due(at: time) != nil { return nil }
    switch standing {
    case .until(let date), .receiving(let date?), .joining(let date?): return date
    default: return nil
    }
  }

  mutating func crash() {
    crashes += 1
    if isAlone { loneCrashes += 1 }
    isAlone = false
  }

  mutating func clear() {
    (crashes, loneCrashes, group, isAlone) = (0, 0, nil, false)
  }

  mutating func leave(_ kind: StepRecord.Kind, beganAt: Date, at time: JournalTime) {
    steps.append(
      StepRecord(
        sequence: sequence, fence: fence, kind: kind, version: version, payload: payload,
        attempts: attempts + crashes, beganAt: beganAt, endedAt: time.date, worker: worker,
        error: error))
    sequence += 1
    attempts = 0
    error = nil
    clear()
  }
}

/// What an operator has done, and to what.
struct ModelChange: Equatable {
  var action: AuditAction
  var subject: AuditSubject
}
