#if SQLite && PostgreSQL
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstonePostgres
  import Foundation

  /// A flow of so many stages, each of which has an effect in the journal's database.
  struct Leap: DurableStage, VersionedFlow {
    static let flowName = "leaps"

    var left: Int

    func next(in context: DurableContext<Void>) async throws -> DurableStep<Self, Int> {
      let key = context.idempotencyKey
      context.atCheckpoint { (transaction: PostgresTransaction) in
        try transaction.execute("INSERT INTO effect VALUES ($1)", [key])
      }
      return left > 1 ? .advance(to: Leap(left: left - 1)) : .complete(context.sequence + 1)
    }
  }

  /// Works on the runs of a journal in PostgreSQL until the process ends.
  enum PostgresLaborer {
    static func work(_ connection: String, schema: String) async throws {
      var journalOptions = PostgresJournalOptions()
      journalOptions.schema = schema
      let journal = try await PostgresJournal(connection, options: journalOptions)
      // Each kill is one of the process's own, and none is a run's fault.
      let budget = 1_000_000
      let options = FlowOptions<Leap>(maxConcurrent: 8, maximumLoneCrashes: budget)
      let runner = try DurableRunner(
        journal: journal, flows: [DurableFlow(Leap.self, services: (), options: options)],
        options: DurableRunnerOptions(
          lease: .seconds(2), pollInterval: .milliseconds(50), crashesBeforeQuarantine: budget,
          onEvent: { event in
            if case .stageFinished = event.kind { say("finished") }
          }))
      try await runner.run()
    }
  }
#endif
