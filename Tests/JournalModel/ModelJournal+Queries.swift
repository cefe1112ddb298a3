import FieldstoneDurable
import Foundation

extension ModelJournal {
  func page(_ query: RunQuery) -> RunPage {
    let all = found(by: query)
    let rest = all.drop { run in
      guard let place = query.after else { return false }
      guard query.order.isByStop else {
        return query.order == .newestFirst ? run.id >= place.id : run.id <= place.id
      }
      guard let date = place.stoppedAt else { return true }
      let (one, other) = ((run.changedAt, run.id), (date, place.id))
      return query.order == .lastStoppedFirst ? one >= other : one <= other
    }
    var page = RunPage(runs: Array(rest.prefix(max(1, query.limit))))
    if page.runs.count < rest.count, let last = page.runs.last {
      page.nextPlace = RunPlace(last.id, stoppedAt: query.order.isByStop ? last.changedAt : nil)
    }
    return page
  }

  func count(_ query: RunQuery, atMost limit: Int) -> RunCount {
    let count = found(by: query).count
    return count > limit ? RunCount(limit, hasMore: true) : RunCount(count)
  }

  func errorGroups(atMost limit: Int) -> [ErrorGroup] {
    var groups: [ErrorGroup] = []
    for run in runs.sorted(by: { $0.id > $1.id }) {
      guard let error = run.error, run.state == .dead || run.state == .blocked else { continue }
      let print = ErrorFingerprint(of: error)
      if let index = groups.firstIndex(where: { $0.fingerprint == print }) {
        groups[index].runs.number += 1
      } else {
        groups.append(
          ErrorGroup(fingerprint: print, runs: RunCount(1), youngest: run.id, sample: error))
      }
    }
    groups.sort { ($0.runs.number, $0.youngest) > ($1.runs.number, $1.youngest) }
    return Array(groups.prefix(limit))
  }

  /// All runs of a query, in its order.
  private func found(by query: RunQuery) -> [RunRecord] {
    var all: [RunRecord] = []
    for run in runs {
      if let error = query.error {
        guard run.state == .dead || run.state == .blocked, let text = run.error,
          error == ErrorFingerprint(of: text)
        else { continue }
      }
      if let wait = query.waiting, !waits(run).contains(where: { $0.isMet(wait) }) { continue }
      let record = record(run)
      if isWanted(record, by: query) { all.append(record) }
    }
    switch query.order {
    case .newestFirst: return all.sorted { $0.id > $1.id }
    case .oldestFirst: return all.sorted { $0.id < $1.id }
    case .lastStoppedFirst: return all.sorted { ($0.changedAt, $0.id) > ($1.changedAt, $1.id) }
    case .firstStoppedFirst: return all.sorted { ($0.changedAt, $0.id) < ($1.changedAt, $1.id) }
    }
  }

  private func isWanted(_ run: RunRecord, by query: RunQuery) -> Bool {
    if let flow = query.flow, flow != run.flow { return false }
    if let key = query.key, key != run.key { return false }
    if let prefix = query.keyPrefix, run.key?.hasPrefix(prefix) != true { return false }
    if query.attributes.contains(where: { run.attributes[$0] != $1 }) { return false }
    if let since = query.since, since > run.startedAt { return false }
    if let until = query.until, until <= run.startedAt { return false }
    if !query.states.isEmpty, !query.states.contains(run.state) { return false }
    if query.order.isByStop || query.stoppedSince != nil || query.stoppedUntil != nil {
      if run.state == .ready || run.state == .running { return false }
      if let since = query.stoppedSince, since > run.changedAt { return false }
      if let until = query.stoppedUntil, until <= run.changedAt { return false }
    }
    return true
  }

  /// All that a run waits for, signals by their names.
  private func waits(_ run: ModelRun) -> [RunWait] {
    guard run.state == .ready else { return [] }
    var waits: [RunWait] = []
    if isPaused(run) { waits.append(.pause) }
    if run.group != nil { waits.append(.quarantine) }
    var isDue = run.isBehind
    switch run.standing {
    case .due: isDue = true
    case .until: if !run.isBehind { waits.append(run.attempts > 0 ? .retry : .time) }
    case .receiving:
      if run.next != nil {
        isDue = true
      } else if !run.isBehind {
        waits += run.awaited.map { .signal($0) }
      }
    case .joining: if !run.isBehind { waits.append(.children) }
    case .running, .over: break
    }
    if isDue, run.group == nil, !run.hasPlace, let key = run.concurrencyKey,
      let most = limits[run.flow]?.perKey?.maximum
    {
      let held = runs.count { $0.flow == run.flow && $0.concurrencyKey == key && $0.hasPlace }
      if held >= most { waits.append(.keyLimit) }
    }
    return waits
  }
}

extension RunWait {
  fileprivate func isMet(_ asked: Self) -> Bool {
    if case (.signal, .signal(nil)) = (self, asked) { true } else { self == asked }
  }
}
