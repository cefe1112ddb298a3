/// Combines the names, the due runs and the limits of all shards.
extension ShardedJournal: SurveyedJournal {
  package func names(of kind: SurveyedName, atMost limit: Int) async throws -> [String]? {
    let answers = try await all { shard, _ in
      try await (shard as? any SurveyedJournal)?.names(of: kind, atMost: limit)
    }
    guard let names = Self.joined(answers) else { return nil }
    return Array(Set(names).sorted(by: Self.precedes).prefix(max(limit, 0)))
  }

  package func longestDue(atMost limit: Int, at time: JournalTime) async throws -> [DueRun]? {
    let answers = try await all { shard, _ in
      try await (shard as? any SurveyedJournal)?.longestDue(atMost: limit, at: time)
    }
    guard let due = Self.joined(answers) else { return nil }
    return Array(due.sorted(by: DueRun.isEarlier).prefix(max(limit, 0)))
  }

  /// The answers of all shards as one; nil if a shard gives none.
  private static func joined<Element>(_ answers: [[Element]?]) -> [Element]? {
    let known = answers.compactMap(\.self)
    return known.count == answers.count ? known.flatMap(\.self) : nil
  }

  private static func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  package func pauses(of runs: [RunID]) async throws -> [JournalPause]? {
    merged(
      try await all { shard, index in
        try await shard.surveyedPauses(of: runs.filter { self.shard(of: $0) == index })
      })
  }

  package func firstPauses(atMost limit: Int) async throws -> [JournalPause]? {
    let shares = try await all { shard, _ in try await shard.surveyedPauses(atMost: limit) }
    return Array(merged(shares).prefix(limit))
  }

  /// The sums of all shards; the tokens of a flow on one shard are those of the emptiest bucket.
  package func limitStandings(at time: JournalTime) async throws -> [LimitStanding]? {
    var parts: [String: [LimitStanding]] = [:]
    for standing in try await all({ shard, _ in try await shard.surveyedLimits(at: time) }).joined()
    {
      parts[standing.flow, default: []].append(standing)
    }
    let limits = try await flowLimits().sorted { Self.precedes($0.key, $1.key) }
    return limits.map { flow, limits in
      let shares = parts[flow] ?? []
      var standing = LimitStanding(flow: flow, limits: limits)
      let used = shares.compactMap(\.used)
      if !used.isEmpty {
        standing.used = RunCount(
          used.reduce(0) { $0 + $1.number }, hasMore: used.contains(where: \.hasMore))
      }
      let buckets = shares.compactMap(\.bucket)
      if let least = buckets.min(by: { $0.tokens < $1.tokens }) {
        standing.bucket =
          route.isOnOne(flow)
          ? least
          : TokenBucket(tokens: buckets.reduce(0) { $0 + $1.tokens }, filledAt: least.filledAt)
      }
      let keys = shares.flatMap(\.keys).sorted { Self.precedes($0.name, $1.name) }
      standing.keys = Array(keys.prefix(LimitStanding.mostKeys))
      standing.hasMoreKeys =
        keys.count > standing.keys.count || shares.contains(where: \.hasMoreKeys)
      return standing
    }
  }
}
