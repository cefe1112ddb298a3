#if SQLite
  import FieldstoneDurable
  import GRDB

  extension JournalTransaction {
    func standing(of id: RunID) throws -> RunStanding? {
      guard let (number, record) = try find(id) else { return nil }
      let quarantined = "SELECT 1 FROM fieldstone_run WHERE number = ? AND quarantine IS NOT NULL"
      return RunStanding(
        record: record, hasSignal: try hasSignal(record.awaitedSignals, of: number),
        isQuarantined: try row(quarantined, [number]) != nil,
        limitUse: record.state == .ready ? try limitUse(of: record) : nil)
    }

    /// The rows that violate the rules; the first hundred of each kind.
    func findings() throws -> [JournalFinding] {
      var findings = try rows("PRAGMA integrity_check").compactMap { row in
        row.optionalText(0).flatMap { $0 == "ok" ? nil : JournalFinding("SQLite says: \($0)") }
      }
      for rule in Self.rules where try row(Self.table, [rule.table]) != nil {
        findings += try rows("\(rule.sql) LIMIT 100").map { row in
          JournalFinding(run: row.optionalText(0).flatMap { RunID($0) }, rule.detail)
        }
      }
      return try findings + lostChildren()
    }

    /// The unfinished children whose parent was purged before they were cancelled.
    ///
    /// An operator may continue a cancelled child of a purged parent: the audit shows that.
    private func lostChildren() throws -> [JournalFinding] {
      guard try row(Self.table, ["fieldstone_audit"]) != nil else { return [] }
      let sql = """
        SELECT c.id FROM fieldstone_run c WHERE c.parent IS NOT NULL AND c.state IN (0, 1, 4) \
        AND c.is_detached = 0 AND c.joined IS NULL \
        AND NOT EXISTS (SELECT 1 FROM fieldstone_run p WHERE p.number = c.parent) \
        AND NOT EXISTS (SELECT 1 FROM fieldstone_audit a WHERE a.kind = \(AuditSubject.runKind) \
        AND a.flow = '' AND a.name = c.id AND a.action IN (?, ?)) LIMIT 100
        """
      return try rows(sql, [AuditAction.retry.rawValue, AuditAction.edit.rawValue]).map { row in
        JournalFinding(
          run: row.optionalText(0).flatMap { RunID($0) },
          "its parent is gone, and it is neither over nor detached")
      }
    }

    private static let table = "SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = ?"

    /// A rule of the tables: finds the runs that violate it.
    private struct Rule {
      var table: String
      var detail: String
      var sql: String

      /// Finds rows whose run does not exist.
      static func orphans(_ table: String, _ name: String) -> Self {
        Self(
          table: table, detail: "\(name) has no run",
          sql: """
            SELECT NULL FROM \(table) \
            WHERE NOT EXISTS (SELECT 1 FROM fieldstone_run WHERE number = \(table).run)
            """)
      }
    }

    /// The condition of a limit per key; the next one, of the states in which a run keeps its
    /// place.
    private static let limit = """
      fieldstone_limit AS l WHERE l.flow = r.flow AND l.key_maximum IS NOT NULL
      """
    private static let keepsPlace = """
      r.state = 1 OR l.key_whole AND (r.state = 0 OR r.state IN (3, 4) AND l.key_holds)
      """

    private static let rules = [
      Rule.orphans("fieldstone_step", "a step"),
      .orphans("fieldstone_signal", "a signal"),
      .orphans("fieldstone_replacement", "a start that has replaced another"),
      .orphans("fieldstone_report", "a report"),
      .orphans("fieldstone_log", "a log line"),
      Rule(
        table: "fieldstone_attribute", detail: "an attribute has no run",
        sql: """
          SELECT NULL FROM fieldstone_attribute a \
          WHERE NOT EXISTS (SELECT 1 FROM fieldstone_run r WHERE r.id = a.run_id)
          """),
      Rule(
        table: "fieldstone_signal", detail: "a signal was consumed by a stage that it has not left",
        sql: """
          SELECT r.id FROM fieldstone_signal s JOIN fieldstone_run r ON r.number = s.run \
          WHERE s.consumed_by < 0 OR s.consumed_by >= r.sequence
          """),
      Rule(
        table: "fieldstone_signal", detail: "the signal is there that it awaits, and it is not due",
        sql: """
          SELECT r.id FROM fieldstone_run r WHERE r.state = 0 AND r.waits > 0 AND r.attempts = 0 \
          AND EXISTS (SELECT 1 FROM fieldstone_signal s WHERE s.run = r.number \
          AND (s.name = r.awaited \
          OR instr(r.awaited || char(31), char(31) || s.name || char(31)) > 0) \
          AND s.consumed_by IS NULL)
          """),
      Rule(
        table: "fieldstone_run",
        detail: "a lease is there without a worker, or a worker without a lease",
        sql: """
          SELECT id FROM fieldstone_run WHERE (state = 1) <> (lease_end IS NOT NULL) \
          OR (state = 1) <> (boot IS NOT NULL)
          """),
      Rule(
        table: "fieldstone_cancellation",
        detail: "it awaits another number of children than it has, or none",
        sql: """
          SELECT p.id FROM fieldstone_run p WHERE p.join_policy IS NOT NULL AND (p.open_children <= 0 \
          OR p.open_children <> (SELECT COUNT(*) FROM fieldstone_run c WHERE c.parent = p.number \
          AND c.parent_sequence = p.join_sequence AND c.joined IS NULL))
          """),
      Rule(
        table: "fieldstone_cancellation",
        detail: "it is the child of a stage that its parent has not left",
        sql: """
          SELECT c.id FROM fieldstone_run c JOIN fieldstone_run p ON p.number = c.parent \
          WHERE c.parent_sequence >= p.sequence
          """),
      Rule(
        table: "fieldstone_cancellation",
        detail: "a child is missing among those of its last stage",
        sql: """
          SELECT p.id FROM fieldstone_run p WHERE p.join_sequence IS NOT NULL \
          AND (SELECT COUNT(*) <> MAX(c.ordinal) + 1 FROM fieldstone_run c \
          WHERE c.parent = p.number AND c.parent_sequence = p.join_sequence)
          """),
      Rule(
        table: "fieldstone_limit", detail: "it has a place of its key that no limit lets it keep",
        sql: """
          SELECT r.id FROM fieldstone_run r WHERE r.place = 1 \
          AND NOT EXISTS (SELECT 1 FROM \(limit) AND (\(keepsPlace)))
          """),
      Rule(
        table: "fieldstone_limit", detail: "it has a place of its flow that no limit lets it keep",
        sql: """
          SELECT r.id FROM fieldstone_run r WHERE r.flow_place = 1 AND NOT (r.fence > 0 \
          AND EXISTS (SELECT 1 FROM fieldstone_limit l WHERE l.flow = r.flow AND l.runs_whole \
          AND (r.state IN (0, 1) OR r.state IN (3, 4) AND l.runs_hold)))
          """),
      Rule(
        table: "fieldstone_limit",
        detail: "a worker has it, and it has no place of its limited flow",
        sql: """
          SELECT r.id FROM fieldstone_run r WHERE r.state = 1 AND r.flow_place = 0 \
          AND EXISTS (SELECT 1 FROM fieldstone_limit l WHERE l.flow = r.flow AND l.runs_whole)
          """),
      Rule(
        table: "fieldstone_limit",
        detail: "a worker has it, and it has no place of its limited key",
        sql: """
          SELECT r.id FROM fieldstone_run r WHERE r.state = 1 AND r.place = 0 \
          AND r.concurrency IS NOT NULL AND EXISTS (SELECT 1 FROM \(limit))
          """),
      Rule(
        table: "fieldstone_run", detail: "its concurrency key has it in another state",
        sql: """
          SELECT id FROM fieldstone_run \
          WHERE concurrency IS NOT NULL AND key_state <> IIF(state > 1, state, 0)
          """),
      Rule(
        table: "fieldstone_limit", detail: "it is behind its key, and can't come in",
        sql: """
          SELECT r.id FROM fieldstone_run r WHERE r.gate & \(RunGate.limit) AND NOT (r.state = 0 \
          AND r.place = 0 AND r.concurrency IS NOT NULL AND EXISTS (SELECT 1 FROM \(limit)))
          """),
      Rule(
        table: "fieldstone_freed",
        detail: "it is behind its key, which has room, and nothing brings it in",
        sql: """
          SELECT MIN(r.id) FROM fieldstone_run r JOIN fieldstone_limit l ON l.flow = r.flow \
          WHERE r.gate = \(RunGate.limit) AND r.state = 0 \
          GROUP BY r.flow, r.concurrency, r.flow_place, l.key_maximum \
          HAVING NOT EXISTS (SELECT 1 FROM fieldstone_freed f \
          WHERE f.flow = r.flow AND f.concurrency = r.concurrency) \
          AND l.key_maximum > (SELECT COUNT(*) FROM fieldstone_run o WHERE o.flow = r.flow \
          AND o.concurrency = r.concurrency \
          AND (o.place = 1 OR o.state = 0 AND o.gate = 0 AND o.quarantine IS NULL \
          AND o.flow_place >= r.flow_place))
          """),
      Rule(
        table: "fieldstone_run", detail: "it is in quarantine, and can't be claimed",
        sql: "SELECT id FROM fieldstone_run WHERE quarantine IS NOT NULL AND state NOT IN (0, 1)"),
    ]
  }
#endif
