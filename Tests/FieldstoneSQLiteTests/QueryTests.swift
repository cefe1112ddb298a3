#if SQLite
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneSQLite
  import Foundation
  import GRDB
  import Testing

  @Suite("Runs found by an index", .timeLimit(.minutes(20)))
  struct QueryTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    /// A journal with 20,000 runs: a tenth dead, a tenth that awaits a signal, a tenth paused, and the others
    /// completed.
    private func fill() async throws -> SQLiteJournal {
      let journal = try SQLiteJournal(path: folder.path)
      try await journal.close()
      let queue = try DatabaseQueue(path: folder.path)
      try await queue.write { database in
        try database.execute(
          sql: """
            CREATE TEMP TABLE n AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n \
            WHERE i < 20000) SELECT i, '00000000000000000000' || printf('%06d', i) AS id FROM n;
            INSERT INTO fieldstone_run (id, flow, version, key, state, sequence, fence, attempts, \
            started_at, changed_at, waits, wakes_at, awaited, gate, error, fingerprint, payload) \
            SELECT id, 'orders', 1, IIF(i % 400 = 0, 'rare-', 'order-') || i, \
            CASE i % 10 WHEN 0 THEN 3 WHEN 1 THEN 0 WHEN 2 THEN 0 ELSE 2 END, 1, 1, 0, i, i, \
            i % 10 = 1, 9e9, IIF(i % 10 = 1, 'go', NULL), IIF(i % 10 = 2, 2, 0), 'no', i % 7, x'30' \
            FROM n;
            INSERT INTO fieldstone_attribute SELECT 'customer', 's:' || (i % 100), id FROM n;
            """)
      }
      try queue.close()
      return try SQLiteJournal(path: folder.path)
    }

    @Test("A connection keeps one statement for all sizes of pages and counts")
    func statements() async throws {
      let seen = Locked<Set<String>>([])
      var configuration = Configuration()
      configuration.journalMode = .wal
      configuration.prepareDatabase { database in
        database.trace(options: .statement) { event in
          if case .statement(let statement) = event {
            let sql = statement.sql
            seen.withLock { _ = $0.insert(sql) }
          }
        }
      }
      let journal = try SQLiteJournal(
        in: try DatabaseQueue(path: folder.path, configuration: configuration))
      func ask(_ number: Int) async throws {
        for (place, flow) in ["a", "b", "c"].enumerated() {
          _ = try await journal.start(.sample(3 * number + place, flow: flow), at: .at(0))
        }
        for states: Set<RunState> in [[.ready, .running], [.completed], []] {
          _ = try await journal.count(RunQuery(states: states), atMost: 1_000 + number)
          let page = try await journal.runs(RunQuery(states: states, limit: 2 + number))
          #expect(states == [.completed] || page.runs.count == min(2 + number, 3 * number + 3))
        }
      }
      try await ask(0)
      try await ask(1)
      let known = seen.withLock { $0.count }
      for number in 2..<20 { try await ask(number) }
      #expect(seen.withLock { $0.count } == known)
    }

    @Test("A poll tells the changed runs, however many steps each of them has made")
    func manySteps() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      let ids = try await journal.start(3)
      let mark = try await journal.changes(since: nil).mark
      let queue = try DatabaseQueue(path: folder.path)
      try await queue.write { database in
        try database.execute(
          sql: """
            WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
            INSERT INTO fieldstone_step (run, sequence, fence, kind, version, attempts, began_at,
            ended_at, payload) SELECT number, i, 1, 0, 1, 1, 0, 0, x'' FROM fieldstone_run, n
            WHERE number < 3
            """)
      }
      try queue.close()
      let changes = try await journal.changes(since: mark)
      #expect(changes.runs.map { Set($0.keys) } == Set(ids.prefix(2)))
      try await journal.close()
    }

    @Test("Pages over several flows and states have all runs, in each order")
    func severalLists() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      func pages(of states: Set<RunState>, _ order: RunOrder) async throws -> [RunID] {
        var (query, ids) = (RunQuery(states: states, limit: 7), [RunID]())
        query.order = order
        for _ in 0..<9 {
          let page = try await journal.runs(query)
          ids += page.runs.map(\.id)
          query.after = page.nextPlace
        }
        #expect(query.after == nil, "60 runs are 9 pages")
        return ids
      }
      var started: [RunID] = []
      for number in 0..<60 {
        let flow = ["a", "b", "c", "d"][number * 7 % 4]
        started.append(try await journal.start(.sample(number, flow: flow), at: .at(0)).id)
      }
      #expect(try await pages(of: [.ready, .running], .oldestFirst) == started)
      #expect(try await pages(of: [.ready, .running], .newestFirst) == started.reversed())
      var stopped: [RunID] = []
      for number in 0..<60 {
        // Some stop at the same time: their identifiers decide.
        let id = started[number * 17 % 60]
        try await journal.change(id, .cancel, at: .at(Double(number / 3)))
        stopped.append(id)
      }
      stopped = stride(from: 0, to: 60, by: 3).flatMap { stopped[$0..<$0 + 3].sorted() }
      let states: Set<RunState> = [.cancelled, .completed, .dead]
      #expect(try await pages(of: states, .firstStoppedFirst) == stopped)
      #expect(try await pages(of: states, .lastStoppedFirst) == stopped.reversed())
    }

    @Test("Each filter and order has its index, and none reads all runs")
    func plans() async throws {
      let journal = try await fill()
      func expectPlan(
        _ index: String, isSorted: Bool = true, _ change: (inout RunQuery) -> Void
      ) async throws {
        var query = RunQuery()
        change(&query)
        let plans = try await journal.plans(of: query)
        #expect(!plans.isEmpty, "\(query)")
        for plan in plans {
          #expect(plan.contains { $0.contains(index) }, "\(query): \(plan)")
          #expect(
            plan.contains { $0.contains("TEMP B-TREE") } != isSorted, "\(query): \(plan)")
          #expect(!plan.contains { $0.hasPrefix("SCAN") }, "\(query): \(plan)")
        }
      }
      let place = RunPlace(try #require(RunID("00000000000000000000010000")))
      try await expectPlan("fieldstone_run_list (flow=? AND state=? AND id<?)") {
        ($0.flow, $0.states, $0.after) = ("orders", [.dead], place)
      }
      try await expectPlan("fieldstone_run_list (flow=? AND state=? AND id>?)") {
        ($0.states, $0.after, $0.order) = ([.dead, .ready], place, .oldestFirst)
      }
      try await expectPlan("fieldstone_run_list (flow=? AND state=? AND id>? AND id<?)") {
        ($0.flow, $0.states) = ("orders", [.ready, .completed, .dead])
        ($0.since, $0.until) = (.distantPast, .distantFuture)
      }
      // Those that are running are few, and their index has another order.
      try await expectPlan("fieldstone_run_running (flow=?)", isSorted: false) {
        ($0.flow, $0.states, $0.after) = ("orders", [.running], place)
      }
      try await expectPlan("fieldstone_run_error (fingerprint=? AND id<?)") {
        ($0.error, $0.after) = (ErrorFingerprint("0000000000000003"), place)
      }
      try await expectPlan("fieldstone_run_wait (flow=? AND wait=? AND id<?)") {
        ($0.waiting, $0.after) = (.signal("go"), place)
      }
      // However many signals have a name of their own.
      try await expectPlan("fieldstone_run_signal (flow=? AND id<?)") {
        ($0.waiting, $0.after) = (.signal(nil), place)
      }
      try await expectPlan("fieldstone_run_gate (flow=? AND gate=?)") { $0.waiting = .pause }
      try await expectPlan("fieldstone_run_gate (flow=? AND gate=?)") { $0.waiting = .keyLimit }
      try await expectPlan("fieldstone_run_quarantine", isSorted: false) {
        $0.waiting = .quarantine
      }
      try await expectPlan("fieldstone_run_stopped (flow=? AND state=?)") {
        $0.order = .lastStoppedFirst
      }
      try await expectPlan("fieldstone_run_stopped (flow=? AND state=? AND (changed_at,id)<(?,?))")
      {
        ($0.order, $0.states) = (.lastStoppedFirst, [.dead])
        $0.after = RunPlace(place.id, stoppedAt: Date(timeIntervalSinceReferenceDate: 10_000))
      }
      try await expectPlan("fieldstone_run_stopped (flow=? AND state=? AND changed_at>?") {
        ($0.order, $0.states) = (.firstStoppedFirst, [.dead])
        $0.stoppedSince = Date(timeIntervalSinceReferenceDate: 10_000)
      }
      // Few keys are read whole and sorted; among many the index of the order is walked.
      try await expectPlan("fieldstone_run_key (flow=? AND key>? AND key<?)", isSorted: false) {
        $0.keyPrefix = "rare-"
      }
      try await expectPlan("sqlite_autoindex_fieldstone_run_1 (id<?)") {
        ($0.keyPrefix, $0.after) = ("order-", place)
      }
      // The filter with the fewest runs chooses.
      try await expectPlan("fieldstone_run_key", isSorted: false) {
        ($0.keyPrefix, $0.attributes, $0.states) = ("rare-", ["customer": "1"], [.completed])
      }
      try await expectPlan("fieldstone_attribute USING PRIMARY KEY (name=? AND value=?") {
        ($0.attributes, $0.error) = (["customer": "10"], ErrorFingerprint("0000000000000003"))
      }
      try await journal.close()
    }

    @Test("The running runs are in no index of lists, and are found all the same, oldest first")
    func running() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      let now = JournalTime(
        date: Date(timeIntervalSinceReferenceDate: 1_000), uptime: .seconds(1), boot: "boot")
      let ids = (0..<6).map { RunID(at: now.date + Double($0)) }
      for (id, flow) in zip(ids, ["", "b", "b", "b", "c", "c"]) {
        _ = try await journal.start(
          RunStart(id: id, flow: flow, version: 1, payload: Data("1".utf8)), at: now)
      }
      // All of the first flow, one of the second, none of the third.
      let claim = try await journal.claim(
        ClaimRequest(
          worker: "w",
          flows: [.init(flow: "", version: 1, limit: 9), .init(flow: "b", version: 1, limit: 1)],
          lease: .seconds(30)), at: now)
      #expect(Set(claim.runs.map(\.record.id)) == [ids[0], ids[1]])
      func found(_ change: (inout RunQuery) -> Void) async throws -> [RunID] {
        var query = RunQuery()
        query.order = .oldestFirst
        change(&query)
        return try await journal.runs(query).runs.map(\.id)
      }
      #expect(try await found { _ in } == ids)
      #expect(try await found { $0.states = [.running] } == [ids[0], ids[1]])
      #expect(try await found { ($0.states, $0.flow) = ([.running], "b") } == [ids[1]])
      #expect(try await found { $0.states = [.ready, .running] } == ids)
      #expect(
        try await found { ($0.states, $0.flow) = ([.ready, .running], "b") } == Array(ids[1..<4]))
      #expect(
        try await found {
          ($0.states, $0.after) = ([.running], RunPlace(ids[0]))
        } == [ids[1]])
      #expect(try await journal.count(RunQuery(states: [.running])) == RunCount(2))
      #expect(try await journal.count(RunQuery(flow: "b", states: [.running])) == RunCount(1))
      #expect(try await journal.names(of: .flow, atMost: 9) == ["", "b", "c"])
      try await journal.close()
    }

    @Test("What is found and counted by an index is what is there")
    func finds() async throws {
      let journal = try await fill()
      func count(_ change: (inout RunQuery) -> Void) async throws -> RunCount {
        var query = RunQuery()
        change(&query)
        return try await journal.count(query)
      }
      #expect(try await count { _ in } == RunCount(10_000, hasMore: true))
      #expect(try await count { $0.states = [.dead] } == RunCount(2_000))
      #expect(try await count { $0.keyPrefix = "rare-" } == RunCount(50))
      #expect(try await count { $0.keyPrefix = "order-" } == RunCount(10_000, hasMore: true))
      #expect(try await count { $0.waiting = .signal("go") } == RunCount(2_000))
      #expect(try await count { $0.waiting = .pause } == RunCount(2_000))
      #expect(
        try await count { ($0.attributes, $0.states) = (["customer": "10"], [.dead]) }
          == RunCount(200))
      let groups = try await journal.errorGroups(atMost: 3)
      #expect(groups.count == 3 && groups.allSatisfy { $0.sample == "no" })
      #expect(groups.map(\.runs.number) == [286, 286, 286])
      var query = RunQuery(limit: 3)
      query.keyPrefix = "order-"
      query.order = .lastStoppedFirst
      #expect(
        try await journal.runs(query).runs.map(\.key)
          == ["order-19999", "order-19998", "order-19997"])
      try await journal.close()
    }
  }
#endif
