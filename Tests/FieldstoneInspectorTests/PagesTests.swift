#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneInspector
  import FieldstoneTesting
  import FieldstoneServing
  import Foundation
  import Testing

  @Suite("The inspector's pages")
  struct PagesTests {
    private let desk = InspectedJournal()

    @Test("The overview counts the runs of each flow by state, and shows those that need a person")
    func overview() async throws {
      let dead = try await desk.deadRun(key: "order 17")
      try await desk.start(flow: "import")
      try await desk.start(flow: "import")
      let page = await desk.get("/")
      #expect(page.status == 200)
      #expect(page.text.contains(#"<a class="dead" href="/runs?flow=order&amp;state=dead">1</a>"#))
      #expect(
        page.text.contains(#"<a class="ready" href="/runs?flow=import&amp;state=ready">2</a>"#))
      #expect(page.text.contains("Needs attention"))
      #expect(page.text.contains(#"href="/runs/\#(dead)""#))
      #expect(page.text.contains("Longest due"))
      #expect(page.text.contains("No courier."))
    }

    @Test("A page names only an address of its live part that is answered", arguments: [400, 420])
    func longAddress(length: Int) async throws {
      let target = "/runs?error=" + String(repeating: "%C3%BC", count: length)
      let page = await desk.get(target)
      #expect(page.status == 200)
      let live = page.text.firstMatch(of: /data-live="([^"]*)"/).map { String($0.1) }
      #expect((live != nil) == (length == 400))
      if let live {
        let tag = String(repeating: "f", count: 33)
        #expect(await desk.get("\(live)&tag=\(tag)").status == 200)
      }
    }

    @Test("An empty journal has an overview, too")
    func empty() async {
      let page = await desk.get("/")
      #expect(page.status == 200)
      #expect(page.text.contains("No run was ever started here."))
    }

    @Test("Figures beyond what is counted have a plus")
    func bounded() async throws {
      try await desk.start(many: 10_001)
      // No page waits for the long count, which goes on beside it.
      #expect(await desk.get("/").text.contains(">100+<"))
      var page = ""
      for _ in 0..<100_000 where !page.contains(">10,000+<") {
        page = await desk.get("/").text
        await Task.yield()
      }
      #expect(page.contains(">10,000+<"))
    }

    @Test("Runs are filtered by flow, state and key, and the filters stand in the address")
    func filters() async throws {
      let dead = try await desk.deadRun(key: "a & b")
      let ready = try await desk.start(flow: "import")
      let wanted: [(String, [RunID])] = [
        ("/runs", [dead, ready]), ("/runs?flow=import", [ready]), ("/runs?state=dead", [dead]),
        ("/runs?state=dead&state=ready", [dead, ready]), ("/runs?key=a+%26+b", [dead]),
        ("/runs?key=none", []), ("/runs?since=2999-01-01", []),
        ("/runs?since=2001-01-01", [dead, ready]),
      ]
      for (target, ids) in wanted {
        let page = await desk.get(target)
        #expect(page.status == 200)
        for id in [dead, ready] {
          #expect(page.text.contains("/runs/\(id)") == ids.contains(id), "\(target)")
        }
      }
      let page = await desk.get("/runs?key=a+%26+b&state=dead").text
      #expect(page.contains(#"name="key" value="a &amp; b""#))
      #expect(page.contains(#"name="state" value="dead" checked"#))
    }

    @Test(
      "Runs are filtered by an attribute, whose values are what they look like",
      arguments: [
        ("customer=ada", RunAttribute.string("ada")), ("weight=17", .integer(17)),
        ("weight=\"17\"", .string("17")), ("gift=true", .boolean(true)),
        ("until=2026-11-24T15:30:00.000Z", .date(Date(timeIntervalSince1970: 1_795_534_200))),
        ("note=a=b & <c>", .string("a=b & <c>")),
      ])
    func attributes(_ text: String, _ value: RunAttribute) async throws {
      let name = String(text.prefix { $0 != "=" })
      let other = try await desk.start()
      let id = RunID(at: desk.time.now)
      var start = RunStart(
        id: id, flow: "order", version: 1, payload: Data("{}".utf8))
      start.attributes = [name: value]
      _ = try await desk.journal.start(start, at: desk.now)
      let query = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      let found = await desk.get("/runs?attribute=\(query)").text
      #expect(found.contains("\(id)") && !found.contains("\(other)"))
      // The run's own page leads to the same.
      let page = await desk.get("/runs/\(id)").text
      #expect(page.contains("/runs?attribute="))
      for bad in ["customer", "=ada", ""] {
        let status = await desk.get("/runs?attribute=\(bad)").status
        #expect(status == (bad.isEmpty ? 200 : 400))
      }
    }

    @Test("Runs are paged: the link to older ones keeps the filters")
    func paging() async throws {
      var ids: [RunID] = []
      for _ in 0..<51 { ids.append(try await desk.start()) }
      let page = await desk.get("/runs?flow=order").text
      let next = "/runs?flow=order&amp;before=\(ids[1])"
      #expect(page.contains(#"href="\#(next)""#))
      #expect(!page.contains("/runs/\(ids[0])"))
      let older = await desk.get(next.replacing("&amp;", with: "&")).text
      #expect(older.contains("/runs/\(ids[0])"))
      #expect(!older.contains("/runs/\(ids[1])"))
    }

    @Test("An error can be scrolled with the keyboard, in the facts and in a stage")
    func error() async throws {
      let id = try await desk.deadRun(error: "No courier.\nNone at all.")
      try await desk.journal.change(id, .edit(Data("1".utf8), version: nil), at: desk.now)
      let edited = await desk.get("/runs/\(id)").text
      let dead = await desk.get("/runs/\(try await desk.deadRun())").text
      for page in [edited, dead] {
        #expect(page.contains(#"<pre class="error" tabindex="0">"#))
        #expect(!page.contains(#"<pre class="error">"#))
      }
    }

    @Test("A run is found by its identifier, else by its key")
    func find() async throws {
      let id = try await desk.start()
      let small = "\(id)".lowercased()
      #expect(await desk.get("/find?q=\(small)").headers["Location"] == "/runs/\(id)")
      #expect(await desk.get("/find?q=order+17").headers["Location"] == "/runs?key=order%2017")
    }

    @Test("A key that has the form of an identifier is found if no run has it as its identifier")
    func findKeyLikeIdentifier() async throws {
      let key = "01HZX3V8Q4M9T2R6Y7A5B0C1DE"
      for text in [key, key.lowercased()] {
        try await desk.start(key: text)
        let target = try #require(await desk.get("/find?q=\(text)").headers["Location"])
        #expect(target == "/runs?key=\(text)")
        #expect(await desk.get(target).text.contains(">\(text)</a>"))
      }
    }

    @Test("A key with white space at its ends is found as it is, any other without it")
    func findWhiteSpace() async throws {
      let key = " order 17\n"
      try await desk.start(key: key)
      try await desk.start(key: "order 18")
      for (text, found) in [
        ("+order+17%0A", "%20order%2017%0A"), ("+order+17", "order%2017"),
        ("+order+18%0A", "order%2018"),
      ] {
        #expect(await desk.get("/find?q=\(text)").headers["Location"] == "/runs?key=\(found)")
      }
      #expect(await desk.get("/find?q=+").headers["Location"] == "/runs")
    }

    @Test(
      "A run has its stages, with the difference from the one before and numbers to the last digit")
    func run() async throws {
      let id = try await desk.longRun([
        #"{"read":{"row":1,"total":0.1000000000000000055511151231257827}}"#,
        #"{"read":{"row":12345678901234567890,"total":0.1000000000000000055511151231257827}}"#,
      ])
      let page = await desk.get("/runs/\(id)").text
      #expect(page.contains("<del>"))
      let lines = page.split(separator: "\n").map { $0.replacing(/<[^>]*>/, with: "") }
      #expect(lines.contains { $0.hasSuffix("−     &quot;row&quot;: 1,") })
      #expect(lines.contains { $0.hasSuffix("+     &quot;row&quot;: 12345678901234567890,") })
      #expect(
        lines.contains {
          $0.hasSuffix("      &quot;total&quot;: 0.1000000000000000055511151231257827")
        })
      #expect(page.contains("worker-1"))
      let stage = await desk.get("/runs/\(id)/stages/0.json")
      #expect(stage.headers["Content-Type"] == "application/json")
      #expect(stage.text == #"{"read":{"row":1,"total":0.1000000000000000055511151231257827}}"#)
      #expect(await desk.get("/runs/\(id)/stages/7.json").status == 404)
    }

    @Test("The stages of a long run are paged, and the first of a page knows the one before it")
    func stages() async throws {
      let id = try await desk.longRun((0...120).map { #"{"page":{"number":\#($0)}}"# })
      let page = await desk.get("/runs/\(id)").text
      #expect(page.contains(#"id="stage-120""#) && page.contains(#"id="stage-70""#))
      #expect(!page.contains(#"id="stage-69""#))
      #expect(page.contains(#"href="/runs/\#(id)?before=70""#))
      let older = await desk.get("/runs/\(id)?before=70").text
      #expect(older.contains(#"id="stage-69""#) && older.contains(#"id="stage-20""#))
      #expect(!older.contains(#"id="stage-19""#) && !older.contains(#"id="stage-70""#))
      #expect(older.replacing(/<[^>]*>/, with: "").contains("&quot;number&quot;: 19"))
      let oldest = await desk.get("/runs/\(id)?before=20").text
      #expect(oldest.contains(#"id="stage-0""#) && !oldest.contains("before=0"))
    }

    @Test(
      "A run that waits says for what, and until when",
      arguments: [
        (["approval"], "<code>approval</code>", "The name that the stage receives by."),
        (
          ["a", "b", "c"], "<code>a</code>, <code>b</code> or <code>c</code>",
          "The stage receives “a” or “b” or “c”."
        ),
      ])
    func waiting(signals: [String], names: String, help: String) async throws {
      let id = try await desk.start()
      let claimed = try #require(try await desk.claim().first)
      try await desk.journal.checkpoint(
        Checkpoint(
          claim: InspectedJournal.claim(of: claimed.record), version: 1,
          next: .receiving(
            Data(#"{"approve":{}}"#.utf8), signals: signals, until: desk.now.date + 7_200),
          beganAt: desk.now.date, lease: .seconds(30)), at: desk.now)
      let page = await desk.get("/runs/\(id)").text
      #expect(page.contains("Waits for the signal \(names); times out "))
      #expect(page.contains(">in 2 h</time>"))
      let form = await desk.get("/runs/\(id)/signal").text
      #expect(form.contains(help))
    }

    @Test("A retry that waits has a countdown and its error")
    func retryLater() async throws {
      let id = try await desk.start()
      let claimed = try #require(try await desk.claim().first)
      try await desk.journal.park(
        Parking(
          claim: InspectedJournal.claim(of: claimed.record),
          reason: .retry(at: desk.now.date + 90, error: "Busy <line>")), at: desk.now)
      let page = await desk.get("/runs/\(id)").text
      #expect(page.contains("Next attempt ") && page.contains(">in 1 min 30 s</time>"))
      #expect(page.contains("Busy &lt;line&gt;"))
    }

    @Test("The path is a picture that needs nothing from elsewhere")
    func path() async throws {
      let id = try await desk.longRun([#"{"read":{}}"#, #"{"write":{}}"#])
      let picture = await desk.get("/runs/\(id)/path.svg")
      #expect(picture.headers["Content-Type"] == "image/svg+xml")
      #expect(picture.headers["Content-Security-Policy"]?.contains("sandbox") == true)
      #expect(picture.text.hasPrefix("<svg") && picture.text.contains(">write</text>"))
    }

    @Test("The live part comes again only where it has changed")
    func live() async throws {
      struct Part: Decodable {
        var tag: String
        var html: String?
      }
      try await desk.start()
      func part(_ tag: String) async throws -> Part {
        try JSONDecoder().decode(
          Part.self, from: Data(await desk.get("/live?page=%2Fruns&tag=\(tag)").body))
      }
      let first = try await part("")
      let html = try #require(first.html)
      #expect(await desk.get("/runs").text.contains(html))
      #expect(try await part(first.tag).html == nil)
      let id = try await desk.start()
      #expect(try await part(first.tag).html?.contains("/runs/\(id)") == true)
      #expect(await desk.get("/live?page=%2Fnowhere").status == 404)
    }

    @Test("Where only times pass, only their words come, and not the stages of a run that is over")
    func words() async throws {
      struct Part: Decodable {
        var tag: String
        var html: String?
        var words: [String]?
      }
      let id = try await desk.start()
      #expect(await desk.act("cancel", on: id).status == 303)
      func part(_ tag: String) async throws -> Part {
        try JSONDecoder().decode(
          Part.self, from: Data(await desk.get("/live?page=%2Fruns%2F\(id)&tag=\(tag)").body))
      }
      desk.time.advance(by: .seconds(192))
      let first = try await part("")
      #expect(first.html?.contains(">3 min 12 s ago</time>") == true && first.words == nil)
      let same = try await part(first.tag)
      #expect(same.html == nil && same.words == nil && same.tag == first.tag)
      desk.time.advance(by: .seconds(1))
      let later = try await part(first.tag)
      let words = try #require(later.words)
      #expect(later.html == nil && later.tag != first.tag)
      // The words of all times of the page, in its order.
      let page = await desk.get("/runs/\(id)").text
      let shown = page.matches(of: /<time [^>]*>([^<]*)<\/time>/).map { String($0.1) }
      #expect(words.contains("3 min 13 s ago") && words == shown)
      // What has changed besides comes whole.
      #expect(await desk.act("retry", on: id).status == 303)
      let retried = try await part(later.tag)
      #expect(retried.html != nil && retried.words == nil)
    }

    @Test("Pages stand under a prefix, and nowhere else then")
    func prefix() async throws {
      let desk = InspectedJournal { $0.path = "inspector/" }
      let id = try await desk.start()
      let page = await desk.get("/inspector/runs")
      #expect(page.text.contains(#"href="/inspector/runs/\#(id)""#))
      #expect(!page.text.contains(#"href="/runs"#))
      #expect(await desk.get("/inspector").status == 200)
      #expect(await desk.get("/runs").status == 404)
      #expect(await desk.get("/inspectors").status == 404)
    }

    @Test(
      "A prefix is percent-encoded, in links and in the cookie",
      arguments: [
        ("/a b", "/a%20b"), ("ü/", "/%C3%BC"), ("/a;b?#\r\n/(c)", "/a%3Bb%3F%23%0D%0A/(c)"),
        ("/a%20b/50%", "/a%20b/50%25"),
      ])
    func encodedPrefix(path: String, encoded: String) async throws {
      let desk = InspectedJournal {
        $0.path = path
        $0.token = "once"
      }
      let door = await desk.get("\(encoded)/?token=once")
      #expect(door.status == 303 && door.headers["Location"] == "\(encoded)/")
      let cookie = try #require(door.headers["Set-Cookie"])
      #expect(cookie.hasSuffix("; Path=\(encoded); HttpOnly; SameSite=Strict"))
      let session = ["Cookie": String(cookie.prefix { $0 != ";" })]
      let page = await desk.get("\(encoded)/runs", session)
      #expect(page.status == 200 && page.text.contains(#"href="\#(encoded)/workers""#))
      // Some proxies encode more.
      let other = encoded.replacing("(", with: "%28")
      #expect(await desk.get("\(other)/runs", session).status == 200)
      #expect(await desk.get("/runs", session).status == 404)
    }

    @Test("The answer to HEAD is that to GET: the server states its length and leaves it out")
    func head() async {
      for target in ["/", "/inspector.css", "/nothing"] {
        let request = SiteRequest(method: "HEAD", target: target, headers: ["host": "127.0.0.1"])
        let response = await desk.inspector.response(to: request)
        let wanted = await desk.get(target)
        #expect(response.status == wanted.status && response.body == wanted.body, "\(target)")
      }
    }
  }
#endif
