import Foundation

extension InMemoryRuns {
  /// Cancels the runs whose deadlines have passed, parents before their children: all, or some of them.
  mutating func cancelLate(among ids: Set<RunID>? = nil, at time: JournalTime) {
    let late = (ids?.intersection(withDeadline) ?? withDeadline).compactMap { all[$0] }.filter {
      run in
      run.record.deadline.map { $0 <= time.date } ?? false
    }.sorted { ($0.depth, $0.record.id) < ($1.depth, $1.record.id) }
    for id in late.map(\.record.id) {
      guard var run = all[id] else { continue }
      run.release(to: .cancelled, at: time)
      put(run)
    }
  }

  /// The earliest deadline of all unfinished runs.
  var nextDeadline: Date? { withDeadline.compactMap { all[$0]?.record.deadline }.min() }
}
