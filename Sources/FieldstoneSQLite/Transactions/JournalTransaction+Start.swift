#if SQLite
  import FieldstoneDurable
  import GRDB

  extension JournalTransaction {
    func start(_ start: RunStart, at time: JournalTime) throws -> RunRecord {
      let now = time.date.stored
      let inserted = try row(
        """
        INSERT INTO fieldstone_run (id, flow, version, key, state, sequence, fence, attempts, \
        started_at, changed_at, waits, wakes_at, payload) \
        VALUES (?, ?, ?, ?, 0, 0, 0, 0, ?, ?, 0, ?, ?) \
        ON CONFLICT DO NOTHING RETURNING \(RunColumns.list)
        """,
        [
          start.id.description, start.flow, start.version, start.key, now, now, now, start.payload,
        ])
      if let inserted { return try RunColumns.record(inserted) }
      if let found = try find(start.id) { return found.record }
      let sql = "SELECT \(RunColumns.list) FROM fieldstone_run WHERE flow = ? AND key = ?"
      guard let row = try row(sql, [start.flow, start.key]) else {
        throw JournalError.corrupt("run \(start.id) is there and is not")
      }
      return try RunColumns.record(row)
    }
  }
#endif
