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
    .timeLimit(.minutes(20)))
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

    @Test(
      "A checkpoint whose wait for the standby is cancelled is unknown, and is found in the chain")
    func cancelledWait() async throws {
      let pair = try await ServerPair("cancelled")
      let journal = try await PostgresJournal(pair.text(as: "waits"))
      let watcher = try await PostgresJournal(pair.text(as: "watches"), options: journal.options)
      let time = JournalTime(.system, boot: "boot")
      let run = try #require(try await journal.claimed(1, seed: Self.seed, at: time).first)
      func checkpoint(_ sequence: Int, _ next: Checkpoint.Next) async throws {
        try await journal.checkpoint(
          Checkpoint(
            claim: RunClaim(id: run.id, sequence: sequence, fence: run.fence), version: 1,
            next: next, beganAt: time.date, lease: .seconds(60)), at: time)
      }
      try await pair.killStandby()
      let answer = Task { try await checkpoint(0, .stage(Data("1".utf8))) }
      var waiting: [String] = []
      while waiting.isEmpty {
        waiting = try await watcher.texts(
          "SELECT pid::text FROM pg_stat_activity WHERE application_name = 'waits' "
            + "AND wait_event = 'SyncRep'")
      }
      #expect(try await watcher.texts("SELECT pg_cancel_backend(\(waiting[0]))::text") == ["true"])
      await #expect {
        try await answer.value
      } throws: {
        ($0 as? JournalError)?.isTransient == true
      }
      // It was made, and another try is refused, by another connection.
      await #expect(throws: JournalError.claimLost(run.id)) {
        try await checkpoint(0, .stage(Data("1".utf8)))
      }
      #expect(try await journal.run(run.id)?.sequence == 1)
      while try await watcher.texts(
        "SELECT pid::text FROM pg_stat_activity WHERE pid = \(waiting[0])") != []
      {}
      try await pair.attachStandby()
      try await checkpoint(1, .completion(Data("2".utf8)))
      let steps = try await journal.steps(of: run.id, after: nil, limit: 10).steps
      #expect(steps.map(\.sequence) == [0, 1])
      #expect(steps.map(\.fence) == [1, 1])
      await journal.close()
      await watcher.close()
    }

    @Test("A standby gives no work and takes no journal, and its runs can be read")
    func standby() async throws {
      let pair = try await ServerPair("standby")
      let journal = try await PostgresJournal(pair.text())
      let time = JournalTime(.system, boot: "boot")
      let run = try #require(try await journal.claimed(1, seed: Self.seed, at: time).first)
      try await journal.park(
        Parking(
          claim: RunClaim(id: run.id, sequence: run.sequence, fence: run.fence), reason: .shutdown),
        at: time)
      let reader = try await PostgresJournal(
        pair.standbyText(), options: journal.options, access: .reading, serverClock: nil)
      // What is written is there; it may take a moment until it can be read.
      while try await reader.runs(RunQuery()).runs.map(\.state) != [.ready] {}
      await reader.close()
      func isRefusal(_ error: any Error) -> Bool {
        guard case .unavailable(let reason) = error as? JournalError else { return false }
        return reason.contains("target_session_attrs=read-write")
      }
      await #expect {
        _ = try await PostgresJournal(pair.standbyText(), options: journal.options)
      } throws: {
        isRefusal($0)
      }
      let existing = try await PostgresJournal(
        pair.standbyText(), options: journal.options, access: .existing, serverClock: nil)
      for flow in ["flow", "another"] {
        let request = ClaimRequest(
          worker: "worker", flows: [.init(flow: flow, version: 1, limit: 1)], lease: .seconds(60))
        await #expect {
          _ = try await existing.claim(request, at: time)
        } throws: {
          isRefusal($0)
        }
      }
      await existing.close()
      #expect(try await journal.run(run.id)?.state == .ready)
      await journal.close()
    }
  }
#endif
