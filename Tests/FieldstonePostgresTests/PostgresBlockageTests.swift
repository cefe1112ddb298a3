#if PostgreSQL && (os(macOS) || os(Linux))
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstonePostgres
  import FieldstoneTesting
  import Foundation
  import Testing

  /// Checkpoints, writes and server processes that are in the way of others.
  @Suite(
    "What one call does to others in PostgreSQL",
    .enabled(if: PostgresServer.isWanted, Comment(rawValue: PostgresServer.reasonForNone ?? "")),
    .timeLimit(.minutes(20)))
  struct PostgresBlockageTests {
    private let time = JournalTime(.system, boot: "boot")

    @Test("Of the checkpoints that share a statement, one that is refused fails alone")
    func oneByOne() async throws {
      let options = PostgresJournalOptions(checkpointConnections: 1)
      let journal = try await PostgresServer.shared.journal(options: options)
      let refusal = """
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
        IF convert_from(NEW.payload, 'UTF8') = '"refused"' THEN RAISE 'refused'; END IF; \
        RETURN NEW; END $$
        """
      _ = try await journal.texts(refusal)
      _ = try await journal.texts(
        "CREATE TRIGGER refuse BEFORE INSERT ON step FOR EACH ROW EXECUTE FUNCTION refuse()")
      let runs = try await journal.claimed(7, seed: 6, at: time)
      let (begun, goOn) = (Gate(), DispatchSemaphore(value: 0))
      let failures = await withTaskGroup(of: (RunID, any Error)?.self) { group in
        func add(
          _ run: RunRecord, _ next: Checkpoint.Next, _ write: (@Sendable () -> Void)? = nil
        ) {
          group.addTask {
            do { try await journal.goOn(run, next, at: time, write) } catch {
              return (run.id, error)
            }
            return nil
          }
        }
        add(runs[0], .stage(Data("0".utf8))) {
          begun.open()
          goOn.wait()
        }
        await begun.wait()
        // The others wait for the only connection, and share a statement. A completion has more
        // statements, so that all are a transaction.
        for number in 1..<5 { add(runs[number], .stage(Data("\(number)".utf8))) }
        add(runs[5], .completion(Data("5".utf8)))
        add(runs[6], .stage(Data("\"refused\"".utf8)))
        while journal.waitingCheckpoints < 6 { await Task.yield() }
        goOn.signal()
        return await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
      }
      #expect(failures.map(\.0) == [runs[6].id])
      guard case .corrupt(let reason) = failures.first?.1 as? JournalError else {
        Issue.record("\(failures)")
        return
      }
      #expect(reason.contains("P0001"))
      var sequences: [Int] = []
      for run in runs { sequences.append(try await journal.run(run.id)?.sequence ?? -1) }
      #expect(sequences == [1, 1, 1, 1, 1, 1, 0])
      #expect(try await journal.run(runs[5].id)?.state == .completed)
      await journal.close()
    }

    @Test("Leases are renewed while writes of stages and of the app have all other connections")
    func renewals() async throws {
      let options = PostgresJournalOptions(checkpointConnections: 1, connections: 1)
      let journal = try await PostgresServer.shared.journal(options: options)
      let runs = try await journal.claimed(2, seed: 7, at: time)
      let gates = [Gate(), Gate()]
      let semaphores = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
      let first = Task {
        try await journal.goOn(runs[0], .stage(Data("1".utf8)), at: time) {
          gates[0].open()
          semaphores[0].wait()
        }
      }
      let second = Task {
        try await journal.write { _ in
          gates[1].open()
          semaphores[1].wait()
        }
      }
      for gate in gates { await gate.wait() }
      let lost = try await journal.renew([runs[1].claimed], lease: .seconds(60), at: time)
      #expect(lost.isEmpty)
      for semaphore in semaphores { semaphore.signal() }
      try await first.value
      try await second.value
      await journal.close()
    }

    @Test("A write that leaves its transaction idle for too long is made again")
    func idleTransaction() async throws {
      let server = PostgresServer.shared
      let journal = try await server.journal(as: "idle")
      let watcher = try await PostgresJournal(server.text(), options: journal.options)
      _ = try await journal.texts("CREATE TABLE note (text text)")
      let isFirst = Locked(true)
      let (begun, goOn) = (Gate(), DispatchSemaphore(value: 0))
      let script = Errand.Script { errand, context in
        context.atCheckpoint { (transaction: PostgresTransaction) in
          try transaction.execute("INSERT INTO note VALUES ($1)", ["\(errand.number)"])
          guard isFirst.withLock({ $0.exchange(false) }) else { return }
          try transaction.execute("SET LOCAL idle_in_transaction_session_timeout = '1ms'")
          begun.open()
          goOn.wait()
          try transaction.execute("SELECT 1")
        }
      }
      let work = Task { [journal] in
        try await PostgresJournal.run(["one"], stages: 1, on: [journal], script)
      }
      await begun.wait()
      let idle = """
        SELECT pid::text FROM pg_stat_activity \
        WHERE application_name = 'idle' AND state = 'idle in transaction'
        """
      while try await watcher.texts(idle) != [] {}
      goOn.signal()
      #expect(try await work.value == ["one"])
      #expect(try await journal.texts("SELECT text FROM note ORDER BY text") == ["0", "1"])
      #expect(try await journal.areChainsWhole(1, stages: 1))
      await journal.close()
      await watcher.close()
    }

    @Test("While a process of the server hangs, its call and the closing wait; other calls go on")
    func hangingProcess() async throws {
      let options = PostgresJournalOptions(checkpointConnections: 1, connections: 1)
      // A server of its own: others might wait for what the process holds.
      let journal = try await PostgresServer.another("hanging").journal(options: options)
      let run = try #require(try await journal.claimed(1, seed: 8, at: time).first)
      let start = RunStart(
        id: RunID(at: time.date), flow: "flow", version: 1, payload: Data("0".utf8))
      _ = try await journal.start(start, at: time)
      let process = try await journal.texts("SELECT pg_backend_pid()::text")
      let number = try #require(process.first.flatMap { Int32($0) })
      #expect(kill(number, SIGSTOP) == 0)
      defer { kill(number, SIGCONT) }
      let claim = Task {
        let request = ClaimRequest(
          worker: "second", flows: [.init(flow: "flow", version: 1, limit: 9)],
          lease: .seconds(60))
        return try await journal.claim(request, at: time).runs.map(\.record.id)
      }
      let lost = try await journal.renew([run.claimed], lease: .seconds(60), at: time)
      #expect(lost.isEmpty)
      try await journal.goOn(run, .stage(Data("1".utf8)), at: time)
      kill(number, SIGCONT)
      #expect(try await claim.value == [start.id])
      await journal.close()
    }
  }
#endif
