#if SQLite
  import FieldstoneDurable
  import Foundation
  import GRDB

  extension JournalTransaction {
    func schedules() throws -> [ScheduleRecord] {
      try rows("SELECT \(Self.schedule) FROM fieldstone_schedule ORDER BY name")
        .map { try schedule($0) }
    }

    func schedule(named name: String) throws -> ScheduleRecord? {
      try row("SELECT \(Self.schedule) FROM fieldstone_schedule WHERE name = ?", [name])
        .map { try schedule($0) }
    }

    /// Changes a schedule and starts runs, if the stored record is the one that the caller has
    /// read.
    func setSchedule(
      _ name: String, from old: ScheduleRecord?, to new: ScheduleRecord?,
      starting starts: [RunStart], at time: JournalTime
    ) throws -> Bool {
      guard try put(name, from: old, to: new) else { return false }
      for start in starts { _ = try self.start(start, at: time) }
      return true
    }

    private func put(
      _ name: String, from old: ScheduleRecord?, to new: ScheduleRecord?
    ) throws -> Bool {
      switch (old, new) {
      case (nil, nil):
        return try row("SELECT 1 FROM fieldstone_schedule WHERE name = ?", [name]) == nil
      case (nil, let new?):
        return try execute(
          """
          INSERT INTO fieldstone_schedule (name, due_at, definition, progress) \
          VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING
          """, [name, new.dueAt?.stored, new.definition, new.progress]) > 0
      case (let old?, nil):
        return try execute(
          "DELETE FROM fieldstone_schedule WHERE name = ? AND definition = ? AND progress = ?",
          [name, old.definition, old.progress]) > 0
      case (let old?, let new?):
        return try execute(
          """
          UPDATE fieldstone_schedule SET due_at = ?, definition = ?, progress = ? \
          WHERE name = ? AND definition = ? AND progress = ?
          """,
          [
            new.dueAt?.stored, new.definition, new.progress, name, old.definition, old.progress,
          ]) > 0
      }
    }

    /// The schedules that a worker must check; one index seek if none is due.
    func dueSchedules(at time: JournalTime) throws -> DueSchedules? {
      let now = time.date.stored
      let first = try row(
        "SELECT due_at FROM fieldstone_schedule WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1")
      guard let first, let date = first.optionalDate(0) else { return nil }
      var schedules = DueSchedules(now: time.date, due: [], nextAt: date)
      guard date <= time.date else { return schedules }
      schedules.due = try rows(
        """
        SELECT \(Self.schedule) FROM fieldstone_schedule \
        WHERE due_at <= ? ORDER BY due_at, name LIMIT \(DueSchedules.most)
        """, [now]
      ).map { try schedule($0) }
      let next = try row(
        "SELECT due_at FROM fieldstone_schedule WHERE due_at > ? ORDER BY due_at LIMIT 1", [now])
      schedules.nextAt = next?.optionalDate(0)
      return schedules
    }

    private static let schedule = "name, definition, progress, due_at"

    private func schedule(_ row: StoredRow) throws -> ScheduleRecord {
      ScheduleRecord(
        name: try row.text(0), definition: try row.bytes(1), progress: try row.bytes(2),
        dueAt: row.optionalDate(3))
    }
  }
#endif
