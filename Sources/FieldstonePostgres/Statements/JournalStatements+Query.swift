#if PostgreSQL
  import FieldstoneDurable
  import Foundation

  extension JournalStatements {
    /// A page; the query asks for one run more than the page, to know whether another page follows.
    func runs(_ query: RunQuery) throws -> RunPage {
      let lists = try lists(of: query)
      guard !lists.isEmpty else { return RunPage(runs: []) }
      var search = RunSearch(query)
      let sql = search.records(lists, limit: Self.room(for: query))
      return RunPage(
        found: try rows(sql, search.parameters).map(RunColumns.recordWithStage), by: query)
    }

    func count(_ query: RunQuery, atMost limit: Int) throws -> RunCount {
      guard let query = query.counted else { return RunCount(0) }
      let lists = try lists(of: query, isCounting: true)
      guard !lists.isEmpty else { return RunCount(0) }
      var search = RunSearch(query)
      let sql = search.counting(lists, limit: limit + 1)
      return RunCount(
        found: try row(sql, search.parameters)?.integer(0) ?? 0, atMost: limit)
    }

    /// The server's query plan for a page of a query.
    func plan(of query: RunQuery) throws -> [String] {
      let lists = try lists(of: query)
      guard !lists.isEmpty else { return [] }
      var search = RunSearch(query)
      let sql = search.records(lists, limit: Self.room(for: query))
      return try rows("EXPLAIN \(sql)", search.parameters).map { try $0.text(0) }
    }

    /// The limit plus one, or somewhat more: a literal number gets an exact plan, but the number of
    /// statements to prepare must stay small.
    private static func room(for query: RunQuery) -> Int {
      let wanted = query.effectiveLimit + 1
      return [2, 11, 51, 101, 251, 501].first { $0 >= wanted } ?? 1_001
    }

    func errorGroups(atMost limit: Int) throws -> [ErrorGroup] {
      let most = RunCount.usualLimit
      let sql = """
        WITH RECURSIVE f(fingerprint, place) AS (\
        (SELECT fingerprint, 1 FROM run WHERE state IN (3, 4) AND fingerprint IS NOT NULL \
        ORDER BY fingerprint LIMIT 1) \
        UNION ALL SELECT n.fingerprint, f.place + 1 FROM f CROSS JOIN LATERAL (\
        SELECT r.fingerprint FROM run r WHERE r.state IN (3, 4) AND r.fingerprint > f.fingerprint \
        ORDER BY r.fingerprint LIMIT 1) n WHERE f.place < \(ErrorGroup.mostCounted)) \
        SELECT f.fingerprint, c.count, y.id, y.error FROM f CROSS JOIN LATERAL (\
        SELECT count(*) FROM (SELECT 1 FROM run r WHERE r.fingerprint = f.fingerprint \
        AND r.state IN (3, 4) LIMIT \(most + 1)) o) c CROSS JOIN LATERAL (\
        SELECT r.id, r.error FROM run r WHERE r.fingerprint = f.fingerprint AND r.state IN (3, 4) \
        ORDER BY r.id DESC NULLS LAST LIMIT 1) y
        """
      return try rows(sql, []).map { row in
        ErrorGroup(
          fingerprint: ErrorFingerprint(code: try row.integer(0)),
          runs: RunCount(found: try row.integer(1), atMost: most), youngest: try row.identifier(2),
          sample: row.optionalText(3) ?? "")
      }.mostFrequent(limit)
    }
  }

  extension JournalStatements {
    /// A set with fewer runs than this is scanned, whatever the order of its index.
    private static let few = 1_000

    /// The lists that together contain all runs of a query.
    ///
    /// - Parameter isCounting: whether the order does not matter.
    private func lists(of query: RunQuery, isCounting: Bool = false) throws -> [RunList] {
      if query.findsNothing { return [] }
      let needsFlows = query.possibleStates.count < RunState.allCases.count || query.keys != nil
      let flows =
        try query.flow.map { [$0] }
        ?? (needsFlows || query.key != nil ? names(of: .flow, atMost: Int(Int32.max)) : [])
      if let key = query.key { return [.key(flows: flows, key)] }
      let candidates = try candidates(of: query, in: flows)
      func isSorted(_ lists: [RunList]) -> Bool {
        isCounting || lists.allSatisfy { $0.isSorted(by: query.order) }
      }
      if candidates.count == 1, isSorted(candidates[0]) { return candidates[0] }
      var counted: [(lists: [RunList], count: Int)] = []
      for lists in candidates {
        var search = RunSearch(query)
        let sql = search.sizing(lists, limit: Self.few)
        counted.append((lists, try row(sql, search.parameters)?.integer(0) ?? 0))
      }
      if let few = counted.min(by: { $0.count < $1.count }),
        few.count < Self.few || few.lists == [.quarantine]
      {
        return few.lists
      }
      if let walked = candidates.first(where: isSorted) { return walked }
      let states = query.possibleStates.map(\.code).sorted()
      if query.order.isByStop, !isCounting { return [.stopped(RunList.numbered(flows, states))] }
      if query.flow == nil, states.count == RunState.allCases.count { return [.all] }
      return [.states(RunList.numbered(flows, states))]
    }

    /// The lists with the matching runs, for each filter.
    private func candidates(of query: RunQuery, in flows: [String]) throws -> [[RunList]] {
      var candidates: [[RunList]] = query.attributes.sorted { $0.key < $1.key }.map {
        [.attribute(name: $0.key, value: $0.value.stored)]
      }
      if let error = query.error { candidates.append([.error(error)]) }
      if let wait = query.waiting { candidates.append(try lists(of: wait, in: flows)) }
      if let keys = query.keys {
        candidates.append([.keys(flows: flows, first: keys.first, end: keys.end)])
      }
      if query.stoppedSince != nil || query.stoppedUntil != nil {
        let states = query.possibleStates.map(\.code).sorted()
        candidates.append([.stopped(RunList.numbered(flows, states))])
      }
      return candidates
    }

    private func lists(of wait: RunWait, in flows: [String]) throws -> [RunList] {
      switch wait {
      case .quarantine: return [.quarantine]
      case .keyLimit: return [.gates(RunList.numbered(flows, RunGate.all(RunGate.limit)))]
      case .pause:
        let names = try rows("SELECT flow FROM pause WHERE kind = 0", []).map { try $0.text(0) }
        let paused = flows.filter(names.contains)
        let others = flows.filter { !paused.contains($0) }
        return [
          .gates(RunList.numbered(others, RunGate.all(RunGate.paused))),
          .states(RunList.numbered(paused, [RunState.ready.code])),
        ]
      case .signal(nil):
        return [.signals(flows: flows)]
      case .signal(.some(let name)):
        var several: [RunList.Waiting] = []
        for flow in flows {
          guard let waits = try waits(in: RunWait.severalSignals, of: flow) else {
            return [.signals(flows: flows)]
          }
          several += waits
        }
        return [
          .waits(
            flows.map { RunList.Waiting(flow: $0, wait: wait.column ?? "") }
              + several.filter { RunWait.isAwaited(name, in: $0.wait) })
        ]
      case .time, .retry, .children:
        return [.waits(flows.map { RunList.Waiting(flow: $0, wait: wait.column ?? "") })]
      }
    }

    /// The values of the column `wait` in a range, one index seek each; nil if there are many.
    private func waits(
      in range: (first: String, end: String), of flow: String
    ) throws -> [RunList.Waiting]? {
      func next(_ comparison: String, _ place: String) throws -> String? {
        try row(
          """
          SELECT wait FROM run WHERE flow = $1 AND wait \(comparison) $2 AND wait < $3 \
          ORDER BY wait LIMIT 1
          """, [.text(flow), .text(place), .text(range.end)])?.text(0)
      }
      var waits: [RunList.Waiting] = []
      var found = try next(">=", range.first)
      while let wait = found {
        if waits.count == RunWait.mostSought { return nil }
        waits.append(RunList.Waiting(flow: flow, wait: wait))
        found = try next(">", wait)
      }
      return waits
    }
  }
#endif
