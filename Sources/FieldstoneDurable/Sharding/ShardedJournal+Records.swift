import Foundation

/// Combines the audit rows, reports and workers of all shards.
extension ShardedJournal {
  /// A page of audit rows, the newest of each shard first.
  ///
  /// Each shard numbers its rows separately, and a row's number here also identifies its shard.
  /// Rows of different shards are in the order of their numbers, not of their times. A change of a
  /// flow or a concurrency key writes a row in each shard. A row stays in the shard of its change,
  /// also if its run moves to another one, so all shards are asked.
  public func audit(_ query: AuditQuery) async throws -> AuditPage {
    var found: [AuditRecord] = []
    var hasMore = false
    for (index, shard) in shards.enumerated() {
      var part = query
      part.before = query.before.map { numbering.firstNumber(from: $0, shard: index) }
      let page = try await shard.audit(part)
      hasMore = hasMore || page.next != nil
      found += page.records.map { record in
        var record = record
        record.number = numbering.number(record.number, shard: index)
        return record
      }
    }
    found.sort { $0.number > $1.number }
    var page = AuditPage(found, limit: query.effectiveLimit)
    if page.next == nil, hasMore { page.next = page.records.last?.number }
    return page
  }

  private var numbering: ShardNumbering { ShardNumbering(shards: shards.count) }

  /// Stores the reports of runs' stages, in the shards of the runs.
  ///
  /// If a shard fails, the others are still tried; then the first error is thrown.
  public func write(_ reports: [RunReportWrite], at time: JournalTime) async throws {
    let parts = Dictionary(grouping: reports) { shard(of: $0.run) }
    _ = try await all { shard, index in
      if let part = parts[index] { try await shard.write(part, at: time) }
    }
  }

  /// The reports of a run's stages, from its shard.
  public func report(of id: RunID, after place: RunLogLine.Place?) async throws -> RunReport {
    try await journal(of: id).report(of: id, after: place)
  }

  /// Stores a worker's announcement in all shards, or removes its record.
  public func setWorker(
    _ name: String, to record: WorkerRecord?, at time: JournalTime
  ) async throws {
    _ = try await all { shard, _ in try await shard.setWorker(name, to: record, at: time) }
  }

  /// The workers of all shards, sorted by the bytes of their names, each with its latest record.
  ///
  /// An unavailable shard is skipped, because every worker announces itself to all shards.
  ///
  /// - Throws: the error of a shard if all of them fail.
  public func workers() async throws -> [WorkerRecord] {
    var workers: [[UInt8]: WorkerRecord] = [:]
    var failure: (any Error)?
    var answers = 0
    for shard in shards {
      do {
        for worker in try await shard.workers() {
          let name = Array(worker.name.utf8)
          if let kept = workers[name], kept.lastSeenAt >= worker.lastSeenAt { continue }
          workers[name] = worker
        }
        answers += 1
      } catch let error as JournalError where error.isTransient {
        failure = failure ?? error
      }
    }
    if answers == 0, let failure { throw failure }
    return workers.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
  }
}

/// Combines the row numbers of several shards: the remainder identifies the shard.
package struct ShardNumbering {
  let shards: Int

  package init(shards: Int) { self.shards = shards }

  package func number(_ number: Int, shard: Int) -> Int { number * shards + shard }

  /// The lowest row number of a shard whose combined number is not below a given one.
  package func firstNumber(from number: Int, shard: Int) -> Int {
    let (quotient, remainder) = number.quotientAndRemainder(dividingBy: shards)
    return remainder > shard ? quotient + 1 : quotient
  }
}
