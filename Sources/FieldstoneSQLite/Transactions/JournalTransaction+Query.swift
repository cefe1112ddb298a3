#if SQLite
  import FieldstoneDurable
  import GRDB

  extension JournalTransaction {
    /// A page; the query asks for one run more than the page, to know whether another page follows.
    func runs(_ query: RunQuery) throws -> RunPage {
      let limit = query.effectiveLimit
      let lists = try lists(of: query)
      if lists.count == 1 {
        let search = RunListSearch(lists[0], query)
        let rows = try rows(
          search.sorted(RunColumns.list), search.arguments(limit: limit + 1))
        return RunPage(found: try rows.map(RunColumns.record), by: query)
      }
      // One index seek per list; only the first runs of all lists are read.
      var places: [RunPlace] = []
      for list in lists {
        // What comes after the last of a full page is not read from the other lists.
        let last = places.count > limit ? places.last : nil
        let search = RunListSearch(list, query, upTo: last)
        let rows = try rows(search.sorted("id, changed_at"), search.arguments(limit: limit + 1))
        if rows.isEmpty { continue }
        for row in rows {
          places.append(
            RunPlace(
              try RunColumns.id(row.text(0)),
              stoppedAt: query.order.isByStop ? try row.date(1) : nil))
        }
        places = Array(places.sorted(by: query.order.isBefore).prefix(limit + 1))
      }
      let sql = "SELECT \(RunColumns.list) FROM fieldstone_run WHERE id = ?"
      let found = try places.compactMap { place in
        try row(sql, [place.id.description]).map(RunColumns.record)
      }
      return RunPage(found: found, by: query)
    }

    func count(_ query: RunQuery, atMost limit: Int) throws -> RunCount {
      guard let query = query.counted else { return RunCount(0) }
      var found = 0
      for list in try lists(of: query, isCounting: true) where found <= limit {
        let search = RunListSearch(list, query)
        found +=
          try row(search.counting, search.arguments(limit: limit + 1 - found))?.whole(0) ?? 0
      }
      return RunCount(found: found, atMost: limit)
    }

    /// SQLite's query plans for the statements that fetch a page of a query.
    func plans(of query: RunQuery) throws -> [[String]] {
      try lists(of: query).map { list in
        let search = RunListSearch(list, query)
        let arguments = search.arguments(limit: query.effectiveLimit + 1)
        return try rows("EXPLAIN QUERY PLAN \(search.sorted(RunColumns.list))", arguments)
          .map { try $0.text(3) }
      }
    }

    func errorGroups(atMost limit: Int) throws -> [ErrorGroup] {
      let first = "SELECT MIN(fingerprint) FROM fieldstone_run WHERE state IN (3, 4)"
      let next = "\(first) AND fingerprint > ?"
      let newest = """
        SELECT id, error FROM fieldstone_run WHERE fingerprint = ? AND state IN (3, 4) \
        ORDER BY id DESC LIMIT 1
        """
      let most = RunCount.usualLimit
      var groups: [ErrorGroup] = []
      while groups.count < ErrorGroup.mostCounted,
        let code = try (groups.last.map { try row(next, [$0.fingerprint.code]) } ?? row(first))?
          .optionalWhole(0)
      {
        let print = ErrorFingerprint(code: code)
        let search = RunListSearch(.error(print), RunQuery())
        let found = try row(search.counting, search.arguments(limit: most + 1))?.whole(0) ?? 0
        guard let run = try row(newest, [code]) else { break }
        groups.append(
          ErrorGroup(
            fingerprint: print, runs: RunCount(found: found, atMost: most),
            youngest: try RunColumns.id(run.text(0)), sample: run.optionalText(1) ?? ""))
      }
      return groups.mostFrequent(limit)
    }
  }

  extension JournalTransaction {
    /// A set with fewer runs than this is scanned, whatever the order of its index.
    private static let few = 1_000

    /// The lists that together contain all runs of a query, each in the query's order.
    ///
    /// - Parameter isCounting: whether the order does not matter.
    func lists(of query: RunQuery, isCounting: Bool = false) throws -> [RunList] {
      if query.findsNothing { return [] }
      let flows = try flows(of: query)
      if let key = query.key { return flows.map { .key(flow: $0, key) } }
      let candidates = try candidates(of: query, in: flows)
      func isSorted(_ lists: [RunList]) -> Bool {
        isCounting || lists.allSatisfy { $0.isSorted(by: query.order) }
      }
      if candidates.count == 1, isSorted(candidates[0]) { return candidates[0] }
      var counted: [(lists: [RunList], count: Int)] = []
      for lists in candidates { counted.append((lists, try size(of: lists, for: query))) }
      if let few = counted.min(by: { $0.count < $1.count }),
        few.count < Self.few || few.lists == [.quarantine]
      {
        return few.lists
      }
      if let walked = candidates.first(where: isSorted) { return walked }
      let states = query.possibleStates.sorted { $0.code < $1.code }
      if query.order.isByStop, !isCounting {
        return flows.flatMap { flow in states.map { .stopped(flow: flow, $0.code) } }
      }
      if query.flow == nil, states.count == RunState.allCases.count { return [.all] }
      return flows.flatMap { flow in states.map { .all(of: flow, in: $0) } }
    }

    /// The lists with the matching runs, for each filter.
    private func candidates(of query: RunQuery, in flows: [String]) throws -> [[RunList]] {
      var candidates: [[RunList]] = query.attributes.sorted { $0.key < $1.key }.map {
        [.attribute(name: $0.key, value: $0.value.stored)]
      }
      if let error = query.error { candidates.append([.error(error)]) }
      if let wait = query.waiting { candidates.append(try lists(of: wait, in: flows)) }
      if let keys = query.keys {
        candidates.append(flows.map { .keys(flow: $0, first: keys.first, end: keys.end) })
      }
      if query.stoppedSince != nil || query.stoppedUntil != nil {
        let states = query.possibleStates.sorted { $0.code < $1.code }
        candidates.append(
          flows.flatMap { flow in states.map { .stopped(flow: flow, $0.code) } })
      }
      return candidates
    }

    /// The number of runs in lists, counted up to the bound that matters.
    private func size(of lists: [RunList], for query: RunQuery) throws -> Int {
      var count = 0
      for list in lists where count < Self.few {
        let search = RunListSearch(all: list, of: query)
        count += try row(search.counting, search.arguments(limit: Self.few))?.whole(0) ?? 0
      }
      return count
    }

    private func lists(of wait: RunWait, in flows: [String]) throws -> [RunList] {
      switch wait {
      case .quarantine: return [.quarantine]
      case .keyLimit:
        return flows.flatMap { flow in RunGate.all(RunGate.limit).map { .gate(flow: flow, $0) } }
      case .pause:
        let paused = try Set(
          rows("SELECT flow FROM fieldstone_pause WHERE kind = 0").map { try $0.text(0) })
        return flows.flatMap { flow -> [RunList] in
          if paused.contains(flow) { return [.all(of: flow, in: .ready)] }
          return RunGate.all(RunGate.paused).map { .gate(flow: flow, $0) }
        }
      case .signal(nil):
        return flows.map { .signals(flow: $0) }
      case .signal(.some(let name)):
        return try flows.flatMap { flow -> [RunList] in
          guard let several = try waits(in: RunWait.severalSignals, of: flow) else {
            return [.signals(flow: flow)]
          }
          let found = [wait.column ?? ""] + several.filter { RunWait.isAwaited(name, in: $0) }
          return found.map { RunList.wait(flow: flow, $0) }
        }
      case .time, .retry, .children:
        return flows.map { .wait(flow: $0, wait.column ?? "") }
      }
    }

    /// The values of the column `wait` in a range, one index seek each; nil if there are many.
    private func waits(in range: (first: String, end: String), of flow: String) throws -> [String]?
    {
      // A bound text would be cut at a NUL.
      func next(_ comparison: String) -> String {
        "SELECT MIN(wait) FROM fieldstone_run WHERE flow = ? AND wait \(comparison) ? AND wait < ?"
      }
      var waits: [String] = []
      var found = try row(next(">="), [flow, range.first, range.end])
      while let wait = found?.optionalText(0) {
        if waits.count == RunWait.mostSought { return nil }
        waits.append(wait)
        found = try row(next(">"), [flow, wait, range.end])
      }
      return waits
    }

    /// The flows of a query: one index seek per flow.
    private func flows(of query: RunQuery) throws -> [String] {
      try query.flow.map { [$0] } ?? names(of: .flow, atMost: .max)
    }
  }
#endif
