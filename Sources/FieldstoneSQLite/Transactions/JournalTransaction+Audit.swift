#if SQLite
  import FieldstoneDurable
  import Foundation
  import GRDB

  /// The changes that insert audit rows, each in its own transaction.
  extension JournalTransaction {
    func change(
      _ id: RunID, _ change: RunChange, by actor: String?, at time: JournalTime
    ) throws -> RunRecord {
      guard let old = try find(id)?.record else { throw JournalError.noRun(id) }
      let new = try self.change(id, change, at: time)
      try note(AuditEntry(change, by: actor, from: old, to: new), at: time)
      return new
    }

    func pause(
      _ target: PauseTarget, until date: Date?, by actor: String?, at time: JournalTime
    ) throws {
      let old = try kept(target)
      try pause(target, until: date)
      try note(AuditEntry(pausing: target, until: date, by: actor, over: old), at: time)
    }

    func resume(_ target: PauseTarget, by actor: String?, at time: JournalTime) throws -> Bool {
      guard let old = try kept(target), try resume(target) else { return false }
      try note(AuditEntry(resuming: old, by: actor), at: time)
      return true
    }

    func setLimits(
      _ limits: FlowLimits?, of flow: String, replacing: Bool, by actor: String?,
      at time: JournalTime
    ) throws -> FlowLimits? {
      let old = actor == nil ? nil : try flowLimits()[flow]
      let new = try setLimits(limits, of: flow, replacing: replacing, at: time)
      try note(AuditEntry(limiting: flow, by: actor, from: old, to: new), at: time)
      return new
    }

    func setSchedule(
      _ name: String, from old: ScheduleRecord?, to new: ScheduleRecord?,
      starting starts: [RunStart], by actor: String?, at time: JournalTime
    ) throws -> Bool {
      guard try setSchedule(name, from: old, to: new, starting: starts, at: time) else {
        return false
      }
      let entry = AuditEntry(schedule: name, by: actor, from: old, to: new, starting: starts)
      try note(entry, at: time)
      return true
    }

    private func kept(_ target: PauseTarget) throws -> JournalPause? {
      try row(
        "SELECT until FROM fieldstone_pause WHERE kind = ? AND flow = ? AND name = ?",
        [target.kind, target.flow, target.name]
      ).map { JournalPause(target, until: $0.optionalDate(0)) }
    }
  }

  extension JournalTransaction {
    func note(_ entry: AuditEntry?, at time: JournalTime) throws {
      guard let entry else { return }
      try execute(
        """
        INSERT INTO fieldstone_audit (changed_at, actor, action, kind, flow, name, old_value, \
        new_value) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [
          time.date.stored, entry.actor, entry.action.rawValue, entry.subject.kind,
          entry.subject.flow, entry.subject.name, entry.before, entry.after,
        ])
    }

    /// A page; the query asks for one row more than the page, to know whether another page follows.
    func audit(_ query: AuditQuery) throws -> AuditPage {
      if query.findsNothing { return AuditPage(records: []) }
      let limit = query.effectiveLimit
      let columns = "number, changed_at, actor, action, kind, flow, name, old_value, new_value"
      let before = query.before ?? .max
      let found: [StoredRow]
      if let subject = query.subject {
        found = try rows(
          """
          SELECT \(columns) FROM fieldstone_audit WHERE kind = ? AND flow = ? AND name = ? \
          AND number < ? ORDER BY number DESC LIMIT ?
          """, [subject.kind, subject.flow, subject.name, before, limit + 1])
      } else {
        found = try rows(
          """
          SELECT \(columns) FROM fieldstone_audit WHERE number < ? ORDER BY number DESC LIMIT ?
          """, [before, limit + 1])
      }
      return AuditPage(try found.map { try auditRecord($0) }, limit: limit)
    }

    private func auditRecord(_ row: StoredRow) throws -> AuditRecord {
      AuditRecord(
        number: try row.whole(0), date: try row.date(1), actor: row.optionalText(2),
        action: AuditAction(rawValue: try row.text(3)),
        subject: try AuditSubject(
          kind: row.whole(4), flow: row.text(5), name: row.text(6)),
        before: row.optionalBytes(7), after: row.optionalBytes(8))
    }

    /// Deletes old audit rows, up to a limit.
    ///
    /// - Returns: true if none are left.
    func removeAudit(before date: Date, rows limit: Int) throws -> Bool {
      try execute(
        """
        DELETE FROM fieldstone_audit WHERE number IN (SELECT number FROM fieldstone_audit \
        WHERE changed_at < ? ORDER BY changed_at LIMIT ?)
        """, [date.stored, limit]) < limit
    }
  }
#endif
