import Foundation

extension InMemoryRuns {
  mutating func pause(_ target: PauseTarget, until date: Date?) throws(JournalError) {
    if case .run(let id) = target {
      guard let record = all[id]?.record else { throw .noRun(id) }
      if record.state.isOver {
        throw .notAllowed(id, state: record.state, action: "paused")
      }
      all[id]?.record.isPaused = true
    }
    pauses[target] = .some(date?.known)
    minimumProtocol = 2
  }

  mutating func resume(_ target: PauseTarget) -> Bool {
    if case .run(let id) = target { all[id]?.record.isPaused = false }
    return pauses.removeValue(forKey: target) != nil
  }

  /// Whether a run, its concurrency key or its flow is paused.
  func isPaused(_ record: RunRecord) -> Bool {
    if pauses.isEmpty { return false }
    if record.isPaused || pauses[.flow(record.flow)] != nil { return true }
    guard let key = record.concurrencyKey else { return false }
    return pauses[.concurrencyKey(key, flow: record.flow)] != nil
  }

  /// Ends the pauses whose time has come.
  mutating func endPauses(at time: JournalTime) {
    for (target, date) in pauses {
      if let date, date <= time.date { _ = resume(target) }
    }
  }

  /// Gives back the paused runs whose workers have died: while they are paused, no other worker
  /// takes them over.
  mutating func settlePaused(for request: ClaimRequest, at time: JournalTime) {
    for room in request.flows where room.limit > 0 {
      for id in open[room.flow] ?? [] {
        guard var run = all[id], run.record.version <= room.version,
          run.record.state == .running, run.due(at: time) != nil, isPaused(run.record)
        else { continue }
        run.countCrash()
        run.record.attempts -= 1
        run.release(to: .ready, at: time)
        put(run)
      }
    }
  }
}
