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
  private var order: [RunID] = []
  private var keys: [KeyOwner: RunID] = [:]
  /// The starts that have replaced the first stage of a run, by their identifiers.
  private var replaced: [RunID: RunID] = [:]
  /// The runs that a claim has to look at, by their flows.
  var open: [String: Set<RunID>] = [:]
  /// The runs that are in quarantine.
  var quarantined: Set<RunID> = []
  /// The last group that was made.
  var lastGroup = 0
  private var log = InMemoryChanges()

  func record(_ id: RunID) -> RunRecord? { all[id]?.record }

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
    let record = RunRecord(
      id: start.id, flow: start.flow, version: start.version, key: start.key,
      priority: start.effectivePriority, payload: start.payload, startedAt: time.date,
      changedAt: time.date, dueAt: start.dueAt(at: time))
    if let owner { keys[owner] = start.id }
    order.insert(start.id, at: place(of: start.id))
    put(InMemoryRun(record: record))
    return record
  }

  /// The runs that the starts of a checkpoint will make, the others being there or meeting a key.
  func runs(startedBy checkpoint: Checkpoint) -> Set<RunID> {
    var started: Set<RunID> = []
    var owners: Set<KeyOwner> = []
    for start in checkpoint.starts where all[start.id] == nil && replaced[start.id] == nil {
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
        && $0.record.changedAt < limit
    }
    for run in gone {
      let record = run.record
      all[record.id] = nil
      for id in run.replacements { replaced[id] = nil }
      if let key = record.key { keys[KeyOwner(flow: record.flow, key: key)] = nil }
    }
    if !gone.isEmpty { order.removeAll { all[$0] == nil } }
    let kept = max(retention.stepsPerRun, 0)
    for (id, run) in all where run.steps.count > kept {
      all[id]?.steps.removeFirst(run.steps.count - kept)
    }
    return gone.count
  }

  /// Keeps a run as it is now.
  mutating func put(_ run: InMemoryRun) {
    let record = run.record
    if record.state == .ready || record.state == .running {
      open[record.flow, default: []].insert(record.id)
    } else {
      open[record.flow]?.remove(record.id)
    }
    if run.group == nil { quarantined.remove(record.id) } else { quarantined.insert(record.id) }
    let old = all.updateValue(run, forKey: record.id)?.record
    if let old,
      old.sequence != record.sequence || (old.state != record.state && record.state.isAtRest)
    {
      log.append(record.id)
    }
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
