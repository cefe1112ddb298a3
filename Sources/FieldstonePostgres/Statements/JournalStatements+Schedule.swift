#if PostgreSQL
  import FieldstoneDurable
  import Foundation

  extension JournalStatements {
    func schedules() throws -> [ScheduleRecord] {
      try rows("SELECT \(Self.schedule) FROM schedule ORDER BY name", []).map { try schedule($0) }
    }

    func schedule(named name: String) throws -> ScheduleRecord? {
      try row("SELECT \(Self.schedule) FROM schedule WHERE name = $1", [.text(name)])
        .map { try schedule($0) }
    }

    /// Changes a schedule and starts runs, if the stored record is the one that the caller has
    /// read.
    func setSchedule(
      _ name: String, from old: ScheduleRecord?, to new: ScheduleRecord?,
      starting starts: [RunStart]
    ) throws -> Bool {
      // Locked before any row, in the order of all transactions.
      if starts.contains(where: { $0.concurrencyKey != nil }) { try lockPauses(asReader: true) }
      guard try put(name, from: old, to: new) else { return false }
      for start in starts { _ = try self.start(start) }
      return true
    }

    // After a wait for another change, the statement reads the changed row again.
    private func put(
      _ name: String, from old: ScheduleRecord?, to new: ScheduleRecord?
    ) throws -> Bool {
      switch (old, new) {
      case (nil, nil):
        return try row("SELECT 1 FROM schedule WHERE name = $1", [.text(name)]) == nil
      case (nil, let new?):
        return try execute(
          """
          INSERT INTO schedule (name, due_at, definition, progress) VALUES ($1, $2, $3, $4) \
          ON CONFLICT DO NOTHING
          """,
          [.text(name), .date(new.dueAt), .bytes(new.definition), .bytes(new.progress)]) > 0
      case (let old?, nil):
        return try execute(
          "DELETE FROM schedule WHERE name = $1 AND definition = $2 AND progress = $3",
          [.text(name), .bytes(old.definition), .bytes(old.progress)]) > 0
      case (let old?, let new?):
        return try execute(
          """
          UPDATE schedule SET due_at = $4, definition = $5, progress = $6 \
          WHERE name = $1 AND definition = $2 AND progress = $3
          """,
          [
            .text(name), .bytes(old.definition), .bytes(old.progress), .date(new.dueAt),
            .bytes(new.definition), .bytes(new.progress),
          ]) > 0
      }
    }

    /// The schedules that a worker must check; it executes a statement only if some are due.
    func dueSchedules(at now: Date, isAnyDue: Bool, nextAt: Date?) throws -> DueSchedules? {
      guard isAnyDue || nextAt != nil else { return nil }
      guard isAnyDue else { return DueSchedules(now: now, due: [], nextAt: nextAt) }
      let due = try rows(
        """
        SELECT \(Self.schedule) FROM schedule WHERE due_at <= $1 \
        ORDER BY due_at, name LIMIT \(DueSchedules.most)
        """, [.date(now)]
      ).map { try schedule($0) }
      return DueSchedules(now: now, due: due, nextAt: nextAt)
    }

    private static let schedule = "name, definition, progress, due_at"

    private func schedule(_ row: PostgresRow) throws -> ScheduleRecord {
      ScheduleRecord(
        name: try row.text(0), definition: try row.bytes(1), progress: try row.bytes(2),
        dueAt: row.optionalDate(3))
    }
  }
#endif
