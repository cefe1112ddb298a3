#if PostgreSQL
  import FieldstoneDurable
  import Foundation

  /// The changes that insert audit rows, each in its own transaction.
  extension JournalStatements {
    func change(_ id: RunID, _ change: RunChange, by actor: String?) throws -> RunRecord {
      // Every change takes its locks in this order: the pauses before the run.
      try lockPauses(asReader: true)
      let old = try lock(id)
      let new = try self.change(id, change)
      try note(AuditEntry(change, by: actor, from: old, to: new))
      return new
    }

    /// - Parameter isRepeat: whether the same call may have been committed before. Then a pause
    ///   that changes nothing leaves no row: it has left one.
    func pause(
      _ target: PauseTarget, until date: Date?, by actor: String?, isRepeat: Bool
    ) throws {
      try lockPauses()
      let old = try kept(target)
      try pause(target, until: date)
      if isRepeat, let old, try kept(target) == old { return }
      try note(AuditEntry(pausing: target, until: date, by: actor, over: old))
    }

    func resume(_ target: PauseTarget, by actor: String?) throws -> Bool {
      try lockPauses()
      guard let old = try kept(target), try resume(target) else { return false }
      try note(AuditEntry(resuming: old, by: actor))
      return true
    }

    func setLimits(
      _ limits: FlowLimits?, of flow: String, replacing: Bool, by actor: String?
    ) throws -> FlowLimits? {
      try lockPauses()
      let old = actor == nil ? nil : try flowLimits()[flow]
      let new = try setLimits(limits, of: flow, replacing: replacing)
      try note(AuditEntry(limiting: flow, by: actor, from: old, to: new))
      return new
    }

    func setSchedule(
      _ name: String, from old: ScheduleRecord?, to new: ScheduleRecord?,
      starting starts: [RunStart], by actor: String?
    ) throws -> Bool {
      guard try setSchedule(name, from: old, to: new, starting: starts) else { return false }
      try note(AuditEntry(schedule: name, by: actor, from: old, to: new, starting: starts))
      return true
    }

    private func kept(_ target: PauseTarget) throws -> JournalPause? {
      try row(
        "SELECT until FROM pause WHERE kind = $1 AND flow = $2 AND name = $3", key(of: target)
      ).map { JournalPause(target, until: $0.optionalDate(0)) }
    }
  }

  extension JournalStatements {
    func note(_ entry: AuditEntry?) throws {
      guard let entry else { return }
      try execute(
        """
        \(ClockSQL.with(1)) INSERT INTO audit (changed_at, actor, action, kind, flow, name, \
        old_value, new_value) SELECT now, $2, $3, $4, $5, $6, $7, $8 FROM clock
        """,
        [
          now, .text(entry.actor), .text(entry.action.rawValue), .integer(entry.subject.kind),
          .text(entry.subject.flow), .text(entry.subject.name),
          entry.before.map { .bytes($0) } ?? .noBytes, entry.after.map { .bytes($0) } ?? .noBytes,
        ])
    }

    /// A page; the query asks for one row more than the page, to know whether another page follows.
    func audit(_ query: AuditQuery) throws -> AuditPage {
      if query.findsNothing { return AuditPage(records: []) }
      let limit = query.effectiveLimit
      let columns = "number, changed_at, actor, action, kind, flow, name, old_value, new_value"
      let place: [PostgresParameter] = [.integer(query.before ?? .max), .integer(limit + 1)]
      let found: [PostgresRow]
      if let subject = query.subject {
        found = try rows(
          """
          SELECT \(columns) FROM audit WHERE kind = $3 AND flow = $4 AND name = $5 \
          AND number < $1 ORDER BY number DESC LIMIT $2
          """, place + [.integer(subject.kind), .text(subject.flow), .text(subject.name)])
      } else {
        found = try rows(
          "SELECT \(columns) FROM audit WHERE number < $1 ORDER BY number DESC LIMIT $2", place)
      }
      let records = try found.map { row in
        AuditRecord(
          number: try row.integer(0), date: try row.date(1), actor: row.optionalText(2),
          action: AuditAction(rawValue: try row.text(3)),
          subject: try AuditSubject(
            kind: row.integer(4), flow: row.text(5), name: row.text(6)),
          before: row.optionalBytes(7), after: row.optionalBytes(8))
      }
      return AuditPage(records, limit: limit)
    }

    /// Deletes old audit rows, up to a limit.
    ///
    /// - Returns: true if none are left.
    func removeAudit(olderThan age: Duration, rows limit: Int) throws -> Bool {
      guard try mayDelete(from: "audit") else { return true }
      return try execute(
        """
        \(ClockSQL.with(1)) DELETE FROM audit WHERE number IN (SELECT number FROM audit \
        WHERE changed_at < \(ClockSQL.now) - \(ClockSQL.microseconds("$3")) \
        ORDER BY changed_at LIMIT $2 FOR UPDATE SKIP LOCKED)
        """, [now, .integer(limit), Self.lease(age)]) < limit
    }
  }
#endif
