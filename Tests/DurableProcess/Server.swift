#if SQLite
  import FieldstoneDurable
  import FieldstoneSQLite

  /// Works as a service does, until it is told to end by a signal.
  enum Server {
    static func run(_ journal: SQLiteJournal, grace: Duration) async throws {
      let effects = Effects(path: journal.path + "-effects", beforeWork: {})
      let options = FlowOptions<Blockage>(retryPolicy: { _ in .never })
      let runner = try DurableRunner(
        journal: journal,
        flows: [DurableFlow(Blockage.self, services: effects, options: options)],
        options: DurableRunnerOptions(
          pollInterval: .milliseconds(5), shutdownGrace: grace,
          onEvent: { event in
            switch event.kind {
            case .claimed: say("claimed")
            case .completed: say("completed")
            case .parked: say("parked")
            default: break
            }
          }))
      try await runner.run(untilSignal: .terminate, .interrupt)
      say("ended")
    }
  }
#endif
