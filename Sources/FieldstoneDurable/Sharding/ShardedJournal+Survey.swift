/// Combines the names, the due runs and the limits of all shards.
extension ShardedJournal: SurveyedJournal {
  package func names(of kind: SurveyedName, atMost limit: Int) async throws -> [String]? {
    var names: Set<String> = []
    for shard in shards {
      guard let journal = shard as? any SurveyedJournal,
        let found = try await journal.names(of: kind, atMost: limit)
      else { return nil }
      names.formUnion(found)
    }
    return Array(names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.prefix(max(limit, 0)))
  }

  package func longestDue(atMost limit: Int, at time: JournalTime) async throws -> [DueRun]? {
    var due: [DueRun] = []
    for shard in shards {
      guard let journal = shard as? any SurveyedJournal,
        let found = try await journal.longestDue(atMost: limit, at: time)
      else { return nil }
      due += found
    }
    return Array(due.sorted(by: DueRun.isEarlier).prefix(max(limit, 0)))
  }

  /// The sums of all shards; the tokens of a flow on one shard are those of the emptiest bucket.
  package func limitStandings(at time: JournalTime) async throws -> [LimitStanding]? {
    var parts: [String: [LimitStanding]] = [:]
    for shard in shards {
      for standing in try await shard.surveyedLimits(at: time) {
        parts[standing.flow, default: []].append(standing)
      }
    }
    let limits = try await flowLimits().sorted {
      $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
    }
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
      standing.keys = Array(shares.flatMap(\.keys).prefix(LimitStanding.mostKeys))
      standing.hasMoreKeys = shares.contains(where: \.hasMoreKeys)
      return standing
    }
  }
}
