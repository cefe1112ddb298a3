#if PostgreSQL
  import FieldstoneDurable
  import Foundation

  extension JournalStatements {
    /// Removes the oldest of the runs that are over, with all that hangs on them, up to so many rows:
    /// those that have more lose steps and signals first.
    ///
    /// - Returns: how many runs went, and whether there are no more.
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
      try execute("DELETE FROM replacement WHERE run = ANY ($1)", [.identifiers(ids)])
      try execute("DELETE FROM attribute WHERE id = ANY ($1)", [.identifiers(ids)])
      try execute("DELETE FROM run WHERE id = ANY ($1)", [.identifiers(ids)])
      return (ids.count, ids.count < limit)
    }

    /// Removes those of the runs that have nothing hanging on them any more.
    private func removeEmptied(_ ids: [RunID]) throws -> Int {
      try execute(
        """
        DELETE FROM run r WHERE r.id = ANY ($1) \
        AND NOT EXISTS (SELECT 1 FROM step s WHERE s.run = r.id) \
        AND NOT EXISTS (SELECT 1 FROM signal g WHERE g.run = r.id) \
        AND NOT EXISTS (SELECT 1 FROM replacement p WHERE p.run = r.id) \
        AND NOT EXISTS (SELECT 1 FROM attribute a WHERE a.id = r.id)
        """, [.identifiers(ids)])
    }

    /// The runs that have more steps than are kept.
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

    /// Removes a run's oldest steps, and the signals that they have consumed, up to so many rows.
    ///
    /// - Returns: whether there are no more.
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
