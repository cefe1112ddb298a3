#if PostgreSQL
  import FieldstoneDurable
  import Foundation

  extension JournalStatements {
    /// Deletes the oldest finished runs with all their rows, up to a number of rows.
    ///
    /// A run with more rows loses steps and signals first.
    ///
    /// - Returns: the number of deleted runs, and whether none are left.
    func removeRuns(overFor age: Duration, rows limit: Int) throws -> (count: Int, isDone: Bool) {
      let ids = try rows(
        """
        \(ClockSQL.with(1)) SELECT id FROM run \
        WHERE over_at < \(ClockSQL.now) - \(ClockSQL.microseconds("$3")) \
        AND NOT \(Self.isNeeded) ORDER BY over_at LIMIT $2 \
        FOR UPDATE SKIP LOCKED
        """, [now, .integer(limit), Self.lease(age)]
      ).map { try $0.identifier(0) }
      guard !ids.isEmpty else { return (0, true) }
      let steps = try execute(
        """
        DELETE FROM step USING (SELECT run, sequence FROM step WHERE run = ANY ($1) \
        ORDER BY run, sequence LIMIT $2) AS old \
        WHERE step.run = old.run AND step.sequence = old.sequence
        """, [.identifiers(ids), .integer(limit)])
      guard steps < limit else { return try (removeEmptied(ids), false) }
      let signals = try execute(
        """
        DELETE FROM signal USING (SELECT run, id FROM signal WHERE run = ANY ($1) LIMIT $2) AS old \
        WHERE signal.run = old.run AND signal.id = old.id
        """, [.identifiers(ids), .integer(limit)])
      guard signals < limit else { return (0, false) }
      let lines = try execute(
        """
        DELETE FROM log USING (SELECT run, fence, number FROM log WHERE run = ANY ($1) LIMIT $2) AS old \
        WHERE log.run = old.run AND log.fence = old.fence AND log.number = old.number
        """, [.identifiers(ids), .integer(limit)])
      guard lines < limit else { return (0, false) }
      try execute("DELETE FROM report WHERE run = ANY ($1)", [.identifiers(ids)])
      try execute("DELETE FROM replacement WHERE run = ANY ($1)", [.identifiers(ids)])
      try execute("DELETE FROM attribute WHERE id = ANY ($1)", [.identifiers(ids)])
      try execute("DELETE FROM run WHERE id = ANY ($1)", [.identifiers(ids)])
      return (ids.count, ids.count < limit)
    }

    /// Whether the role may delete rows of a table: operators delete no audit rows and no workers.
    func mayDelete(from table: String) throws -> Bool {
      try row("SELECT has_table_privilege($1, 'DELETE')", [.text(table)])?.boolean(0) ?? false
    }

    /// Deletes a finished run, or a number of its rows.
    ///
    /// - Returns: true if the run is deleted.
    func purge(_ id: RunID, by actor: String?, rows limit: Int) throws -> Bool {
      let record = try lock(id)
      let isNeeded = try row(
        "SELECT 1 FROM run WHERE id = $1 AND \(Self.isNeeded)", [.identifier(id)])
      guard record.state.isOver, isNeeded == nil else {
        throw JournalError.notAllowed(id, state: record.state, action: "purged")
      }
      let steps = try execute(
        """
        DELETE FROM step WHERE run = $1 AND sequence < $2 AND sequence < $3 + \
        (SELECT min(s.sequence) FROM step s WHERE s.run = $1)
        """, [.identifier(id), .integer(record.sequence), .integer(limit)])
      guard steps < limit else { return false }
      let signals = try execute(
        """
        DELETE FROM signal WHERE run = $1 \
        AND id IN (SELECT g.id FROM signal g WHERE g.run = $1 LIMIT $2)
        """, [.identifier(id), .integer(limit)])
      guard signals < limit else { return false }
      for table in ["step", "log", "report", "replacement"] {
        try execute("DELETE FROM \(table) WHERE run = $1", [.identifier(id)])
      }
      try execute("DELETE FROM attribute WHERE id = $1", [.identifier(id)])
      // A dead run may hold a place of its concurrency key.
      try execute(
        "INSERT INTO freed SELECT flow, concurrency FROM run WHERE id = $1 AND place = 1",
        [.identifier(id)])
      try execute("DELETE FROM run WHERE id = $1", [.identifier(id)])
      try note(AuditEntry(purging: record, by: actor))
      return true
    }

    /// Deletes those of the runs that have no dependent rows any more.
    private func removeEmptied(_ ids: [RunID]) throws -> Int {
      try execute(
        """
        DELETE FROM run r WHERE r.id = ANY ($1) \
        AND NOT EXISTS (SELECT 1 FROM step s WHERE s.run = r.id) \
        AND NOT EXISTS (SELECT 1 FROM signal g WHERE g.run = r.id) \
        AND NOT EXISTS (SELECT 1 FROM report o WHERE o.run = r.id) \
        AND NOT EXISTS (SELECT 1 FROM replacement p WHERE p.run = r.id) \
        AND NOT EXISTS (SELECT 1 FROM attribute a WHERE a.id = r.id)
        """, [.identifiers(ids)])
    }

    /// The runs with more steps than are kept.
    func runsWithMoreSteps(than kept: Int, after id: RunID?, limit: Int) throws -> [RunID] {
      let sql = """
        SELECT r.id FROM run r WHERE ($1::uuid IS NULL OR r.id > $1) AND r.sequence > $2 \
        AND EXISTS (SELECT 1 FROM step s WHERE s.run = r.id AND s.sequence < r.sequence - $2) \
        ORDER BY r.id LIMIT $3
        """
      return try rows(sql, [.identifier(id), .integer(kept), .integer(limit)]).map {
        try $0.identifier(0)
      }
    }

    /// Deletes a run's oldest steps and the signals that they consumed, up to a number of rows.
    ///
    /// - Returns: true if none are left.
    func removeSteps(of id: RunID, keeping kept: Int, rows limit: Int) throws -> Bool {
      let parameters: [PostgresParameter] = [.identifier(id), .integer(kept), .integer(limit)]
      let steps = try execute(
        """
        DELETE FROM step WHERE run = $1 AND sequence < LEAST(\
        (SELECT r.sequence FROM run r WHERE r.id = $1) - $2, \
        (SELECT min(s.sequence) FROM step s WHERE s.run = $1) + $3)
        """, parameters)
      let signals = try execute(
        """
        DELETE FROM signal WHERE run = $1 AND id IN (SELECT g.id FROM signal g WHERE g.run = $1 \
        AND g.consumed_by < (SELECT r.sequence FROM run r WHERE r.id = $1) - $2 LIMIT $3)
        """, parameters)
      return steps < limit && signals < limit
    }
  }
#endif
