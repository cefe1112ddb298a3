#if INSPECTOR && SQLite
  import FieldstoneDurable
  import FieldstoneInspector
  import FieldstoneServing
  import FieldstoneTesting
  import Foundation
  import Testing

  @Suite("The inspector over every journal", .timeLimit(.minutes(10)))
  struct EveryJournalTests {
    private let folder: InspectedFolder

    init() throws { folder = try InspectedFolder() }

    /// A journal with runs in many states.
    private struct Scene {
      let desk: InspectedJournal
      let dead, receiving, late, due, paused, over: RunID

      var all: [RunID] { [dead, receiving, late, due, paused, over] }

      init(_ kind: InspectedKind, in folder: InspectedFolder) async throws {
        let desk = InspectedJournal(over: try await kind.make(in: folder))
        self.desk = desk
        dead = try await desk.deadRun(key: "order 17", error: "No COURIER goes there.")
        receiving = try await desk.receivingRun("approval")
        late = try await desk.start()
        for run in try await desk.claim() where run.record.id == late {
          try await desk.journal.park(
            Parking(
              claim: InspectedJournal.claim(of: run.record),
              reason: .retry(at: desk.now.date + 60, error: "Busy.")), at: desk.now)
        }
        due = try await desk.start(#"{"read":{}}"#, flow: "import", attributes: ["customer": "ada"])
        paused = try await desk.start(#"{"read":{}}"#, flow: "import", key: "paused 1")
        try await desk.journal.pause(.run(paused), until: nil, at: desk.now)
        over = try await desk.start(#"{"read":{}}"#, flow: "import")
        try await desk.journal.change(over, .cancel, at: desk.now)
      }

      func state(of id: RunID) async throws -> RunState? { try await desk.journal.run(id)?.state }

      /// The rows of a run, newest first, as their actions and actors.
      func rows(of id: RunID) async throws -> [String] {
        try await desk.journal.audit(AuditQuery(subject: .run(id))).records.map {
          "\($0.action.rawValue) by \($0.actor ?? "nobody")"
        }
      }

      func expect(_ ids: [RunID], by target: String) async {
        let page = await desk.get(target)
        #expect(page.status == 200, "\(target)")
        for (number, id) in all.enumerated() {
          #expect(
            page.text.contains("/runs/\(id)") == ids.contains(id), "\(target), run \(number)")
        }
      }
    }

    @Test(
      "The overview has the figures of each flow, the errors and what is paused",
      arguments: InspectedKind.allCases)
    func overview(kind: InspectedKind) async throws {
      let scene = try await Scene(kind, in: folder)
      let page = await scene.desk.get("/")
      #expect(page.status == 200)
      let text = page.text
      #expect(text.contains(#"<a class="dead" href="/runs?flow=order&amp;state=dead">1</a>"#))
      #expect(text.contains(#"<a class="ready" href="/runs?flow=import&amp;state=ready">2</a>"#))
      #expect(text.contains(#"href="/runs/\#(scene.dead)""#))
      #expect(text.contains("No COURIER goes there.") && text.contains("Most frequent errors"))
      #expect(text.contains("<h2>Paused</h2>"))
    }

    @Test(
      "A fork's form that is sent again answers with the same fork",
      arguments: InspectedKind.allCases)
    func forkTwice(kind: InspectedKind) async throws {
      let desk = InspectedJournal(over: try await kind.make(in: folder))
      for key in [nil, "order 17"] {
        let id = try await desk.deadRun(key: key)
        let form = InspectedJournal.hidden(in: await desk.get("/runs/\(id)/fork").text)
        let review = await desk.post("/runs/\(id)/fork", form + [("from", "0")]).text
        let values = InspectedJournal.hidden(in: review)
        let first = await desk.post("/runs/\(id)/fork", values)
        let second = await desk.post("/runs/\(id)/fork", values)
        #expect(first.status == 303 && first.headers["Location"] == second.headers["Location"])
        let forks = try await desk.journal.runs(RunQuery()).runs.filter { $0.origin?.run == id }
        #expect(forks.count == 1)
      }
    }

    @Test("Each filter finds its runs", arguments: InspectedKind.allCases)
    func filters(kind: InspectedKind) async throws {
      let scene = try await Scene(kind, in: folder)
      let (dead, receiving, late) = (scene.dead, scene.receiving, scene.late)
      let (due, paused, over) = (scene.due, scene.paused, scene.over)
      let print = ErrorFingerprint(of: "No COURIER goes there.")
      let wanted: [(String, [RunID])] = [
        ("", scene.all), ("flow=order", [dead, receiving, late]), ("flow=none", []),
        ("state=dead", [dead]), ("state=ready", [receiving, late, due, paused]),
        ("state=dead&state=cancelled", [dead, over]), ("state=running", []),
        ("key=order+17", [dead]), ("key=order", []), ("prefix=order", [dead]),
        ("prefix=paused", [paused]), ("attribute=customer%3Dada", [due]),
        ("attribute=customer%3Deve", []), ("since=2001-01-01", scene.all),
        ("since=2999-01-01", []), ("until=2999-01-01", scene.all), ("until=2001-01-01", []),
        ("stopped-since=2001-01-01", [dead, over]), ("stopped-until=2001-01-01", []),
        ("error=courier", [dead]), ("error=.", [dead, late]), ("fingerprint=\(print)", [dead]),
        ("fingerprint=0000000000000000", []), ("wait=due", [due]), ("wait=retry", [late]),
        ("wait=signal", [receiving]), ("wait=paused", [paused]), ("wait=children", []),
        ("wait=time", []), ("wait=limit", []), ("wait=quarantine", []),
        ("order=oldestFirst", scene.all), ("order=newestFirst", scene.all),
        ("order=firstStoppedFirst", [dead, over]), ("order=lastStoppedFirst", [dead, over]),
        ("wait=retry&error=busy&flow=order&state=ready", [late]),
      ]
      for (query, ids) in wanted { await scene.expect(ids, by: "/runs?\(query)") }
      for query in ["wait=nobody", "fingerprint=1", "order=any", "until=soon", "state=lost"] {
        #expect(await scene.desk.get("/runs?\(query)").status == 400)
      }
    }

    @Test("Pages of the table hold each run once", arguments: InspectedKind.allCases)
    func pages(kind: InspectedKind) async throws {
      let desk = InspectedJournal(over: try await kind.make(in: folder))
      var ids: [RunID] = []
      for number in 0..<60 { ids.append(try await desk.start("\(number)", key: "key \(number)")) }
      for order in ["newestFirst", "oldestFirst"] {
        let first = await desk.get("/runs?flow=order&order=\(order)").text
        let match = try #require(
          first.firstMatch(of: /href="(\/runs\?[^"]*(?:before|after)=[^"]*)"/), "\(order)")
        let next = await desk.get(String(match.1).replacing("&amp;", with: "&")).text
        let wanted = order == "newestFirst" ? ids.reversed() : ids
        for (place, id) in wanted.enumerated() {
          #expect(first.contains("/runs/\(id)\"") == (place < 50), "\(order), \(place)")
          #expect(next.contains("/runs/\(id)\"") == (place >= 50), "\(order), \(place)")
        }
      }
    }

    @Test("A run's page has its stages as they were written", arguments: InspectedKind.allCases)
    func run(kind: InspectedKind) async throws {
      let scene = try await Scene(kind, in: folder)
      let id = try await scene.desk.longRun(
        [#"{"copy":{"row":1}}"#, #"{"copy":{"row":12345678901234567890}}"#], flow: "long")
      let page = await scene.desk.get("/runs/\(id)")
      #expect(page.status == 200 && page.text.contains("worker-1"))
      let lines = page.text.split(separator: "\n").map { $0.replacing(/<[^>]*>/, with: "") }
      #expect(lines.contains { $0.contains("&quot;row&quot;: 12345678901234567890") })
      let stage = await scene.desk.get("/runs/\(id)/stages/0.json")
      #expect(stage.text == #"{"copy":{"row":1}}"#)
      #expect(await scene.desk.get("/runs/\(scene.dead)").text.contains("No COURIER goes there."))
      #expect(
        await scene.desk.get("/runs/\(scene.receiving)").text
          .contains("Waits for the signal <code>approval</code>"))
      #expect(await scene.desk.get("/runs/\(scene.paused)").text.contains("is paused"))
      let missing = RunID(at: scene.desk.now.date)
      #expect(await scene.desk.get("/runs/\(missing)").status == 404)
    }

    @Test(
      "Retry, edit and cancel change their run, with an audit row each",
      arguments: InspectedKind.allCases)
    func actions(kind: InspectedKind) async throws {
      let scene = try await Scene(kind, in: folder)
      let (desk, id) = (scene.desk, scene.dead)
      let stage = #"{"send":{"to":"Ísafjörður"}}"#
      #expect(
        await desk.act("edit", on: id, [("payload", stage), ("version", "2")]).status == 303)
      let edited = try #require(try await desk.journal.run(id))
      #expect(edited.payload == Data(stage.utf8) && edited.version == 2)
      #expect(edited.sequence == 1 && edited.state == .ready)
      #expect(await desk.act("cancel", on: id).status == 303)
      #expect(try await scene.state(of: id) == .cancelled)
      #expect(await desk.act("retry", on: id).status == 303)
      #expect(try await scene.state(of: id) == .ready)
      #expect(
        try await scene.rows(of: id)
          == ["retry by inspector", "cancel by inspector", "edit by inspector"])
      let page = await desk.get("/changes").text
      #expect(page.contains(">edit</th>") && page.contains(#"href="/runs/\#(id)""#))
    }

    @Test("A claim says from whom it took a run over", arguments: InspectedKind.allCases)
    func takenOver(kind: InspectedKind) async throws {
      let desk = InspectedJournal(over: try await kind.make(in: folder))
      let id = try await desk.start()
      func claim(_ worker: String) async throws -> ClaimedRun? {
        let request = ClaimRequest(
          worker: worker, flows: [.init(flow: "order", version: 1, limit: 9)], lease: .seconds(30))
        return try await desk.journal.claim(request, at: desk.now).runs.first
      }
      let first = try #require(try await claim("worker-1"))
      #expect(first.record.id == id && first.takenFrom == nil)
      desk.time.advance(by: .seconds(31))
      let second = try #require(try await claim("worker-2"))
      #expect(second.takenFrom == "worker-1" && second.record.worker == "worker-2")
      try await desk.journal.park(
        Parking(
          claim: InspectedJournal.claim(of: second.record),
          reason: .retry(at: desk.now.date, error: "Busy.")), at: desk.now)
      // It was given back: nobody had it.
      #expect(try #require(try await claim("worker-1")).takenFrom == nil)
    }

    @Test("A signal gets to its run once, with one audit row", arguments: InspectedKind.allCases)
    func signal(kind: InspectedKind) async throws {
      let scene = try await Scene(kind, in: folder)
      let (desk, id) = (scene.desk, scene.receiving)
      let values = [("name", "approval"), ("payload", #"{"by":"Ada"}"#), ("identifier", "s-1")]
      for _ in 0..<2 { #expect(await desk.act("signal", on: id, values).status == 303) }
      #expect(try await scene.rows(of: id) == ["signal by inspector"])
      let claimed = try await desk.claim()
      #expect(claimed.map(\.record.id) == [id])
      #expect(claimed.first?.signal?.payload == Data(#"{"by":"Ada"}"#.utf8))
      #expect(claimed.first?.signal?.name == "approval" && claimed.first?.signal?.actor == nil)
      let page = await desk.get("/changes").text
      #expect(page.contains(">signal</th>") && page.contains("approval"))
      #expect(!page.contains("Ada"))
    }

    @Test(
      "All runs of a filter are changed once their number is typed",
      arguments: InspectedKind.allCases)
    func bulk(kind: InspectedKind) async throws {
      let scene = try await Scene(kind, in: folder)
      let desk = scene.desk
      var ids = [scene.due, scene.paused]
      for number in 0..<9 {
        ids.append(try await desk.start("\(number)", flow: "import", key: "import \(number)"))
      }
      let page = await desk.get("/all/cancel?flow=import").text
      #expect(page.contains("The filter finds 11 runs that allow it."))
      let form = InspectedJournal.hidden(in: page)
      #expect(await desk.post("/all/cancel?flow=import", form + [("count", "12")]).status == 422)
      #expect(try await scene.state(of: scene.due) == .ready)
      let done = await desk.post("/all/cancel?flow=import", form + [("count", "11")])
      #expect(done.headers["Location"] == "/runs?flow=import&done=cancel&changed=11&skipped=0")
      for id in ids {
        #expect(try await scene.state(of: id) == .cancelled)
        #expect(try await scene.rows(of: id).first == "cancel by inspector")
      }
      #expect(try await scene.state(of: scene.late) == .ready)
      #expect(try await scene.rows(of: scene.late).isEmpty)
    }

    @Test(
      "A part of all stages of a filter is edited, exact to the last digit",
      arguments: InspectedKind.allCases)
    func bulkEdit(kind: InspectedKind) async throws {
      let scene = try await Scene(kind, in: folder)
      let desk = scene.desk
      var ids: [RunID] = []
      for number in 0..<9 {
        ids.append(
          try await desk.start("{\"copy\":{\"row\":\(number).10,\"of\":1}}", flow: "import"))
      }
      let target = "/all/edit?flow=import"
      let form = InspectedJournal.hidden(in: await desk.get(target).text)
      let patch = ("payload", #"{"copy":{"of":12345678901234567890}}"#)
      let review = await desk.post(target, form + [patch, ("version", "2")]).text
      #expect(review.contains("The patch changes 9 runs."))
      let done = await desk.post(target, InspectedJournal.hidden(in: review) + [("count", "9")])
      #expect(done.headers["Location"] == "/runs?flow=import&done=edit&changed=9&skipped=0")
      for (number, id) in ids.enumerated() {
        let run = try #require(try await desk.journal.run(id))
        #expect(
          run.payload
            == Data(#"{"copy":{"row":\#(number).10,"of":12345678901234567890}}"#.utf8))
        #expect(run.version == 2 && run.sequence == 1)
        #expect(try await scene.rows(of: id) == ["edit by inspector"])
      }
      for id in [scene.due, scene.paused] {
        #expect(try await desk.journal.run(id)?.payload == Data(#"{"read":{}}"#.utf8))
      }
    }
  }
#endif
