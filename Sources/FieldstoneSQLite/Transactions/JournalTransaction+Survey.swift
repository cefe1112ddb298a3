#if SQLite
  import FieldstoneDurable
  import Foundation
  import GRDB

  extension JournalTransaction {
    /// Names in the order of an index: one or two seeks per name.
    ///
    /// The order of the running runs is that of their index. Without it SQLite takes the other one where
    /// an older schema has all runs in it, and reads up to the next running run.
    func names(of kind: SurveyedName, atMost limit: Int) throws -> [String] {
      func next(_ comparison: String) -> String {
        switch kind {
        case .flow:
          """
          SELECT MIN(flow) FROM (SELECT MIN(flow) AS flow FROM fieldstone_run \
          WHERE \(JournalSchema.isListed) AND flow \(comparison) ?1 \
          UNION ALL SELECT flow FROM (SELECT flow FROM fieldstone_run \
          WHERE state = 1 AND flow \(comparison) ?1 ORDER BY flow, worker, boot LIMIT 1))
          """
        case .attribute: "SELECT MIN(name) FROM fieldstone_attribute WHERE name \(comparison) ?1"
        }
      }
      var names: [String] = []
      while names.count < limit,
        let name = try row(next(names.isEmpty ? ">=" : ">"), [names.last ?? ""])?.optionalText(0)
      {
        names.append(name)
      }
      return names
    }

    /// The runs that the next claims would take, regardless of the limits of flows.
    ///
    /// Six index seeks per version of a flow.
    func longestDue(atMost limit: Int, at time: JournalTime) throws -> [DueRun] {
      let now = time.date.stored
      let paused = try Set(
        rows(
          "SELECT flow FROM fieldstone_pause WHERE kind = 0 AND (until IS NULL OR until > ?)", [now]
        ).map { try $0.text(0) })
      var found: [DueRun] = []
      for flow in try names(of: .flow, atMost: Self.surveyedFlows) where !paused.contains(flow) {
        var last = Int.min
        while let version = try row(Self.nextVersion, [flow, last])?.optionalWhole(0) {
          last = version
          for flowPlace in 0...1 {
            for (sql, isTimed) in Self.due {
              let arguments: StatementArguments = [flow, version, flowPlace]
              found += try rows(sql, arguments + (isTimed ? [now, limit] : [limit])).map { row in
                DueRun(id: try RunColumns.id(row.text(0)), place: try row.date(1))
              }
            }
          }
        }
      }
      return Array(found.sorted(by: DueRun.isEarlier).prefix(max(limit, 0)))
    }

    private static let surveyedFlows = 1_000
    private static let nextVersion = """
      SELECT MIN(version) FROM fieldstone_run WHERE \(RunGate.open) AND flow = ? AND version > ?
      """
    /// The statements for the runs without a wait, with a wait that is over, and for those whose
    /// priority gives them another place than their time.
    private static let due: [(sql: String, isTimed: Bool)] = {
      let ready = "\(RunGate.open) AND flow = ? AND version = ? AND flow_place = ?"
      let place = "(wakes_at - priority * \(secondsPerPriority))"
      return [
        (
          """
          SELECT id, wakes_at FROM fieldstone_run WHERE \(ready) AND waits = 0 \
          ORDER BY wakes_at LIMIT ?
          """, false
        ),
        (
          """
          SELECT id, wakes_at FROM fieldstone_run WHERE \(ready) AND waits = 1 \
          AND wakes_at <= ? ORDER BY wakes_at LIMIT ?
          """, true
        ),
        (
          """
          SELECT id, place FROM (SELECT id, \(place) AS place FROM fieldstone_run \
          WHERE \(ready) AND waits = 2 AND wakes_at <= ? ORDER BY wakes_at LIMIT 1000) \
          ORDER BY place LIMIT ?
          """, true
        ),
      ]
    }()

    /// The limits of all flows with their use.
    func limitStandings(at time: JournalTime) throws -> [LimitStanding] {
      var left = LimitStanding.mostKeys
      let sql = "SELECT \(FlowAdmission.columns) FROM fieldstone_limit ORDER BY flow"
      return try rows(sql).map { row in
        let kept = try FlowAdmission(row)
        var standing = LimitStanding(flow: try row.text(0), limits: kept.limits)
        if let maximum = kept.limits.runs {
          standing.used = try used(of: standing, upTo: LimitStanding.counted(upTo: maximum))
        }
        if let rate = kept.limits.rate, var bucket = kept.bucket {
          bucket.fill(by: rate, at: time.date)
          standing.bucket = bucket
        }
        if let maximum = kept.limits.perKey?.maximum {
          try addKeys(to: &standing, maximum: maximum, atMost: &left)
        }
        return standing
      }
    }

    private func used(of standing: LimitStanding, upTo most: Int) throws -> RunCount {
      let counts = standing.limits.wholeRuns == nil ? "state = 1" : "flow_place = 1"
      let sql = """
        SELECT COUNT(*) FROM \
        (SELECT 1 FROM fieldstone_run WHERE \(counts) AND flow = ? LIMIT ?)
        """
      return RunCount(
        found: try row(sql, [standing.flow, most + 1])?.whole(0) ?? 0, atMost: most)
    }

    /// Adds the full keys among those that runs wait behind.
    private func addKeys(
      to standing: inout LimitStanding, maximum: Int, atMost left: inout Int
    ) throws {
      let taken = """
        SELECT COUNT(*) FROM (SELECT 1 FROM fieldstone_run \
        WHERE place = 1 AND flow = ? AND concurrency = ? LIMIT ?)
        """
      var last: String?
      while true {
        let found =
          try last.map { try row("\(Self.nextKey) AND concurrency > ?", [standing.flow, $0]) }
          ?? row(Self.nextKey, [standing.flow])
        guard let key = found?.optionalText(0) else { return }
        guard left > 0 else {
          standing.hasMoreKeys = true
          return
        }
        left -= 1
        last = key
        let used = try row(taken, [standing.flow, key, maximum])?.whole(0) ?? 0
        guard used >= maximum else { continue }
        let most = LimitStanding.mostBehind
        let waiting = try row(Self.countBehind, [standing.flow, key, most + 1])?.whole(0) ?? 0
        standing.keys.append(
          LimitStanding.Key(
            name: key, used: used, waiting: RunCount(found: waiting, atMost: most)))
      }
    }

    /// The runs behind their keys.
    ///
    /// A flow has limits only in a schema with this index, which a view of an older schema would
    /// hide.
    private static let behind = """
      FROM main.fieldstone_run INDEXED BY fieldstone_run_behind \
      WHERE gate = 1 AND state = 0 AND flow = ?
      """
    private static let nextKey = "SELECT MIN(concurrency) \(behind)"
    private static let countBehind = """
      SELECT COUNT(*) FROM (SELECT 1 \(behind) AND concurrency = ? LIMIT ?)
      """
  }
#endif
