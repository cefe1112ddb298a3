#if INSPECTOR
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneInspector
  import FieldstoneTesting
  import Foundation
  import Testing

  @Suite("The inspector's figures of the last hour", .timeLimit(.minutes(20)))
  struct OverviewFigureTests {
    private let desk = InspectedJournal()

    /// Records the queries of counts.
    private struct Counted: JournalDecorator {
      let decorated: any Journal = InMemoryJournal()
      let queries = Locked<[RunQuery]>([])

      func count(_ query: RunQuery, atMost limit: Int) async throws -> RunCount {
        queries.withLock { $0.append(query) }
        return try await decorated.count(query, atMost: limit)
      }

      /// The number of counts by start times since the last call.
      func takeStarted() -> Int {
        queries.withLock { queries in
          defer { queries = [] }
          return queries.count { $0.since != nil }
        }
      }
    }

    /// Opens the overview until it has a text.
    private func open(_ desk: InspectedJournal, until text: String) async {
      while !(await desk.get("/").text.contains(text)), !Task.isCancelled { await Task.yield() }
    }

    @Test("Minutes that are over are not counted again")
    func kept() async throws {
      let journal = Counted()
      let desk = InspectedJournal(over: journal)
      try await desk.start(many: 6_000)
      desk.time.advance(by: .seconds(60))
      try await desk.start(many: 5_000)
      desk.time.advance(by: .seconds(720))
      // The first page has the youngest runs alone; the next has all.
      await open(desk, until: "Started: 11,000 in the last hour")
      #expect(journal.takeStarted() == 60)
      desk.time.advance(by: .seconds(5))
      try await desk.start()
      await open(desk, until: "Started: 11,001 in the last hour")
      #expect(journal.takeStarted() == 11)
      // Of both minutes, the first is over an hour old.
      desk.time.advance(by: .seconds(2_820))
      try await desk.start()
      await open(desk, until: "Started: 5,002 in the last hour")
      #expect(journal.takeStarted() == 60 - 2)
    }

    @Test("After a long time without a page, the first one has the numbers of now")
    func afterPause() async throws {
      try await desk.start()
      #expect(await desk.get("/").text.contains("Started: 1 in the last hour"))
      desk.time.advance(by: .seconds(7_200))
      for _ in 0..<3 { try await desk.start() }
      #expect(await desk.get("/").text.contains("Started: 3 in the last hour"))
    }

    @Test("The last hour has charts with their figures in words, and a table")
    func charts() async throws {
      _ = try await desk.deadRun()
      desk.time.advance(by: .seconds(1_500))
      for _ in 0..<3 { try await desk.start() }
      let page = await desk.get("/").text
      #expect(page.contains("Started: 4 in the last hour, at most 3 in a minute"))
      #expect(page.contains("3 since 2026-11-18 11:27 UTC."))
      #expect(page.contains("Dead or blocked: 1 in the last hour, at most 1 in a minute"))
      #expect(page.contains("Completed: none in the last hour."))
      // 25 minutes ago, and in this minute.
      #expect(page.contains(#"d="M136 32h3v15h-3zM236 1h3v46h-3z""#))
      let rows = page.matches(of: /<td class="number">(\d+)<\/td>/).compactMap { Int($0.1) }
      #expect(rows.contains(3))
    }

    @Test("What is older than an hour is in no chart")
    func old() async throws {
      _ = try await desk.deadRun()
      desk.time.advance(by: .seconds(3_601))
      try await desk.start()
      let page = await desk.get("/").text
      #expect(page.contains("Started: 1 in the last hour"))
      #expect(page.contains("Dead or blocked: none in the last hour."))
    }

    @Test("A question mark for a flow whose runs were not read is explained where there is one")
    func unread() async throws {
      let older = InspectedJournal()
      for desk in [desk, older] {
        if desk === older {
          try await desk.start(flow: "slow")
          let cancelled = try await desk.start(flow: "slow")
          try await desk.journal.change(cancelled, .cancel, at: desk.now)
        }
        for _ in 0..<101 { try await desk.start() }
        let page = await desk.get("/").text
        #expect(page.contains("A plus stands where"))
        #expect(page.contains(">?</span>") == (desk === older))
        #expect(page.contains("and a question mark where none") == (desk === older))
      }
    }

    @Test("A run that began long ago and ends now is counted, however many are younger")
    func many() async throws {
      let old = try await desk.start("0", flow: "slow")
      let claimed = try #require(try await desk.claim("slow").first?.record)
      desk.time.advance(by: .seconds(1_200))
      for number in 0..<10_001 {
        if number == 6_000 { desk.time.advance(by: .seconds(600)) }
        _ = try await desk.start("\(number)")
      }
      for run in try await desk.claim("order") {
        let claim = InspectedJournal.claim(of: run.record)
        try await desk.journal.park(
          Parking(claim: claim, reason: .dead(error: "No.")), at: desk.now)
      }
      try await desk.journal.checkpoint(
        Checkpoint(
          claim: InspectedJournal.claim(of: claimed), version: 1,
          next: .completion(Data("1".utf8)), beganAt: desk.now.date, lease: .seconds(30)),
        at: desk.now)
      // The first page has the youngest runs alone; the next has all.
      _ = await desk.get("/")
      var page = ""
      while !page.contains("Started: 10,002 in the last hour") {
        page = await desk.get("/").text
        if Task.isCancelled { break }
        await Task.yield()
      }
      #expect(page.contains("Completed: 1 in the last hour"))
      #expect(page.contains("Dead or blocked: 100 in the last hour"))
      #expect(page.contains("Started: 10,002 in the last hour"))
      #expect(try await desk.journal.run(old)?.state == .completed)
    }

    @Test("A flow behind the runs of a busy one is listed, and its own page counts its runs")
    func busy() async throws {
      for number in 0..<2 { try await desk.start("\(number)", flow: "slow") }
      for number in 0..<10_001 { _ = try await desk.start("\(number)") }
      var page = ""
      while !page.contains("10,000+") {
        page = await desk.get("/").text
        if Task.isCancelled { break }
        await Task.yield()
      }
      #expect(page.contains("/flow?name=slow") && page.contains(#"<span class="quiet">?</span>"#))
      let flow = await desk.get("/flow?name=slow").text
      #expect(flow.contains(#"<span class="figure">2</span>"#) && !flow.contains("0+"))
    }

    @Test("An empty journal has no charts, and workers are listed where some have runs")
    func workers() async throws {
      #expect(!(await desk.get("/").text.contains("The last hour")))
      let other = InspectedJournal()
      try await other.start()
      _ = try await other.claim()
      let page = await other.get("/").text
      #expect(page.contains("Workers with runs") && page.contains("<code>worker-1</code>"))
    }
  }
#endif
