#if PostgreSQL
  import FieldstoneDurable
  import Foundation

  extension JournalStatements {
    /// Starts a run; in a transaction if the policy may change an existing run.
    func start(_ start: RunStart) throws -> RunRecord {
      if let inserted = try insert(start) { return inserted }
      if let known = try known(start) { return known }
      guard let key = start.key else {
        throw JournalError.corrupt("run \(start.id) is there and is not")
      }
      let taken = try row(
        "SELECT id FROM run WHERE flow = $1 AND key = $2", [.text(start.flow), .text(key)])
      let purged = JournalError.unavailable("the run of this key was purged meanwhile")
      guard let taken else { throw purged }
      let id = try taken.identifier(0)
      if start.ifTaken == .existing {
        guard let found = try run(id) else { throw purged }
        return found
      }
      let record: RunRecord
      do { record = try lock(id) } catch JournalError.noRun { throw purged }
      // The same start may have had the lock before.
      if let known = try known(start) { return known }
      switch start.ifTaken {
      case .replaceUnlessBegun where record.isReplaceable:
        return try replace(record, by: start)
      case .restartIfOver where record.state.isOver:
        try execute("UPDATE run SET key = NULL WHERE id = $1", [.identifier(id)])
        if let inserted = try insert(start) { return inserted }
        throw JournalError.unavailable("another start has taken the key meanwhile")
      case .existing, .replaceUnlessBegun, .restartIfOver: return record
      }
    }

    /// - Returns: nil if the identifier or the key exists.
    func insert(_ start: RunStart, as child: ChildLink? = nil) throws -> RunRecord? {
      try row(
        """
        \(ClockSQL.with(6)), r AS (INSERT INTO run (id, flow, version, key, priority, state, sequence, fence, \
        attempts, crashes, lone_crashes, is_alone, started_at, changed_at, waits, wakes_at, due_at, \
        concurrency, gate, parent, parent_sequence, ordinal, is_detached, depth, deadline, \
        attributes, trace, origin, origin_sequence) \
        SELECT $1, $2, $3, $4, $5, 0, 0, 0, 0, 0, 0, false, clock.now, clock.now, \
        CASE WHEN due.at IS NULL THEN 0 WHEN $5 = 0 THEN 1 ELSE 2 END, \
        COALESCE(due.at, clock.now - $5 * interval '\(secondsPerPriority) s'), due.at, \
        $9, \(RunGate.ofKey(flow: "$2", concurrency: "$9")), $10, $11, $12, $13, $14, $15, $16, $17, \
        $20, $21 \
        FROM clock CROSS JOIN LATERAL (SELECT CASE WHEN $7 > clock.now THEN $7 END AS at) due \
        WHERE NOT EXISTS (SELECT 1 FROM replacement WHERE id = $1) \
        ON CONFLICT DO NOTHING RETURNING *), \
        s AS (INSERT INTO step (run, sequence, version, payload) SELECT id, 0, version, $8 FROM r), \
        a AS (INSERT INTO attribute (name, value, id) SELECT n.name, n.value, r.id \
        FROM r CROSS JOIN unnest($18::text[], $19::text[]) AS n(name, value)) \
        SELECT \(RunColumns.list) FROM r
        """,
        [
          .identifier(start.id), .text(start.flow), .integer(start.version), .text(start.key),
          .integer(start.effectivePriority), now, .date(start.notBefore), .bytes(start.payload),
          .text(start.concurrencyKey),
          .identifier(child?.parent), child.map { .integer($0.place.sequence) } ?? .noInteger,
          child.map { .integer($0.place.ordinal) } ?? .noInteger,
          .boolean(child?.isDetached ?? false), .integer(child?.depth ?? 0),
          .date(start.deadline), .text(StoredDictionary.text(start.attributes)),
          .text(StoredDictionary.text(start.trace)), .texts(Array(start.attributes.keys)),
          .texts(start.attributes.values.map(\.stored)), .identifier(start.origin?.run),
          start.origin.map { .integer($0.sequence) } ?? .noInteger,
        ]
      ).map { row in
        try note(AuditEntry(forking: start))
        return try RunColumns.record(row, payload: start.payload)
      }
    }

    /// The run that this start has already made, or whose first stage it has replaced.
    private func known(_ start: RunStart) throws -> RunRecord? {
      if let made = try run(start.id) { return made }
      let sql = "SELECT run FROM replacement WHERE id = $1"
      return try row(sql, [.identifier(start.id)]).flatMap { try run($0.identifier(0)) }
    }

    /// Replaces the stage of a run that no worker has claimed yet.
    private func replace(
      _ record: RunRecord, by start: RunStart
    ) throws -> RunRecord {
      try execute(
        "INSERT INTO replacement (id, run) VALUES ($1, $2)",
        [.identifier(start.id), .identifier(record.id)])
      try execute(
        "UPDATE step SET version = $1, payload = $2 WHERE run = $3 AND sequence = $4",
        [
          .integer(start.version), .bytes(start.payload), .identifier(record.id),
          .integer(record.sequence),
        ])
      let due = "(CASE WHEN $4 > \(ClockSQL.now) THEN $4 END)"
      try execute(
        """
        \(ClockSQL.with(2)) \
        UPDATE run SET version = $1, changed_at = \(ClockSQL.now), priority = $3, \
        \(RunColumns.waiting(for: due, now: ClockSQL.now, priority: "$3")), due_at = \(due), \
        deadline = $6, attributes = $7, trace = $8 WHERE id = $5
        """,
        [
          .integer(start.version), now, .integer(start.effectivePriority),
          .date(start.notBefore), .identifier(record.id), .date(start.deadline),
          .text(StoredDictionary.text(start.attributes)), .text(StoredDictionary.text(start.trace)),
        ])
      try execute("DELETE FROM attribute WHERE id = $1", [.identifier(record.id)])
      try index(start.attributes, of: record.id)
      guard let replaced = try run(record.id) else { throw JournalError.noRun(record.id) }
      return replaced
    }
  }
#endif
