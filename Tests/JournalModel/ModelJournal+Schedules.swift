import FieldstoneDurable
import Foundation

extension ModelJournal {
  mutating func setSchedule(
    _ name: String, from old: ScheduleRecord?, to new: ScheduleRecord?, starting starts: [RunStart],
    by actor: String?, at time: JournalTime
  ) -> Bool {
    let kept = schedules.first { $0.name == name }
    // When it is due follows from the progress.
    guard kept?.definition == old?.definition, kept?.progress == old?.progress else { return false }
    schedules.removeAll { $0.name == name }
    if let new { schedules.append(new) }
    schedules.sort { $0.name < $1.name }
    for start in starts { _ = self.start(start, at: time) }
    if actor != nil {
      let action: AuditAction = new == nil ? .remove : starts.isEmpty ? .set : .runNow
      audit.append(ModelChange(action: action, subject: .schedule(name)))
    }
    return true
  }

  func dueSchedules(at time: JournalTime) -> DueSchedules? {
    let timed = schedules.filter { $0.dueAt != nil }
      .sorted { ($0.dueAt ?? .distantFuture, $0.name) < ($1.dueAt ?? .distantFuture, $1.name) }
    if timed.isEmpty { return nil }
    return DueSchedules(
      now: time.date, due: timed.filter { ($0.dueAt ?? .distantFuture) <= time.date },
      nextAt: timed.compactMap(\.dueAt).first { $0 > time.date })
  }

  mutating func purge(_ id: RunID) throws(JournalError) {
    guard let run = runs.first(where: { $0.id == id }) else { throw .noRun(id) }
    if !run.state.isOver { throw .notAllowed(id, state: run.state, action: "purged") }
    if isNeeded(run) { throw .stillNeeded(id) }
    runs.removeAll { $0.id == id }
    audit.append(ModelChange(action: .purge, subject: .run(id)))
  }
}
