#if SQLite
  import FieldstoneDurable
  import GRDB

  extension JournalTransaction {
    func start(_ start: RunStart, at time: JournalTime) throws -> RunRecord {
      let now = time.date.stored
      if start.key != nil, let known = try replaced(by: start) { return known }
      if start.ifTaken == .restartIfOver, let key = start.key, try find(start.id) == nil {
        try execute(
          """
          UPDATE fieldstone_run SET key = NULL \
          WHERE flow = ? AND key = ? AND state IN (\(Self.over))
          """, [start.flow, key])
      }
      let inserted = try row(
        """
        INSERT INTO fieldstone_run (id, flow, version, key, state, sequence, fence, attempts, \
        started_at, changed_at, waits, wakes_at, due_at, priority, payload) \
        VALUES (?, ?, ?, ?, 0, 0, 0, 0, ?, ?, ?, ?, ?, ?, ?) \
        ON CONFLICT DO NOTHING RETURNING \(RunColumns.list)
        """,
        [
          start.id.description, start.flow, start.version, start.key, now, now,
          start.waits(at: time), start.wakesAt(at: time), start.dueAt(at: time)?.stored,
          start.effectivePriority, start.payload,
        ])
      if let inserted { return try RunColumns.record(inserted) }
      if let found = try find(start.id) { return found.record }
      let sql = "SELECT \(RunColumns.list) FROM fieldstone_run WHERE flow = ? AND key = ?"
      guard let row = try row(sql, [start.flow, start.key]) else {
        throw JournalError.corrupt("run \(start.id) is there and is not")
      }
      let record = try RunColumns.record(row)
      guard start.ifTaken == .replaceUnlessBegun, record.state == .ready, record.fence == 0 else {
        return record
      }
      return try replace(try row.whole(0), by: start, at: time)
    }

    /// The run whose first stage this start has replaced before.
    private func replaced(by start: RunStart) throws -> RunRecord? {
      let sql = """
        SELECT \(RunColumns.list) FROM fieldstone_run \
        WHERE number = (SELECT run FROM fieldstone_replacement WHERE id = ?)
        """
      return try row(sql, [start.id.description]).map { try RunColumns.record($0) }
    }

    /// Puts a start's stage in the place of one that no worker has had.
    private func replace(
      _ number: Int, by start: RunStart, at time: JournalTime
    ) throws -> RunRecord {
      try execute(
        "INSERT INTO fieldstone_replacement (id, run) VALUES (?, ?)",
        [start.id.description, number])
      return try changed(
        row(
          """
          UPDATE fieldstone_run SET version = ?, payload = ?, changed_at = ?, waits = ?, \
          wakes_at = ?, due_at = ?, priority = ? WHERE number = ? RETURNING \(RunColumns.list)
          """,
          [
            start.version, start.payload, time.date.stored, start.waits(at: time),
            start.wakesAt(at: time), start.dueAt(at: time)?.stored, start.effectivePriority, number,
          ]))
    }

    /// The codes of the states of runs that are over.
    private static let over = RunState.allCases.filter(\.isOver).map { "\($0.code)" }
      .joined(separator: ", ")
  }

  extension RunStart {
    /// What the column `waits` says: nothing to wait for, a time, or a time with a priority.
    fileprivate func waits(at time: JournalTime) -> Int {
      if dueAt(at: time) == nil { 0 } else if effectivePriority == 0 { 1 } else { 2 }
    }

    /// What the column `wakes_at` says: the time, or the place among those that are due.
    fileprivate func wakesAt(at time: JournalTime) -> Double {
      if let date = dueAt(at: time) { return date.stored }
      return time.date.stored - Double(effectivePriority) * secondsPerPriority
    }
  }
#endif
