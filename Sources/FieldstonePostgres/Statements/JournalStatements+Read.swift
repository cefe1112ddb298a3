#if PostgreSQL
  import FieldstoneDurable
  import Foundation

  extension JournalStatements {
    /// A page: one more than is asked for is looked up, to know whether anything follows.
    func runs(_ query: RunQuery) throws -> RunPage {
      let texts = [query.flow, query.key].compactMap { $0 }
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
      if let key = query.key {
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

    /// The mark is a snapshot: what it does not see has changed since.
    func changes(since mark: JournalMark?) throws -> JournalChanges {
      // First: what is committed after it is told again, and not lost.
      guard let text = try row("SELECT pg_current_snapshot()::text", [])?.text(0) else {
        throw JournalError.corrupt("the server has no snapshot")
      }
      let now = JournalMark(snapshot: text)
      guard let mark else { return JournalChanges(mark: now, runs: [:]) }
      // A server that was promoted or restored may have begun to count anew.
      guard let old = mark.snapshot, let first = mark.positions.first, mark.positions.count >= 2,
        now.positions.count >= 2, mark.positions[1] <= now.positions[1]
      else { return JournalChanges(mark: now) }
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
    fileprivate init(snapshot: String) {
      self.init(positions: snapshot.split { $0 == ":" || $0 == "," }.compactMap { Int64($0) })
    }

    fileprivate var snapshot: String? {
      guard positions.count >= 2 else { return nil }
      let running = positions.dropFirst(2).map(String.init).joined(separator: ",")
      return "\(positions[0]):\(positions[1]):\(running)"
    }
  }
#endif
