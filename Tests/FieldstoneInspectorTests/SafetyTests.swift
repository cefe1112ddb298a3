#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneInspector
  import FieldstoneServing
  import Foundation
  import Testing

  @Suite("The inspector against hostile requests")
  struct SafetyTests {
    private let desk = InspectedJournal()

    static let hosts: [String?] = [
      nil, "", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example",
      "localhost@evil.example",
      "evil.example:8471", "localhost:8471:1", "localhost:http", "[::1", "[::1]x", "127.0.0.2",
      "localhost, evil.example",
    ]

    @Test("Another host is refused, as its name may be rebound", arguments: hosts)
    func host(_ host: String?) async {
      let headers = host.map { ["Host": $0] } ?? [:]
      let response = await desk.inspector.response(
        to: SiteRequest(target: "/", headers: headers))
      #expect(response.status == 403)
      #expect(!response.text.contains("orders.sqlite"))
    }

    @Test(
      "Names of this machine are served",
      arguments: ["localhost", "LOCALHOST:1", "127.0.0.1:8471", "[::1]:8471"])
    func ownHost(_ host: String) async {
      #expect(await desk.get("/", ["Host": host]).status == 200)
    }

    static let foreignHeaders: [[String: String]] = [
      ["Origin": "https://evil.example"], ["Origin": "null"], ["Origin": ""],
      ["Origin": "http://localhost:8472"], ["Origin": "http://localhost"],
      ["Origin": "ftp://localhost:8471"], ["Sec-Fetch-Site": "cross-site"],
      ["Sec-Fetch-Site": "same-site"], ["Sec-Fetch-Site": "none"],
    ]

    @Test("A post from another site changes nothing", arguments: foreignHeaders)
    func crossSite(_ headers: [String: String]) async throws {
      let id = try await desk.deadRun()
      let form = InspectedJournal.hidden(in: await desk.get("/runs/\(id)/retry").text)
      #expect(await desk.post("/runs/\(id)/retry", form, headers).status == 403)
      #expect(try await desk.journal.run(id)?.state == .dead)
    }

    @Test(
      "A post without the token of a form changes nothing",
      arguments: [
        nil, "", "0", String(repeating: "0", count: 32), String(repeating: "x", count: 9_999),
      ])
    func formToken(_ token: String?) async throws {
      let id = try await desk.deadRun()
      let form =
        [("sequence", "0"), ("confirmed", "yes")] + (token.map { [("form-token", $0)] } ?? [])
      #expect(await desk.post("/runs/\(id)/retry", form).status == 403)
      // The token of another inspector is none.
      let other = InspectedJournal()
      let foreign = InspectedJournal.hidden(
        in: await other.get("/runs/\(try await other.deadRun())/retry").text)
      #expect(await desk.post("/runs/\(id)/retry", foreign).status == 403)
      #expect(try await desk.journal.run(id)?.state == .dead)
    }

    @Test(
      "A form of another type is refused",
      arguments: ["text/plain", "application/json", "multipart/form-data; boundary=a", ""])
    func type(_ type: String) async throws {
      let id = try await desk.deadRun()
      let form = InspectedJournal.hidden(in: await desk.get("/runs/\(id)/retry").text)
      #expect(await desk.post("/runs/\(id)/retry", form, ["Content-Type": type]).status == 415)
    }

    @Test(
      "A read-only inspector has no actions and refuses them",
      arguments: ["retry", "cancel", "edit", "signal"])
    func readOnly(_ action: String) async throws {
      let desk = InspectedJournal { $0.isReadOnly = true }
      let id = try await desk.deadRun()
      let page = await desk.get("/runs/\(id)").text
      #expect(page.contains("read-only") && !page.contains("/\(id)/\(action)"))
      #expect(await desk.get("/runs/\(id)/\(action)").status == 403)
      #expect(
        await desk.post("/runs/\(id)/\(action)", [("sequence", "0"), ("confirmed", "yes")]).status
          == 403)
      #expect(try await desk.journal.run(id)?.state == .dead)
    }

    @Test("With a token, a browser shows it once and gets a cookie")
    func token() async throws {
      let desk = InspectedJournal { $0.token = "se;cret ø" }
      #expect(await desk.get("/").status == 401)
      #expect(await desk.get("/inspector.css").status == 401)
      #expect(await desk.get("/?token=secret").status == 401)
      #expect(await desk.get("/?token=").status == 401)
      let first = await desk.get("/runs?token=se%3Bcret%20%C3%B8")
      #expect(first.status == 303 && first.headers["Location"] == "/runs")
      let cookie = try #require(first.headers["Set-Cookie"])
      #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
      let value = String(cookie.prefix { $0 != ";" })
      #expect(first.headers["Referrer-Policy"] == "no-referrer")
      // The cookie can't be made of the token, nor the token of the cookie.
      #expect(!value.contains("73-65-3b") && !value.contains("secret"))
      #expect(await desk.get("/runs", ["Cookie": "a=b; \(value)"]).status == 200)
      #expect(await desk.get("/runs", ["Cookie": "a=b; \(value)0"]).status == 401)
      #expect(
        await desk.get("/runs", ["Cookie": value.replacing("fieldstone", with: "f")]).status == 401)
      // The token was for one use.
      #expect(await desk.get("/runs?token=se%3Bcret%20%C3%B8").status == 401)
      // The way on leads to no other host.
      let other = InspectedJournal { $0.token = "secret" }
      let way = await other.get("//evil.example?token=secret").headers["Location"]
      #expect(way == "/evil.example")
    }

    @Test(
      "A target that a link would take for another host is no page",
      arguments: ["//runs", "/\\runs", "//", "/runs//x"])
    func otherHost(_ target: String) async {
      #expect(await desk.get(target).status == 404)
    }

    static let targets: [(String, Int)] = [
      ("/runs/none", 404), ("/runs/%00", 404), ("/runs/..%2F..%2Fetc", 404), ("/../etc", 404),
      ("/runs/01M7ZPDGEEG7D4Z239M2CR1K92", 404), ("/runs/01M7ZPDGEEG7D4Z239M2CR1K92/retry", 404),
      ("/runs/01M7ZPDGEEG7D4Z239M2CR1K92/stages/0.json", 404), ("/runs/a/b/c/d", 404),
      ("/nothing", 404), ("/RUNS", 404), ("/%", 404), ("nothing", 404), ("", 404), ("*", 404),
      ("http://localhost/", 404), ("?", 404), ("/runs?state=%3Cscript%3E", 400),
      ("/runs?before=nothing", 404), ("/runs?since=yesterday", 400),
      ("/runs?since=99999999999-01-01", 400),
      ("/live", 404), ("/live?page=", 404), ("/live?page=/live?page=/live", 404),
      ("/live?page=//evil.example", 404), ("/live?page=http://evil.example/", 404),
      ("/runs?key=%FF%FE", 200), ("/runs?key=%", 200), ("/runs?key=%ZZ", 200),
      ("/runs?&&&=&=a&b", 200),
      ("/runs?flow=%00", 200), ("/?done=retry", 200), ("//", 404), ("/find?q=%0D%0AX:%201", 303),
      ("/" + String(repeating: "a", count: 4_096), 414),
      ("/runs?key=" + String(repeating: "%41", count: 1_300), 200),
      ("/" + String(repeating: "/", count: 4_000), 404),
      ("/runs?" + String(repeating: "state=dead&", count: 300), 200),
    ]

    @Test("A strange address has an answer", arguments: targets)
    func target(_ target: String, _ status: Int) async {
      let response = await desk.get(target)
      #expect(response.status == status)
      for value in response.headers.values { #expect(value == value.filter { !$0.isNewline }) }
    }

    @Test(
      "Numbers of stages that are none have an answer",
      arguments: [
        ("0", 200, 200), ("-1", 200, 404), ("1", 200, 404), ("99999999999999999999", 400, 404),
        ("-9223372036854775808", 200, 404), ("9223372036854775807", 200, 404), ("a", 400, 404),
        ("1e3", 400, 404), ("", 200, 404), ("%00", 400, 404), ("0x0", 400, 404),
      ])
    func sequence(_ text: String, _ page: Int, _ file: Int) async throws {
      let id = try await desk.start()
      #expect(await desk.get("/runs/\(id)?before=\(text)").status == page)
      #expect(await desk.get("/runs/\(id)/stages/\(text).json").status == file)
    }

    @Test(
      "Other methods are refused",
      arguments: ["PUT", "DELETE", "OPTIONS", "TRACE", "get", "", "PO ST"])
    func method(_ method: String) async {
      let response = await desk.inspector.response(
        to: SiteRequest(method: method, target: "/", headers: ["Host": "localhost"]))
      #expect(response.status == 405 && response.headers["Allow"] == "GET, HEAD, POST")
    }

    @Test("A body above a megabyte is refused")
    func body() async throws {
      let response = await desk.inspector.response(
        to: SiteRequest(
          method: "POST", target: "/runs", headers: ["Host": "localhost"],
          body: [UInt8](repeating: 97, count: (1 << 20) + 1)))
      #expect(response.status == 413)
    }

    static let texts = [
      "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "'-alert(1)-'",
      "</textarea><script>",
      "javascript:alert(1)", "\u{202E}\u{0301}<b>", "&lt;b&gt;", "\0<i>", "]]><x>", "{{7*7}}",
    ]

    @Test("What stands in a run is text on every page", arguments: texts)
    func injection(_ text: String) async throws {
      let stage = String(decoding: try JSONEncoder().encode([text: [text: text]]), as: UTF8.self)
      let key = text.replacing("\0", with: "")
      let id = try await desk.deadRun(stage, key: key, error: text)
      let find = key.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      let targets = [
        "/", "/runs", "/runs/\(id)", "/runs/\(id)/edit", "/runs/\(id)/retry",
        "/runs/\(id)?done=\(find)",
        "/runs?key=\(find)&flow=\(find)", "/runs?state=\(find)", "/runs/\(find)",
        "/runs/\(id)/path.svg",
      ]
      for target in targets {
        let page = await desk.get(target)
        let harmless = page.text.replacing("<script src=", with: "")
        for tag in ["<script>", "<img src=x", "<b>:", "<i>", "<x>", "href=\"javascript"] {
          #expect(!harmless.contains(tag), "\(target) has \(tag)")
        }
        #expect(page.headers["X-Content-Type-Options"] == "nosniff")
      }
      #expect(
        await desk.get("/runs/\(id)/stages/0.json").headers["Content-Type"] == "application/json")
    }

    static let payloads = [
      "{send", "", " ", "null", "\"\\", "[", "{\"a\":", "\u{FEFF}1",
      "{\"__proto__\":{\"constructor\":1}}", "\0{\0}", "{\"a\":1e999999999}",
      String(repeating: "[", count: 100_000),
      String(repeating: "[", count: 300) + String(repeating: "]", count: 300),
      "[" + String(repeating: "1,", count: 200_000) + "1]",
      "\"" + String(repeating: "a", count: 900_000) + "\"",
      "{\"" + String(repeating: "k", count: 900_000) + "\":1}",
      "[" + String(repeating: "\"" + String(repeating: "a", count: 3_000) + "\",", count: 300)
        + "1]",
    ]

    @Test("A damaged or huge stage is shown in part, and is no trap", arguments: payloads)
    func payload(_ payload: String) async throws {
      let id = try await desk.longRun([payload, "{\"a\":1}", payload], flow: "strange")
      for target in [
        "/", "/runs", "/runs/\(id)", "/runs/\(id)/path.svg", "/runs/\(id)/stages/0.json",
      ] {
        let page = await desk.get(target)
        #expect(page.status == 200)
        #expect(page.body.count < 2_000_000)
      }
      try await desk.journal.change(id, .cancel, at: desk.now)
      let isLong = payload.utf8.count > 256 * 1_024
      #expect(await desk.get("/runs/\(id)/edit").status == (isLong ? 413 : 200))
    }

    @Test("A stage whose form would be too large to be posted has none")
    func largeForm() async throws {
      // Each number has a line of its own there, so the form has some ten bytes for each.
      let id = try await desk.longRun(
        ["[" + String(repeating: "1,", count: 120_000) + "1]"], flow: "strange")
      try await desk.journal.change(id, .cancel, at: desk.now)
      let page = await desk.get("/runs/\(id)/edit")
      #expect(page.status == 413)
      #expect(String(decoding: page.body, as: UTF8.self).contains("fieldstone runs edit"))
    }

    @Test("Every page has its policy: nothing from or to elsewhere, no frame, no cache")
    func policy() async throws {
      let id = try await desk.start()
      for target in ["/", "/runs", "/runs/\(id)", "/nothing", "/inspector.js", "/live?page=/"] {
        let headers = await desk.get(target).headers
        #expect(!headers.keys.contains { $0.lowercased().hasPrefix("access-control-") })
        #expect(headers["Content-Security-Policy"]?.hasPrefix("default-src 'none';") == true)
        #expect(headers["X-Frame-Options"] == "DENY" && headers["Cache-Control"] == "no-store")
      }
      let page = await desk.get("/runs/\(id)").text
      #expect(!page.contains(" style=") && !page.contains("<style"))
    }
  }
#endif
