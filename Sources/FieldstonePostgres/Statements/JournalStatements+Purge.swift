#if PostgreSQL
  import FieldstoneDurable
  import Foundation

  /// A run in the order of a purge: the oldest first.
  ///
  /// The next transaction of the purge begins there: those that are needed and stay are read once.
  struct PurgePlace {
    var overAt: Date
    var id: RunID
  }

  extension JournalStatements {
    /// Deletes the oldest finished runs with all their rows, up to a number of rows.
    ///
    /// Runs with more rows lose old steps, consumed signals and lines first. What they need to go on
    /// stays until they are deleted: somebody may retry them, or start another with their key.
    ///
    /// - Parameter place: where to begin; nil for the oldest.
    /// - Returns: the number of deleted runs, and where to go on; nil if none are left.
    func removeRuns(
      overFor age: Duration, from place: PurgePlace?, rows limit: Int
    ) throws -> (count: Int, next: PurgePlace?) {
      let runs = try removable(overFor: age, from: place, limit: limit)
      guard let first = runs.first, let last = runs.last else { return (0, nil) }
      let ids = runs.map(\.id)
      let steps = try execute(
        """
        DELETE FROM step USING (SELECT s.run, s.sequence FROM step s JOIN run r ON r.id = s.run \
        WHERE s.run = ANY ($1) AND s.sequence < r.sequence LIMIT $2) AS old \
        WHERE step.run = old.run AND step.sequence = old.sequence
        """, [.identifiers(ids), .integer(limit)])
      guard steps < limit else { return (0, first) }
      let signals = try execute(
        """
        DELETE FROM signal USING (SELECT run, id FROM signal WHERE run = ANY ($1) \
        AND consumed_by IS NOT NULL LIMIT $2) AS old \
        WHERE signal.run = old.run AND signal.id = old.id
        """, [.identifiers(ids), .integer(limit)])
      guard signals < limit else { return (0, first) }
      let lines = try execute(
        """
        DELETE FROM log USING (SELECT run, fence, number FROM log WHERE run = ANY ($1) LIMIT $2) AS old \
        WHERE log.run = old.run AND log.fence = old.fence AND log.number = old.number
        """, [.identifiers(ids), .integer(limit)])
      guard lines < limit else { return (0, first) }
      for table in ["step", "signal", "report", "replacement"] {
        try execute("DELETE FROM \(table) WHERE run = ANY ($1)", [.identifiers(ids)])
      }
      for table in ["attribute", "run"] {
        try execute("DELETE FROM \(table) WHERE id = ANY ($1)", [.identifiers(ids)])
      }
      return (ids.count, ids.count < limit ? nil : last)
    }

    private func removable(
      overFor age: Duration, from place: PurgePlace?, limit: Int
    ) throws -> [PurgePlace] {
      try rows(
        """
        \(ClockSQL.with(1)) SELECT over_at, id FROM run \
        WHERE over_at < \(ClockSQL.now) - \(ClockSQL.microseconds("$3")) \
        AND (over_at, id) >= ($4, $5) \
        AND NOT \(Self.isNeeded) ORDER BY over_at, id LIMIT $2 \
        FOR UPDATE SKIP LOCKED
        """,
        [
          now, .integer(limit), Self.lease(age), .date(place?.overAt ?? .distantPast),
          .identifier(place?.id),
        ]
      ).map { PurgePlace(overAt: try $0.date(0), id: try $0.identifier(1)) }
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
      guard record.state.isOver else {
        throw JournalError.notAllowed(id, state: record.state, action: "purged")
      }
      guard isNeeded == nil else { throw JournalError.stillNeeded(id) }
      let steps = try execute(
        """
        DELETE FROM step WHERE run = $1 AND sequence < $2 AND sequence < $3 + \
        (SELECT min(s.sequence) FROM step s WHERE s.run = $1)
        """, [.identifier(id), .integer(record.sequence), .integer(limit)])
      guard steps < limit else { return false }
      let signals = try execute(
        """
        DELETE FROM signal WHERE run = $1 AND id IN (SELECT g.id FROM signal g WHERE g.run = $1 \
        AND g.consumed_by IS NOT NULL LIMIT $2)
        """, [.identifier(id), .integer(limit)])
      guard signals < limit else { return false }
      for table in ["step", "signal", "log", "report", "replacement"] {
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

    /// The runs with more steps than are kept.
    func runsWithMoreSteps(than kept: Int, after id: RunID?, limit: Int) throws -> [RunID] {
      // A generic plan passes over all runs before one that may be NULL.
      let condition = id == nil ? "" : "r.id > $3 AND "
      let sql = """
        SELECT r.id FROM run r WHERE \(condition)r.sequence > $1 \
        AND EXISTS (SELECT 1 FROM step s WHERE s.run = r.id AND s.sequence < r.sequence - $1) \
        ORDER BY r.id LIMIT $2
        """
      let mark: [PostgresParameter] = id.map { [.identifier($0)] } ?? []
      return try rows(sql, [.integer(kept), .integer(limit)] + mark).map {
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
