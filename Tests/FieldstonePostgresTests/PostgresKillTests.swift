#if SQLite && PostgreSQL && (os(macOS) || os(Linux))
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstonePostgres
  import FieldstoneTesting
  import Foundation
  import JournalModel
  import Testing

  /// Bounded here; `Scripts/crash` asks for the full number.
  @Suite(
    "Processes on PostgreSQL that are killed",
    .enabled(if: PostgresServer.isWanted, Comment(rawValue: PostgresServer.reasonForNone ?? "")),
    .timeLimit(.minutes(20)))
  struct PostgresKillTests {
    private static let seed: UInt64 = 0x9057_94E5
    private static let asked =
      ProcessInfo.processInfo.environment["FIELDSTONE_CRASH_KILLS"].flatMap { Int($0) }
    /// Each takes a tenth of a second.
    private static let kills = asked ?? Rounds.size(300)
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
      var runs = try await journal.startLeaps(20, stages: Self.stages, using: &random).count
      var workers = try (0..<3).map { _ in try worker() }
      for _ in 0..<Self.kills {
        // Counted before the start, which brings twice as many lines as are waited for: the workers
        // may have done all that there was.
        let told = lines.count + Int.random(in: 1...20, using: &random)
        // So that there is always something to be done.
        runs += try await journal.startLeaps(2, stages: Self.stages, using: &random).count
        _ = await lines.elements(atLeast: told)
        let place = Int.random(in: 0..<workers.count, using: &random)
        workers[place].kill()
        workers[place] = try worker()
      }
      while try await journal.runs(RunQuery(states: [.ready, .running], limit: 1)).runs != [] {}
      for worker in workers { worker.kill() }
      let audit = LeapAudit(journal, runs: runs, stages: Self.stages)
      try await audit.chains("seed \(Self.seed)")
      try await audit.answers(lines.elements, "seed \(Self.seed)")
    }

    /// The runs of the limited flow, by their concurrency keys, and the workers on them.
    private struct Lanes {
      static let keys = ["0", "1", "2", "3"]
      static let mostRuns = 3
      static let stages = 5

      let journal: PostgresJournal
      let turns = FileManager.default.temporaryDirectory
        .appending(path: "fieldstone-turns-\(UUID().uuidString)")
      let lines = Recorder<String>()
      private let text: String
      private var random: SeededGenerator
      private(set) var runs: [String: [RunID]] = [:]

      init(seed: UInt64) async throws {
        random = SeededGenerator(seed: seed)
        journal = try await PostgresServer.shared.journal()
        text = try await PostgresServer.shared.text(as: "lanes")
        _ = try await journal.texts("CREATE TABLE effect (key text)")
      }

      /// Starts so many runs of each key, in turn.
      mutating func start(perKey count: Int) async throws {
        for key in (0..<count).flatMap({ _ in Self.keys }) {
          let now = JournalTime(.system, boot: "boot")
          let path = turns.path(percentEncoded: false)
          let start = RunStart(
            id: RunID(at: now.date, using: &random), flow: "lanes", version: 1,
            payload: Data(#"{"left":\#(Self.stages),"lane":"\#(key)","turns":"\#(path)"}"#.utf8),
            concurrencyKey: key)
          runs[key, default: []].append(try await journal.start(start, at: now).id)
        }
      }

      func worker(lastLine: Int? = nil) throws -> WorkerProcess {
        try WorkerProcess(
          text, schema: journal.options.schema, command: "lanes-postgres", lastLine: lastLine,
          lines: lines)
      }

      /// Pauses a key or resumes it, and writes it down.
      ///
      /// No worker is alive, so that no stage can begin in between.
      func pause(_ key: String, isOver: Bool = false) async throws {
        let target = PauseTarget.concurrencyKey(key, flow: "lanes")
        let now = JournalTime(.system, boot: "boot")
        if isOver {
          try note("resume \(key)")
          _ = try await journal.resume(target, by: nil, at: now)
        } else {
          try await journal.pause(target, until: nil, by: nil, at: now)
          try note("pause \(key)")
        }
      }

      private func note(_ line: String) throws {
        try ((written ?? Data()) + Data((line + "\n").utf8)).write(to: turns)
      }

      private var written: Data? { try? Data(contentsOf: turns) }

      var audit: TurnAudit {
        TurnAudit(
          String(decoding: written ?? Data(), as: UTF8.self).split(separator: "\n")
            .map(String.init))
      }

      var violations: [String] { audit.violations(started: runs, most: Self.mostRuns) }

      func findings() async throws -> [String] {
        var findings: [String] = []
        try await journal.verify { findings.append("\($0)") }
        return findings
      }
    }

    /// Kills workers, if they don't do that themselves, and waits until they have ended.
    private func end(_ workers: [WorkerProcess], byThemselves: Bool = false) async {
      await withCheckedContinuation { continuation in
        Thread {
          for worker in workers { byThemselves ? worker.wait() : worker.killAndWait() }
          continuation.resume()
        }.start()
      }
    }

    @Test("They pass no limit, keep the order of a key, and begin nothing that is paused")
    func killedLanes() async throws {
      var lanes = try await Lanes(seed: Self.seed)
      defer { try? FileManager.default.removeItem(at: lanes.turns) }
      var random = SeededGenerator(seed: Self.seed ^ 1)
      var workers: [WorkerProcess] = []
      var paused: String?
      // Killed workers keep their runs for a lease, so that each kill takes long.
      let rounds = max(4, (Self.asked ?? Rounds.of(160)) / 4)
      for _ in 0..<rounds {
        await end(workers)
        if let paused { try await lanes.pause(paused, isOver: true) }
        let key = Lanes.keys[Int.random(in: 0..<Lanes.keys.count, using: &random)]
        try await lanes.pause(key)
        paused = key
        workers = try (0..<3).map { _ in try lanes.worker() }
        for _ in 0..<2 {
          // More lines than are waited for, without those of the paused key.
          let told = lanes.lines.count + Int.random(in: 1...15, using: &random)
          try await lanes.start(perKey: 2)
          _ = await lanes.lines.elements(atLeast: told)
          let place = Int.random(in: 0..<workers.count, using: &random)
          await end([workers[place]])
          workers[place] = try lanes.worker()
        }
      }
      if let paused { try await lanes.pause(paused, isOver: true) }
      let open = RunQuery(states: [.ready, .running], limit: 1)
      while try await lanes.journal.runs(open).runs != [] {}
      await end(workers)
      #expect(lanes.violations == [], "seed \(Self.seed)")
      #expect(try await lanes.findings() == [], "seed \(Self.seed)")
      var keys: Set<String> = []
      for id in lanes.runs.values.joined() {
        #expect(try await lanes.journal.run(id)?.state == .completed)
        keys.formUnion((0..<Lanes.stages).map { "\(id)-\($0)" })
      }
      let effects = try await lanes.journal.texts("SELECT key FROM effect")
      #expect(effects.count == keys.count && Set(effects) == keys, "seed \(Self.seed)")
    }

    #if !TSAN && !ASAN  // Whether turns overlap depends on their time.
      @Test(
        "What they wrote down of their turns finds each broken promise",
        arguments: [
          ("SELECT 'none'", ""),
          (
            damage("WHEN (NEW.place = 1)", "NEW.place := 0"),
            "it has no place of its limited key"
          ),
          (
            damage("WHEN (NEW.flow_place = 1)", "NEW.flow_place := 0"),
            "4 runs had begun and were not over, of 3"
          ),
          ("DROP TRIGGER run_moves ON run", "it has a place of its key that no limit lets it keep"),
          (
            damage("WHEN (NEW.gate & 4 > 0)", "NEW.gate := NEW.gate & ~4::int8"),
            "began a stage while “0” was paused"
          ),
          (
            "UPDATE run SET wakes_at = '2000-01-01'::timestamptz + ('2050-01-01' - wakes_at)",
            "began in the order"
          ),
        ])
      func damaged(sql: String, finding: String) async throws {
        // On a busy machine a run may be over before the next one of its key could begin.
        var found: [String] = []
        for _ in 0..<5 {
          found = try await violations(after: sql, finding)
          if finding.isEmpty || found.contains(where: { $0.contains(finding) }) { break }
        }
        if finding.isEmpty {
          #expect(found == [])
        } else {
          #expect(found.contains { $0.contains(finding) }, "\(found)")
        }
      }

      private func violations(after sql: String, _ finding: String) async throws -> [String] {
        var lanes = try await Lanes(seed: Self.seed)
        defer { try? FileManager.default.removeItem(at: lanes.turns) }
        try await lanes.journal.setLimits(
          FlowLimits(runs: Lanes.mostRuns, counting: .wholeRun, perKey: .init(1)), of: "lanes",
          replacing: true, at: JournalTime(.system, boot: "boot"))
        try await lanes.start(perKey: 4)
        for statement in sql.split(separator: ";;") {
          _ = try await lanes.journal.texts(String(statement))
        }
        // With places that are not released, there is nothing more to be done after a round.
        let rounds = finding.isEmpty || finding.contains("paused") ? 2 : 1
        for round in 1...rounds {
          if round == 2 {
            // The worker may have done all that there was.
            try await lanes.start(perKey: 4)
            try await lanes.pause("0")
          }
          // Of the three that are under way one is over by then.
          await end([try lanes.worker(lastLine: 13)], byThemselves: true)
        }
        #expect(lanes.audit.turns(of: "1") > 0)
        return lanes.violations + (try await lanes.findings())
      }

      /// The statements that change rows of runs as they are written.
      private static func damage(_ condition: String, _ change: String) -> String {
        """
        CREATE FUNCTION damage() RETURNS trigger LANGUAGE plpgsql AS \
        'BEGIN \(change); RETURN NEW; END';;\
        CREATE TRIGGER z_damage BEFORE UPDATE ON run FOR EACH ROW \(condition) \
        EXECUTE FUNCTION damage()
        """
      }
    #endif
  }
#endif
