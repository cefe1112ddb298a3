#if SQLite && PostgreSQL && (os(macOS) || os(Linux))
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstonePostgres
  import FieldstoneTesting
  import Foundation
  import Testing

  /// Bounded here; `Scripts/crash` asks for the full number.
  @Suite(
    "Processes on PostgreSQL that are killed",
    .enabled(if: PostgresServer.isWanted, Comment(rawValue: PostgresServer.reasonForNone ?? "")),
    .timeLimit(.minutes(30)))
  struct PostgresKillTests {
    private static let seed: UInt64 = 0x9057_94E5
    private static let kills =
      ProcessInfo.processInfo.environment["FIELDSTONE_CRASH_KILLS"].flatMap { Int($0) }
      ?? Rounds.of(160)
    private static let stages = 20

    @Test("Three processes that are killed at random lose no run and do nothing twice")
    func killedWorkers() async throws {
      let server = PostgresServer.shared
      let journal = try await server.journal()
      let text = try await server.text(as: "killed")
      _ = try await journal.texts("CREATE TABLE effect (key text)")
      let lines = Recorder<String>()
      let schema = journal.options.schema
      func worker() throws -> WorkerProcess {
        try WorkerProcess(text, schema: schema, lines: lines)
      }
      var random = SeededGenerator(seed: Self.seed)
      var runs: [RunID] = []
      /// Starts runs, so that there is always something to be done.
      func start(_ count: Int) async throws {
        let now = JournalTime(.system, boot: "boot")
        for _ in 0..<count {
          let start = RunStart(
            id: RunID(at: now.date, using: &random), flow: "leaps", version: 1,
            payload: Data("{\"left\":\(Self.stages)}".utf8))
          runs.append(try await journal.start(start, at: now).id)
        }
      }
      try await start(20)
      var workers = try (0..<3).map { _ in try worker() }
      for _ in 0..<Self.kills {
        // Counted before the start, which brings twice as many lines as are waited for: the workers
        // may have done all that there was.
        let told = lines.count + Int.random(in: 1...20, using: &random)
        try await start(2)
        _ = await lines.elements(atLeast: told)
        let place = Int.random(in: 0..<workers.count, using: &random)
        workers[place].kill()
        workers[place] = try worker()
      }
      while try await journal.runs(RunQuery(states: [.ready, .running], limit: 1)).runs != [] {}
      for worker in workers { worker.kill() }
      #expect(lines.elements.allSatisfy { $0.hasPrefix("finished ") })

      var findings: [String] = []
      try await journal.verify { findings.append("\($0)") }
      #expect(findings == [], "seed \(Self.seed)")
      var keys: Set<String> = []
      for id in runs {
        let record = try #require(try await journal.run(id))
        let chain = try await journal.steps(of: id, after: nil, limit: 100).steps
        #expect(record.state == .completed && record.sequence == Self.stages)
        #expect(chain.map(\.sequence) == Array(0..<Self.stages))
        #expect(chain.map(\.fence) == chain.map(\.fence).sorted())
        keys.formUnion((0..<Self.stages).map { "\(id)-\($0)" })
      }
      let effects = try await journal.texts("SELECT key FROM effect")
      #expect(effects.count == keys.count && Set(effects) == keys, "seed \(Self.seed)")
    }
  }
#endif
