#if PostgreSQL
  import FieldstoneDurable
  import Foundation

  extension JournalStatements {
    func steps(of id: RunID, after sequence: Int?, limit: Int) throws -> StepPage {
      let sql = """
        SELECT a.sequence, b.fence, b.kind, a.version, a.payload, b.attempts, b.began_at, b.ended_at, \
        b.worker, b.error FROM step a JOIN step b ON b.run = a.run AND b.sequence = a.sequence + 1 \
        WHERE a.run = $1 AND a.sequence > $2 ORDER BY a.sequence LIMIT $3
        """
      let found = try rows(
        sql, [.identifier(id), .integer(sequence ?? -1), .integer(limit + 1)]
      ).map { row in
        StepRecord(
          sequence: try row.integer(0), fence: try row.integer(1),
          kind: try row.integer(2) == 1 ? .edited : .done, version: try row.integer(3),
          payload: try row.bytes(4), attempts: try row.integer(5), beganAt: try row.date(6),
          endedAt: try row.date(7), worker: row.optionalText(8), error: row.optionalText(9))
      }
      let page = Array(found.prefix(limit))
      return StepPage(steps: page, next: found.count > limit ? page.last?.sequence : nil)
    }

    /// The maximum number of changes that are looked up.
    ///
    /// Beyond it each waiter reads its run, so it lies far above the changes between two polls:
    /// those of a busy moment belong to few runs.
    private static let mostChanges = 1_000_000

    // Transactions without writes are not logged, so a crashed or promoted server reuses their
    // numbers. The times detect that: both servers reset their statistics, as does a restarted one.
    private static let snapshot = """
      SELECT pg_current_snapshot()::text, \(microseconds("pg_postmaster_start_time()")), \
      \(microseconds("COALESCE(pg_stat_get_bgwriter_stat_reset_time(), 'epoch')"))
      """
    private static func microseconds(_ time: String) -> String {
      "(extract(epoch FROM \(time)) * 1000000)::int8"
    }

    /// The mark is a snapshot: everything that is invisible to it has changed since.
    func changes(since mark: JournalMark?) throws -> JournalChanges {
      // The snapshot is read first: a run committed after it is reported twice, and never missed.
      guard let row = try row(Self.snapshot, []) else {
        throw JournalError.corrupt("the server has no snapshot")
      }
      let now = JournalMark(
        server: [try row.integer(1), try row.integer(2)], snapshot: try row.text(0))
      guard let mark else { return JournalChanges(mark: now, runs: [:]) }
      guard let bounds = mark.bounds, mark.server == now.server else {
        return JournalChanges(mark: now)
      }
      let found = try rows(
        Self.changes,
        [
          .text("\(bounds.end)"), .texts(bounds.running.map(String.init)),
          .integer(Self.mostChanges),
        ])
      // A number at the limit of one search may have cut off others.
      guard try found.first?.integer(0) ?? 0 < Self.mostChanges else {
        return JournalChanges(mark: now)
      }
      let runs = try found.filter { !$0.isNull(1) }.map {
        (try $0.identifier(1), try RunColumns.state($0.integer(2)))
      }
      return JournalChanges(mark: now, runs: Dictionary(runs, uniquingKeysWith: { $1 }))
    }

    // Two searches for each table: what began after the snapshot, and what was under way then. What
    // was written in between by others is passed over, however long one of these has been under way.
    private static let changes: String = {
      // A database that was restored from a dump has numbers of another server, far above its own.
      let isOfNow = "< (SELECT pg_snapshot_xmax(pg_current_snapshot()))"
      func search(_ column: String, _ table: String, _ more: String = "") -> String {
        ["\(column) >= $1::text::xid8", "\(column) = ANY ($2::text[]::xid8[])"].map { condition in
          "(SELECT \(table) WHERE \(condition) AND \(column) \(isOfNow)\(more) LIMIT $3)"
        }.joined(separator: " UNION ALL ")
      }
      return """
        WITH c(run) AS MATERIALIZED (\(search("xid", "run FROM step", " AND sequence > 0")) \
        UNION ALL \(search("rested", "id FROM run")) UNION ALL \(search("xid", "run FROM report"))) \
        SELECT n.count, f.id, f.state FROM (SELECT count(*) AS count FROM c) AS n \
        LEFT JOIN (SELECT r.id, r.state FROM (SELECT DISTINCT run FROM c) AS d \
        JOIN run r ON r.id = d.run) AS f ON true
        """
    }()
  }

  extension JournalMark {
    /// Reads a snapshot as PostgreSQL writes it: 10:20:10,14.
    fileprivate init(server: [Int], snapshot: String) {
      self.init(
        positions: server.map(Int64.init)
          + snapshot.split { $0 == ":" || $0 == "," }.compactMap { Int64($0) })
    }

    /// The server's start time and its statistics' reset time.
    fileprivate var server: ArraySlice<Int64> { positions.prefix(2) }

    /// The number from which on transactions had not begun, and those that were under way.
    fileprivate var bounds: (end: Int64, running: ArraySlice<Int64>)? {
      positions.count >= 4 ? (positions[3], positions.dropFirst(4)) : nil
    }
  }
#endif
