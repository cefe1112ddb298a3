/// Combines the reads of all shards.
extension ShardedJournal {
  /// A page of runs in the order of the query; O(limit) in each shard.
  public func runs(_ query: RunQuery) async throws -> RunPage {
    if let slot = query.slot { return try await shards[map.shard(of: slot)].runs(query) }
    let pages = try await all { shard, _ in try await shard.runs(query) }
    let order = query.order
    let runs = pages.flatMap(\.runs).sorted {
      order.isBefore(order.place(of: $0), order.place(of: $1))
    }
    var page = RunPage(found: runs, by: query)
    // A shard with a further page has filled this one's share.
    if page.nextPlace == nil, pages.contains(where: { $0.nextPlace != nil }) {
      page.nextPlace = page.runs.last.map(order.place)
    }
    return page
  }

  /// Counts runs in all shards, in each up to the limit.
  public func count(_ query: RunQuery, atMost limit: Int) async throws -> RunCount {
    if let slot = query.slot {
      return try await shards[map.shard(of: slot)].count(query, atMost: limit)
    }
    let counts = try await all { shard, _ in try await shard.count(query, atMost: limit) }
    let number = counts.reduce(0) { $0 + $1.number }
    let limit = max(limit, 0)
    return RunCount(
      min(number, limit), hasMore: number > limit || counts.contains { $0.hasMore })
  }

  /// Groups of the errors of dead and blocked runs of all shards, most frequent first.
  ///
  /// A group that is frequent in all shards together but rare in each may be missing.
  public func errorGroups(atMost limit: Int) async throws -> [ErrorGroup] {
    var groups: [ErrorFingerprint: ErrorGroup] = [:]
    for group in try await all({ shard, _ in try await shard.errorGroups(atMost: limit) }).joined()
    {
      guard var kept = groups[group.fingerprint] else {
        groups[group.fingerprint] = group
        continue
      }
      let number = kept.runs.number + group.runs.number
      kept.runs = RunCount(
        min(number, RunCount.usualLimit),
        hasMore: number > RunCount.usualLimit || kept.runs.hasMore || group.runs.hasMore)
      if group.youngest > kept.youngest {
        (kept.youngest, kept.sample) = (group.youngest, group.sample)
      }
      groups[group.fingerprint] = kept
    }
    return groups.values.mostFrequent(limit)
  }

  /// The pauses of all shards without duplicates: those of flows, then of keys, then of runs.
  public func pauses() async throws -> [JournalPause] {
    merged(try await all { shard, _ in try await shard.pauses() })
  }

  /// The pauses of several shards without duplicates.
  func merged(_ shares: [[JournalPause]]) -> [JournalPause] {
    var pauses: [PauseTarget: JournalPause] = [:]
    for pause in shares.joined() {
      // If they differ because a call failed in between, the pause that ends last.
      let isLater = pauses[pause.target].map { kept in
        kept.until.map { end in pause.until.map { $0 > end } ?? true } ?? false
      }
      if isLater ?? true { pauses[pause.target] = pause }
    }
    return pauses.values.sorted(by: JournalPause.precedes)
  }

  /// The runs that have changed in any shard since a mark.
  ///
  /// An unavailable shard keeps its position, so that none of its changes is missed later.
  ///
  /// - Throws: the error of a shard if all of them fail.
  public func changes(since mark: JournalMark?) async throws -> JournalChanges {
    let old = mark.flatMap { ShardMarks($0, count: shards.count) }
    var marks = old ?? ShardMarks(count: shards.count)
    // A mark of another number of shards is unusable.
    var runs: [RunID: RunState]? = mark != nil && old == nil ? nil : [:]
    var failure: (any Error)?
    var answers = 0
    for (index, shard) in shards.enumerated() {
      do {
        let changes = try await shard.changes(since: marks[index])
        answers += 1
        // No answer includes changes before a shard's first mark.
        let isComplete = marks[index] != nil || old == nil
        marks[index] = changes.mark
        if let changed = changes.runs, isComplete {
          runs?.merge(changed, uniquingKeysWith: { $1 })
        } else {
          runs = nil
        }
      } catch let error as JournalError where error.isTransient {
        failure = failure ?? error
      }
    }
    if answers == 0, let failure { throw failure }
    return JournalChanges(mark: marks.mark, runs: runs)
  }
}

/// Combines the marks of several journals: the number of positions of each, followed by these; -1
/// for a journal without a mark.
struct ShardMarks {
  private var marks: [JournalMark?]

  init(count: Int) { marks = [JournalMark?](repeating: nil, count: count) }

  /// Nil if the mark does not belong to this number of journals.
  init?(_ mark: JournalMark, count: Int) {
    marks = []
    var rest = mark.positions[...]
    while let length = rest.popFirst() {
      guard length >= 0 else {
        marks.append(nil)
        continue
      }
      guard length <= rest.count else { return nil }
      marks.append(JournalMark(positions: Array(rest.prefix(Int(length)))))
      rest = rest.dropFirst(Int(length))
    }
    guard marks.count == count else { return nil }
  }

  var mark: JournalMark {
    JournalMark(
      positions: marks.flatMap { mark in
        mark.map { [Int64($0.positions.count)] + $0.positions } ?? [-1]
      })
  }

  subscript(index: Int) -> JournalMark? {
    get { marks[index] }
    set { marks[index] = newValue }
  }
}

extension ShardedJournal: SelfVerifyingJournal {
  /// The violations in the tables of the shards, and data on the wrong shard.
  package func findingsInTables() async throws -> [JournalFinding] {
    var findings: [JournalFinding] = []
    for (index, shard) in shards.enumerated() {
      if let shard = shard as? any SelfVerifyingJournal {
        findings += try await shard.findingsInTables()
      }
      var before: RunID?
      repeat {
        let page = try await shard.runs(RunQuery(before: before, limit: 1_000))
        for run in page.runs where self.shard(of: run.id) != index {
          findings.append(
            JournalFinding(run: run.id, "it is in shard \(index + 1), which does not own its slot"))
        }
        before = page.next
      } while before != nil
    }
    return findings
  }
}
