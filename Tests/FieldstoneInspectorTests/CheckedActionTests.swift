#if INSPECTOR
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneInspector
  import FieldstoneServing
  import Foundation
  import Testing

  @Suite("An inspector with the code of flows")
  struct CheckedActionTests {
    private enum Order: DurableStage {
      case send(to: String)

      func next(in context: DurableContext<Void>) async throws -> DurableStep<Self, String> {
        .complete("")
      }
    }

    private struct Approval: Codable {
      var by: String
      var isGranted: Bool
    }

    private static let approved = SignalName(
      "approved", example: Approval(by: "Ada", isGranted: true))

    private let desk: InspectedJournal

    init() throws {
      desk = try InspectedJournal(completed: { inspector in
        try inspector.checking([DurableFlow(Order.self, name: "order")]).offering(Self.approved)
      })
    }

    private func stage(of id: RunID) async throws -> String? {
      try await desk.journal.run(id).map { String(decoding: $0.payload, as: UTF8.self) }
    }

    @Test("An edit that the flow can't decode is refused before it is asked about")
    func edit() async throws {
      let id = try await desk.start()
      let form = await desk.get("/runs/\(id)/edit").text
      #expect(form.contains("A stage that the flow can"))
      let refused = await desk.act("edit", on: id, [("payload", #"{"post":{}}"#)])
      #expect(refused.status == 422)
      #expect(refused.text.contains("post"))
      #expect(try await stage(of: id) == #"{"send":{"to":"Akureyri"}}"#)
      let edited = await desk.act("edit", on: id, [("payload", #"{"send":{"to":"Bergen"}}"#)])
      #expect(edited.status == 303)
      #expect(try await stage(of: id) == #"{"send":{"to":"Bergen"}}"#)
    }

    @Test("Of all found, those whose new stage the flow can't decode are counted apart and stay")
    func editAll() async throws {
      let good = try await desk.start()
      let bad = try await desk.start(#"{"send":{"from":"Bergen"}}"#)
      let target = "/all/edit?flow=order"
      let form = InspectedJournal.hidden(in: await desk.get(target).text)
      let review = await desk.post(target, form + [("payload", #"{"send":{"by":"sea"}}"#)]).text
      #expect(review.contains("The patch changes 1 run."))
      #expect(review.contains("1 run is left alone, because the flow can"))
      #expect(review.contains("\(bad)"))
      let done = await desk.post(target, InspectedJournal.hidden(in: review) + [("count", "1")])
      #expect(done.headers["Location"] == "/runs?flow=order&done=edit&changed=1&skipped=0")
      #expect(try await stage(of: good) == #"{"send":{"to":"Akureyri","by":"sea"}}"#)
      #expect(try await stage(of: bad) == #"{"send":{"from":"Bergen"}}"#)
    }

    @Test("A flow whose code is not here is edited unchecked, and the page says so")
    func otherFlow() async throws {
      let id = try await desk.start(#"{"read":{}}"#, flow: "import")
      #expect(await desk.get("/runs/\(id)/edit").text.contains("is not checked"))
      #expect(await desk.act("edit", on: id, [("payload", #"{"any":{}}"#)]).status == 303)
      #expect(try await stage(of: id) == #"{"any":{}}"#)
    }

    @Test("A fork from a stage that the flow can't decode is refused, and skipped of all found")
    func fork() async throws {
      let id = try await desk.blockedRun(#"{"post":{}}"#)
      #expect(await desk.act("fork", on: id, [("from", "0")]).status == 422)
      let target = "/all/fork?flow=order&stage=0"
      let form = InspectedJournal.hidden(in: await desk.get(target).text) + [("count", "1")]
      let done = await desk.post(target, form)
      #expect(done.headers["Location"] == "/runs?flow=order&done=fork&changed=0&skipped=1")
      #expect(try await desk.journal.runs(RunQuery()).runs.map(\.id) == [id])
    }

    @Test("Blocked runs are tried without a change: which would go on, and which not and why")
    func trial() async throws {
      let bad = try await desk.blockedRun(#"{"post":{}}"#)
      let good = try await desk.blockedRun(#"{"send":{"to":"Oslo"}}"#)
      _ = try await desk.blockedRun(#"{"read":{}}"#, flow: "import")
      try await desk.start()
      #expect(await desk.get("/runs?state=blocked").text.contains(#"href="/trial?state=blocked""#))
      let page = await desk.get("/trial?state=blocked")
      #expect(page.status == 200)
      #expect(
        page.text.contains("Of 2 blocked runs, 1 would go on and 1 would be blocked again."))
      #expect(page.text.contains("1 more have flows or versions whose code is not here."))
      let rows = page.text.components(separatedBy: "<tr>").filter { $0.contains("/runs/") }
      #expect(rows.count == 2)
      #expect(rows.first?.contains("\(bad)") == true)
      #expect(rows.first?.contains("goes on") == false)
      #expect(rows.last?.contains("\(good)") == true)
      #expect(rows.last?.contains("goes on") == true)
      #expect(try await desk.journal.run(good)?.state == .blocked)
      let other = InspectedJournal()
      #expect(await other.get("/trial?state=blocked").status == 404)
    }

    @Test("A trial goes on where it stopped, carries its totals, and pages its table")
    func longTrial() async throws {
      let bad = try await desk.blockedRun(#"{"post":{}}"#)
      for _ in 0..<1_010 { try await desk.start(#"{"send":{"to":"Oslo"}}"#) }
      let last = try await desk.start(#"{"post":{}}"#)
      while true {
        let runs = try await desk.claim()
        if runs.isEmpty { break }
        for run in runs {
          try await desk.journal.park(
            Parking(
              claim: InspectedJournal.claim(of: run.record), reason: .blocked(error: "unreadable")),
            at: desk.now)
        }
      }
      let page = await desk.get("/trial?state=blocked").text
      #expect(page.contains("Of 1,000 blocked runs, 999 would go on and 1 would be blocked again."))
      #expect(page.contains("Page 1 of 5") && page.contains("\(last)"))
      let second = try #require(page.firstMatch(of: /href="([^"]*page=2)"/))
      let next = await desk.get(String(second.1).replacing("&amp;", with: "&")).text
      #expect(next.contains("Page 2 of 5") && !next.contains("\(last)"))
      #expect(next.contains("Of 1,000 blocked runs"))
      let link = try #require(page.firstMatch(of: /href="(\/trial[^"]*from=[^"]*)">Continue</))
      let rest = await desk.get(String(link.1).replacing("&amp;", with: "&")).text
      #expect(
        rest.contains("Of 1,012 blocked runs, 1,010 would go on and 2 would be blocked again."))
      #expect(rest.contains("the table has the last 12.") && rest.contains("\(bad)"))
      #expect(!rest.contains(">Continue<"))
      for query in ["from=7", "good=-1", "failed=many", "page=x"] {
        #expect([400, 404].contains(await desk.get("/trial?\(query)").status))
      }
    }

    /// Records the queries for runs.
    private struct Recorded: JournalDecorator {
      let decorated: any Journal = InMemoryJournal()
      let queries = Locked<[RunQuery]>([])

      func runs(_ query: RunQuery) async throws -> RunPage {
        queries.withLock { $0.append(query) }
        return try await decorated.runs(query)
      }
    }

    @Test("A trial of a filter with many runs that are not blocked looks through the blocked ones")
    func boundedTrial() async throws {
      let journal = Recorded()
      let desk = InspectedJournal(over: journal)
      let inspector = desk.inspector.checking([DurableFlow(Order.self, name: "order")])
      for tenant in ["a", "b"] {
        try await desk.start(attributes: ["tenant": .string(tenant)])
      }
      for run in try await desk.claim() {
        try await journal.park(
          Parking(
            claim: InspectedJournal.claim(of: run.record), reason: .blocked(error: "unreadable")),
          at: desk.now)
      }
      for _ in 0..<1_000 {
        try await desk.start(flow: "import", attributes: ["tenant": .string("a")])
      }
      journal.queries.withLock { $0 = [] }
      let page = await inspector.response(
        to: SiteRequest(
          target: "/trial?state=blocked&attribute=tenant%3Da",
          headers: ["Host": "localhost:8471"]))
      #expect(page.text.contains("Of 1 blocked runs, 1 would go on"))
      let queries = journal.queries.withLock { $0 }
      #expect(!queries.isEmpty && queries.allSatisfy { $0.attributes.isEmpty })
    }

    @Test("A signal begins with its example, and a payload of another type is refused")
    func signal() async throws {
      let id = try await desk.receivingRun("approved")
      let form = await desk.get("/runs/\(id)/signal").text
      #expect(form.contains("&quot;by&quot;: &quot;Ada&quot;"))
      #expect(form.contains(#"<option value="approved">"#))
      let approved = [("name", "approved"), ("identifier", "1")]
      let refused = await desk.act("signal", on: id, approved + [("payload", #"{"by":7}"#)])
      #expect(refused.status == 422)
      #expect(refused.text.contains("That is no payload of the signal “approved”"))
      let payload = #"{"by":"Grace","isGranted":false}"#
      #expect(await desk.act("signal", on: id, approved + [("payload", payload)]).status == 303)
      let free = [("name", "noted"), ("identifier", "2"), ("payload", "7")]
      #expect(await desk.act("signal", on: id, free).status == 303)
    }

    @Test("A signal to all begins with an example, and a payload of another type is refused")
    func signalToAll() async throws {
      _ = try await desk.start()
      let page = await desk.get("/all/signal").text
      // The only signal that is known.
      #expect(page.contains(#"name="name" value="approved""#))
      #expect(page.contains("&quot;by&quot;: &quot;Ada&quot;"))
      let other = await desk.get("/all/signal?flow=order&name=noted").text
      #expect(other.contains(#"name="name" value="noted""#))
      #expect(other.contains(#"href="/all/signal?flow=order&amp;name=approved">approved</a>"#))
      let form =
        InspectedJournal.hidden(in: page) + [("name", "approved"), ("count", "1")]
      let refused = await desk.post("/all/signal", form + [("payload", #"{"by":7}"#)])
      #expect(refused.status == 422)
      #expect(refused.text.contains("That is no payload of the signal “approved”"))
      #expect(try await desk.journal.audit(AuditQuery()).records.isEmpty)
      let payload = #"{"by":"Grace","isGranted":false}"#
      #expect(await desk.post("/all/signal", form + [("payload", payload)]).status == 303)
      #expect(try await desk.journal.audit(AuditQuery()).records.count == 1)
    }
  }
#endif
