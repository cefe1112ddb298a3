#if PostgreSQL && (os(macOS) || os(Linux))
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstonePostgres
  import FieldstoneTesting
  import Foundation
  import Testing

  /// Locks that transactions of apps keep.
  @Suite(
    "Locks of other transactions in PostgreSQL",
    .enabled(if: PostgresServer.isWanted, Comment(rawValue: PostgresServer.reasonForNone ?? "")),
    .timeLimit(.minutes(20)))
  struct PostgresLockTests {
    private let time = JournalTime(.system, boot: "boot")

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
      let locked = Task { try await journal.goOn(runs[0], .stage(Data("1".utf8)), at: time) }
      let lost = try await journal.renew(runs.map(\.claimed), lease: .seconds(9_000), at: time)
      #expect(lost.isEmpty)
      let renewed = "SELECT count(*)::text FROM run WHERE lease_end > now() + interval '1 h'"
      #expect(try await journal.texts(renewed) == ["3"])
      try await journal.goOn(runs[1], .stage(Data("1".utf8)), at: time)
      try await journal.goOn(runs[2], .completion(Data("2".utf8)), at: time)
      try await journal.goOn(runs[3], .stage(Data("3".utf8)), at: time) {}
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

    @Test("Two runs that an app keeps locked hold up no call that waits for another lock")
    func takingTurns() async throws {
      let options = PostgresJournalOptions(checkpointConnections: 1, connections: 1)
      let journal = try await PostgresServer.shared.journal(as: "turns", options: options)
      var appOptions = journal.options
      appOptions.connections = 2
      let app = try await PostgresJournal(PostgresServer.shared.text(), options: appOptions)
      let claimed = try await journal.claimed(3, seed: 11, at: time)
      let runs = claimed.dropFirst()
      // Opens the connection for checkpoints; those that wait for locks come later.
      try await journal.goOn(claimed[0], .stage(Data("1".utf8)), at: time)
      let processes = "SELECT pid::text FROM pg_stat_activity WHERE application_name = 'turns'"
      let known = try await journal.texts(processes)
      let (runsEnd, keyEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let signals = await hold(
        Self.signalAll, [runs.map { "\($0.id)" }.joined(separator: ",")], in: app, until: runsEnd)
      let first = await hold(
        "SELECT start('flow', '\"0\"', key => 'same')", [], in: app, until: keyEnd)
      let locked = runs.map { run in
        Task { try await journal.goOn(run, .stage(Data("1".utf8)), at: time) }
      }
      let waiting = processes + " AND wait_event_type = 'Lock'"
      while Set(try await journal.texts(waiting)).subtracting(known).count < 2 {}
      let start = RunStart(
        id: RunID(at: time.date), flow: "flow", version: 1, key: "same", payload: Data("0".utf8))
      let third = Task { try await journal.start(start, at: time).id }
      // Only two connections wait, so the third call waits for its turn.
      while journal.waitingForLocks == 0 { await Task.yield() }
      keyEnd.signal()
      try await first.value
      #expect(try await third.value != start.id)
      for run in runs { #expect(try await journal.run(run.id)?.sequence == 0) }
      runsEnd.signal()
      try await signals.value
      for task in locked { try await task.value }
      for run in runs { #expect(try await journal.run(run.id)?.sequence == 1) }
      await app.close()
      await journal.close()
    }

    /// Sends a signal to each of several runs.
    private static let signalAll =
      "SELECT signal(r, 'hello', '1') FROM unnest(string_to_array($1, ',')) AS r"

    @Test("A pause that waits for a run which an app keeps locked lets others claim")
    func lockedPause() async throws {
      let server = PostgresServer.shared
      let options = PostgresJournalOptions(connections: 1)
      let journal = try await server.journal(as: "pauses", options: options)
      var appOptions = journal.options
      appOptions.connections = 2
      let app = try await PostgresJournal(server.text(), options: appOptions)
      let runs = try await journal.claimed(1, seed: 12, at: time)
      let other = RunStart(
        id: RunID(at: time.date), flow: "other", version: 1, payload: Data("0".utf8))
      _ = try await journal.start(other, at: time)
      let process = try await journal.texts("SELECT pg_backend_pid()::text")
      let end = DispatchSemaphore(value: 0)
      let signal = await hold(Self.signalAll, ["\(runs[0].id)"], in: app, until: end)
      let pause = Task {
        try await journal.pause(.flow("flow"), until: nil, by: nil, at: time)
      }
      // Once a connection that waits longer has the lock that claims need:
      let holders = """
        SELECT pid::text FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE granted \
        AND locktype = 'advisory' AND mode = 'ExclusiveLock' AND application_name = 'pauses'
        """
      while Set(try await app.texts(holders)).isSubset(of: process) {}
      let request = ClaimRequest(
        worker: "second", flows: [.init(flow: "other", version: 1, limit: 1)], lease: .seconds(60))
      #expect(try await app.claim(request, at: time).runs.map(\.record.id) == [other.id])
      #expect(try await app.pauses().isEmpty)
      end.signal()
      try await signal.value
      try await pause.value
      #expect(try await app.pauses().count == 1)
      await app.close()
      await journal.close()
    }

    /// What an app's transaction has locked.
    enum Held: CaseIterable {
      case runs, parent, runsWithWrites
    }

    @Test(
      "In a batch many locked runs, or one parent of many, hold up a free run twice at most",
      arguments: Held.allCases)
    func lockedBatch(held: Held) async throws {
      let options = PostgresJournalOptions(checkpointConnections: 1)
      let journal = try await PostgresServer.shared.journal(options: options)
      let app = try await PostgresJournal(PostgresServer.shared.text(), options: journal.options)
      let runs = try await journal.claimed(43, seed: 10, at: time)
      let (writer, parent, free) = (runs[0], runs[1], runs[2])
      let others = runs[3...]
      if held == .parent {
        _ = try await journal.texts(
          "UPDATE run SET join_sequence = 0, join_policy = 0, open_children = 99 "
            + "WHERE id = run_uuid('\(parent.id)')")
        for (number, run) in others.enumerated() {
          _ = try await journal.texts(
            "UPDATE run SET parent = run_uuid('\(parent.id)'), parent_sequence = 0, "
              + "ordinal = \(number) WHERE id = run_uuid('\(run.id)')")
        }
      }
      try await countTries(in: journal)
      let end = DispatchSemaphore(value: 0)
      let locked = held == .parent ? [parent] : Array(others)
      let signals = await hold(
        Self.signalAll, [locked.map { "\($0.id)" }.joined(separator: ",")], in: app, until: end)
      let (begun, goOn) = (Gate(), DispatchSemaphore(value: 0))
      let first = Task {
        try await journal.goOn(writer, .stage(Data("0".utf8)), at: time) {
          begun.open()
          goOn.wait()
        }
      }
      await begun.wait()
      // All wait for the only connection, and are a batch; the free one is its last.
      let nothing: @Sendable () -> Void = {}
      let write = held == .runsWithWrites ? nothing : nil
      let waiting = others.map { run in
        Task {
          let payload = Data("1".utf8)
          try await journal.goOn(
            run, held == .parent ? .completion(payload) : .stage(payload), at: time, write)
        }
      }
      while journal.waitingCheckpoints < others.count { await Task.yield() }
      let last = Task {
        try await journal.goOn(free, .stage(Data("\"free\"".utf8)), at: time, write)
      }
      while journal.waitingCheckpoints <= others.count { await Task.yield() }
      goOn.signal()
      try await first.value
      try await last.value
      let tries = try #require(try await journal.texts("SELECT tries FROM note").first)
      // The writer's, two of the batch (a child's end updates its parent, too), and its own.
      #expect(try #require(Int(tries)) <= 4)
      let done = "SELECT count(*)::text FROM run WHERE sequence > 0"
      #expect(try await journal.texts(done) == ["2"])
      end.signal()
      try await signals.value
      for task in waiting { try await task.value }
      #expect(try await journal.texts(done) == ["\(runs.count - 1)"])
      if held == .parent {
        let open = "SELECT open_children::text FROM run WHERE id = run_uuid('\(parent.id)')"
        #expect(try await journal.texts(open) == ["\(99 - others.count)"])
      }
      await app.close()
      await journal.close()
    }

    /// Counts the updates of runs on the connections that wait shortly, and notes at the payload
    /// `"free"` how many there were.
    private func countTries(in journal: PostgresJournal) async throws {
      let statements = [
        // A sequence counts what is rolled back, too.
        "CREATE SEQUENCE tried", "CREATE TABLE note (tries text)",
        """
        CREATE FUNCTION count_try() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
        IF \(Self.waitsShortly) THEN PERFORM nextval('tried'); END IF; RETURN NULL; END $$
        """,
        "CREATE TRIGGER count_try BEFORE UPDATE ON run EXECUTE FUNCTION count_try()",
        """
        CREATE FUNCTION note_tries() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
        IF convert_from(NEW.payload, 'UTF8') = '"free"' THEN \
        INSERT INTO note SELECT last_value FROM tried; END IF; RETURN NEW; END $$
        """,
        """
        CREATE TRIGGER note_tries BEFORE INSERT ON step FOR EACH ROW EXECUTE FUNCTION note_tries()
        """,
      ]
      for statement in statements { _ = try await journal.texts(statement) }
    }

    private static let waitsShortly = "current_setting('lock_timeout') = '250ms'"

    /// Lets stages with the payload `"locked"` find a lock held, on a condition.
    private func refuse(if condition: String, in journal: PostgresJournal) async throws {
      let refusal = """
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
        IF convert_from(NEW.payload, 'UTF8') = '"locked"' AND \(condition) THEN \
        RAISE 'held' USING ERRCODE = 'lock_not_available'; END IF; RETURN NEW; END $$
        """
      let statements = [
        "CREATE SEQUENCE tried", refusal,
        "CREATE TRIGGER refuse BEFORE INSERT ON step FOR EACH ROW EXECUTE FUNCTION refuse()",
      ]
      for statement in statements { _ = try await journal.texts(statement) }
    }

    private let locked = Data("\"locked\"".utf8)

    private var lockedStart: RunStart {
      RunStart(id: RunID(at: time.date), flow: "flow", version: 1, payload: locked)
    }

    @Test("A call begins again until a lock is free, however often it was held")
    func again() async throws {
      let journal = try await PostgresServer.shared.journal()
      let runs = try await journal.claimed(1, seed: 13, at: time)
      try await refuse(if: "nextval('tried') % 9 > 0", in: journal)
      try await journal.goOn(runs[0], .stage(locked), at: time)
      #expect(try await journal.texts("SELECT last_value::text FROM tried") == ["9"])
      #expect(try await journal.run(runs[0].id)?.sequence == 1)
      _ = try await journal.start(lockedStart, at: time)
      #expect(try await journal.texts("SELECT last_value::text FROM tried") == ["18"])
      await journal.close()
    }

    @Test("A call whose lock is refused at once does not begin again at once")
    func refusedAtOnce() async throws {
      let journal = try await PostgresServer.shared.journal()
      let runs = try await journal.claimed(1, seed: 16, at: time)
      let end = "SELECT (clock_timestamp() + interval '1 s')::text"
      let date = try #require(try await journal.texts(end).first)
      try await refuse(
        if: "nextval('tried') > 0 AND clock_timestamp() < '\(date)'::timestamptz", in: journal)
      try await journal.goOn(runs[0], .stage(locked), at: time)
      #expect(try await journal.run(runs[0].id)?.sequence == 1)
      let tries = try #require(try await journal.texts("SELECT last_value::text FROM tried").first)
      // Twenty, and the first and the last.
      #expect(try #require(Int(tries)) < 30)
      await journal.close()
    }

    @Test("Closing ends calls whose locks stay held, with nothing done")
    func closingWhileHeld() async throws {
      let server = PostgresServer.shared
      let journal = try await server.journal()
      let watcher = try await PostgresJournal(server.text(), options: journal.options)
      let runs = try await journal.claimed(1, seed: 14, at: time)
      try await refuse(if: "nextval('tried') > 0", in: journal)
      let start = Task { try await journal.start(lockedStart, at: time) }
      let checkpoint = Task { try await journal.goOn(runs[0], .stage(locked), at: time) }
      let tried = "SELECT last_value::text FROM tried WHERE last_value > 9"
      while try await watcher.texts(tried).isEmpty {}
      await journal.close()
      await #expect(throws: JournalError.closed) { _ = try await start.value }
      await #expect(throws: JournalError.closed) { try await checkpoint.value }
      #expect(try await watcher.texts("SELECT max(sequence)::text FROM run") == ["0"])
      #expect(try await watcher.texts("SELECT count(*)::text FROM run") == ["1"])
      await watcher.close()
    }

    @Test("Closing performs the checkpoints that a lock has refused once")
    func closing() async throws {
      let options = PostgresJournalOptions(checkpointConnections: 1)
      let server = PostgresServer.shared
      let journal = try await server.journal(options: options)
      let watcher = try await PostgresJournal(server.text(), options: journal.options)
      let runs = try await journal.claimed(5, seed: 15, at: time)
      try await refuse(if: Self.waitsShortly, in: journal)
      let (begun, goOn) = (Gate(), DispatchSemaphore(value: 0))
      let first = Task {
        try await journal.goOn(runs[0], .stage(Data("1".utf8)), at: time) {
          begun.open()
          goOn.wait()
        }
      }
      await begun.wait()
      // Their tasks do not go on until the journal is closed.
      let executor = StoppedExecutor()
      let others = runs.dropFirst().map { run in
        Task(executorPreference: executor) {
          try await journal.goOn(run, .stage(locked), at: time)
        }
      }
      while journal.waitingCheckpoints < others.count { await Task.yield() }
      executor.stop()
      let closing = Task { await journal.close() }
      while (try? await journal.run(runs[0].id)) != nil {}
      goOn.signal()
      try await first.value
      await closing.value
      executor.goOn()
      for task in others { try await task.value }
      #expect(try await watcher.texts("SELECT min(sequence)::text FROM run") == ["1"])
      await watcher.close()
    }
  }

  /// Runs jobs on a queue; it can be stopped.
  private final class StoppedExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "stopped")

    func stop() { queue.suspend() }

    func goOn() { queue.resume() }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }
#endif
