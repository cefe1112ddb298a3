// Not under a sanitizer: the kills of workers are, which take the same ways through the code.
#if SQLite && PostgreSQL && (os(macOS) || os(Linux)) && !TSAN && !ASAN
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstonePostgres
  import FieldstoneTesting
  import Foundation
  import Testing

  /// Bounded here; `Scripts/crash` asks for more.
  @Suite(
    "A standby that is promoted",
    .enabled(if: PostgresServer.isWanted, Comment(rawValue: PostgresServer.reasonForNone ?? "")),
    .timeLimit(.minutes(30)))
  struct PostgresFailoverTests {
    private static let seed: UInt64 = 0xFA11_04E5
    private static let failovers =
      ProcessInfo.processInfo.environment["FIELDSTONE_CRASH_KILLS"].flatMap { Int($0) }
      .map { max(3, $0 / 50) } ?? 3
    private static let stages = 20

    @Test("The primary is killed under load, again and again: what was answered is on its standby")
    func killedPrimaries() async throws {
      let pair = try await ServerPair("failover")
      let journal = try await PostgresJournal(pair.text())
      _ = try await journal.texts("CREATE TABLE effect (key text)")
      let lines = Recorder<String>()
      let workers = try (0..<3).map { _ in
        try WorkerProcess(pair.text(as: "worker"), schema: journal.options.schema, lines: lines)
      }
      var random = SeededGenerator(seed: Self.seed)
      var runs: [RunID] = []
      for _ in 0..<Self.failovers {
        // Twice as many stages as are waited for: the workers are busy when the primary ends.
        let told = lines.count + 10 * Self.stages
        runs += try await journal.startLeaps(20, stages: Self.stages, using: &random)
        _ = await lines.elements(atLeast: told)
        try await pair.killPrimary()
        try await pair.promote()
        // The workers find it, and their writes wait.
        try await pair.attachStandby()
      }
      while try await journal.runs(RunQuery(states: [.ready, .running], limit: 1)).runs != [] {}
      for worker in workers { worker.kill() }

      let audit = LeapAudit(journal, runs: runs.count, stages: Self.stages)
      try await audit.chains("seed \(Self.seed)")
      try await audit.answers(lines.elements, "seed \(Self.seed)")
      #expect(lines.count > 10 * Self.stages * Self.failovers)
    }
  }
#endif
