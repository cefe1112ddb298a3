#if PostgreSQL
  import FieldstoneDurable
  import Foundation

  extension JournalStatements {
    /// A page: one more than is asked for is looked up, to know whether anything follows.
    func runs(_ query: RunQuery) throws -> RunPage {
      let texts =
        [query.flow, query.key].compactMap { $0 }
        + query.attributes.flatMap { [$0.key, $0.value.stored] }
      // No run has such a name: it is refused at the start.
      guard !texts.contains(where: { $0.utf8.contains(0) }) else { return RunPage(runs: []) }
      let limit = query.effectiveLimit
      let rows: [PostgresRow]
      let since = query.since ?? Date(stored: .min)
      let place: [PostgresParameter] = [
        .identifier(query.before), .date(since), .integer(limit + 1),
      ]
      let states = query.states.isEmpty ? Set(RunState.allCases) : query.states
      let codes = PostgresParameter.integers(states.map(\.code).sorted())
      if let first = query.attributes.min(by: { $0.key < $1.key }) {
        // Of those that have the first attribute, from the youngest on, those that have the others.
        rows = try self.rows(
          """
          SELECT \(RunColumns.withStage) FROM attribute first JOIN run r ON r.id = first.id \
          JOIN step s ON s.run = r.id AND s.sequence = r.sequence \
          WHERE first.name = $7 AND first.value = $8 \
          AND first.id < COALESCE($1, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid) \
          AND r.started_at >= $2 AND ($4::text IS NULL OR r.flow = $4) \
          AND ($5::text IS NULL OR r.key = $5) AND r.state = ANY ($6) \
          AND NOT EXISTS (SELECT 1 FROM unnest($9::text[], $10::text[]) AS q(name, value) \
          WHERE NOT EXISTS (SELECT 1 FROM attribute a \
          WHERE a.name = q.name AND a.value = q.value AND a.id = first.id)) \
          ORDER BY first.id DESC LIMIT $3
          """,
          place + [
            .text(query.flow), .text(query.key), codes, .text(first.key),
            .text(first.value.stored), .texts(Array(query.attributes.keys)),
            .texts(query.attributes.values.map(\.stored)),
          ])
      } else if let key = query.key {
        rows = try self.rows(
          """
          \(Self.flows) SELECT \(RunColumns.withStage) FROM f \
          JOIN run r ON r.flow = f.flow AND r.key = $5 \
          JOIN step s ON s.run = r.id AND s.sequence = r.sequence \
          WHERE \(Self.place) AND r.state = ANY ($6) ORDER BY r.id DESC LIMIT $3
          """, place + [.text(query.flow), .text(key), codes])
      } else if query.flow == nil, query.states.isEmpty {
        rows = try self.rows(
          """
          SELECT \(RunColumns.withStage) FROM \(RunColumns.stages) \
          WHERE \(Self.place) ORDER BY r.id DESC LIMIT $3
          """, place)
      } else {
        // A seek in the index for each flow and state, and the youngest of all of these.
        rows = try self.rows(
          """
          \(Self.flows), found AS MATERIALIZED (SELECT n.id FROM f \
          CROSS JOIN unnest($5::int8[]) AS c(state) CROSS JOIN LATERAL (\
          SELECT r.id FROM run r WHERE r.flow = f.flow AND r.state = c.state AND \(Self.place) \
          ORDER BY r.id DESC LIMIT $3) n ORDER BY n.id DESC LIMIT $3) \
          SELECT \(RunColumns.withStage) FROM found JOIN run r ON r.id = found.id \
          JOIN step s ON s.run = r.id AND s.sequence = r.sequence ORDER BY r.id DESC
          """, place + [.text(query.flow), codes])
      }
      let found = try rows.map(RunColumns.recordWithStage)
      let page = Array(found.prefix(limit))
      return RunPage(runs: page, next: found.count > limit ? page.last?.id : nil)
    }

    private static let place = "($1::uuid IS NULL OR r.id < $1) AND r.started_at >= $2"

    /// The flow $4, or all that there are: one seek in the index for each.
    private static let flows = """
      WITH RECURSIVE f(flow) AS ((SELECT flow FROM run WHERE flow = COALESCE($4, flow) \
      ORDER BY flow LIMIT 1) UNION ALL SELECT n.flow FROM f CROSS JOIN LATERAL (\
      SELECT flow FROM run WHERE $4 IS NULL AND run.flow > f.flow ORDER BY flow LIMIT 1) n)
      """

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

    /// More than so many are not looked up one by one.
    private static let mostChanges = 10_000

    // Numbers of transactions that wrote nothing are in no log: a server that has crashed, and one that
    // was promoted, give them once more. Both begin their statistics anew, as does one that is started.
    private static let snapshot = """
      SELECT pg_current_snapshot()::text, \(microseconds("pg_postmaster_start_time()")), \
      \(microseconds("COALESCE(pg_stat_get_bgwriter_stat_reset_time(), 'epoch')"))
      """
    private static func microseconds(_ time: String) -> String {
      "(extract(epoch FROM \(time)) * 1000000)::int8"
    }

    /// The mark is a snapshot: what it does not see has changed since.
    func changes(since mark: JournalMark?) throws -> JournalChanges {
      // The snapshot comes first: a run that is committed after it is named twice, and never missed.
      guard let row = try row(Self.snapshot, []) else {
        throw JournalError.corrupt("the server has no snapshot")
      }
      let now = JournalMark(
        server: [try row.integer(1), try row.integer(2)], snapshot: try row.text(0))
      guard let mark else { return JournalChanges(mark: now, runs: [:]) }
      guard let old = mark.snapshot, let first = mark.first, mark.server == now.server else {
        return JournalChanges(mark: now)
      }
      let sql = """
        WITH c AS MATERIALIZED (\
        (SELECT run FROM step WHERE xid >= $1::text::xid8 AND sequence > 0 \
        AND NOT pg_visible_in_snapshot(xid, $2::text::pg_snapshot) LIMIT $3) \
        UNION (SELECT id FROM run WHERE rested >= $1::text::xid8 \
        AND NOT pg_visible_in_snapshot(rested, $2::text::pg_snapshot) LIMIT $3)) \
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

    /// Which server it is of, and since when it counts.
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
