#if SQLite
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneSQLite
  import Foundation
  import GRDB

  /// A short flow in which a run does all that a run can do: it waits, fails once, receives and joins.
  ///
  /// Its key has a limit of one, so that another run comes after it.
  enum Trip: DurableStage, VersionedFlow {
    static let flowName = "trips"
    static let key = "road"
    static let limits = FlowLimits(runs: 1, perKey: .init(1))
    static let souvenirs = 2

    case leave
    case ask
    case hear
    /// A child's only stage.
    case buy(Int)
    case unpack(String)
    /// The only stage of the run that comes after the trip.
    case follow

    private struct NobodyHome: Error {}

    func next(in context: DurableContext<Effects>) async throws -> DurableStep<Self, String> {
      if case .ask = self, context.attempt == 1 { throw NobodyHome() }
      let key = context.idempotencyKey
      try context.services.add(key)
      context.atCheckpoint { database in
        try database.execute(sql: "CREATE TABLE IF NOT EXISTS effect (key TEXT)")
        try database.execute(sql: "INSERT INTO effect VALUES (?)", arguments: [key])
      }
      switch self {
      case .leave: return .wait(until: context.now, then: .ask)
      case .ask: return .receive("refusal", "answer", then: .hear)
      case .hear:
        let answer = try context.signal(as: String.self) ?? "nothing heard"
        let children = try (1...Self.souvenirs).map { try context.child(Trip.buy($0)) }
        return .join(children, then: .unpack(answer))
      case .buy(let number): return .complete("\(number)")
      case .unpack(let answer):
        var words = [answer]
        for try await child in context.children { words.append(try child.value(as: String.self)) }
        return .complete(words.joined(separator: " "))
      case .follow: return .complete("followed")
      }
    }
  }

  /// Makes one trip, and says after each step what can't be undone any more.
  struct Traveller {
    let path: String

    func travel() async throws {
      let journal = try SQLiteJournal(path: path)
      say("opened")
      // With one place the next stage is claimed once the last one is reported, never before.
      let options = FlowOptions<Trip>(
        maxConcurrent: 1, limits: Trip.limits,
        retryPolicy: { _ in StageRetryPolicy(maximumAttempts: 1_000, baseDelay: .zero) },
        maximumLoneCrashes: 1_000)
      let effects = Effects(path: journal.path + "-effects") {}
      // The runs, once both are started: all others are children.
      let runs = Locked<[RunID]>([])
      let runner = try DurableRunner(
        journal: journal, flows: [DurableFlow(Trip.self, services: effects, options: options)],
        options: DurableRunnerOptions(
          pollInterval: .milliseconds(50), shutdownGrace: .zero,
          onEvent: { event in
            guard case .stageFinished = event.kind else { return }
            switch runs.withLock({ $0.firstIndex { $0 == event.run } }) {
            case 0: say("finished \(event.sequence ?? -1)")
            case nil: say("bought")
            default: say("followed")
            }
          }))
      let start = RunOptions(concurrencyKey: Trip.key)
      let trip = try await runner.start(Trip.leave, key: "trip", options: start)
      say("started \(trip.id)")
      // Before the runner works, so that the calls are the same each time.
      try await trip.signal("answer", "yes", id: "answer")
      say("signalled")
      let follower = try await runner.start(Trip.follow, key: "follower", options: start)
      runs.withLock { $0 = [trip.id, follower.id] }
      say("queued")
      try await rest(journal, runner, runs: [trip.id, follower.id])
      let work = Task { try await runner.run() }
      let answer = try await trip.value
      _ = try await follower.value
      // The handle may read the end before the runner reports the stage that came to it.
      work.cancel()
      _ = await work.result
      say("completed \(answer)")
      try await journal.close()
      say("ended")
    }

    /// Pauses the key, and says how many of its runs a claim gives meanwhile.
    private func rest(
      _ journal: SQLiteJournal, _ runner: DurableRunner, runs: [RunID]
    ) async throws {
      let target = PauseTarget.concurrencyKey(Trip.key, flow: Trip.flowName)
      try await runner.pause(target)
      say("paused")
      let claim = try await journal.claim(
        ClaimRequest(
          worker: "inspector", flows: [.init(flow: Trip.flowName, version: 1, limit: 10)],
          lease: .seconds(3_600)),
        at: JournalTime(.system, boot: runner.options.boot))
      // A child has no key. Whatever else was given would have to be waited for.
      for run in claim.runs {
        try await journal.park(
          Parking(claim: run.record.claim, reason: .shutdown),
          at: JournalTime(.system, boot: runner.options.boot))
      }
      say("given \(claim.runs.count { runs.contains($0.record.id) })")
      try await runner.resume(target)
      say("resumed")
    }
  }

  extension RunRecord {
    /// The claim that the record was made for.
    fileprivate var claim: RunClaim { RunClaim(id: id, sequence: sequence, fence: fence) }
  }
#endif
