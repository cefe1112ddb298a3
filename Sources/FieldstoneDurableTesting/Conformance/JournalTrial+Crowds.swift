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
  /// Does something in eight tasks at once, on both journals where there are two.
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
        // One that gives for ever what it gave is found out all the same.
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
    try await checkpoint(run, .receiving(json(1), signal: "go", until: nil))
    let first = try await claimOne()
    try await checkpoint(
      first.record, .receiving(json(2), signal: "go", until: nil), consuming: ["same"])
    expect(try await claim().runs, equals: [], .exclusive, "what one signal sent eight times left")
  }
}
