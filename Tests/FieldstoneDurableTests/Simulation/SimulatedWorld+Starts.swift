import FieldstoneCore
import FieldstoneDurable
import Foundation

extension SimulatedWorld {
  /// What is known of starts, and of what the claims of their runs must keep to.
  struct Starts {
    /// The identifiers that people have made starts with, and steps those with a key.
    var known: Set<RunID> = []
    /// The runs that people have started, which stages may signal.
    var targets: [RunID] = []
    /// The runs without a key that steps have started.
    var begotten: Set<RunID> = []
    /// The starts with a key: a later one of them may replace the stage of an earlier one.
    var keyed: [RunID: RunStart] = [:]
    /// The run that had each key last.
    var keys: [String: RunID] = [:]
    /// Whether each call is made at once, so that rates and time limits are kept to the moment.
    var isExact = false
    var timeLimit: Duration?
    /// The tokens of the rate, and when they were counted.
    var tokens: (count: Double, at: Date)?
    /// When each worker has begun a stage.
    var begun: [Turn: Duration] = [:]
    /// The attempts whose work has returned after their time.
    var overdue: Set<Turn> = []
  }

  /// The latest attempt of a worker at a stage.
  struct Turn: Hashable {
    var place: Place
    var worker: String
  }

  /// A person is about to start a run.
  func starts(_ start: RunStart) {
    withStarts { starts in
      starts.known.insert(start.id)
      if start.key != nil { starts.keyed[start.id] = start }
    }
  }

  /// What may have been the first stage of a run that was started with a key: that of its start, and
  /// those of the starts that may have replaced it.
  func firstStages(of run: RunID) -> [Data] {
    withStarts { starts in
      guard let own = starts.keyed[run] else { return [] }
      return starts.keyed.values.filter { start in
        start.id == run || (start.key == own.key && start.ifTaken == .replaceUnlessBegun)
      }.map(\.payload)
    }
  }

  /// Holds the answer to a start, which no other has come before, against what it asks for.
  func answered(_ start: RunStart, by run: RunRecord) {
    let last = withStarts { starts in
      if run.id == start.id { starts.targets.append(run.id) }
      return start.key.flatMap { starts.keys.updateValue(run.id, forKey: $0) }
    }
    if run.id == start.id {
      if start.ifTaken == .restartIfOver, last != nil { count("restarted") }
      return
    }
    if start.key == nil || run.key != start.key {
      return violation("the start of \(start.id) was answered with \(run.id)")
    }
    switch start.ifTaken {
    case .existing: count("existing")
    case .replaceUnlessBegun where run.fence == 0 && run.sequence == 0 && run.state == .ready:
      count("replaced")
      if run.payload != start.payload { violation("\(run.id) was not replaced by \(start.id)") }
    case .replaceUnlessBegun: break
    case .restartIfOver:
      if run.state.isOver { violation("\(run.id) is over, and kept its key from \(start.id)") }
    }
  }

  /// A run that a person has started, if there is one.
  func target() -> RunID? {
    let targets = withStarts { $0.targets }
    return targets.isEmpty ? nil : targets[number(0...(targets.count - 1))]
  }

  /// A step was written, with the runs that it starts.
  func begot(_ starts: [RunStart]) {
    withStarts { known in
      for start in starts {
        if start.key == nil {
          known.begotten.insert(start.id)
        } else {
          known.known.insert(start.id)
          known.keyed[start.id] = start
        }
      }
    }
    if !starts.isEmpty { count("begot") }
  }

  /// Holds all runs, at the end, against the starts: those of steps are there if and only if the step
  /// was written, and no key has two runs.
  func examineOrigins(_ runs: [RunRecord]) {
    let (known, begotten) = withStarts { ($0.known, $0.begotten) }
    let others = origins
    for run in runs where run.parent == nil {
      if !known.contains(run.id), !begotten.contains(run.id), !others.contains(run.id) {
        violation("nobody has started \(run.id)")
      }
    }
    for id in begotten.subtracting(runs.map(\.id)).sorted() {
      violation("\(id) was started with a step, and is not there")
    }
    for (key, its) in Dictionary(grouping: runs, by: \.key) where key != nil && its.count > 1 {
      violation("\(its.map(\.id)) have the key \(key ?? "")")
    }
  }
}

// MARK: Claims

extension SimulatedWorld {
  /// Holds the first claims of runs with a key, of which one may run at a time, against the order in
  /// which they were started.
  ///
  /// - Parameters:
  ///   - before: all runs before the claim.
  ///   - after: all runs after it.
  func examineOrder(of claimed: [ClaimedRun], before: [RunRecord], after: [RunRecord]) {
    guard limits?.perKey?.maximum == 1, !claimed.isEmpty else { return }
    // Others are due at another time than at their start.
    let waiting = before.filter { run in
      run.state == .ready && run.fence == 0 && run.dueAt == nil && !run.isPaused
        && run.concurrencyKey != nil && run.changedAt == run.startedAt
    }
    let left = Set(after.filter { $0.state == .ready && $0.fence == 0 }.map(\.id))
    for run in claimed {
      guard let first = waiting.first(where: { $0.id == run.record.id }) else { continue }
      let others = waiting.filter { other in
        other.concurrencyKey == first.concurrencyKey && other.priority == first.priority
          && left.contains(other.id)
      }
      if !others.isEmpty { count("ordered") }
      for other in others where other.startedAt < first.startedAt {
        violation("\(first.id) came before \(other.id) of its key, which was started before it")
      }
    }
  }

  /// Holds the claims against the rate: in any time at most a bucket, and what flows into it.
  func examineRate(of claimed: [ClaimedRun], before: [RunRecord], at date: Date) {
    guard let rate = limits?.rate, withStarts({ $0.isExact }) else { return }
    // A run that is taken over takes no token.
    let running = Set(before.filter { $0.state == .running }.map(\.id))
    let taken = claimed.count { !running.contains($0.record.id) }
    let most = Double(rate.count)
    let left = withStarts { starts in
      var tokens = starts.tokens ?? (most, date)
      let seconds = max(0, date.timeIntervalSince(tokens.at))
      tokens = (min(most, tokens.count + seconds * most / (rate.period / .seconds(1))), date)
      tokens.count -= Double(taken)
      starts.tokens = tokens
      return tokens.count
    }
    if left < -0.001 { violation("\(taken) runs were claimed, \(-left) more than the rate allows") }
    if taken > 0, left < 1 { count("rate") }
  }
}

// MARK: Time limits

extension SimulatedWorld {
  func beginsTurn(_ turn: Turn) {
    let uptime = time.uptime
    withStarts { starts in
      starts.begun[turn] = uptime
      starts.overdue.remove(turn)
    }
  }

  func endsTurn(_ turn: Turn) {
    let uptime = time.uptime
    let isOverdue = withStarts { starts in
      guard starts.isExact, let limit = starts.timeLimit, let begun = starts.begun[turn],
        uptime > begun + limit
      else { return false }
      starts.overdue.insert(turn)
      return true
    }
    if isOverdue { count("overdue") }
  }

  /// What an attempt comes to after its time is dropped.
  func examineTime(of turn: Turn) {
    guard withStarts({ $0.overdue.contains(turn) }) else { return }
    violation("\(turn.worker) wrote what came of \(turn.place) after its time limit")
  }
}
