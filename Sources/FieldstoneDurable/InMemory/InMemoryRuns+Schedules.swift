import Foundation

extension InMemoryRuns {
  var schedulesInOrder: [ScheduleRecord] {
    schedules.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
  }

  /// Does nothing unless the record is the one that the caller has read.
  mutating func setSchedule(
    _ name: String, from old: ScheduleRecord?, to new: ScheduleRecord?, starting starts: [RunStart],
    at time: JournalTime
  ) -> Bool {
    let key = Array(name.utf8)
    switch (schedules[key], old) {
    case (nil, nil): break
    case (let kept?, let old?) where kept.isUnchanged(from: old): break
    default: return false
    }
    schedules[key] = new
    schedules[key]?.dueAt = new?.dueAt?.known
    for start in starts { _ = self.start(start, at: time) }
    return true
  }

  func dueSchedules(at time: JournalTime) -> DueSchedules? {
    if schedules.isEmpty { return nil }
    let timed = schedulesInOrder.compactMap { record in record.dueAt.map { (due: $0, record) } }
      .sorted { $0.due < $1.due }
    guard !timed.isEmpty else { return nil }
    let due = timed.prefix { $0.due <= time.date }
    return DueSchedules(
      now: time.date, due: due.prefix(DueSchedules.most).map(\.1),
      nextAt: timed.dropFirst(due.count).first?.due)
  }
}
