#if PostgreSQL
  import FieldstoneDurable
  import Foundation

  extension JournalStatements {
    /// Names in the order of an index: one seek per name.
    func names(of kind: SurveyedName, atMost limit: Int) throws -> [String] {
      guard limit > 0 else { return [] }
      let (column, table) = kind == .flow ? ("flow", "run") : ("name", "attribute")
      let condition = kind == .flow ? PostgresSchema.isListed() : "true"
      let sql = """
        WITH RECURSIVE f(name, place) AS (\
        (SELECT \(column), 1 FROM \(table) WHERE \(condition) ORDER BY \(column) LIMIT 1) \
        UNION ALL SELECT n.name, f.place + 1 FROM f CROSS JOIN LATERAL (\
        SELECT t.\(column) AS name FROM \(table) t WHERE t.\(column) > f.name AND \(condition) \
        ORDER BY t.\(column) LIMIT 1) n WHERE f.place < $1) SELECT name FROM f
        """
      return try rows(sql, [.integer(limit)]).map { try $0.text(0) }
    }

    /// The runs that the next claims would take, regardless of the limits of flows.
    ///
    /// Six index seeks per version of a flow.
    func longestDue(atMost limit: Int) throws -> [DueRun] {
      guard limit > 0 else { return [] }
      return try rows(Self.longestDue, [now, .integer(limit)]).map { row in
        DueRun(id: try row.identifier(0), place: try row.date(1))
      }
    }

    private static let longestDue = """
      WITH RECURSIVE \(ClockSQL.table(1)), open(flow, version) AS ((SELECT flow, version FROM run \
      WHERE \(RunGate.open) ORDER BY flow, version LIMIT 1) \
      UNION ALL SELECT n.flow, n.version FROM open CROSS JOIN LATERAL (SELECT flow, version FROM run \
      WHERE \(RunGate.open) AND (flow, version) > (open.flow, open.version) \
      ORDER BY flow, version LIMIT 1) n) \
      SELECT f.id, f.place FROM open CROSS JOIN (VALUES (0), (1)) AS kind(flow_place) \
      CROSS JOIN LATERAL (\
      (SELECT id, wakes_at AS place FROM run WHERE \(ready) AND waits = 0 \
      ORDER BY wakes_at LIMIT $2) UNION ALL \
      (SELECT id, wakes_at AS place FROM run WHERE \(ready) AND waits = 1 AND wakes_at <= \(ClockSQL.now) \
      ORDER BY wakes_at LIMIT $2) UNION ALL \
      (SELECT id, place FROM (SELECT id, \(RunColumns.place) AS place FROM run \
      WHERE \(ready) AND waits = 2 AND wakes_at <= \(ClockSQL.now) ORDER BY wakes_at LIMIT 1000) w \
      ORDER BY place LIMIT $2)) f \
      WHERE NOT EXISTS (SELECT 1 FROM pause WHERE pause.kind = 0 AND pause.flow = open.flow \
      AND \(isNotOver)) ORDER BY f.place, f.id LIMIT $2
      """
    private static let ready = """
      \(RunGate.open) AND run.flow = open.flow AND run.version = open.version \
      AND run.flow_place = kind.flow_place
      """

    /// The limits of all flows with their use.
    func limitStandings() throws -> [LimitStanding] {
      let date = try serverDate()
      var left = LimitStanding.mostKeys
      let kept = try rows("SELECT \(Self.limitColumns) FROM flow_limit ORDER BY flow", []).map {
        (try $0.text(0), try limits($0))
      }
      return try kept.map { flow, kept in
        var standing = LimitStanding(flow: flow, limits: kept.limits)
        if let maximum = kept.limits.runs {
          let most = LimitStanding.counted(upTo: maximum)
          let counts =
            kept.limits.wholeRuns == nil ? PostgresSchema.isRunning : "flow_place = 1"
          let sql = """
            SELECT count(*) FROM (SELECT 1 FROM run WHERE \(counts) AND flow = $1 LIMIT $2) o
            """
          standing.used = RunCount(
            found: try row(sql, [.text(flow), .integer(most + 1)])?.integer(0) ?? 0, atMost: most)
        }
        if let rate = kept.limits.rate, var bucket = kept.bucket {
          bucket.fill(by: rate, at: date)
          standing.bucket = bucket
        }
        if let maximum = kept.limits.perKey?.maximum {
          let keys = try rows(
            Self.behind, [.text(flow), .integer(left + 1), .integer(maximum)])
          standing.hasMoreKeys = keys.count > left
          standing.keys = try keys.prefix(left).compactMap { row in
            let used = try row.integer(1)
            guard used >= maximum else { return nil }
            let waiting = RunCount(found: try row.integer(2), atMost: LimitStanding.mostBehind)
            return LimitStanding.Key(name: try row.text(0), used: used, waiting: waiting)
          }
          left -= min(left, keys.count)
        }
        return standing
      }
    }

    /// The keys that runs wait behind, with the places that are taken and the runs behind them.
    private static let behind = """
      WITH RECURSIVE k(name, place) AS (\
      (SELECT concurrency, 1 FROM run WHERE gate = 1 AND state = 0 AND flow = $1 \
      ORDER BY concurrency LIMIT 1) \
      UNION ALL SELECT n.name, k.place + 1 FROM k CROSS JOIN LATERAL (\
      SELECT r.concurrency AS name FROM run r WHERE r.gate = 1 AND r.state = 0 AND r.flow = $1 \
      AND r.concurrency > k.name ORDER BY r.concurrency LIMIT 1) n WHERE k.place < $2) \
      SELECT k.name, t.count, b.count FROM k CROSS JOIN LATERAL (\
      SELECT count(*) FROM (SELECT 1 FROM run r WHERE r.place = 1 AND r.flow = $1 \
      AND r.concurrency = k.name LIMIT $3) o) t CROSS JOIN LATERAL (\
      SELECT count(*) FROM (SELECT 1 FROM run r WHERE r.gate = 1 AND r.state = 0 AND r.flow = $1 \
      AND r.concurrency = k.name LIMIT \(LimitStanding.mostBehind + 1)) o) b
      """
  }
#endif
