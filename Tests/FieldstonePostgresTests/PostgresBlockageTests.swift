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

    /// Goes on with a run, or completes it.
    private func checkpoint(
      _ run: RunRecord, of journal: PostgresJournal, _ next: Checkpoint.Next,
      _ write: (@Sendable () -> Void)? = nil
    ) async throws {
      try await journal.checkpoint(
        Checkpoint(
          claim: run.claimed, version: 1, next: next, beganAt: time.date, lease: .seconds(60),
          writes: write.map { write in [CheckpointWrite { _ in write() }] } ?? []), at: time)
    }

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
            do { try await checkpoint(run, of: journal, next, write) } catch {
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
        try await checkpoint(runs[0], of: journal, .stage(Data("1".utf8))) {
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

    /// Executes a statement in a transaction that stays open until the semaphore is signalled.
    private func hold(
      _ sql: String, _ parameters: [String?], in journal: PostgresJournal,
      until end: DispatchSemaphore
    ) async -> Task<Void, any Error> {
      let begun = Gate()
      let transaction = Task {
        try await journal.write { transaction in
          try transaction.execute(sql, parameters)
          begun.open()
          end.wait()
        }
      }
      await begun.wait()
      return transaction
    }

    @Test(
      "An app's transaction that keeps a run locked holds up no lease and no checkpoint of others",
      arguments: [false, true])
    func lockedRun(isPooled: Bool) async throws {
      let options = PostgresJournalOptions(
        checkpointConnections: 1, connections: 1, isPooled: isPooled)
      let journal = try await PostgresServer.shared.journal(options: options)
      let app = try await PostgresJournal(PostgresServer.shared.text(), options: journal.options)
      let runs = try await journal.claimed(4, seed: 9, at: time)
      let end = DispatchSemaphore(value: 0)
      let signal = await hold(
        "SELECT signal($1, 'hello', '1')", ["\(runs[0].id)"], in: app, until: end)
      let locked = Task { try await checkpoint(runs[0], of: journal, .stage(Data("1".utf8))) }
      let lost = try await journal.renew(runs.map(\.claimed), lease: .seconds(9_000), at: time)
      #expect(lost.isEmpty)
      let renewed = "SELECT count(*)::text FROM run WHERE lease_end > now() + interval '1 h'"
      #expect(try await journal.texts(renewed) == ["3"])
      try await checkpoint(runs[1], of: journal, .stage(Data("1".utf8)))
      try await checkpoint(runs[2], of: journal, .completion(Data("2".utf8)))
      try await checkpoint(runs[3], of: journal, .stage(Data("3".utf8))) {}
      #expect(try await journal.run(runs[0].id)?.sequence == 0)
      end.signal()
      try await signal.value
      try await locked.value
      #expect(try await journal.run(runs[0].id)?.sequence == 1)
      #expect(try await journal.renew([runs[1].claimed], lease: .seconds(60), at: time).isEmpty)
      await app.close()
      await journal.close()
    }

    @Test("Starts that wait for an app's transaction with their key hold up no other call")
    func lockedKey() async throws {
      let options = PostgresJournalOptions(checkpointConnections: 1, connections: 1)
      let journal = try await PostgresServer.shared.journal(options: options)
      let app = try await PostgresJournal(PostgresServer.shared.text(), options: journal.options)
      let end = DispatchSemaphore(value: 0)
      let first = await hold(
        "SELECT start('flow', '\"0\"', key => 'same')", [], in: app, until: end)
      func start(key: String) async throws -> RunID {
        let start = RunStart(
          id: RunID(at: time.date), flow: "flow", version: 1, key: key, payload: Data("0".utf8))
        return try await journal.start(start, at: time).id
      }
      let same = [Task { try await start(key: "same") }, Task { try await start(key: "same") }]
      let other = try await start(key: "other")
      #expect(try await journal.run(other)?.key == "other")
      end.signal()
      try await first.value
      let found = [try await same[0].value, try await same[1].value]
      #expect(found[0] == found[1] && found[0] != other)
      #expect(try await journal.texts("SELECT count(*)::text FROM run") == ["2"])
      await app.close()
      await journal.close()
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
      try await checkpoint(run, of: journal, .stage(Data("1".utf8)))
      kill(number, SIGCONT)
      #expect(try await claim.value == [start.id])
      await journal.close()
    }
  }

  extension RunRecord {
    /// The claim that the record was made for.
    fileprivate var claimed: RunClaim { RunClaim(id: id, sequence: sequence, fence: fence) }
  }
#endif
