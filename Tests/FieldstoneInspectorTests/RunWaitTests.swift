#if INSPECTOR
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneInspector
  import FieldstoneTesting
  import FieldstoneServing
  import Foundation
  import Testing

  @Suite("The inspector's reasons of waiting, pauses, limits and children")
  struct RunWaitTests {
    private let desk = InspectedJournal()

    /// Posts the form of a page, and what it asks to be confirmed.
    private func post(_ target: String, _ values: [(String, String)]) async -> SiteResponse {
      let form = InspectedJournal.hidden(in: await desk.get(target).text)
      let review = await desk.post(target, form + values)
      guard review.status == 200, review.text.contains(#"name="confirmed""#) else { return review }
      return await desk.post(target, InspectedJournal.hidden(in: review.text))
    }

    /// A run that has started children of the flow `part` and waits for them.
    private func whole(of count: Int, until date: Date? = nil) async throws -> (RunID, [RunID]) {
      let id = try await desk.start(#"{"split":{}}"#, flow: "whole")
      let claimed = try #require(try await desk.claim("whole").first)
      let children = (0..<count).map { number in
        ChildStart(
          RunStart(
            id: RunID(at: desk.time.now), flow: "part", version: 1,
            payload: Data("\(number)".utf8)))
      }
      try await desk.journal.checkpoint(
        Checkpoint(
          claim: InspectedJournal.claim(of: claimed.record), version: 1,
          next: .joining(
            Data(#"{"gather":{}}"#.utf8), Checkpoint.Join(children, when: .all, until: date)),
          beganAt: desk.now.date, lease: .seconds(30)), at: desk.now)
      return (id, children.map(\.id))
    }

    /// A journal that counts the pauses that it gives.
    private struct Counted: JournalDecorator {
      let decorated: any Journal = InMemoryJournal()
      let given = Locked(0)

      func pauses() async throws -> [JournalPause] { noted(try await decorated.pauses()) }

      func pauses(of runs: [RunID]) async throws -> [JournalPause]? {
        noted(try await decorated.surveyedPauses(of: runs))
      }

      func firstPauses(atMost limit: Int) async throws -> [JournalPause]? {
        noted(try await decorated.surveyedPauses(atMost: limit))
      }

      private func noted(_ pauses: [JournalPause]) -> [JournalPause] {
        given.withLock { $0 += pauses.count }
        return pauses
      }
    }

    @Test("Of many paused runs a page reads the pauses of those that it shows")
    func manyPaused() async throws {
      let journal = Counted()
      let desk = InspectedJournal(over: journal)
      try await desk.journal.pause(.flow("bill"), until: nil, at: desk.now)
      let end = desk.now.date + 3_600
      var ids: [RunID] = []
      for _ in 0..<300 {
        let id = try await desk.start()
        try await desk.journal.pause(.run(id), until: end, at: desk.now)
        ids.append(id)
      }
      for (target, most) in [
        ("/", 130), ("/runs", 60), ("/runs?wait=paused", 60), ("/runs?wait=due", 60),
        ("/flow?name=order", 12), ("/runs/\(ids[7])", 3),
      ] {
        journal.given.withLock { $0 = 0 }
        let page = await desk.get(target)
        #expect(page.status == 200)
        #expect(journal.given.withLock { $0 } <= most, "\(target)")
        // Each shown run says until when.
        let isPaused = page.text.contains("It is paused until ")
        #expect(isPaused == (target != "/runs?wait=due"), "\(target)")
        #expect(!page.text.contains("It is paused until somebody"), "\(target)")
      }
      #expect(await desk.get("/").text.contains("There are 100+ pauses; the first are shown."))
      let reason = try await journal.waitReason(of: ids[3], at: desk.now.date)
      #expect(reason == .paused(JournalPause(.run(ids[3]), until: end)))
    }

    @Test("A parent and its children are linked both ways, and many children are paged")
    func children() async throws {
      let (id, children) = try await whole(of: 61)
      let page = await desk.get("/runs/\(id)").text
      #expect(page.contains("Waits for 61 of its children."))
      #expect(page.contains(#"href="/runs/\#(children[0])""#))
      #expect(!page.contains(#"href="/runs/\#(children[10])""#))
      #expect(page.contains(#"href="/runs/\#(id)/children""#))
      let child = await desk.get("/runs/\(children[0])").text
      #expect(child.contains(#"<a class="id" href="/runs/\#(id)">"#))
      #expect(!child.contains(#"id="children""#))
      let first = await desk.get("/runs/\(id)/children").text
      #expect(first.contains("\(children[49])") && !first.contains("\(children[50])"))
      #expect(first.contains(#"href="/runs/\#(id)/children?after=0.49""#))
      let next = await desk.get("/runs/\(id)/children?after=0.49").text
      #expect(next.contains("\(children[60])") && !next.contains("\(children[49])"))
      for text in ["1", "1.2.3", "a.b", "-", "1."] {
        #expect(await desk.get("/runs/\(id)/children?after=\(text)").status == 400)
      }
    }

    @Test("A parent says how its children have ended")
    func ends() async throws {
      let (id, children) = try await whole(of: 2)
      for run in try await desk.claim("part") where run.record.id == children[1] {
        try await desk.journal.park(
          Parking(
            claim: InspectedJournal.claim(of: run.record), reason: .dead(error: "No <part>.")),
          at: desk.now)
      }
      let page = await desk.get("/runs/\(id)").text
      #expect(page.contains("Waits for 1 of its children."))
      #expect(page.contains("it waits until the last one has ended<"))
      #expect(page.contains("No &lt;part&gt;."))
    }

    @Test("A run whose signal has arrived waits for a worker")
    func arrived() async throws {
      let id = try await desk.receivingRun("approval")
      let text = await desk.get("/runs/\(id)").text
      #expect(text.contains("Waits for the signal <code>approval</code>, without a time-out."))
      _ = try await desk.journal.signal(
        id,
        SignalRecord(id: "1", name: "approval", payload: Data("1".utf8), sentAt: desk.now.date),
        at: desk.now)
      let page = await desk.get("/runs/\(id)").text
      #expect(!page.contains("Waits for the signal"))
      #expect(page.contains("The signal <code>approval</code> has arrived; a worker that has room"))
      // Also where no worker can get it.
      try await desk.journal.setWorker(
        "w",
        to: WorkerRecord(
          name: "w", machine: "host", process: 7, protocolVersion: 9,
          flows: [.init(name: "import", version: 1)], startedAt: desk.now.date,
          lastSeenAt: desk.now.date, interval: .seconds(10), runCount: 0),
        at: desk.now)
      let unserved = await desk.get("/runs/\(id)").text
      #expect(!unserved.contains("Waits for the signal"))
      #expect(unserved.contains("has arrived; a worker that has room gets it next. No live worker"))
    }

    @Test("A blocked run waits, and nobody works on it")
    func blocked() async throws {
      let id = try await desk.blockedRun(#"{"post":{}}"#)
      desk.time.advance(by: .seconds(3_600))
      let page = await desk.get("/runs/\(id)").text
      #expect(!page.contains("worked 1 h") && page.contains("has waited 1 h"))
    }

    @Test("A flow whose pause is over has no badge")
    func ended() async throws {
      try await desk.start()
      try await desk.journal.pause(.flow("order"), until: desk.now.date + 60, at: desk.now)
      let badge = #"<span class="state paused">paused</span>"#
      for target in ["/", "/flow?name=order"] {
        #expect(await desk.get(target).text.contains(badge), "\(target)")
      }
      desk.time.advance(by: .seconds(60))
      for target in ["/", "/flow?name=order"] {
        #expect(!(await desk.get(target).text.contains(badge)), "\(target)")
      }
    }

    @Test("A pause until a date that is no number is shown", arguments: [Double.nan, .infinity])
    func noNumber(_ seconds: Double) async throws {
      try await desk.start()
      let until = Date(timeIntervalSince1970: seconds)
      try await desk.journal.pause(.flow("order"), until: until, at: desk.now)
      for target in ["/", "/flow?name=order", "/runs"] {
        #expect(await desk.get(target).status == 200, "\(target)")
      }
    }

    @Test("An attribute is found whose value begins with a combining mark")
    func combining() async throws {
      let id = try await desk.start(attributes: ["name": .string("\u{301}x")])
      let other = try await desk.start(attributes: ["name": .string("x")])
      let page = await desk.get("/runs?attribute=name%3D%CC%81x")
      #expect(page.status == 200)
      #expect(page.text.contains("/runs/\(id)") && !page.text.contains("/runs/\(other)"))
    }

    @Test("A flow, a key and a run are paused once that is confirmed, also until a time")
    func pause() async throws {
      let id = try await desk.start()
      for (target, page, end) in [
        ("/pause?flow=order", "/flow?name=order&done=pause", ""),
        ("/pause?flow=order&key=a+%26+b", "/flow?name=order&done=pause&key=a%20%26%20b", ""),
        ("/pause?run=\(id)", "/runs/\(id)?done=pause", "2026-11-19T00:30"),
      ] {
        let form = InspectedJournal.hidden(in: await desk.get(target).text)
        let review = await desk.post(target, form + [("until", end)])
        #expect(review.status == 200 && review.text.contains("?</h1>"))
        let before = try await desk.journal.pauses().count
        let done = await desk.post(target, InspectedJournal.hidden(in: review.text))
        #expect(done.status == 303 && done.headers["Location"] == page)
        #expect(try await desk.journal.pauses().count == before + 1)
        #expect(await desk.get(page).text.contains(" is paused."))
      }
      let pauses = try await desk.journal.pauses()
      #expect(
        pauses.map(\.target) == [
          .flow("order"), .concurrencyKey("a & b", flow: "order"), .run(id),
        ])
      #expect(pauses.map(\.until) == [nil, nil, Date(timeIntervalSince1970: 1_795_048_200)])
      #expect(await desk.get("/runs/\(id)").text.contains("Its flow is paused until somebody"))
      #expect(await desk.get("/").text.contains("<h2>Paused</h2>"))
      for target in ["/resume?flow=order", "/resume?run=\(id)"] {
        #expect(await post(target, []).status == 303)
      }
      #expect(
        try await desk.journal.pauses().map(\.target) == [.concurrencyKey("a & b", flow: "order")])
    }

    @Test(
      "A pause that can't be is refused with what was typed, and changes nothing",
      arguments: ["tomorrow", "2001-01-01T00:00", "2026-11-19", "99999999999"])
    func noPause(_ end: String) async throws {
      let response = await post("/pause?flow=order", [("until", end), ("confirmed", "yes")])
      #expect(response.status == 422 && response.text.contains(#"value="\#(end)""#))
      #expect(try await desk.journal.pauses().isEmpty)
    }

    @Test("What names nothing to pause is refused, and so is all of it when it only reads")
    func nothing() async throws {
      let id = try await desk.deadRun()
      #expect(await desk.get("/pause").status == 400)
      #expect(await desk.get("/pause?key=a").status == 400)
      #expect(await desk.get("/pause?run=a").status == 404)
      #expect(await desk.get("/pauses?flow=order").status == 404)
      #expect(await desk.get("/flow").status == 404)
      #expect(await post("/pause?run=\(id)", []).status == 409)
      let reader = InspectedJournal { $0.isReadOnly = true }
      #expect(await reader.get("/pause?flow=order").status == 403)
      #expect(!(await reader.get("/flow?name=order").text.contains("/pause")))
    }

    @Test("A flow has its figures, its limits and its pauses")
    func flow() async throws {
      try await desk.start()
      let bare = await desk.get("/flow?name=order").text
      #expect(bare.contains("keeps no limits") && bare.contains("Nothing of it is paused."))
      #expect(bare.contains(#"href="/runs?flow=order&amp;state=ready""#))
      try await desk.journal.setLimits(
        FlowLimits(runs: 20, perKey: .init(1), rate: .init(100, each: .seconds(60))), of: "order",
        replacing: true, at: desk.now)
      _ = try await desk.claim()
      let page = await desk.get("/flow?name=order").text
      #expect(page.contains("20 runs at a time, while a worker has them; "))
      #expect(page.contains("100 every 1 min"))
      #expect(page.contains("1 run at a time, from the first claim to the end"))
      try await desk.journal.setLimits(
        FlowLimits(runs: 7, counting: .wholeRun, whenStuck: .releases), of: "order",
        replacing: true, at: desk.now)
      let whole = await desk.get("/flow?name=order").text
      #expect(whole.contains("7 runs at a time, from the first claim to the end; a dead or"))
      #expect(whole.contains("gives its place up"))
      #expect(await desk.get("/flow?name=%3Cnone%3E").text.contains("<h1>&lt;none&gt;</h1>"))
      #expect(await desk.get("/").text.contains(#"href="/flow?name=order""#))
    }

    @Test("Runs are filtered by their error and by what they wait for")
    func filters() async throws {
      let dead = try await desk.deadRun(error: "No COURIER goes there.")
      let late = try await desk.start()
      for run in try await desk.claim() {
        try await desk.journal.park(
          Parking(
            claim: InspectedJournal.claim(of: run.record),
            reason: .retry(at: desk.now.date + 60, error: "Busy.")), at: desk.now)
      }
      let due = try await desk.start()
      let (parent, children) = try await whole(of: 1)
      try await desk.journal.pause(.run(children[0]), until: nil, at: desk.now)
      let all = [dead, late, due, parent, children[0]]
      let wanted: [(String, [RunID])] = [
        ("error=courier", [dead]), ("error=.", [dead, late]), ("error=%3Cscript%3E", []),
        ("wait=due", [due]), ("wait=retry", [late]), ("wait=children", [parent]),
        ("wait=paused", [children[0]]), ("wait=signal", []), ("wait=time", []),
        ("wait=due&state=dead", []), ("wait=retry&error=busy&flow=order", [late]),
        ("fingerprint=\(ErrorFingerprint(of: "No COURIER goes there."))", [dead]),
        ("fingerprint=0000000000000000", []), ("wait=limit", []), ("wait=quarantine", []),
        ("order=lastStoppedFirst", [dead]), ("until=2001-01-02", []),
        ("order=oldestFirst&state=ready", [late, due, parent, children[0]]),
      ]
      for (query, ids) in wanted {
        let page = await desk.get("/runs?\(query)")
        #expect(page.status == 200)
        for id in all {
          #expect(page.text.contains("/runs/\(id)") == ids.contains(id), "\(query) \(id)")
        }
      }
      for query in ["wait=nobody", "fingerprint=1", "order=any", "until=soon"] {
        #expect(await desk.get("/runs?\(query)").status == 400)
      }
      #expect(
        await desk.get("/all/cancel?error=courier").text.contains("No run of this filter allows it")
      )
      #expect(await desk.get("/all/retry?error=courier").text.contains("The filter finds 1 run"))
    }

    @Test("Pages in any order go on from their end, and say how many runs there are")
    func orders() async throws {
      var ids: [RunID] = []
      for number in 0..<60 {
        ids.append(try await desk.start("1", key: "key \(number)"))
        try await desk.journal.change(ids[number], .cancel, at: desk.now)
      }
      try await desk.start("1", key: "other")
      let first = await desk.get("/runs?prefix=key&order=firstStoppedFirst").text
      #expect(first.contains("\(ids[49])") && !first.contains("\(ids[50])"))
      #expect(first.contains(">60 runs<") && first.contains(">Next<"))
      let match = try #require(
        first.firstMatch(
          of: /href="(\/runs\?prefix=key&amp;order=firstStoppedFirst&amp;after=[^"]*)"/))
      let next = await desk.get(String(match.1).replacing("&amp;", with: "&")).text
      #expect(next.contains("\(ids[59])") && !next.contains("/runs/\(ids[49])"))
      #expect(await desk.get("/all/retry?prefix=key").text.contains("The filter finds 60 runs"))
    }

    @Test("The overview links the most frequent errors to their runs")
    func errors() async throws {
      for number in 0..<3 { _ = try await desk.deadRun(error: "Order \(number) <timed> out.") }
      let print = ErrorFingerprint(of: "Order 9 <timed> out.")
      let page = await desk.get("/").text
      #expect(page.contains("Most frequent errors") && page.contains("&lt;timed&gt;"))
      #expect(page.contains(#"href="/runs?fingerprint=\#(print)""#))
      #expect(await desk.get("/runs?fingerprint=\(print)").text.contains(">3 runs<"))
    }

    @Test(
      "A filter without an index looks through a bounded number of runs, and goes on from there")
    func bounded() async throws {
      let rare = try await desk.deadRun(error: "rare")
      for _ in 0..<2_001 { try await desk.start("1") }
      let page = await desk.get("/runs?error=rare").text
      #expect(!page.contains("\(rare)"))
      #expect(page.contains("2,000 runs were looked through; Older goes on from there."))
      let match = try #require(page.firstMatch(of: /href="(\/runs\?error=rare&amp;before=[^"]*)"/))
      let older = await desk.get(String(match.1).replacing("&amp;", with: "&")).text
      #expect(older.contains("\(rare)") && older.contains("2 runs were looked through, all there"))
    }
  }
#endif
