import FieldstoneDurable

extension ModelJournal {
  /// What is past its deadline is over, whatever it was; a parent before its children.
  mutating func cancelLate(at time: JournalTime, among ids: [RunID]? = nil) {
    let late = runs.indices.filter { index in
      if ids?.contains(runs[index].id) == false { return false }
      return switch runs[index].state {
      case .completed, .dead, .cancelled: false
      case .ready, .running, .blocked: runs[index].deadline.map { $0 <= time.date } ?? false
      }
    }.sorted { (ancestors(of: $0), runs[$0].id) < (ancestors(of: $1), runs[$1].id) }
    for index in late { cancel(index, at: time) }
    forgetPauses()
  }

  mutating func cancel(_ index: Int, at time: JournalTime) {
    let before = runs
    runs[index].standing = .over(.cancelled)
    runs[index].group = nil
    runs[index].isAlone = false
    runs[index].changedAt = time.date
    follow(before, at: time)
  }

  private func ancestors(of index: Int) -> Int {
    runs.firstIndex { $0.id == runs[index].parent }.map { 1 + ancestors(of: $0) } ?? 0
  }

  /// A person lets a run go on that is over and past its deadline.
  mutating func pardon(_ index: Int, at time: JournalTime) {
    switch runs[index].state {
    case .completed, .dead, .cancelled:
      if let deadline = runs[index].deadline, deadline <= time.date { runs[index].deadline = nil }
    case .ready, .running, .blocked: break
    }
  }
}
