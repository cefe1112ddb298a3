#if PostgreSQL && (os(macOS) || os(Linux))
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstonePostgres
  import FieldstoneTesting
  import Foundation
  import Testing

  /// Claims while an app's transaction keeps a run locked, or the pauses.
  @Suite(
    "Claims beside transactions of apps in PostgreSQL",
    .enabled(if: PostgresServer.isWanted, Comment(rawValue: PostgresServer.reasonForNone ?? "")),
    .timeLimit(.minutes(20)))
  struct PostgresLockedRunTests {
    private let time = JournalTime(.system, boot: "boot")

    /// A journal, and the same one for an app.
    private func journals() async throws -> (journal: PostgresJournal, app: PostgresJournal) {
      let journal = try await PostgresServer.shared.journal()
      let app = try await PostgresJournal(PostgresServer.shared.text(), options: journal.options)
      return (journal, app)
    }

    private func start(
      _ flow: String, concurrency: String? = nil, deadline: Date? = nil,
      in journal: PostgresJournal
    ) async throws -> RunID {
      var start = RunStart(
        id: RunID(at: time.date), flow: flow, version: 1, payload: Data("0".utf8),
        concurrencyKey: concurrency)
      start.deadline = deadline
      return try await journal.start(start, at: time).id
    }

    private func claim(_ flows: [String], in journal: PostgresJournal) async throws -> Claim {
      let rooms = flows.map { ClaimRequest.FlowRoom(flow: $0, version: 1, limit: 10) }
      return try await journal.claim(
        ClaimRequest(worker: "worker", flows: rooms, lease: .seconds(600), limit: 10), at: time)
    }

    private func ids(_ claim: Claim) -> Set<RunID> { Set(claim.runs.map(\.record.id)) }

    private func hold(_ ids: [RunID], in app: PostgresJournal) async -> HeldTransaction {
      await HeldTransaction(
        "SELECT signal(r, 'hello', '1') FROM unnest(string_to_array($1, ',')) AS r",
        [ids.map { "\($0)" }.joined(separator: ",")], in: app)
    }

    private func count(_ rows: String, in journal: PostgresJournal) async throws -> Int? {
      try await journal.texts("SELECT count(*)::text FROM \(rows)").first.flatMap { Int($0) }
    }

    @Test("A run that is locked when its key gets a place comes in once it is not locked any more")
    func behindItsKey() async throws {
      let (journal, app) = try await journals()
      _ = try await journal.setLimits(
        FlowLimits(perKey: .init(1)), of: "flow", replacing: true, at: time)
      let first = try await start("flow", concurrency: "key", in: journal)
      let second = try await start("flow", concurrency: "key", in: journal)
      let running = try await claim(["flow"], in: journal).runs
      #expect(running.map(\.record.id) == [first])
      let held = await hold([second], in: app)
      try await journal.goOn(
        #require(running.first).record, .completion(Data("1".utf8)), at: time)
      for _ in 0..<2 { #expect(try await claim(["flow"], in: journal).runs.isEmpty) }
      try await held.end()
      let next = try await claim(["flow"], in: journal).runs
      #expect(next.map(\.record.id) == [second])
      try await journal.goOn(
        #require(next.first).record, .completion(Data("1".utf8)), at: time)
      #expect(try await claim(["flow"], in: journal).runs.isEmpty)
      // Free places that nobody waits for are not looked at again.
      #expect(try await count("freed", in: journal) == 0)
      var findings: [String] = []
      try await journal.verify { findings.append("\($0)") }
      #expect(findings == [])
      await app.close()
      await journal.close()
    }

    @Test("Removed limits leave no keys to be looked at")
    func removedLimits() async throws {
      let (journal, _) = try await journals()
      let limits = FlowLimits(perKey: .init(1))
      _ = try await journal.setLimits(limits, of: "flow", replacing: true, at: time)
      let run = try await start("flow", concurrency: "key", in: journal)
      #expect(try await count("freed", in: journal) == 1)
      _ = try await journal.setLimits(nil, of: "flow", replacing: true, at: time)
      #expect(try await count("freed", in: journal) == 0)
      #expect(try await ids(claim(["flow"], in: journal)) == [run])
      await journal.close()
    }

    @Test("A start of an app with any key keeps a pause from ending, and lets others be claimed")
    func lockedPauses() async throws {
      let (journal, app) = try await journals()
      let past = time.date - 10
      let paused = try await start("flow", concurrency: "key", in: journal)
      let other = try await start("other", in: journal)
      let flowPaused = try await start("third", in: journal)
      try await journal.pause(.concurrencyKey("key", flow: "flow"), until: past, at: time)
      try await journal.pause(.flow("third"), until: past, at: time)
      let held = await HeldTransaction(
        "SELECT start('fourth', '0', concurrency_key => 'any')", in: app)
      let found = try await claim(["flow", "other", "third"], in: journal)
      #expect(ids(found) == [other, flowPaused])
      // At its next poll the worker tries again, and not at once.
      #expect(found.nextDueAt == nil)
      try await held.end()
      #expect(try await ids(claim(["flow"], in: journal)) == [paused])
      #expect(try await journal.pauses().isEmpty)
      await app.close()
      await journal.close()
    }

    @Test("Of the claims of a second, one waits for the lock of the pauses that an app keeps")
    func oneWait() async throws {
      let name = "one-wait"
      let journal = try await PostgresServer.shared.journal(as: name)
      let app = try await PostgresJournal(PostgresServer.shared.text(), options: journal.options)
      let paused = try await start("flow", concurrency: "key", in: journal)
      let past = time.date - 10
      try await journal.pause(.concurrencyKey("key", flow: "flow"), until: past, at: time)
      let held = await HeldTransaction(
        "SELECT start('fourth', '0', concurrency_key => 'any')", in: app)
      #expect(try await claim(["other"], in: journal).runs.isEmpty)
      let isOver = Locked(false)
      let second = Task {
        defer { isOver.withLock { $0 = true } }
        return try await claim(["other"], in: journal)
      }
      let waiting = """
        SELECT mode FROM pg_locks JOIN pg_stat_activity USING (pid) \
        WHERE NOT granted AND application_name = '\(name)'
        """
      var waits: Set<String> = []
      while !isOver.withLock({ $0 }) { waits.formUnion(try await app.texts(waiting)) }
      #expect(try await second.value.runs.isEmpty)
      #expect(waits == [])
      try await held.end()
      #expect(try await ids(claim(["flow"], in: journal)) == [paused])
      await app.close()
      await journal.close()
    }

    @Test("A worker whose run is tried alone gets no other while an app keeps that run locked")
    func lockedTrial() async throws {
      let (journal, app) = try await journals()
      let trial = try await start("flow", in: journal)
      #expect(try await ids(claim(["flow"], in: journal)) == [trial])
      _ = try await journal.texts("UPDATE run SET quarantine = 1, is_alone = true")
      let other = try await start("other", in: journal)
      let held = await hold([trial], in: app)
      let found = try await claim(["other"], in: journal)
      #expect(found.runs.isEmpty && found.nextDueAt == nil)
      #expect(try await count("run WHERE is_alone", in: journal) == 1)
      try await held.end()
      #expect(try await ids(claim(["other"], in: journal)) == [other])
      #expect(try await count("run WHERE is_alone", in: journal) == 0)
      await app.close()
      await journal.close()
    }

    @Test("A paused run that an app keeps locked keeps no other from being claimed after its pause")
    func lockedPausedRuns() async throws {
      let (journal, app) = try await journals()
      let past = time.date - 10
      let paused = try await start("flow", in: journal)
      let alone = try await start("flow", in: journal)
      var members: [RunID] = []
      for _ in 0..<3 { members.append(try await start("flow", concurrency: "key", in: journal)) }
      let busy = try await start("busy", in: journal)
      #expect(try await ids(claim(["busy"], in: journal)) == [busy])
      for target in [
        PauseTarget.run(paused), .run(alone), .concurrencyKey("key", flow: "flow"), .flow("busy"),
      ] { try await journal.pause(target, until: past, at: time) }
      let held = await hold([paused, members[1], busy], in: app)
      let next = try await start("busy", in: journal)
      let found = try await claim(["flow", "busy"], in: journal)
      #expect(ids(found) == [alone, members[0], members[2], next])
      #expect(found.nextDueAt == nil)
      #expect(try await journal.pauses().count == 3)
      try await held.end()
      #expect(try await ids(claim(["flow"], in: journal)) == [paused, members[1]])
      #expect(try await journal.pauses().isEmpty)
      #expect(try await count("run WHERE gate > 0", in: journal) == 0)
      await app.close()
      await journal.close()
    }

    @Test("A child that an app keeps locked keeps no other from being cancelled, nor any claim")
    func lockedChildren() async throws {
      let (journal, app) = try await journals()
      let parents = [RunID(at: time.date), RunID(at: time.date)]
      var children: [RunID] = []
      for number in 0..<4 {
        let child = try await start("child", in: journal)
        children.append(child)
        _ = try await journal.texts(
          """
          UPDATE run SET parent = run_uuid('\(parents[number / 3])'), parent_sequence = 0, \
          ordinal = \(number % 3) WHERE id = run_uuid('\(child)')
          """)
      }
      for parent in parents {
        _ = try await journal.texts(
          "INSERT INTO cancellation (parent, sequence) VALUES (run_uuid('\(parent)'), 0)")
      }
      let other = try await start("other", in: journal)
      let held = await hold([children[1]], in: app)
      let found = try await claim(["other"], in: journal)
      #expect(ids(found) == [other])
      #expect(found.nextDueAt == nil)
      func states() async throws -> [RunState?] {
        var states: [RunState?] = []
        for child in children { states.append(try await journal.run(child)?.state) }
        return states
      }
      #expect(try await states() == [.cancelled, .ready, .cancelled, .cancelled])
      try await held.end()
      #expect(try await claim(["child"], in: journal).runs.isEmpty)
      #expect(try await states() == [.cancelled, .cancelled, .cancelled, .cancelled])
      #expect(try await count("cancellation", in: journal) == 0)
      await app.close()
      await journal.close()
    }

    @Test("A late run that an app keeps locked, or its parent, is cancelled later, and not sought")
    func lockedLateRuns() async throws {
      let (journal, app) = try await journals()
      let past = time.date - 10
      let late = try await start("flow", deadline: past, in: journal)
      let parent = try await start("parent", in: journal)
      let child = try await start("flow", deadline: past, in: journal)
      _ = try await journal.texts(
        """
        UPDATE run SET parent = run_uuid('\(parent)'), parent_sequence = 0, ordinal = 0, depth = 1 \
        WHERE id = run_uuid('\(child)')
        """)
      _ = try await journal.texts(
        """
        UPDATE run SET sequence = 1, waits = 1, wakes_at = 'infinity', join_sequence = 0, \
        join_policy = 0, open_children = 1 WHERE id = run_uuid('\(parent)')
        """)
      let other = try await start("flow", deadline: past, in: journal)
      let coming = try await start("later", deadline: time.date + 500, in: journal)
      let held = await hold([late, parent], in: app)
      for turn in 0..<2 {
        // The deadline that is to come, not the one that has passed.
        let idle = try await claim(["idle"], in: journal)
        #expect(try #require(idle.nextDueAt) > time.date + 400)
        let found = try await claim(["flow"], in: journal)
        #expect(found.runs.isEmpty)
        // The child was taken before others, and waits now, behind them.
        if turn == 0 { #expect(found.nextDueAt == time.date) }
        let waits = "run WHERE state = 0 AND waits = 1 AND wakes_at = paused_at + interval '1 s'"
        #expect(try await count(waits, in: journal) == 1)
        #expect(try await journal.run(other)?.state == .cancelled)
        #expect(try await journal.run(late)?.state == .ready)
        #expect(try await journal.run(child)?.state == .ready)
      }
      try await held.end()
      #expect(try await claim(["flow"], in: journal).runs.isEmpty)
      for id in [late, child] { #expect(try await journal.run(id)?.state == .cancelled) }
      #expect(try await journal.run(coming)?.state == .ready)
      await app.close()
      await journal.close()
    }

    @Test("A late child whose parent does not wait for it is cancelled while the parent is locked")
    func lockedParent() async throws {
      let (journal, app) = try await journals()
      let parent = try await start("parent", in: journal)
      let child = try await start("flow", deadline: time.date - 10, in: journal)
      _ = try await journal.texts(
        """
        UPDATE run SET parent = run_uuid('\(parent)'), parent_sequence = 0, ordinal = 0, depth = 1, \
        is_detached = true WHERE id = run_uuid('\(child)')
        """)
      let held = await hold([parent], in: app)
      #expect(try await claim(["flow"], in: journal).runs.isEmpty)
      #expect(try await journal.run(child)?.state == .cancelled)
      try await held.end()
      await app.close()
      await journal.close()
    }

    /// A child that is to be cancelled.
    private func cancelledChild(in journal: PostgresJournal) async throws -> RunID {
      let parent = RunID(at: time.date)
      let child = try await start("child", in: journal)
      _ = try await journal.texts(
        """
        UPDATE run SET parent = run_uuid('\(parent)'), parent_sequence = 0, ordinal = 0, depth = 1 \
        WHERE id = run_uuid('\(child)')
        """)
      _ = try await journal.texts(
        "INSERT INTO cancellation (parent, sequence) VALUES (run_uuid('\(parent)'), 0)")
      return child
    }

    @Test("A claim that cancels what it has taken is to be made again at once")
    func cancelledByItsClaim() async throws {
      let (journal, app) = try await journals()
      let child = try await cancelledChild(in: journal)
      let held = await HeldTransaction("SELECT 1 FROM cancellation FOR UPDATE", in: app)
      let found = try await claim(["child"], in: journal)
      #expect(found.runs.isEmpty)
      #expect(found.nextDueAt == time.date)
      #expect(try await journal.run(child)?.state == .cancelled)
      #expect(try await claim(["child"], in: journal).nextDueAt == nil)
      try await held.end()
      await app.close()
      await journal.close()
    }

    @Test("Claims write nothing for a child that an app keeps locked")
    func nothingToWrite() async throws {
      let (journal, app) = try await journals()
      let child = try await cancelledChild(in: journal)
      let held = await hold([child], in: app)
      let place = try await journal.texts("SELECT ctid::text FROM cancellation")
      for _ in 0..<2 {
        let found = try await claim(["other"], in: journal)
        #expect(found.runs.isEmpty && found.nextDueAt == nil)
      }
      #expect(try await journal.texts("SELECT ctid::text FROM cancellation") == place)
      try await held.end()
      await app.close()
      await journal.close()
    }

    @Test("A claim that waits longer for its runs does not wait longer for the lock of the pauses")
    func shortWaits() async throws {
      let (journal, app) = try await journals()
      let run = try await start("flow", in: journal)
      try await journal.pause(.flow("other"), until: time.date - 10, at: time)
      let statements = [
        // Sequences count what is rolled back, too.
        "CREATE SEQUENCE tried", "CREATE SEQUENCE long",
        """
        CREATE FUNCTION refuse_end() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
        PERFORM nextval('tried'); \
        IF current_setting('lock_timeout') <> '250ms' THEN PERFORM nextval('long'); END IF; \
        RAISE 'held' USING ERRCODE = 'lock_not_available'; END $$
        """,
        "CREATE TRIGGER refuse_end BEFORE DELETE ON pause FOR EACH ROW EXECUTE FUNCTION refuse_end()",
        """
        CREATE FUNCTION refuse_claim() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
        IF NEW.worker IS NOT NULL AND current_setting('lock_timeout') = '250ms' THEN \
        RAISE 'held' USING ERRCODE = 'lock_not_available'; END IF; RETURN NEW; END $$
        """,
        "CREATE TRIGGER refuse_claim BEFORE UPDATE ON run FOR EACH ROW EXECUTE FUNCTION refuse_claim()",
      ]
      for statement in statements { _ = try await app.texts(statement) }
      #expect(try await ids(claim(["flow"], in: journal)) == [run])
      #expect(try await app.texts("SELECT last_value::text FROM tried") == ["2"])
      #expect(try await app.texts("SELECT is_called::text FROM long") == ["false"])
      await app.close()
      await journal.close()
    }

    @Test("In a batch of starts, those whose key is kept locked hold up no others and no batch")
    func lockedStarts() async throws {
      let (journal, app) = try await journals()
      let runner = try DurableRunner(
        journal: journal, flows: [DurableFlow(Errand.self, services: Errand.Script())])
      let held = await HeldTransaction(
        "SELECT start('errand', '{\"name\": \"k\", \"number\": 1}', key => 'k')", in: app)
      func start(_ names: [String]) async throws -> [RunID] {
        let starts = names.map { StageStart(Errand(name: $0, number: 1), key: $0) }
        return try await runner.start(all: starts).map { try $0.get().id }
      }
      let first = Task { try await start(["k", "a", "k", "b"]) }
      while try await count("run WHERE key IN ('a', 'b')", in: journal) != 2 {}
      let second = try await start(["c"])
      #expect(second.count == 1)
      #expect(try await count("run", in: journal) == 3)
      try await held.end()
      let ids = try await first.value
      #expect(ids[0] == ids[2])
      #expect(Set(ids).count == 3)
      #expect(try await count("run", in: journal) == 4)
      await app.close()
      await journal.close()
    }

    @Test("In a batch of starts, a free one does not wait for each of the locked keys before it")
    func startBehindLockedKeys() async throws {
      let (journal, app) = try await journals()
      let statements = [
        // A sequence counts what is rolled back, too.
        "CREATE SEQUENCE tried", "CREATE TABLE note (tries text)",
        """
        CREATE FUNCTION count_try() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
        IF current_setting('lock_timeout') = '250ms' THEN PERFORM nextval('tried'); END IF; \
        IF NEW.key = 'z' THEN INSERT INTO note SELECT last_value FROM tried; END IF; \
        RETURN NEW; END $$
        """,
        "CREATE TRIGGER count_try BEFORE INSERT ON run FOR EACH ROW EXECUTE FUNCTION count_try()",
      ]
      for statement in statements { _ = try await journal.texts(statement) }
      let held = await HeldTransaction(
        "SELECT start('flow', '0', key => 'a' || n) FROM generate_series(0, 9) AS n", in: app)
      let keys = (0..<10).map { "a\($0)" } + ["z", "a0"]
      let starts = keys.map { key in
        RunStart(
          id: RunID(at: time.date), flow: "flow", version: 1, key: key, payload: Data("0".utf8))
      }
      let call = Task { await journal.start(starts, at: time) }
      while try await count("run WHERE key = 'z'", in: app) != 1 {}
      // The batch itself.
      #expect(try await app.texts("SELECT tries FROM note") == ["1"])
      try await held.end()
      let runs = try await call.value.map { try $0.get() }
      #expect(runs.map(\.key) == keys)
      #expect(runs[10].id == starts[10].id)
      #expect(runs[0].id == runs[11].id)
      #expect(try await count("run", in: journal) == 11)
      await app.close()
      await journal.close()
    }

    @Test(
      "The same start twice at once has one result, also if it replaces or follows a run",
      arguments: [TakenKeyPolicy.replaceUnlessBegun, .restartIfOver])
    func twins(ifTaken: TakenKeyPolicy) async throws {
      let name = "twins-\(ifTaken)"
      let journal = try await PostgresServer.shared.journal(as: name)
      let app = try await PostgresJournal(PostgresServer.shared.text(), options: journal.options)
      func start() -> RunStart {
        RunStart(
          id: RunID(at: time.date), flow: "flow", version: 1, key: "key", payload: Data("0".utf8))
      }
      let first = try await journal.start(start(), at: time)
      if ifTaken == .restartIfOver { _ = try await journal.change(first.id, .cancel, at: time) }
      let held = await HeldTransaction(
        "SELECT 1 FROM run WHERE id = run_uuid($1) FOR UPDATE", ["\(first.id)"], in: app)
      var given = start()
      given.ifTaken = ifTaken
      let twin = given
      let calls = (0..<2).map { _ in Task { try await journal.start(twin, at: time).id } }
      let waiting = """
        SELECT pid::text FROM pg_stat_activity \
        WHERE application_name = '\(name)' AND wait_event_type = 'Lock'
        """
      while try await app.texts(waiting).count < 2 {}
      try await held.end()
      let wanted = ifTaken == .restartIfOver ? twin.id : first.id
      for call in calls { #expect(try await call.value == wanted) }
      await app.close()
      await journal.close()
    }

    @Test("A start whose key belongs to a run that is purged meanwhile may be made again")
    func purged() async throws {
      let (journal, app) = try await journals()
      var start = RunStart(
        id: RunID(at: time.date), flow: "flow", version: 1, key: "key", payload: Data("0".utf8))
      let first = try await journal.start(start, at: time)
      start.id = RunID(at: time.date)
      start.ifTaken = .restartIfOver
      let held = await HeldTransaction(
        """
        WITH s AS (DELETE FROM step WHERE run = run_uuid($1)) \
        DELETE FROM run WHERE id = run_uuid($1)
        """, ["\(first.id)"], in: app)
      let again = start
      let call = Task { try await journal.start(again, at: time) }
      let waiting = """
        SELECT l.pid::text FROM pg_locks l WHERE NOT l.granted \
        AND l.pid IN (SELECT pid FROM pg_locks WHERE relation = 'run'::regclass)
        """
      while try await app.texts(waiting).isEmpty {}
      try await held.end()
      do {
        // Its insertion, or its next try, may have come after the deletion.
        #expect(try await call.value.id == again.id)
      } catch let error as JournalError {
        #expect(error.isTransient)
        #expect(try await journal.start(again, at: time).id == again.id)
      }
      await app.close()
      await journal.close()
    }
  }
#endif
