import Foundation

/// The state of an in-memory journal and its transitions: a pure state machine.
struct InMemoryRuns {
  /// The flow and the bytes of a key.
  private struct KeyOwner: Hashable {
    let flow: String
    /// Swift strings may be equal with different bytes, but databases compare bytes.
    let key: [UInt8]

    init(flow: String, key: String) {
      self.flow = flow
      self.key = Array(key.utf8)
    }
  }

  var all: [RunID: InMemoryRun] = [:]
  /// The identifiers of all runs, oldest first.
  private(set) var order: [RunID] = []
  private var keys: [KeyOwner: RunID] = [:]
  /// The starts that have replaced the first stage of a run, by their identifiers.
  private var replaced: [RunID: RunID] = [:]
  /// The runs that a claim must examine, by flow.
  var open: [String: Set<RunID>] = [:]
  /// The children of each run, in the order of their places.
  var children: [RunID: [RunID]] = [:]
  /// The children that are to be cancelled.
  var cancellations: [Cancellation] = []
  /// The runs in quarantine.
  var quarantined: Set<RunID> = []
  /// The unfinished runs with a deadline.
  var withDeadline: Set<RunID> = []
  /// The last group that was made.
  var lastGroup = 0
  /// The pauses with their ends.
  var pauses: [PauseTarget: Date?] = [:]
  /// The limits of flows.
  var limits: [String: InMemoryLimits] = [:]
  /// The schedules, by the bytes of their names.
  var schedules: [[UInt8]: ScheduleRecord] = [:]
  /// The reports of runs' stages.
  var reports: [RunID: RunReport] = [:]
  /// The fences of the claims that reported the progresses.
  var progressFences: [RunID: Int] = [:]
  /// The workers, by the bytes of their names.
  var workers: [[UInt8]: WorkerRecord] = [:]
  /// The changes by persons and programs, oldest first.
  var audit: [AuditRecord] = []
  /// The number of the last change.
  var lastAudit = 0
  /// The slots that the journal owns; nil for all.
  var slots: JournalSlots?
  /// The version of the protocol that workers must know.
  var minimumProtocol = 1
  private var log = InMemoryChanges()

  func record(_ id: RunID) -> RunRecord? { all[id]?.record }

  func standing(of id: RunID) -> RunStanding? {
    all[id].map { run in
      RunStanding(
        record: run.record, hasSignal: run.signal != nil, isQuarantined: run.group != nil,
        limitUse: run.record.state == .ready ? limitUse(of: run) : nil)
    }
  }

  /// Whether a run or a start has the identifier.
  func isKnown(_ id: RunID) -> Bool { all[id] != nil || replaced[id] != nil }

  mutating func start(_ start: RunStart, at time: JournalTime) -> RunRecord {
    if let known = all[start.id] ?? replaced[start.id].flatMap({ all[$0] }) { return known.record }
    let owner = start.key.map { KeyOwner(flow: start.flow, key: $0) }
    if let owner, let id = keys[owner], var known = all[id] {
      switch start.ifTaken {
      case .replaceUnlessBegun where known.record.isReplaceable:
        known.replace(by: start, at: time)
        known.replacements.append(start.id)
        replaced[start.id] = id
        put(known)
        return known.record
      case .restartIfOver where known.record.state.isOver:
        known.record.key = nil
        put(known)
      case .existing, .replaceUnlessBegun, .restartIfOver: return known.record
      }
    }
    var record = RunRecord(
      id: start.id, flow: start.flow, version: start.version, key: start.key,
      priority: start.effectivePriority, concurrencyKey: start.concurrencyKey,
      payload: start.payload, startedAt: time.date,
      changedAt: time.date, dueAt: start.dueAt(at: time))
    record.take(start)
    record.origin = start.origin
    if let owner { keys[owner] = start.id }
    order.insert(start.id, at: place(of: start.id))
    put(InMemoryRun(record: record))
    note(AuditEntry(forking: start), at: time)
    return record
  }

  /// The runs that a checkpoint's starts will add; the other starts find an existing run or key.
  func runs(startedBy checkpoint: Checkpoint) -> Set<RunID> {
    var started = Set(checkpoint.next.children.map(\.id))
    var owners: Set<KeyOwner> = []
    for start in checkpoint.starts where !isKnown(start.id) && !started.contains(start.id) {
      if let owner = start.key.map({ KeyOwner(flow: start.flow, key: $0) }) {
        guard !owners.contains(owner) else { continue }
        if let id = keys[owner], let known = all[id] {
          let isOver =
            id == checkpoint.claim.id ? checkpoint.next.isCompletion : known.record.state.isOver
          guard start.ifTaken == .restartIfOver, isOver else { continue }
        }
        owners.insert(owner)
      }
      started.insert(start.id)
    }
    return started
  }

  func steps(of id: RunID, after sequence: Int?, limit: Int) -> StepPage {
    guard let steps = all[id]?.steps, let first = steps.first else { return StepPage(steps: []) }
    // The links are consecutive, and only the oldest are ever purged.
    let begin =
      if let sequence, sequence >= first.sequence {
        min(sequence - first.sequence, steps.count - 1) + 1
      } else { 0 }
    let end = min(begin + min(max(limit, 1), 1_000), steps.count)
    return StepPage(
      steps: Array(steps[begin..<end]), next: end < steps.count ? steps[end - 1].sequence : nil)
  }

  mutating func purge(_ retention: JournalRetention, at time: JournalTime) -> Int {
    let limit = time.date.addingTimeInterval(-TimeInterval(retention.runs / .seconds(1)))
    let gone = all.values.filter {
      ($0.record.state == .completed || $0.record.state == .cancelled)
        && $0.record.changedAt < limit && !isNeeded($0)
    }
    remove(gone)
    let kept = max(retention.stepsPerRun, 0)
    for (id, run) in all where run.steps.count > kept {
      all[id]?.steps.removeFirst(run.steps.count - kept)
    }
    purgeAudit(retention, at: time)
    dropOldWorkers(at: time)
    return gone.count
  }

  mutating func purge(
    _ id: RunID, by actor: String?, at time: JournalTime
  ) throws(JournalError) {
    guard let run = all[id] else { throw .noRun(id) }
    guard run.record.state.isOver else {
      throw .notAllowed(id, state: run.record.state, action: "purged")
    }
    guard !isNeeded(run) else { throw .stillNeeded(id) }
    remove([run])
    note(AuditEntry(purging: run.record, by: actor), at: time)
  }

  private mutating func remove(_ gone: [InMemoryRun]) {
    for run in gone {
      let record = run.record
      all[record.id] = nil
      reports[record.id] = nil
      progressFences[record.id] = nil
      for id in run.replacements { replaced[id] = nil }
      if let key = record.key { keys[KeyOwner(flow: record.flow, key: key)] = nil }
      // A dead run may hold a place.
      count(run, -1)
    }
    if !gone.isEmpty { order.removeAll { all[$0] == nil } }
    dropPlaces(of: gone)
  }

  /// Stores the current state of a run.
  mutating func put(_ run: InMemoryRun) {
    var run = run
    if run.record.state.isOver { run.record.isPaused = false }
    if let old = all[run.record.id] { count(old, -1) }
    run.hasPlace = isPlaceKept(run)
    run.hasFlowPlace = isFlowPlaceKept(run)
    count(run, 1)
    let record = run.record
    if record.state == .ready || record.state == .running {
      open[record.flow, default: []].insert(record.id)
    } else {
      open[record.flow]?.remove(record.id)
    }
    if record.state.isOver { pauses[.run(record.id)] = nil }
    if record.deadline == nil || record.state.isOver {
      withDeadline.remove(record.id)
    } else {
      withDeadline.insert(record.id)
    }
    if run.group == nil { quarantined.remove(record.id) } else { quarantined.insert(record.id) }
    guard let before = all.updateValue(run, forKey: record.id) else { return }
    let old = before.record
    if old.sequence != record.sequence || (old.state != record.state && record.state.isAtRest) {
      log.append(record.id)
    }
    follow(before, run)
  }

  /// Adds a run to the changes.
  mutating func noteChange(of id: RunID) { log.append(id) }

  func changes(since mark: JournalMark?) -> JournalChanges {
    guard let ids = log.entries(since: mark) else { return JournalChanges(mark: log.mark) }
    let runs = ids.compactMap { id in all[id].map { (id, $0.record.state) } }
    return JournalChanges(mark: log.mark, runs: Dictionary(runs, uniquingKeysWith: { $1 }))
  }

  /// The index of an identifier among all, or where it would be inserted.
  func place(of id: RunID) -> Int {
    if let last = order.last, last < id { return order.count }
    var low = 0
    var high = order.count
    while low < high {
      let middle = (low + high) / 2
      if order[middle] < id { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// The latest changed runs.
struct InMemoryChanges {
  private var latest: [RunID] = []
  /// The number of dropped entries.
  private var forgotten: Int64 = 0

  private static let kept = 10_000

  var mark: JournalMark { JournalMark(positions: [forgotten + Int64(latest.count)]) }

  mutating func append(_ id: RunID) {
    latest.append(id)
    guard latest.count >= 2 * Self.kept else { return }
    latest.removeFirst(Self.kept)
    forgotten += Int64(Self.kept)
  }

  /// The entries since a mark; none without one, nil if some of them were dropped.
  func entries(since mark: JournalMark?) -> ArraySlice<RunID>? {
    guard let position = mark?.positions.first else { return [] }
    // Compared first: the difference to a mark that is no journal's could overflow.
    guard position >= forgotten, position - forgotten <= latest.count else { return nil }
    return latest[Int(position - forgotten)...]
  }
}
