#if PostgreSQL && (os(macOS) || os(Linux))
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstonePostgres
  import Foundation
  import Testing

  @Suite(
    "Runs found by an index in PostgreSQL",
    .enabled(if: PostgresServer.isWanted, Comment(rawValue: PostgresServer.reasonForNone ?? "")),
    .timeLimit(.minutes(20)))
  struct PostgresQueryTests {
    /// A journal with 20,000 runs: a tenth dead, a tenth that awaits a signal, a tenth paused, and the others
    /// completed.
    private func journal() async throws -> PostgresJournal {
      let journal = try await PostgresServer.shared.journal()
      for statement in [
        """
        INSERT INTO run (id, flow, version, key, priority, state, sequence, fence, attempts, crashes, \
        lone_crashes, is_alone, started_at, changed_at, waits, wakes_at, awaited, gate, error, \
        fingerprint) SELECT lpad(to_hex(i), 32, '0')::uuid, 'orders', 1, \
        CASE WHEN i % 400 = 0 THEN 'rare-' ELSE 'order-' END || i, 0, \
        CASE i % 10 WHEN 0 THEN 3 WHEN 1 THEN 0 WHEN 2 THEN 0 ELSE 2 END, 0, 1, 0, 0, 0, false, \
        to_timestamp(i), to_timestamp(i), CASE i % 10 WHEN 1 THEN 1 ELSE 0 END, to_timestamp(9e9), \
        CASE i % 10 WHEN 1 THEN 'go' END, CASE i % 10 WHEN 2 THEN 2 ELSE 0 END, 'no', i % 7 \
        FROM generate_series(1, 20000) i
        """,
        "INSERT INTO step (run, sequence, version, payload) SELECT id, 0, 1, '0' FROM run",
        """
        INSERT INTO attribute SELECT 'customer', 's:' || (substr(key, position('-' in key) + 1)::int \
        % 100), id FROM run
        """,
        "ANALYZE run", "ANALYZE step", "ANALYZE attribute",
      ] {
        _ = try await journal.texts(statement)
      }
      return journal
    }

    @Test("Each filter and order has its index, and none reads all runs")
    func plans() async throws {
      let journal = try await journal()
      func expectPlan(_ index: String, _ change: (inout RunQuery) -> Void) async throws {
        var query = RunQuery()
        change(&query)
        let plan = try await journal.plan(of: query).joined(separator: "\n")
        #expect(plan.contains(index), "\(query): \(plan)")
        #expect(!plan.contains("Seq Scan"), "\(query): \(plan)")
      }
      let place = RunPlace(try #require(RunID("00000000000000000000009000")))
      try await expectPlan("run_list") {
        ($0.flow, $0.states, $0.after) = ("orders", [.dead], place)
      }
      try await expectPlan("run_list") { ($0.states, $0.order) = ([.dead, .ready], .oldestFirst) }
      try await expectPlan("run_error") { $0.error = ErrorFingerprint("0000000000000003") }
      try await expectPlan("run_signal") { $0.waiting = .signal(nil) }
      try await expectPlan("run_wait") { $0.waiting = .signal("go") }
      try await expectPlan("run_gate") { $0.waiting = .pause }
      try await expectPlan("run_gate") { $0.waiting = .keyLimit }
      try await expectPlan("run_quarantine") { $0.waiting = .quarantine }
      try await expectPlan("run_stopped") { $0.order = .lastStoppedFirst }
      try await expectPlan("run_stopped") {
        ($0.order, $0.states) = (.lastStoppedFirst, [.dead])
        $0.after = RunPlace(place.id, stoppedAt: Date(timeIntervalSince1970: 10_000))
      }
      try await expectPlan("run_key") { $0.keyPrefix = "rare-" }
      try await expectPlan("run_pkey") { ($0.keyPrefix, $0.after) = ("order-", place) }
      try await expectPlan("run_key") {
        ($0.keyPrefix, $0.attributes, $0.states) = ("rare-", ["customer": "1"], [.completed])
      }
      try await expectPlan("attribute_pkey") {
        ($0.attributes, $0.error) = (["customer": "10"], ErrorFingerprint("0000000000000003"))
      }
      await journal.close()
    }

    @Test("What is found and counted by an index is what is there")
    func finds() async throws {
      let journal = try await journal()
      func count(_ change: (inout RunQuery) -> Void) async throws -> RunCount {
        var query = RunQuery()
        change(&query)
        return try await journal.count(query)
      }
      #expect(try await count { _ in } == RunCount(10_000, hasMore: true))
      #expect(try await count { $0.states = [.dead] } == RunCount(2_000))
      #expect(try await count { $0.keyPrefix = "rare-" } == RunCount(50))
      #expect(try await count { $0.waiting = .signal("go") } == RunCount(2_000))
      #expect(try await count { $0.waiting = .pause } == RunCount(2_000))
      #expect(
        try await count { ($0.attributes, $0.states) = (["customer": "10"], [.dead]) }
          == RunCount(200))
      let groups = try await journal.errorGroups(atMost: 3)
      #expect(groups.map(\.runs.number) == [286, 286, 286])
      var query = RunQuery(limit: 3)
      query.keyPrefix = "order-"
      query.order = .lastStoppedFirst
      #expect(
        try await journal.runs(query).runs.map(\.key)
          == ["order-19999", "order-19998", "order-19997"])
      await journal.close()
    }

    private static let noPageInspect: Comment =
      "The server has no pageinspect (Debian: postgresql, elsewhere postgresql-contrib)"

    @Test(
      "Checkpoints that go on change a run's row in place, and no index",
      .enabled(PostgresQueryTests.noPageInspect) {
        if PostgresServer.isInCI { return true }
        return try await PostgresServer.hasPageInspect()
      })
    func hot() async throws {
      try #require(try await PostgresServer.hasPageInspect(), Self.noPageInspect)
      let journal = try await PostgresServer.shared.journal()
      _ = try await journal.texts("CREATE EXTENSION pageinspect")
      _ = try await journal.texts("ALTER TABLE run SET (autovacuum_enabled = false)")
      let time = JournalTime(date: Date(), uptime: .zero, boot: "boot")
      let start = RunStart(
        id: RunID(at: Date()), flow: "orders", version: 1, payload: Data("0".utf8))
      _ = try await journal.start(start, at: time)
      let request = ClaimRequest(
        worker: "worker", flows: [.init(flow: "orders", version: 1, limit: 1)], lease: .seconds(60))
      let run = try #require(try await journal.claim(request, at: time).runs.first?.record)
      for number in 0..<5 {
        try await journal.checkpoint(
          Checkpoint(
            claim: RunClaim(id: run.id, sequence: number, fence: run.fence), version: 1,
            next: .stage(Data("\(number)".utf8)), beganAt: time.date, lease: .seconds(60)), at: time
        )
      }
      // Each row that an update in place has left is one that no index leads to.
      let inPlace = try await journal.texts(
        "SELECT count(*)::text FROM heap_page_items(get_raw_page('run', 0)) "
          + "WHERE t_infomask2 & 32768 > 0")
      #expect(inPlace == ["5"])
      await journal.close()
    }

    @Test("A run that was purged has no children, although one of them is there")
    func purgedParent() async throws {
      let journal = try await PostgresServer.shared.journal()
      let time = JournalTime(.system, boot: "boot")
      let ids = (0..<2).map { _ in RunID(at: time.date) }
      let starts = ids.map { RunStart(id: $0, flow: "f", version: 1, payload: Data("1".utf8)) }
      _ = try await journal.start(starts[0], at: time)
      func claim() async throws -> RunClaim {
        let request = ClaimRequest(
          worker: "worker", flows: [.init(flow: "f", version: 1, limit: 1)], lease: .seconds(60))
        let run = try #require(try await journal.claim(request, at: time).runs.first).record
        return RunClaim(id: run.id, sequence: run.sequence, fence: run.fence)
      }
      func go(_ next: Checkpoint.Next) async throws {
        try await journal.checkpoint(
          Checkpoint(
            claim: claim(), version: 1, next: next, beganAt: time.date, lease: .seconds(60)),
          at: time)
      }
      let join = Checkpoint.Join([ChildStart(starts[1], isDetached: true)], when: .all, until: nil)
      try await go(.joining(Data("2".utf8), join))
      try await journal.park(Parking(claim: claim(), reason: .dead(error: "no")), at: time)
      try await go(.completion(Data("3".utf8)))
      func children() async throws -> [RunID] {
        try await journal.children(of: ids[0], at: nil, after: nil, limit: 10).children.map(\.id)
      }
      #expect(try await children() == [ids[1]])
      try await journal.purge(ids[0], by: "ada", at: time)
      #expect(try await children() == [])
      #expect(try await journal.run(ids[1])?.state == .dead)
      await journal.close()
    }

    @Test(
      "A purge that is stopped halfway leaves runs that can be read, with their keys and signals")
    func stoppedPurge() async throws {
      let journal = try await PostgresServer.shared.journal()
      let time = JournalTime(.system, boot: "boot")
      let starts = (0..<100).map { number in
        RunStart(
          id: RunID(at: time.date), flow: "f", version: 1, key: "\(number)", payload: Data("1".utf8)
        )
      }
      for result in await journal.start(starts, at: time) { _ = try result.get() }
      let request = ClaimRequest(
        worker: "worker", flows: [.init(flow: "f", version: 1, limit: 100)], lease: .seconds(600))
      for run in try await journal.claim(request, at: time).runs.map(\.record) {
        for sequence in 0..<7 {
          let claim = RunClaim(id: run.id, sequence: sequence, fence: run.fence)
          _ = try await journal.checkpoint(
            Checkpoint(
              claim: claim, version: 1, next: .stage(Data("\(sequence)".utf8)), beganAt: time.date,
              lease: .seconds(600)), at: time)
        }
        let signal = SignalRecord(
          id: "one", name: "go", payload: Data("1".utf8), sentAt: time.date)
        _ = try await journal.signal(run.id, signal, at: time)
        _ = try await journal.change(run.id, .cancel, at: time)
      }
      // As when the process ends after the first transaction, which takes the oldest 500 steps.
      _ = try await journal.texts(
        """
        CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS \
        'BEGIN RAISE EXCEPTION ''stopped''; END'
        """)
      _ = try await journal.texts(
        "CREATE TRIGGER stops BEFORE DELETE ON signal FOR EACH STATEMENT EXECUTE FUNCTION stop()")
      await #expect(throws: JournalError.self) {
        try await journal.purge(JournalRetention(runs: .zero), at: time)
      }
      #expect(try await journal.texts("SELECT count(*)::text FROM step") == ["300"])
      for start in starts {
        let run = try #require(try await journal.run(start.id))
        #expect(run.payload == Data("6".utf8) && run.key == start.key)
        var again = start
        again.id = RunID(at: time.date)
        #expect(try await journal.start(again, at: time).id == start.id)
      }
      _ = try await journal.texts("DROP TRIGGER stops ON signal")
      #expect(try await journal.purge(JournalRetention(runs: .zero), at: time) == 100)
      for table in ["run", "step", "signal"] {
        #expect(try await journal.texts("SELECT count(*)::text FROM \(table)") == ["0"])
      }
      await journal.close()
    }

    @Test("A purge removes some hundred rows in a transaction, and then the next in another")
    func boundedPurge() async throws {
      let journal = try await PostgresServer.shared.journal()
      let time = JournalTime(.system, boot: "boot")
      let starts = (0..<600).map { _ in
        RunStart(id: RunID(at: time.date), flow: "f", version: 1, payload: Data("1".utf8))
      }
      for result in await journal.start(starts, at: time) { _ = try result.get() }
      for start in starts { _ = try await journal.change(start.id, .cancel, at: time) }
      _ = try await journal.texts("CREATE TABLE removal (xid xid8, count bigint)")
      _ = try await journal.texts(
        """
        CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
        INSERT INTO removal SELECT pg_current_xact_id(), count(*) FROM gone; RETURN NULL; END $$
        """)
      for table in ["run", "step"] {
        _ = try await journal.texts(
          "CREATE TRIGGER note AFTER DELETE ON \(table) REFERENCING OLD TABLE AS gone "
            + "FOR EACH STATEMENT EXECUTE FUNCTION note()")
      }
      #expect(try await journal.purge(JournalRetention(runs: .zero), at: time) == 600)
      let sums = try await journal.texts("SELECT sum(count)::text FROM removal GROUP BY xid")
        .compactMap { Int($0) }
      // A run without a checkpoint has one step.
      #expect(sums.reduce(0, +) == 1_200)
      #expect(sums.allSatisfy { $0 <= 1_000 }, "\(sums)")
      await journal.close()
    }
  }
#endif
