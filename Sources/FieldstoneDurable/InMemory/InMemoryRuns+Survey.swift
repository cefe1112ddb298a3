extension InMemoryRuns {
  func names(of kind: SurveyedName, atMost limit: Int) -> [String] {
    let names: Set<String> =
      switch kind {
      case .flow: Set(all.values.map(\.record.flow))
      case .attribute: Set(all.values.flatMap(\.record.attributes.keys))
      }
    return Array(names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.prefix(max(limit, 0)))
  }

  func longestDue(atMost limit: Int, at time: JournalTime) -> [DueRun] {
    var due: [DueRun] = []
    for id in open.values.joined() {
      guard let run = all[id], run.record.state == .ready, run.group == nil,
        !isPaused(run.record), !isBehind(run), let place = run.due(at: time)
      else { continue }
      due.append(DueRun(id: id, place: place))
    }
    return Array(due.sorted(by: DueRun.isEarlier).prefix(max(limit, 0)))
  }

  /// Whether the places of a run's concurrency key are taken.
  private func isBehind(_ run: InMemoryRun) -> Bool {
    guard !run.hasPlace, let key = run.record.concurrencyKey,
      let kept = limits[run.record.flow], let maximum = kept.limits.perKey?.maximum
    else { return false }
    return kept.places[Array(key.utf8), default: 0] >= maximum
  }

  func limitStandings(at time: JournalTime) -> [LimitStanding] {
    limits.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { flow, kept in
      var standing = LimitStanding(flow: flow, limits: kept.limits)
      if let maximum = kept.limits.runs {
        let used =
          kept.limits.wholeRuns == nil
          ? (open[flow] ?? []).count { all[$0]?.record.state == .running } : kept.flowPlaces
        standing.used = RunCount(found: used, atMost: LimitStanding.counted(upTo: maximum))
      }
      if let rate = kept.limits.rate, var bucket = kept.bucket {
        bucket.fill(by: rate, at: time.date)
        standing.bucket = bucket
      }
      var behind: [InMemoryLimits.Key: (name: String, count: Int)] = [:]
      for id in open[flow] ?? [] {
        guard let run = all[id], run.record.state == .ready, run.group == nil,
          !isPaused(run.record), isBehind(run), run.due(at: time) != nil,
          let name = run.record.concurrencyKey
        else { continue }
        behind[Array(name.utf8), default: (name, 0)].count += 1
      }
      let keys = behind.sorted { $0.key.lexicographicallyPrecedes($1.key) }
      standing.keys = keys.prefix(LimitStanding.mostKeys).map { key, runs in
        LimitStanding.Key(
          name: runs.name,
          used: min(kept.places[key, default: 0], kept.limits.perKey?.maximum ?? 0),
          waiting: RunCount(found: runs.count, atMost: LimitStanding.mostBehind))
      }
      standing.hasMoreKeys = keys.count > standing.keys.count
      return standing
    }
  }
}
