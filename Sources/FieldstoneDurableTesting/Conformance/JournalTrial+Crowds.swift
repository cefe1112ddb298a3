import FieldstoneDurable
import Foundation

extension JournalTrial {
  static var crowds: [Self] {
    [
      Self(.exclusive) { try await $0.claimsByMany() },
      Self(.exclusive) { try await $0.startsByMany() },
      Self(.exclusive) { try await $0.checkpointsByMany() },
      Self(.exclusive) { try await $0.signalsByMany() },
    ]
  }
}

extension JournalExamination {
  /// Calls a closure in eight tasks at once, on both journals if there are two.
  private func crowd<Result: Sendable>(
    _ body: @escaping @Sendable (any Journal, Int) async throws -> Result
  ) async throws -> [Result] {
    let journals = [journal, other ?? journal]
    return try await withThrowingTaskGroup(of: Result.self) { group in
      for number in 0..<8 {
        let journal = journals[number % 2]
        group.addTask { try await body(journal, number) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  func claimsByMany() async throws {
    var ids: Set<RunID> = []
    for _ in 0..<60 { ids.insert(try await start().id) }
    let time = time
    let taken = try await crowd { journal, number in
      var mine: [RunID] = []
      while true {
        let request = ClaimRequest(
          worker: "worker \(number)", flows: [.init(flow: "flow", version: 1, limit: 3)],
          lease: .seconds(60))
        let runs = try await journal.claim(request, at: time).runs
        mine += runs.map(\.record.id)
        // The limit ends the loop for a journal that returns the same runs again.
        if runs.isEmpty || mine.count > 60 { return mine }
      }
    }.flatMap { $0 }
    expect(taken.count, equals: 60, .exclusive, "claims of 60 runs by eight workers")
    expect(Set(taken), equals: ids, .exclusive, "the runs that eight workers got")
  }

  func startsByMany() async throws {
    let time = time
    var starts: [RunStart] = []
    for _ in 0..<8 {
      starts.append(RunStart(id: newID(), flow: "flow", version: 1, key: "key", payload: json(0)))
    }
    let given = starts
    let ids = try await crowd { journal, number in
      try await journal.start(given[number], at: time).id
    }
    expect(Set(ids).count, equals: 1, .exclusive, "runs of eight starts with one key")
    expect(try await claim().runs.count, equals: 1, .exclusive, "runs there after eight starts")
  }

  func checkpointsByMany() async throws {
    var run = try await startAndClaim()
    for number in 1...10 {
      let time = time
      let next = Checkpoint(
        claim: run.claim, version: 1, next: .stage(json(number)), beganAt: time.date,
        lease: .seconds(60))
      let successes = try await crowd { journal, _ in
        do {
          try await journal.checkpoint(next, at: time)
          return 1
        } catch JournalError.claimLost {
          return 0
        }
      }
      expect(
        successes.reduce(0, +), equals: 1, .exclusive, "successes of eight same checkpoints")
      run = try await self.run(run.id)
    }
    expect(
      try await steps(of: run.id).map(\.sequence), equals: Array(0..<10), .exclusive,
      "the chain after eight tries a step")
  }

  func signalsByMany() async throws {
    let id = try await startAndClaim().id
    let time = time
    let signal = SignalRecord(id: "same", name: "go", payload: json(7), sentAt: time.date)
    _ = try await crowd { journal, _ in try await journal.signal(id, signal, at: time) }
    let run = try await run(id)
    try await checkpoint(run, .receiving(json(1), signals: ["go"], until: nil))
    let first = try await claimOne()
    try await checkpoint(
      first.record, .receiving(json(2), signals: ["go"], until: nil), consuming: ["same"])
    expect(try await claim().runs, equals: [], .exclusive, "what one signal sent eight times left")
  }
}

extension JournalTrial {
  static var returns: [Self] {
    [
      Self(.parking) { try await $0.parksAsTheReasonSays() },
      Self(.parking) { try await $0.triesAgainAtItsTime() },
    ]
  }
}

extension JournalExamination {
  func parksAsTheReasonSays() async throws {
    let at = time.date + 60
    let reasons: [Parking.Reason] = [
      .shutdown, .retry(at: at, error: "it failed"), .dead(error: "it failed"),
      .exhausted(error: "it crashed"), .blocked(error: "it is new"),
    ]
    for (number, reason) in reasons.enumerated() {
      let flow = "flow \(number)"
      let first = try await startAndClaim(flow)
      try await park(first, .retry(at: time.date, error: "before"))
      let run = try await claimOne(flow).record
      expect(run.error, equals: "before", .parking, "the error of the attempt before")
      move(by: 1)
      try await park(run, reason)
      var wanted = run
      wanted.worker = nil
      wanted.changedAt = time.date
      switch reason {
      case .shutdown:
        wanted.state = .ready
        wanted.attempts = 1
      case .retry:
        wanted.state = .ready
        wanted.dueAt = at
        wanted.error = "it failed"
      case .dead:
        wanted.state = .dead
        wanted.error = "it failed"
      case .exhausted:
        wanted.state = .dead
        wanted.attempts = 1
        wanted.error = "it crashed"
      case .blocked:
        wanted.state = .blocked
        wanted.attempts = 1
        wanted.error = "it is new"
      }
      expect(try await self.run(run.id), equals: wanted, .parking, "the run after \(reason)")
      expect(try await steps(of: run.id), equals: [], .parking, "the steps after \(reason)")
      let count = if case .shutdown = reason { 1 } else { 0 }
      expect(
        try await claim(flow).runs.count, equals: count, .parking, "claimed at once after \(reason)"
      )
      if wanted.state == .ready { continue }
      time = JournalTime(date: time.date + 86_400, uptime: time.uptime, boot: "boot \(number)")
      expect(try await claim(flow).runs, equals: [], .parking, "claimed later after \(reason)")
    }
  }

  func triesAgainAtItsTime() async throws {
    let run = try await startAndClaim()
    let at = time.date + 60
    try await park(run, .retry(at: at, error: "no"))
    time.date = at - 0.125
    expect(try await claim().runs, equals: [], .parking, "what is claimed before its next attempt")
    time.date = at
    let again = try await claimOne().record
    expect(again.dueAt, equals: nil, .parking, "the time of an attempt that has begun")
    try await checkpoint(again, .stage(json(1)))
    let step = try await steps(of: run.id).first
    expect(step?.attempts, equals: 2, .parking, "the attempts in the step")
    expect(step?.error, equals: "no", .parking, "the error in the step")
    expect(try await self.run(run.id).error, equals: nil, .parking, "the error of the next stage")
  }
}
