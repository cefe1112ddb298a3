#if SQLite && PostgreSQL && os(Linux)
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstonePostgres
  import FieldstoneTesting
  import Foundation
  import Testing

  /// A file system of the server's becomes full under work, and has room again.
  ///
  /// While that of its tables is full, the server refuses statements. While that of its log is full, it
  /// crashes, again and again or for good.
  @Suite(
    "A server whose disk is full",
    .enabled(if: PostgresServer.isWanted, Comment(rawValue: PostgresServer.reasonForNone ?? "")),
    .enabled("the system does not let the tests mount a file system") {
      await PostgresServer.SmallDisk.isWanted()
    },
    .timeLimit(.minutes(20)))
  struct PostgresFullDiskTests {
    private static let seed: UInt64 = 0xF011_D15C
    private static let runs = 40
    private static let stages = 20

    @Test(
      "Calls fail as what may pass, nothing is lost, and the work goes on when there is room again",
      arguments: PostgresServer.SmallDisk.allCases)
    func fills(disk: PostgresServer.SmallDisk) async throws {
      let server = PostgresServer.another("full-\(disk)", disk: disk)
      let journal = try await server.journal()
      let other = try await PostgresJournal(server.text(), options: journal.options)
      _ = try await journal.texts("CREATE TABLE effect (key text, filler text)")
      // Else the server makes room by itself, when it removes what it needs no more of its log.
      _ = try await journal.texts("SELECT pg_create_physical_replication_slot('held', true)::text")
      let witnesses = [journal, other].map { Witness(decorated: $0) }
      var random = SeededGenerator(seed: Self.seed)
      let filler = (0..<2_000).map { _ in String(random.next(), radix: 36) }.joined()
      let (waiting, isFull) = (Recorder<String>(), Gate())
      let script = Errand.Script { errand, context in
        if errand.number == Self.stages / 2 {
          waiting.record(errand.name)
          await isFull.wait()
        }
        // The checkpoints of the other half share statements.
        guard errand.name.hasPrefix("even") else { return }
        let key = context.idempotencyKey
        context.atCheckpoint { (transaction: PostgresTransaction) in
          try transaction.execute("INSERT INTO effect VALUES ($1, $2)", [key, filler])
        }
      }
      let names = (0..<Self.runs).map { ($0.isMultiple(of: 2) ? "even" : "odd") + " \($0)" }
      // What should not happen to a run; nil once all is over.
      let news = Recorder<RunnerEvent?>()
      let work = Task {
        defer { news.record(nil) }
        // No lease ends meanwhile: what is lost is lost by an error.
        return try await PostgresJournal.run(
          names, stages: Self.stages - 1, on: witnesses, lease: .seconds(1_200),
          onEvent: { event in
            switch event.kind {
            case .retry, .dead, .blocked, .lost, .parked: news.record(event)
            default: break
            }
          }, script)
      }
      await waiting.elements(atLeast: 16)
      #expect(witnesses.flatMap(\.errors.elements).isEmpty)
      try await server.fill()
      isFull.open()
      for witness in witnesses {
        while witness.errors.count < 10, news.count == 0 { await Task.yield() }
      }
      let time = JournalTime(.system, boot: "boot")
      let start = RunStart(
        id: RunID(at: time.date, using: &random), flow: "flow", version: 1,
        payload: Data("\"\(filler)\"".utf8))
      switch disk {
      case .data:
        await #expect {
          _ = try await journal.start(start, at: time)
        } throws: {
          ($0 as? JournalError)?.isTransient == true && "\($0)".contains("53100")
        }
        // What needs no room is done.
        #expect(try await journal.runs(RunQuery(limit: 100)).runs.count == Self.runs)
        try await server.free()
        #expect(!server.serverLog.contains("PANIC"))
      case .log:
        #expect(server.serverLog.contains(#/PANIC: .*: No space left on device/#))
        try await server.free()
        try await server.restart()
      }
      await news.elements(atLeast: 1)
      if let event = news.elements.compactMap(\.self).first {
        Issue.record("\(event)")
        work.cancel()
      }
      #expect(try await work.value == names)
      #expect(news.elements == [nil])

      let errors = witnesses.flatMap(\.errors.elements)
      for (call, error) in errors where (error as? JournalError)?.isTransient != true {
        // The runner finds what it has done itself, without an answer.
        guard case .log = disk, case .claimLost = error as? JournalError else {
          Issue.record("\(call): \(error)")
          continue
        }
      }
      try await LeapAudit(journal, runs: Self.runs, stages: Self.stages).chains(
        "\(disk), seed \(Self.seed)")
      let answered = witnesses.flatMap(\.answered.elements)
      #expect(answered.count > Self.runs * Self.stages / 2)
      let kept = Set(
        try await journal.texts(
          "SELECT concat_ws(' ', run_id(run), sequence, convert_from(payload, 'UTF8')) FROM step"))
      let lost = answered.map { checkpoint in
        let payload = String(decoding: checkpoint.next.payload, as: UTF8.self)
        return "\(checkpoint.claim.id) \(checkpoint.claim.sequence + 1) \(payload)"
      }.filter { !kept.contains($0) }
      #expect(lost == [])
      await journal.close()
      await other.close()
    }
  }

  /// A journal that remembers which checkpoints were answered, and what failed.
  private struct Witness: JournalDecorator {
    let decorated: any Journal
    let answered = Recorder<Checkpoint>()
    let errors = Recorder<(call: JournalCall, error: any Error)>()

    func relay<Value: Sendable>(
      _ call: JournalCall, _ body: () async throws -> Value
    ) async throws -> Value {
      do { return try await body() } catch {
        errors.record((call, error))
        throw error
      }
    }

    func checkpoint(
      _ checkpoint: Checkpoint, at time: JournalTime
    ) async throws -> CheckpointReceipt {
      let receipt = try await relay(.checkpoint) {
        try await decorated.checkpoint(checkpoint, at: time)
      }
      answered.record(checkpoint)
      return receipt
    }
  }
#endif
