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

    /// The maximum number of changes that are looked up one by one.
    private static let mostChanges = 10_000

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
      guard let old = mark.snapshot, let first = mark.first, mark.server == now.server else {
        return JournalChanges(mark: now)
      }
      // A database that was restored from a dump has numbers of another server, far above its own.
      func isOfNow(_ column: String) -> String {
        "\(column) >= $1::text::xid8 AND \(column) < (SELECT pg_snapshot_xmax(pg_current_snapshot()))"
      }
      let sql = """
        WITH c AS MATERIALIZED (\
        (SELECT run FROM step WHERE \(isOfNow("xid")) AND sequence > 0 \
        AND NOT pg_visible_in_snapshot(xid, $2::text::pg_snapshot) LIMIT $3) \
        UNION (SELECT id FROM run WHERE \(isOfNow("rested")) \
        AND NOT pg_visible_in_snapshot(rested, $2::text::pg_snapshot) LIMIT $3) \
        UNION (SELECT run FROM report WHERE \(isOfNow("xid")) \
        AND NOT pg_visible_in_snapshot(xid, $2::text::pg_snapshot) LIMIT $3)) \
        SELECT r.id, r.state FROM c JOIN run r ON r.id = c.run
        """
      let rows = try rows(
        sql, [.text("\(first)"), .text(old), .integer(Self.mostChanges)])
      guard rows.count < Self.mostChanges else { return JournalChanges(mark: now) }
      let runs = try rows.map {
        (try $0.identifier(0), try RunColumns.state($0.integer(1)))
      }
      return JournalChanges(mark: now, runs: Dictionary(runs, uniquingKeysWith: { $1 }))
    }
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

    /// The oldest transaction that was under way.
    fileprivate var first: Int64? { positions.count >= 4 ? positions[2] : nil }

    fileprivate var snapshot: String? {
      guard positions.count >= 4 else { return nil }
      let running = positions.dropFirst(4).map(String.init).joined(separator: ",")
      return "\(positions[2]):\(positions[3]):\(running)"
    }
  }
#endif
