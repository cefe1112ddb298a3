#if PostgreSQL && (os(macOS) || os(Linux))
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstonePostgres
  import FieldstoneTesting
  import Foundation
  import Testing

  @Suite(
    "Wake-ups by notifications",
    .enabled(if: PostgresServer.isWanted, Comment(rawValue: PostgresServer.reasonForNone ?? "")),
    .timeLimit(.minutes(20)))
  struct PostgresWakeUpTests {
    /// A runner that polls once a day.
    private func runner(_ journal: PostgresJournal, _ worker: String) throws -> DurableRunner {
      try DurableRunner(
        journal: journal, flows: [DurableFlow(Errand.self, services: Errand.Script())],
        options: DurableRunnerOptions(worker: worker, pollInterval: .seconds(86_400)))
    }

    @Test("A start wakes the runner of another process, and the end wakes the handle here")
    func wakes() async throws {
      let server = PostgresServer.shared
      let journal = try await server.journal()
      let other = try await PostgresJournal(server.text(), options: journal.options)
      let (starter, worker) = (try runner(journal, "starter"), try runner(other, "worker"))
      let work = Task { try await worker.run() }
      for number in 0..<5 {
        let run = try await starter.start(Errand(name: "\(number)", number: 2))
        #expect(try await run.value == "\(number)")
      }
      await worker.shutdown()
      try await work.value
    }

    @Test("A connection that listens is made again once it is lost, and what was missed is found")
    func listensAgain() async throws {
      let server = PostgresServer.shared
      let journal = try await server.journal(as: "listens")
      let other = try await PostgresJournal(server.text(as: "starts"), options: journal.options)
      let heard = Recorder<Int>()
      let token = journal.onWakeUp { heard.record(0) }
      // The first is that it listens.
      _ = await heard.elements(atLeast: 1)
      let listener =
        "FROM pg_stat_activity WHERE application_name = 'listens' AND query LIKE 'LISTEN%'"
      #expect(
        try await other.texts("SELECT pg_terminate_backend(pid)::text \(listener)") == ["true"])
      _ = await heard.elements(atLeast: 2)
      while try await other.texts("SELECT pid::text \(listener)").isEmpty {}
      token.cancel()
      await journal.close()
    }

    @Test("Behind a pooler none are listened for, and polls find all")
    func pooled() async throws {
      let server = PostgresServer.shared
      var options = PostgresJournalOptions(isPooled: true)
      options.schema = server.newSchema()
      let journal = try await PostgresJournal(server.text(as: "deaf"), options: options)
      let results = try await PostgresJournal.run(["one"], stages: 2, on: [journal])
      #expect(results == ["one"])
      let sql = "SELECT query FROM pg_stat_activity WHERE application_name = 'deaf'"
      #expect(try await journal.texts(sql).allSatisfy { !$0.hasPrefix("LISTEN") })
    }

    @Test("A notification that waits for another's commit is sent after it")
    func lockedNotifications() async throws {
      // A server of its own, whose commits with notifications wait for a standby that is not there.
      let server = PostgresServer.another("notifying")
      let apart = " options='-c synchronous_commit=local'"
      var options = PostgresJournalOptions()
      options.schema = server.newSchema()
      let journal = try await PostgresJournal(server.text() + apart, options: options)
      let other = try await PostgresJournal(server.text() + apart, options: options)
      let app = try await PostgresJournal(server.text(as: "app"), options: options)
      let heard = Recorder<Int>()
      let token = other.onWakeUp { heard.record(0) }
      // The first is that it listens.
      _ = await heard.elements(atLeast: 1)
      _ = try await other.texts("ALTER SYSTEM SET synchronous_standby_names = 'none'")
      _ = try await other.texts("SELECT pg_reload_conf()::text")
      let isHeld = Locked(false)
      let commits = Task {
        repeat {
          // The message is for the log: a commit that writes nothing there waits for no standby.
          try await app.write { transaction in
            _ = try transaction.execute(
              "SELECT pg_notify('another', ''), pg_logical_emit_message(true, '', '')")
          }
        } while !isHeld.withLock { $0 }
      }
      let waiting = """
        SELECT pid::text FROM pg_stat_activity \
        WHERE application_name = 'app' AND wait_event = 'SyncRep'
        """
      while try await other.texts(waiting).isEmpty {}
      isHeld.withLock { $0 = true }
      let now = JournalTime(.system, boot: "boot")
      let start = RunStart(
        id: RunID(at: now.date), flow: "flow", version: 1, payload: Data("0".utf8))
      _ = try await journal.start(start, at: now)
      while journal.sentWakeUps < 3 { await Task.yield() }
      #expect(heard.elements.count == 1)
      _ = try await other.texts("ALTER SYSTEM RESET synchronous_standby_names")
      _ = try await other.texts("SELECT pg_reload_conf()::text")
      try await commits.value
      _ = await heard.elements(atLeast: 2)
      token.cancel()
      for journal in [journal, other, app] { await journal.close() }
    }

    @Test("However much happens, one notification goes out at once and one after the pause")
    func paced() async throws {
      let server = PostgresServer.shared
      var options = PostgresJournalOptions()
      options.schema = server.newSchema()
      let time = ManualTime()
      let manual = time.source
      let pauses = Recorder<Duration>()
      let source = TimeSource(
        now: { manual.now }, uptime: { manual.uptime },
        sleepUntilUptime: { uptime in
          try await manual.sleep(untilUptime: uptime)
          pauses.record(uptime)
        }, sleepUntilDate: { try await manual.sleep(until: $0) })
      let journal = try await PostgresJournal(
        server.text(), options: options, time: source, serverClock: nil)
      let now = JournalTime(.system, boot: "boot")
      for sent in 1...3 {
        for _ in 0..<100 {
          let start = RunStart(
            id: RunID(at: now.date), flow: "flow", version: 1,
            payload: Data("0".utf8))
          _ = try await journal.start(start, at: now)
        }
        #expect(journal.sentWakeUps == sent)
        await time.sleepers(atLeast: 1)
        time.advance(by: .milliseconds(20))
        while journal.sentWakeUps == sent { await Task.yield() }
      }
      // Stages in a row concern no other process.
      let request = ClaimRequest(
        worker: "worker", flows: [.init(flow: "flow", version: 1, limit: 1)], lease: .seconds(60))
      let record = try #require(try await journal.claim(request, at: now).runs.first?.record)
      for sequence in 0..<50 {
        let claim = RunClaim(id: record.id, sequence: sequence, fence: record.fence)
        try await journal.checkpoint(
          Checkpoint(
            claim: claim, version: 1, next: .stage(Data("1".utf8)), beganAt: now.date,
            lease: .seconds(60)), at: now)
      }
      await time.sleepers(atLeast: 1)
      time.advance(by: .milliseconds(20))
      // The last pause is over, too.
      await pauses.elements(atLeast: 4)
      #expect(journal.sentWakeUps == 4)
    }
  }
#endif
