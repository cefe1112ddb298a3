import Foundation

/// What an in-memory journal holds, and what is done with it: a pure state machine.
struct InMemoryRuns {
  /// Whose key it is.
  private struct KeyOwner: Hashable {
    let flow: String
    /// Strings are the same in Swift that are not the same bytes, and databases compare those.
    let key: [UInt8]

    init(flow: String, key: String) {
      self.flow = flow
      self.key = Array(key.utf8)
    }
  }

  var all: [RunID: InMemoryRun] = [:]
  /// The identifiers of all runs, the oldest first.
  private(set) var order: [RunID] = []
  private var keys: [KeyOwner: RunID] = [:]
  /// The starts that have replaced the first stage of a run, by their identifiers.
  private var replaced: [RunID: RunID] = [:]
  /// The runs that a claim has to look at, by their flows.
  var open: [String: Set<RunID>] = [:]
  /// The children of each run, in the order of their places.
  var children: [RunID: [RunID]] = [:]
  /// The children that are to be cancelled.
  var cancellations: [Cancellation] = []
  /// The runs that are in quarantine.
  var quarantined: Set<RunID> = []
  /// The runs with a deadline that are not over.
  var withDeadline: Set<RunID> = []
  /// The last group that was made.
  var lastGroup = 0
  /// What is paused, each until a time.
  var pauses: [PauseTarget: Date?] = [:]
  /// The limits of flows.
  var limits: [String: InMemoryLimits] = [:]
  /// The schedules, by the bytes of their names.
  var schedules: [[UInt8]: ScheduleRecord] = [:]
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
      case .replaceUnlessBegun where known.record.fence == 0 && known.record.state == .ready:
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
    if let owner { keys[owner] = start.id }
    order.insert(start.id, at: place(of: start.id))
    put(InMemoryRun(record: record))
    return record
  }

  /// The runs that the starts of a checkpoint will make, the others being there or meeting a key.
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

  func page(_ query: RunQuery) -> RunPage {
    var runs: [RunRecord] = []
    let end = query.before.map { place(of: $0) } ?? order.count
    for id in order[..<end].reversed() {
      guard let record = all[id]?.record, query.wants(record) else { continue }
      if runs.count == query.effectiveLimit { return RunPage(runs: runs, next: runs.last?.id) }
      runs.append(record)
    }
    return RunPage(runs: runs)
  }

  func steps(of id: RunID, after sequence: Int?, limit: Int) -> StepPage {
    guard let steps = all[id]?.steps, let first = steps.first else { return StepPage(steps: []) }
    // The links follow on each other, and only the oldest are ever purged.
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
    for run in gone {
      let record = run.record
      all[record.id] = nil
      for id in run.replacements { replaced[id] = nil }
      if let key = record.key { keys[KeyOwner(flow: record.flow, key: key)] = nil }
    }
    if !gone.isEmpty { order.removeAll { all[$0] == nil } }
    dropPlaces(of: gone)
    let kept = max(retention.stepsPerRun, 0)
    for (id, run) in all where run.steps.count > kept {
      all[id]?.steps.removeFirst(run.steps.count - kept)
    }
    return gone.count
  }

  /// Keeps a run as it is now.
  mutating func put(_ run: InMemoryRun) {
    var run = run
    if run.record.state.isOver { run.record.isPaused = false }
    if let old = all[run.record.id] { count(old, -1) }
    run.hasPlace = isPlaceKept(run)
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

  func changes(since mark: JournalMark?) -> JournalChanges {
    guard let ids = log.entries(since: mark) else { return JournalChanges(mark: log.mark) }
    let runs = ids.compactMap { id in all[id].map { (id, $0.record.state) } }
    return JournalChanges(mark: log.mark, runs: Dictionary(runs, uniquingKeysWith: { $1 }))
  }

  /// Where an identifier is among all, or would be.
  private func place(of id: RunID) -> Int {
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

/// The runs that have changed, the latest of them.
struct InMemoryChanges {
  private var latest: [RunID] = []
  /// How many are forgotten.
  private var forgotten: Int64 = 0

  private static let kept = 10_000

  var mark: JournalMark { JournalMark(positions: [forgotten + Int64(latest.count)]) }

  mutating func append(_ id: RunID) {
    latest.append(id)
    guard latest.count >= 2 * Self.kept else { return }
    latest.removeFirst(Self.kept)
    forgotten += Int64(Self.kept)
  }

  /// Those since a mark; none without one, nil when some of them are forgotten.
  func entries(since mark: JournalMark?) -> ArraySlice<RunID>? {
    guard let position = mark?.positions.first else { return [] }
    let index = position - forgotten
    guard index >= 0, index <= latest.count else { return nil }
    return latest[Int(index)...]
  }
}
