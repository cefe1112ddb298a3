#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneInspector
  import FieldstoneServing
  import FieldstoneTesting
  import Foundation
  import Testing

  @Suite("The inspector's table of runs")
  struct RunTableTests {
    private let desk = InspectedJournal()

    /// The titles of the columns of a page's table.
    private func titles(_ page: String) -> [String] {
      page.matches(of: /<th scope="col">([^<]*)<\/th>/).map { String($0.1) }
    }

    @Test("The columns are chosen in the address, which paging and filters keep")
    func columns() async throws {
      for _ in 0..<51 { try await desk.start() }
      let usual = await desk.get("/runs").text
      #expect(
        titles(usual) == ["State", "Run", "Flow", "Stage", "Attempts", "Started", "Standing"])
      #expect(usual.contains(#"name="column" value="flow" checked"#))
      #expect(!usual.contains(#"name="column" value="version" checked"#))
      let query = "flow=order&column=version&column=state&column=attributes"
      let page = await desk.get("/runs?\(query)").text
      #expect(titles(page) == ["State", "Run", "Version", "Attributes"])
      #expect(page.contains(#"name="column" value="version" checked"#))
      #expect(!page.contains(#"name="column" value="flow" checked"#))
      #expect(page.contains("flow=order&amp;before="))
      #expect(page.contains("&amp;column=state&amp;column=version&amp;column=attributes\""))
      // The usual ones are not repeated in addresses.
      let names = ["standing", "started", "attempts", "stage", "flow", "state"]
      let again = await desk.get("/runs?" + names.map { "column=\($0)" }.joined(separator: "&"))
      #expect(again.text.contains("href=\"/runs?before="))
      #expect(again.text.firstMatch(of: #/href="\/runs\?before=[^"]*column/#) == nil)
      #expect(await desk.get("/runs?column=secret").status == 400)
    }

    @Test("Every column shows what its run has, escaped")
    func values() async throws {
      desk.time.advance(by: .seconds(1))
      var start = RunStart(
        id: RunID(at: desk.time.now), flow: "order", version: 3, payload: Data("1".utf8),
        notBefore: desk.time.now + 90, priority: 4, concurrencyKey: "<ada>")
      start.attributes = ["gift": .boolean(true), "note": .string("<b>")]
      _ = try await desk.journal.start(start, at: desk.now)
      let dead = try await desk.deadRun(error: "No <courier>.")
      let all = [
        "state", "flow", "version", "stage", "attempts", "priority", "concurrency", "started",
        "changed", "due", "worker", "attributes", "error", "standing",
      ]
      let page = await desk.get("/runs?" + all.map { "column=\($0)" }.joined(separator: "&")).text
      #expect(titles(page).count == all.count + 1)
      for text in [
        #"data-name="Version">3</td>"#, #"data-name="Priority">4</td>"#, "&lt;ada&gt;",
        "gift=true, note=&lt;b&gt;", #"data-name="Due"><time "#, "/runs/\(dead)",
      ] {
        #expect(page.contains(text), "\(text)")
      }
      // The standing leaves the error to its own column.
      let table = try #require(page.components(separatedBy: "<tbody>").last)
      #expect(table.components(separatedBy: "No &lt;courier&gt;.").count == 2)
      #expect(page.contains(#"role="region""#))
    }

    @Test("A flow and a stage are whole in the titles of their cells, which may be too narrow")
    func wholeTexts() async throws {
      let flow = "subscription-renewal-reminders-of-all-regions"
      try await desk.start(#"{"awaitConfirmationFromTheProvider":{}}"#, flow: flow)
      let page = await desk.get("/runs").text
      #expect(page.contains(#"<td class="at-flow" title="\#(flow)">"#))
      #expect(page.contains(#"title="awaitConfirmationFromTheProvider">"#))
    }

    @Test("Columns choose no runs: an action on all is recorded without them")
    func actions() async throws {
      try await desk.start()
      let target = "/all/cancel?flow=order&column=version"
      let form = InspectedJournal.hidden(in: await desk.get(target).text) + [("count", "1")]
      let response = await desk.post(target, form)
      #expect(
        response.headers["Location"]
          == "/runs?flow=order&column=version&done=cancel&changed=1&skipped=0")
      let changes = await desk.get("/changes").text
      #expect(changes.contains("1 runs of flow=order") && !changes.contains("column=version"))
    }

    @Test("Runs are filtered by the day on which they stopped")
    func stopped() async throws {
      let early = try await desk.deadRun()
      desk.time.advance(by: .seconds(86_400))
      let late = try await desk.deadRun()
      let ready = try await desk.start()
      // The first day is 2026-11-18.
      let wanted: [(String, [RunID])] = [
        ("stopped-since=2026-11-18", [early, late]), ("stopped-since=2026-11-19", [late]),
        ("stopped-until=2026-11-19", [early]), ("stopped-until=2026-11-18", []),
        ("stopped-since=2026-11-19&order=lastStoppedFirst&flow=order", [late]),
        ("stopped-since=2026-11-18T00:00", [early, late]),
        ("stopped-since=2026-11-18T23:59:59", [late]), ("stopped-until=2026-11-18T00:01", []),
      ]
      for (query, ids) in wanted {
        let page = await desk.get("/runs?\(query)").text
        for id in [early, late, ready] {
          #expect(page.contains("/runs/\(id)") == ids.contains(id), "\(query)")
        }
      }
      let page = await desk.get("/runs?stopped-since=2026-11-19").text
      #expect(
        page.contains(#"name="stopped-since" type="datetime-local" value="2026-11-19T00:00""#))
      #expect(page.contains(#"href="/all/retry?stopped-since=2026-11-19""#))
      for text in ["soon", "2026-11-18T", "2026-11-18T25:00", "2026-11-18T10:00junk", "2026-11-1"] {
        #expect(await desk.get("/runs?stopped-until=\(text)").status == 400, "\(text)")
      }
    }

    @Test(
      "The filters that are used seldom are shown once one of them is set",
      arguments: [
        ("", false), ("flow=order&state=ready&key=a&attribute=a%3Db&error=no", false),
        ("prefix=a", true), ("wait=retry", true), ("since=2026-11-18", true),
        ("until=2026-11-18", true), ("stopped-since=2026-11-18", true),
        ("stopped-until=2026-11-18", true), ("order=lastStoppedFirst&flow=order", true),
      ])
    func seldomFilters(query: String, areShown: Bool) async throws {
      let page = await desk.get("/runs?\(query)").text
      let tag = try #require(page.firstMatch(of: #/<details id="more-filters"[^>]*>/#)).output
      #expect(tag.contains("open") == areShown)
      #expect(page.contains(#"name="order""#))
    }

    @Test("The filters complete flows, keys and attributes, and offer the kinds of errors")
    func completion() async throws {
      desk.time.advance(by: .seconds(1))
      var start = RunStart(
        id: RunID(at: desk.time.now), flow: "import <x>", version: 1, key: "sheet <1>",
        payload: Data("1".utf8))
      start.attributes = ["customer": .string("ada"), "token": .string("s3cret")]
      _ = try await desk.journal.start(start, at: desk.now)
      _ = try await desk.deadRun(error: "Order 7 timed <out>.")
      let print = ErrorFingerprint(of: "Order 8 timed <out>.")
      let page = await desk.get("/runs").text
      for text in [
        #"<option value="import &lt;x&gt;">"#, #"<option value="customer=">"#,
        #"<option value="customer=ada">"#, #"<option value="sheet &lt;1&gt;">"#,
        #"<option value="\#(print)">Order 7 timed &lt;out&gt;.</option>"#,
      ] {
        #expect(page.contains(text), "\(text)")
      }
      #expect(!page.contains("s3cret"))
      let filtered = await desk.get("/runs?fingerprint=\(print)").text
      #expect(filtered.contains(#"<option value="\#(print)" selected>"#))
      // A kind that is not among the frequent ones stays in the form.
      let rare = await desk.get("/runs?fingerprint=00000000000000ab").text
      #expect(rare.contains(#"<option value="00000000000000ab" selected>00000000000000ab<"#))
    }

    @Test("Filters that each find many runs look through a bounded number, and go on from there")
    func mixed() async throws {
      func start(_ flow: String) async throws -> RunID {
        desk.time.advance(by: .milliseconds(1))
        var start = RunStart(
          id: RunID(at: desk.time.now), flow: flow, version: 1, payload: Data("1".utf8))
        start.attributes = ["customer": .string("ada")]
        return try await desk.journal.start(start, at: desk.now).id
      }
      let rare = try await start("rare")
      for _ in 0..<900 { _ = try await start("order") }
      // Few enough runs of the attribute: the journal tests all of them.
      let few = await desk.get("/runs?flow=rare&attribute=customer%3Dada").text
      #expect(few.contains("/runs/\(rare)") && few.contains(">1 run<"))
      for _ in 0..<1_200 { _ = try await start("order") }
      let page = await desk.get("/runs?flow=rare&attribute=customer%3Dada").text
      #expect(!page.contains("/runs/\(rare)"))
      #expect(page.contains("2,000 runs were looked through; Older goes on from there."))
      let match = try #require(page.firstMatch(of: /href="(\/runs\?flow=rare[^"]*before=[^"]*)"/))
      let older = await desk.get(String(match.1).replacing("&amp;", with: "&")).text
      #expect(older.contains("/runs/\(rare)") && older.contains("looked through, all there are."))
      // One filter alone has its index and its number.
      #expect(await desk.get("/runs?attribute=customer%3Dada").text.contains(">2,101 runs<"))
    }

    @Test("The longest due runs are exact, however many younger ones there are")
    func due() async throws {
      let oldest = try await desk.start(flow: "old")
      desk.time.advance(by: .seconds(600))
      for _ in 0..<120 { try await desk.start() }
      let page = await desk.get("/").text
      let table = try #require(page.components(separatedBy: "<h2>Longest due</h2>").last)
      let first = try #require(table.firstMatch(of: /\/runs\/([0-9A-Z]{26})/))
      #expect(first.1 == "\(oldest)")
      #expect(page.contains("In the order in which workers claim them"))
    }
  }
#endif
