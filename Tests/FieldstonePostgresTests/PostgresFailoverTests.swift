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
      /// Starts runs, of which every other has no writes of its own, so that its checkpoints share
      /// statements with others.
      func start(_ count: Int) async throws {
        let now = JournalTime(.system, boot: "boot")
        let starts = (0..<count).map { number in
          RunStart(
            id: RunID(at: now.date, using: &random), flow: "leaps", version: 1,
            payload: Data("{\"left\":\(Self.stages),\"isPlain\":\(number.isMultiple(of: 2))}".utf8))
        }
        for answer in await journal.start(starts, at: now) { runs.append(try answer.get().id) }
      }
      for _ in 0..<Self.failovers {
        // Twice as many stages as are waited for: the workers are busy when the primary ends.
        let told = lines.count + 10 * Self.stages
        try await start(20)
        _ = await lines.elements(atLeast: told)
        try await pair.killPrimary()
        try await pair.promote()
        // The workers find it, and their writes wait.
        try await pair.attachStandby()
      }
      while try await journal.runs(RunQuery(states: [.ready, .running], limit: 1)).runs != [] {}
      for worker in workers { worker.kill() }

      var findings: [String] = []
      try await journal.verify { findings.append("\($0)") }
      #expect(findings == [], "seed \(Self.seed)")
      try await audit(journal, runs: runs)
      // Each answered checkpoint is there, and not another one in its place.
      let kept = Set(try await journal.texts(Self.tokens))
      let answered = lines.elements.map { $0.split(separator: " ").map(String.init) }
      #expect(answered.allSatisfy { $0.count == 3 && $0[0] == "finished" })
      let lost = answered.filter { !kept.contains($0[2]) }
      #expect(lost == [], "seed \(Self.seed)")
      #expect(answered.count > 10 * Self.stages * Self.failovers)
      #expect(kept.count == runs.count * Self.stages)
    }

    /// What stands in the tables, by statements that share nothing with the journal's.
    private func audit(_ journal: PostgresJournal, runs: [RunID]) async throws {
      let rows = Self.stages + 1
      let sums = try await journal.texts(
        "SELECT count(*) || ' ' || count(*) FILTER (WHERE state = 2 AND sequence = \(Self.stages)) FROM run"
      )
      #expect(sums == ["\(runs.count) \(runs.count)"])
      let broken = try await journal.texts(
        """
        SELECT run::text FROM step GROUP BY run HAVING count(*) <> \(rows) OR min(sequence) <> 0 \
        OR max(sequence) <> \(Self.stages) OR count(DISTINCT sequence) <> \(rows)
        """)
      #expect(broken == [])
      #expect(
        try await journal.texts("SELECT count(DISTINCT run)::text FROM step") == ["\(runs.count)"])
      let disordered = try await journal.texts(
        """
        SELECT run::text FROM (SELECT run, fence, lag(fence) OVER (PARTITION BY run ORDER BY sequence) \
        AS before FROM step) AS link WHERE fence < before
        """)
      #expect(disordered == [])
      // Half of the runs have an effect at each stage.
      let effects = try await journal.texts("SELECT key FROM effect")
      #expect(effects.count == runs.count / 2 * Self.stages)
      #expect(Set(effects).count == effects.count)
    }

    /// The tokens of the attempts that have made the checkpoints.
    private static let tokens = """
      SELECT CASE jsonb_typeof(link) WHEN 'object' THEN link ->> 'token' ELSE link #>> '{}' END \
      FROM (SELECT convert_from(payload, 'UTF8')::jsonb AS link FROM step) AS steps \
      WHERE jsonb_typeof(link) = 'string' OR link ? 'token'
      """
  }
#endif
