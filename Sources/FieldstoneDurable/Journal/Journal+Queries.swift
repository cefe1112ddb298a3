extension Journal {
  /// Counts page by page, for a journal without its own implementation; O(runs counted).
  public func count(_ query: RunQuery, atMost limit: Int) async throws -> RunCount {
    let limit = max(limit, 0)
    var count = 0
    var query = query
    query.after = nil
    query.limit = min(limit, 999) + 1
    try await eachPage(of: query) { page in
      count += page.runs.count
      return count <= limit
    }
    return RunCount(found: count, atMost: limit)
  }

  /// Counts the runs that match a query, up to 10,000.
  public func count(_ query: RunQuery) async throws -> RunCount {
    try await count(query, atMost: RunCount.usualLimit)
  }

  /// Groups the errors of the youngest dead and blocked runs, at most ten thousand.
  ///
  /// For a journal without its own implementation; O(runs read).
  public func errorGroups(atMost limit: Int) async throws -> [ErrorGroup] {
    var groups: [ErrorFingerprint: ErrorGroup] = [:]
    var looked = 0
    try await eachPage(of: RunQuery(states: [.dead, .blocked], limit: 1_000)) { page in
      for run in page.runs { groups.add(run) }
      looked += page.runs.count
      return looked < RunCount.usualLimit
    }
    return groups.values.mostFrequent(limit)
  }

  /// Reads the pages of a query, each of its limit, until the body returns false.
  package func eachPage(
    of query: RunQuery, _ body: (RunPage) async throws -> Bool
  ) async throws {
    var query = query
    while true {
      let page = try await runs(query)
      // A journal that returns the same page again would be read for ever.
      guard try await body(page), let next = page.nextPlace, next != query.after,
        !page.runs.isEmpty
      else { return }
      query.after = next
    }
  }
}
