#if SQLite
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneSQLite
  import Foundation
  import GRDB

  /// A short flow in which a run does all that a run can do: it waits, fails once, and receives.
  enum Trip: DurableStage, VersionedFlow {
    static let flowName = "trips"

    case leave
    case ask
    case hear

    private struct NobodyHome: Error {}

    func next(in context: DurableContext<Effects>) async throws -> DurableStep<Self, String> {
      if self == .ask, context.attempt == 1 { throw NobodyHome() }
      let key = context.idempotencyKey
      try context.services.add(key)
      context.atCheckpoint { database in
        try database.execute(sql: "CREATE TABLE IF NOT EXISTS effect (key TEXT)")
        try database.execute(sql: "INSERT INTO effect VALUES (?)", arguments: [key])
      }
      switch self {
      case .leave: return .wait(until: context.now, then: .ask)
      case .ask: return .receive("refusal", "answer", then: .hear)
      case .hear: return .complete(try context.signal(as: String.self) ?? "nothing heard")
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
        maxConcurrent: 1,
        retryPolicy: { _ in StageRetryPolicy(maximumAttempts: 1_000, baseDelay: .zero) },
        maximumLoneCrashes: 1_000)
      let effects = Effects(path: journal.path + "-effects") {}
      let runner = try DurableRunner(
        journal: journal, flows: [DurableFlow(Trip.self, services: effects, options: options)],
        options: DurableRunnerOptions(
          pollInterval: .milliseconds(50), shutdownGrace: .zero,
          onEvent: { event in
            if case .stageFinished = event.kind { say("finished \(event.sequence ?? -1)") }
          }))
      let trip = try await runner.start(Trip.leave, key: "trip")
      say("started \(trip.id)")
      // Before the runner works, so that the calls are the same each time.
      try await trip.signal("answer", "yes", id: "answer")
      say("signalled")
      let work = Task { try await runner.run() }
      let answer = try await trip.value
      // The handle may read the end before the runner reports the stage that came to it.
      work.cancel()
      _ = await work.result
      say("completed \(answer)")
      try await journal.close()
      say("ended")
    }
  }
#endif
