#if PostgreSQL && (os(macOS) || os(Linux))
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstonePostgres
  import FieldstoneTesting
  import Foundation
  import Testing

  @Suite(
    "Runners on a journal in PostgreSQL",
    .enabled(if: PostgresServer.isWanted, Comment(rawValue: PostgresServer.reasonForNone ?? "")),
    .timeLimit(.minutes(20)))
  struct PostgresRunnerTests {
    private static let noPooler: Comment = "PgBouncer is not installed (Debian: pgbouncer)"
    private let names = (0..<40).map { "errand \($0)" }

    @Test("Two runners share the runs of a journal, and every chain is whole")
    func shared() async throws {
      let server = PostgresServer.shared
      let journal = try await server.journal()
      let other = try await PostgresJournal(server.text(), options: journal.options)
      let results = try await PostgresJournal.run(names, stages: 5, on: [journal, other])
      #expect(results == names)
      #expect(try await journal.areChainsWhole(names.count, stages: 5))
      await journal.close()
      await other.close()
    }

    @Test(
      "Two runners share a journal through a pooler that shares sessions between transactions",
      .enabled(if: PostgresServer.hasPooler || PostgresServer.isInCI, PostgresRunnerTests.noPooler))
    func pooled() async throws {
      try #require(PostgresServer.hasPooler, Self.noPooler)
      let server = PostgresServer.shared
      let text = try await server.text() + " host=\(server.folder)/pool"
      let options = PostgresJournalOptions(schema: server.newSchema(), isPooled: true)
      // It starts beside the server.
      var first: PostgresJournal?
      while first == nil { first = try? await PostgresJournal(text, options: options) }
      let journal = try #require(first)
      let other = try await PostgresJournal(text, options: options)
      _ = try await journal.texts("CREATE TABLE note (text text)")
      let script = Errand.Script { errand, context in
        context.atCheckpoint { (transaction: PostgresTransaction) in
          try transaction.execute("INSERT INTO note VALUES ($1)", [errand.name])
        }
      }
      let results = try await PostgresJournal.run(names, stages: 5, on: [journal, other], script)
      #expect(results == names)
      #expect(try await journal.areChainsWhole(names.count, stages: 5))
      #expect(try await journal.texts("SELECT text FROM note").count == names.count * 6)
      #expect(try await journal.texts("SELECT name FROM pg_prepared_statements") == [])
    }

    @Test("A server whose clock jumps by an hour makes work repeat and breaks no chain")
    func setClock() async throws {
      let server = PostgresServer.shared
      let now = Locked(Date(timeIntervalSince1970: 1_800_000_000))
      let clock: @Sendable () -> Date = { now.withLock { $0 } }
      let journal = try await server.journal(serverClock: clock)
      let other = try await PostgresJournal(
        server.text(), options: journal.options, serverClock: clock)
      let fences = Recorder<Int>()
      let isFirst = Locked(true)
      let script = Errand.Script { errand, context in
        guard errand.name == "errand 7", errand.number == 3,
          isFirst.withLock({ $0.exchange(false) })
        else { return }
        now.withLock { $0 += 3_600 }
        // Until another has it: the checkpoint of this attempt comes too late.
        var fence = 1
        while fence == 1 { fence = try await journal.run(context.run)?.fence ?? 0 }
        fences.record(fence)
        now.withLock { $0 -= 7_200 }
      }
      let results = try await PostgresJournal.run(names, stages: 5, on: [journal, other], script)
      #expect(results == names)
      #expect(fences.elements == [2])
      #expect(try await journal.areChainsWhole(names.count, stages: 5))
      var findings: [String] = []
      try await journal.verify { findings.append("\($0)") }
      #expect(findings == [])
    }

    @Test("Connections that the server ends during the work lose nothing")
    func ended() async throws {
      let server = PostgresServer.shared
      let journal = try await server.journal(as: "ended")
      let operatorJournal = try await PostgresJournal(
        server.text(as: "operator"), options: journal.options)
      let script = Errand.Script { errand, _ in
        guard errand.number.isMultiple(of: 2), errand.name.hasSuffix("7") else { return }
        _ = try await operatorJournal.texts(
          "SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity "
            + "WHERE application_name = 'ended'")
      }
      let results = try await PostgresJournal.run(names, stages: 5, on: [journal], script)
      #expect(results == names)
      #expect(try await journal.areChainsWhole(names.count, stages: 5))
    }

    @Test("A connection that ends within a checkpoint leaves nothing of it, and it is made again")
    func endedWithin() async throws {
      let journal = try await PostgresServer.shared.journal()
      _ = try await journal.texts("CREATE TABLE note (text text)")
      let isFirst = Locked(true)
      let script = Errand.Script { errand, context in
        context.atCheckpoint { (transaction: PostgresTransaction) in
          try transaction.execute("INSERT INTO note VALUES ($1)", ["\(errand.number)"])
          if isFirst.withLock({ $0.exchange(false) }) {
            try transaction.execute("SELECT pg_terminate_backend(pg_backend_pid())")
          }
        }
      }
      let results = try await PostgresJournal.run(["one"], stages: 2, on: [journal], script)
      #expect(results == ["one"])
      #expect(try await journal.texts("SELECT text FROM note ORDER BY text") == ["0", "1", "2"])
      #expect(try await journal.areChainsWhole(1, stages: 2))
    }

    @Test("Of two runners with one name, the first ends at its next announcement, the second works")
    func duplicateName() async throws {
      let server = PostgresServer.shared
      let journal = try await server.journal()
      let other = try await PostgresJournal(server.text(), options: journal.options)
      let time = ManualTime()
      let runner = try DurableRunner(
        journal: journal, flows: [DurableFlow(Errand.self, services: Errand.Script())],
        options: DurableRunnerOptions(worker: "same"), time: time.source)
      let isOver = Locked(false)
      let work = Task {
        defer { isOver.withLock { $0 = true } }
        try await runner.run()
      }
      while try await other.workers().isEmpty {}
      let record = WorkerRecord(
        name: "same", machine: "another", process: 1,
        protocolVersion: ClaimRequest.newestProtocolVersion, flows: [], startedAt: time.source.now,
        lastSeenAt: time.source.now, interval: .seconds(60))
      try await other.setWorker("same", to: record, at: JournalTime(time.source, boot: "boot"))
      while !isOver.withLock({ $0 }) {
        time.advance(by: .seconds(61))
        await Task.yield()
      }
      await #expect(throws: JournalError.duplicateWorker("same")) { try await work.value }
      // The end of the first does not remove the second, which goes on.
      #expect(try await other.workers().map(\.machine) == ["another"])
      try await other.setWorker("same", to: record, at: JournalTime(time.source, boot: "boot"))
      await journal.close()
      await other.close()
    }

    @Test("Runs of a key that become due at the same time begin in the order of starting")
    func togetherInOrder() async throws {
      let now = Locked(Date(timeIntervalSince1970: 1_800_000_000))
      let journal = try await PostgresServer.shared.journal(serverClock: { now.withLock { $0 } })
      let names = (0..<100).map { "\($0)" }
      let seen = Recorder<String>()
      let script = Errand.Script { errand, _ in seen.record(errand.name) }
      let runner = try DurableRunner(
        journal: journal,
        flows: [
          DurableFlow(
            Errand.self, services: script,
            options: FlowOptions(limits: FlowLimits(perKey: .init(1))))
        ])
      let options = RunOptions(notBefore: .now + 60, concurrencyKey: "account")
      _ = try await runner.start(
        all: names.map { StageStart(Errand(name: $0, number: 0), options: options) })
      now.withLock { $0 += 61 }
      let work = Task { try await runner.run() }
      #expect(await seen.elements(atLeast: names.count) == names)
      await runner.shutdown()
      try await work.value
      await journal.close()
    }

    @Test("A worker that has died and begins anew with its name is no second one")
    func sameNameAgain() async throws {
      let server = PostgresServer.shared
      let journal = try await server.journal()
      let now = JournalTime(.system, boot: "boot")
      func record(_ process: Int) -> WorkerRecord {
        WorkerRecord(
          name: "same", machine: "machine", process: process,
          protocolVersion: ClaimRequest.newestProtocolVersion, flows: [], startedAt: now.date,
          lastSeenAt: now.date, interval: .seconds(60))
      }
      let dead = try await PostgresJournal(server.text(), options: journal.options)
      try await dead.setWorker("same", to: record(1), at: now)
      await dead.close()
      for _ in 0..<3 { try await journal.setWorker("same", to: record(2), at: now) }
      let request = ClaimRequest(
        worker: "same", flows: [.init(flow: "flow", version: 1, limit: 1)], lease: .seconds(60))
      #expect(try await journal.claim(request, at: now).runs.isEmpty)
      #expect(try await journal.workers().map(\.process) == [2])
      try await journal.setWorker("same", to: nil, at: now)
      #expect(try await journal.workers().isEmpty)
      await journal.close()
    }

    @Test("What is asked for once it is closed is refused")
    func closed() async throws {
      let journal = try await PostgresServer.shared.journal()
      await journal.close()
      await #expect(throws: JournalError.closed) { try await journal.runs(RunQuery()) }
    }
  }
#endif
