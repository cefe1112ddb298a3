import Foundation

extension InMemoryRuns {
  /// A page of runs: O(runs skipped), and O(all stopped runs) in an order by stop time.
  func page(_ query: RunQuery) -> RunPage {
    var found: [RunRecord] = []
    _ = each(of: query) { run in
      found.append(run.record)
      return found.count <= query.effectiveLimit
    }
    return RunPage(found: found, by: query)
  }

  func count(_ query: RunQuery, atMost limit: Int) -> RunCount {
    guard let query = query.counted else { return RunCount(0) }
    var found = 0
    _ = each(of: query) { _ in
      found += 1
      return found <= limit
    }
    return RunCount(found: found, atMost: limit)
  }

  func errorGroups(atMost limit: Int) -> [ErrorGroup] {
    var groups: [ErrorFingerprint: ErrorGroup] = [:]
    for id in order.reversed() {
      guard let run = all[id], run.record.state == .dead || run.record.state == .blocked,
        let fingerprint = run.fingerprint
      else { continue }
      groups.add(run.record, fingerprint)
    }
    return groups.values.map { group in
      var group = group
      group.runs = RunCount(found: group.runs.number, atMost: RunCount.usualLimit)
      return group
    }.mostFrequent(limit)
  }

  /// Calls a body with the matching runs in the query's order, until it returns false.
  private func each(of query: RunQuery, _ body: (InMemoryRun) -> Bool) -> Bool {
    if query.findsNothing { return true }
    let isWanted = { (run: InMemoryRun) in
      query.wants(run.record) && (query.error == nil || query.error == run.fingerprint)
        && (query.waiting.map { waits(run, for: $0) } ?? true)
    }
    if query.order.isByStop {
      var places: [RunPlace] = []
      for run in all.values where isWanted(run) {
        let place = query.order.place(of: run.record)
        if query.after.map({ query.order.isBefore($0, place) }) ?? true { places.append(place) }
      }
      return places.sorted(by: query.order.isBefore).allSatisfy { place in
        all[place.id].map(body) ?? true
      }
    }
    let step = { (id: RunID) in
      guard let run = all[id], isWanted(run) else { return true }
      return body(run)
    }
    if query.order.isDescending {
      let end = query.after.map { place(of: $0.id) } ?? order.count
      return order[..<end].reversed().allSatisfy(step)
    }
    var begin = query.after.map { place(of: $0.id) } ?? 0
    if begin < order.count, order[begin] == query.after?.id { begin += 1 }
    return order[begin...].allSatisfy(step)
  }

  /// Whether a run waits for something.
  private func waits(_ run: InMemoryRun, for wait: RunWait) -> Bool {
    let record = run.record
    guard record.state == .ready else { return false }
    switch wait {
    case .pause: return isPaused(record)
    case .quarantine: return run.group != nil
    case .keyLimit: return isBehindFullKey(run)
    case .time, .retry, .children, .signal: break
    }
    guard record.dueAt != nil, !run.isBehind else { return false }
    if record.attempts > 0 { return wait == .retry }
    if record.join?.policy != nil { return wait == .children }
    let awaited = record.awaitedSignals
    if awaited.isEmpty { return wait == .time }
    guard case .signal(let name) = wait, run.signal == nil else { return false }
    return name.map(awaited.hasName) ?? true
  }

  /// Whether a run was due at the last claim of its flow, and its key has no place left for it.
  private func isBehindFullKey(_ run: InMemoryRun) -> Bool {
    guard !run.hasPlace, run.group == nil, let key = run.record.concurrencyKey,
      let kept = limits[run.record.flow], let perKey = kept.limits.perKey,
      kept.places[Array(key.utf8), default: 0] >= perKey.maximum
    else { return false }
    if run.record.dueAt == nil || run.isBehind { return true }
    return run.record.attempts == 0 && run.signal != nil
  }
}
