#if PostgreSQL && (os(macOS) || os(Linux))
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstonePostgres
  import Testing

  /// Counts down to its completion; what it does at each number is what the test says.
  struct Errand: DurableStage, VersionedFlow {
    static let flowName = "errand"

    var name: String
    var number: Int

    struct Script: Sendable {
      var body: @Sendable (Errand, DurableContext<Script>) async throws -> Void = { _, _ in }
    }

    func next(in context: DurableContext<Script>) async throws -> DurableStep<Errand, String> {
      try await context.services.body(self, context)
      if number == 0 { return .complete(name) }
      return .advance(to: Errand(name: name, number: number - 1))
    }
  }

  extension Bool {
    mutating func exchange(_ value: Bool) -> Bool {
      defer { self = value }
      return self
    }
  }

  extension PostgresJournal {
    /// Runs errands with so many stages by a runner on each of some journals.
    ///
    /// - Returns: what they came to, in the order of their names.
    static func run(
      _ names: [String], stages: Int, on journals: [any Journal], lease: Duration? = nil,
      onEvent: (@Sendable (RunnerEvent) -> Void)? = nil, _ script: Errand.Script = Errand.Script()
    ) async throws -> [String] {
      var runners: [DurableRunner] = []
      for (number, journal) in journals.enumerated() {
        let options = DurableRunnerOptions(
          worker: "worker \(number)", lease: lease, pollInterval: .milliseconds(20),
          onEvent: onEvent)
        runners.append(
          try DurableRunner(
            journal: journal, flows: [DurableFlow(Errand.self, services: script)],
            options: options))
      }
      return try await withThrowingTaskGroup(of: Void.self) { group in
        // Before any work: some of it makes the server restart, and a start does not wait for that.
        var handles: [RunHandle<String>] = []
        for (number, name) in names.enumerated() {
          handles.append(
            try await runners[number % runners.count].start(
              Errand(name: name, number: stages), key: name))
        }
        for runner in runners { group.addTask { try await runner.run() } }
        var results: [String] = []
        for handle in handles { results.append(try await handle.value) }
        for runner in runners { await runner.shutdown() }
        try await group.waitForAll()
        return results
      }
    }

    /// Whether every run is completed, with a chain that ends at a stage's number, counted from 0, and
    /// the journal keeps its rules.
    func areChainsWhole(_ count: Int, stages: Int) async throws -> Bool {
      var findings: [String] = []
      try await verify { findings.append("\($0)") }
      #expect(findings == [])
      guard try await auditedChains(stages: stages + 1) == count else { return false }
      let runs = try await runs(RunQuery(states: [.completed], limit: 1_000)).runs
      guard runs.count == count else { return false }
      for run in runs {
        let steps = try await steps(of: run.id, after: nil, limit: 1_000).steps
        if steps.map(\.sequence) != Array(0...stages) { return false }
      }
      return true
    }
  }
#endif
