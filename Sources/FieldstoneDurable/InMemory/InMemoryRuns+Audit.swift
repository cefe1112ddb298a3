import Foundation

/// The changes that write audit rows.
extension InMemoryRuns {
  mutating func change(
    _ id: RunID, _ change: RunChange, by actor: String?, at time: JournalTime
  ) throws(JournalError) -> RunRecord {
    guard let old = all[id]?.record else { throw .noRun(id) }
    let new = try self.change(id, change, at: time)
    note(AuditEntry(change, by: actor, from: old, to: new), at: time)
    return new
  }

  mutating func pause(
    _ target: PauseTarget, until date: Date?, by actor: String?, at time: JournalTime
  ) throws(JournalError) {
    let old = pauses[target].map { JournalPause(target, until: $0) }
    try pause(target, until: date)
    note(AuditEntry(pausing: target, until: date, by: actor, over: old), at: time)
  }

  mutating func resume(_ target: PauseTarget, by actor: String?, at time: JournalTime) -> Bool {
    let old = pauses[target].map { JournalPause(target, until: $0) }
    guard resume(target), let old else { return false }
    note(AuditEntry(resuming: old, by: actor), at: time)
    return true
  }

  mutating func setLimits(
    _ limits: FlowLimits?, of flow: String, replacing: Bool, by actor: String?,
    at time: JournalTime
  ) -> FlowLimits? {
    let old = self.limits[flow]?.limits
    let new = setLimits(limits, of: flow, replacing: replacing, at: time)
    note(AuditEntry(limiting: flow, by: actor, from: old, to: new), at: time)
    return new
  }

  mutating func setSchedule(
    _ name: String, from old: ScheduleRecord?, to new: ScheduleRecord?, starting starts: [RunStart],
    by actor: String?, at time: JournalTime
  ) -> Bool {
    guard setSchedule(name, from: old, to: new, starting: starts, at: time) else { return false }
    note(AuditEntry(schedule: name, by: actor, from: old, to: new, starting: starts), at: time)
    return true
  }

  mutating func note(_ entry: AuditEntry?, at time: JournalTime) {
    guard let entry else { return }
    lastAudit += 1
    audit.append(entry.record(lastAudit, at: time.date))
  }

  func page(_ query: AuditQuery) -> AuditPage {
    let limit = query.effectiveLimit
    let found = audit.reversed().lazy.filter { record in
      query.before.map { record.number < $0 } ?? true
        && query.subject.map { record.subject == $0 } ?? true
    }
    return AuditPage(Array(found.prefix(limit + 1)), limit: limit)
  }

  mutating func purgeAudit(_ retention: JournalRetention, at time: JournalTime) {
    let limit = time.date.addingTimeInterval(-(retention.audit / .seconds(1)))
    audit.removeAll { $0.date < limit }
  }
}
