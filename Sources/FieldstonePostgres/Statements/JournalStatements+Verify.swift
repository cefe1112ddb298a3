#if PostgreSQL
  import FieldstoneDurable

  extension JournalStatements {
    func standing(of id: RunID) throws -> RunStanding? {
      let sql = """
        SELECT \(RunColumns.withStage), r.quarantine IS NOT NULL, \
        \(SignalSQL.isThere(for: "r")) FROM \(RunColumns.stages) WHERE r.id = $1
        """
      return try row(sql, [.identifier(id)]).map { row in
        let record = try RunColumns.recordWithStage(row)
        return RunStanding(
          record: record, hasSignal: try row.boolean(RunColumns.count + 2),
          isQuarantined: try row.boolean(RunColumns.count + 1),
          limitUse: record.state == .ready ? try limitUse(of: record) : nil)
      }
    }

    /// The rows that violate the rules; the first hundred of each kind.
    func findings() throws -> [JournalFinding] {
      let findings = try Self.rules.flatMap { rule in
        try rows("\(rule.sql) LIMIT 100", []).map { row in
          JournalFinding(run: try row.identifier(0), rule.detail)
        }
      }
      return try findings + lostChildren()
    }

    /// The unfinished children whose parent was purged before they were cancelled.
    ///
    /// An operator may continue a cancelled child of a purged parent: the audit shows that.
    private func lostChildren() throws -> [JournalFinding] {
      let sql = """
        SELECT c.id FROM run c WHERE c.parent IS NOT NULL AND c.state IN (0, 1, 4) \
        AND NOT c.is_detached AND c.joined IS NULL \
        AND NOT EXISTS (SELECT 1 FROM run p WHERE p.id = c.parent) LIMIT 100
        """
      let continued = """
        SELECT 1 FROM audit WHERE kind = \(AuditSubject.runKind) AND flow = '' AND name = $1 \
        AND action IN ($2, $3) LIMIT 1
        """
      return try rows(sql, []).compactMap { row in
        let id = try row.identifier(0)
        let change = try self.row(
          continued,
          [
            .text(id.description), .text(AuditAction.retry.rawValue),
            .text(AuditAction.edit.rawValue),
          ])
        if change != nil { return nil }
        return JournalFinding(
          run: id, "its parent is gone, and it is neither over nor detached")
      }
    }

    /// The condition of a limit per key.
    private static let limit = "flow_limit l WHERE l.flow = r.flow AND l.key_maximum IS NOT NULL"

    private static let rules: [(detail: String, sql: String)] = [
      ("its step has no run", orphans("step")),
      ("its signal has no run", orphans("signal")),
      ("a start that has replaced its stage is there, and the run is not", orphans("replacement")),
      (
        "its attribute has no run",
        "SELECT a.id FROM attribute a WHERE NOT EXISTS (SELECT 1 FROM run r WHERE r.id = a.id)"
      ),
      (
        "its stage is not there",
        """
        SELECT r.id FROM run r WHERE NOT EXISTS (\
        SELECT 1 FROM step s WHERE s.run = r.id AND s.sequence = r.sequence)
        """
      ),
      (
        "a signal was consumed by a stage that it has not left",
        """
        SELECT r.id FROM signal g JOIN run r ON r.id = g.run \
        WHERE g.consumed_by < 0 OR g.consumed_by >= r.sequence
        """
      ),
      (
        "the signal is there that it awaits, and it is not due",
        """
        SELECT r.id FROM run r WHERE r.state = 0 AND r.waits > 0 AND r.paused_at IS NULL \
        AND \(SignalSQL.isThere(for: "r"))
        """
      ),
      (
        "a lease is there without a worker, or a worker without a lease",
        """
        SELECT id FROM run WHERE (state = 1) <> (lease_end IS NOT NULL) \
        OR (state = 1) <> (worker IS NOT NULL)
        """
      ),
      (
        "it awaits another number of children than it has, or none",
        """
        SELECT p.id FROM run p WHERE p.join_policy IS NOT NULL AND (p.open_children <= 0 \
        OR p.open_children <> (SELECT count(*) FROM run c WHERE c.parent = p.id \
        AND c.parent_sequence = p.join_sequence AND c.joined IS NULL))
        """
      ),
      (
        "it is the child of a stage that its parent has not left",
        """
        SELECT c.id FROM run c JOIN run p ON p.id = c.parent \
        WHERE c.parent_sequence >= p.sequence
        """
      ),
      (
        "a child is missing among those of its last stage",
        """
        SELECT p.id FROM run p WHERE p.join_sequence IS NOT NULL \
        AND (SELECT count(*) <> max(c.ordinal) + 1 FROM run c \
        WHERE c.parent = p.id AND c.parent_sequence = p.join_sequence)
        """
      ),
      (
        "it has a place of its key that no limit lets it keep",
        """
        SELECT r.id FROM run r WHERE r.place = 1 AND NOT EXISTS (SELECT 1 FROM \(limit) \
        AND (r.state = 1 OR l.key_whole AND (r.state = 0 OR r.state IN (3, 4) AND l.key_holds)))
        """
      ),
      (
        "it has a place of its flow that no limit lets it keep",
        """
        SELECT r.id FROM run r WHERE r.flow_place = 1 AND NOT (r.fence > 0 \
        AND EXISTS (SELECT 1 FROM flow_limit l WHERE l.flow = r.flow AND l.runs_whole \
        AND (r.state IN (0, 1) OR r.state IN (3, 4) AND l.runs_hold)))
        """
      ),
      (
        "a worker has it, and it has no place of its limited flow",
        """
        SELECT r.id FROM run r WHERE r.state = 1 AND r.flow_place = 0 \
        AND EXISTS (SELECT 1 FROM flow_limit l WHERE l.flow = r.flow AND l.runs_whole)
        """
      ),
      (
        "a worker has it, and it has no place of its limited key",
        """
        SELECT r.id FROM run r WHERE r.state = 1 AND r.place = 0 AND r.concurrency IS NOT NULL \
        AND EXISTS (SELECT 1 FROM \(limit))
        """
      ),
      (
        "it is behind its key, and can't come in",
        """
        SELECT r.id FROM run r WHERE r.gate & \(RunGate.limit) > 0 AND NOT (r.state = 0 \
        AND r.place = 0 AND r.concurrency IS NOT NULL AND EXISTS (SELECT 1 FROM \(limit)))
        """
      ),
      (
        "it is behind its key, which has room, and nothing brings it in",
        """
        SELECT k.id FROM (SELECT r.flow, r.concurrency, r.flow_place, min(r.id::text)::uuid AS id \
        FROM run r WHERE r.gate = \(RunGate.limit) AND r.state = 0 \
        GROUP BY r.flow, r.concurrency, r.flow_place) k \
        JOIN flow_limit l ON l.flow = k.flow WHERE NOT EXISTS (SELECT 1 FROM freed f \
        WHERE f.flow = k.flow AND f.concurrency = k.concurrency) \
        AND l.key_maximum > (SELECT count(*) FROM run o WHERE o.flow = k.flow \
        AND o.concurrency = k.concurrency \
        AND (o.place = 1 OR o.state = 0 AND o.gate = 0 AND o.quarantine IS NULL \
        AND o.flow_place >= k.flow_place))
        """
      ),
      (
        "it is in quarantine, and can't be claimed",
        "SELECT id FROM run WHERE quarantine IS NOT NULL AND state NOT IN (0, 1)"
      ),
    ]

    /// Finds rows whose run does not exist.
    private static func orphans(_ table: String) -> String {
      "SELECT t.run FROM \(table) t WHERE NOT EXISTS (SELECT 1 FROM run r WHERE r.id = t.run)"
    }
  }
#endif
