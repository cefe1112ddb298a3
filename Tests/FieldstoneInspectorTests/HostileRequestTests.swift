#if INSPECTOR
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneInspector
  import FieldstoneLoading
  import FieldstoneServing
  import Foundation
  import Testing

  /// Requests of several kinds, each of which must get its status and change nothing.
  @MainActor
  @Suite("Hostile requests")
  struct HostileRequestTests {
    private let desk = InspectedJournal()

    /// Every page and file, of a journal and of the live objects, with the status for its own reader.
    nonisolated static let pages: [(target: String, status: Int)] = [
      ("/", 200), ("/runs", 200), ("/runs/$id", 200), ("/runs/$id/children", 200),
      ("/runs/$id/retry", 200), ("/runs/$id/edit", 200), ("/runs/$id/fork", 200),
      ("/runs/$id/fork?from=0", 200), ("/runs/$id/cancel", 409), ("/runs/$id/signal", 409),
      ("/runs/$id/copy", 200), ("/runs/$id/path.svg", 200), ("/runs/$id/stages/0.json", 200),
      ("/all/retry", 200), ("/all/pause", 200), ("/all/resume", 200), ("/all/signal", 200),
      ("/all/edit?flow=order", 200), ("/all/fork", 200), ("/all/cancel", 200),
      ("/all/purge", 200), ("/trial?state=blocked", 404), ("/watched", 200), ("/watched/1", 200),
      ("/flow?name=order", 200), ("/limits", 200), ("/workers", 200), ("/changes", 200),
      ("/pause?flow=order", 200), ("/resume?run=$id", 200), ("/schedules", 200),
      ("/schedules/run?name=nightly", 200), ("/schedules/pause?name=nightly", 200),
      ("/schedules/resume?name=nightly", 200), ("/schedules/remove?name=nightly", 200),
      ("/timeline", 200), ("/timeline.json", 200), ("/keys", 200), ("/find?q=a", 303),
      ("/live?page=/runs", 200), ("/inspector.js", 200), ("/inspector.css", 200),
      ("/icon.svg", 200),
    ]

    nonisolated static let targets = pages.map(\.target)

    /// Every form, with the status for its own reader; the run is dead, and the watched object is
    /// released, so some actions find nothing to act on.
    nonisolated static let posts: [(target: String, status: Int)] = [
      ("/runs/$id/retry", 303), ("/runs/$id/cancel", 409), ("/runs/$id/edit", 303),
      ("/runs/$id/signal", 409), ("/runs/$id/fork", 303), ("/all/retry", 303),
      ("/all/pause", 303), ("/all/resume", 303), ("/all/signal", 303),
      ("/all/edit?flow=order", 303), ("/all/fork", 303), ("/all/cancel", 303),
      ("/all/purge", 303), ("/pause?flow=order", 303), ("/resume?flow=order", 303),
      ("/schedules/run?name=nightly", 303), ("/schedules/pause?name=nightly", 303),
      ("/schedules/resume?name=nightly", 303), ("/schedules/remove?name=nightly", 303),
      ("/watched/1/reload", 409), ("/watched/1/retry", 409), ("/watched/1/cancel", 409),
      ("/watched/1/force", 303), ("/timeline/pause", 303), ("/timeline/resume", 303),
      ("/timeline/clear", 303),
    ]

    nonisolated static let forms = posts.map(\.target)

    private func dead() async throws -> RunID {
      let users = Integrator(
        provider: desk.inspector.forcing(ClosureProvider { 1 }, as: "Users"),
        errorHandlers: ErrorHandlers())
      desk.inspector.watch(users, as: "Users")
      _ = try await desk.journal.set(
        FlowSchedule(
          name: "nightly", flow: "import", version: 1, stage: "1",
          timing: .every(.seconds(86_400), from: desk.now.date)), by: nil, at: desk.now)
      return try await desk.deadRun()
    }

    private func form(of id: RunID) async -> [(String, String)] {
      InspectedJournal.hidden(in: await desk.get("/runs/\(id)/retry").text)
        + [("count", "1"), ("counted", "1"), ("oldest", "\(id)"), ("youngest", "\(id)")]
        + [("payload", #"{"send":{"to":"Graz"}}"#), ("name", "n"), ("identifier", "i")]
        + [("change", "\(RunID(at: desk.now.date))"), ("from", "0"), ("load", "error")]
    }

    /// All that a request might change: the run, pauses, schedules, the audit, and the timeline.
    private func everything(_ id: RunID) async throws -> [String] {
      let journal = desk.journal
      return [
        "\(try await journal.run(id) as Any)", "\(try await journal.pauses())",
        "\(try await journal.schedules())", "\(try await journal.count(RunQuery()))",
        "\(try await journal.audit(AuditQuery()).records)", await desk.get("/timeline.json").text,
        await desk.get("/watched/1").text,
      ]
    }

    @Test("Its reader gets each page, and no other site is allowed to read it", arguments: pages)
    func own(_ target: String, _ status: Int) async throws {
      let id = try await dead()
      let response = await desk.get(
        target.replacing("$id", with: "\(id)"), ["Origin": "https://evil.example"])
      #expect(response.status == status)
      #expect(!response.allowsOtherSites)
    }

    @Test(
      "A form of its reader is taken, so others are refused for what they are", arguments: posts)
    func ownForm(_ target: String, _ status: Int) async throws {
      let id = try await dead()
      let response = await desk.post(target.replacing("$id", with: "\(id)"), await form(of: id))
      #expect(response.status == status)
      #expect(!response.allowsOtherSites)
    }

    @Test(
      "A name that was rebound to this machine reads nothing", arguments: targets,
      ["evil.example", "127.0.0.1.evil.example", "169.254.169.254"])
    func rebinding(_ page: String, _ host: String) async throws {
      let id = try await dead()
      let response = await desk.get(page.replacing("$id", with: "\(id)"), ["Host": host])
      #expect(response.status == 403)
      #expect(!response.text.contains("order") && !response.text.contains("\(id)"))
    }

    @Test(
      "A form of another site changes nothing", arguments: forms,
      [
        ["Origin": "https://evil.example"], ["Origin": "null"],
        ["Origin": "http://localhost:9999"], ["Sec-Fetch-Site": "cross-site"],
        ["Sec-Fetch-Site": "same-site"],
      ])
    func crossSite(_ target: String, _ headers: [String: String]) async throws {
      let id = try await dead()
      let before = try await everything(id)
      let response = await desk.post(
        target.replacing("$id", with: "\(id)"), await form(of: id), headers)
      #expect(response.status == 403 && !response.allowsOtherSites)
      #expect(try await everything(id) == before)
    }

    @Test("A form without our secret changes nothing", arguments: forms, ["", "0", "guess"])
    func forged(_ target: String, _ secret: String) async throws {
      let id = try await dead()
      let before = try await everything(id)
      let values = await form(of: id).filter { $0.0 != "form-token" } + [("form-token", secret)]
      let response = await desk.post(target.replacing("$id", with: "\(id)"), values)
      #expect(response.status == 403)
      #expect(try await everything(id) == before)
    }

    @Test(
      "Another method is none of ours", arguments: ["PUT", "DELETE", "OPTIONS", "TRACE", "get", ""])
    func method(_ method: String) async throws {
      let headers = [
        "Host": "localhost", "Origin": "https://evil.example",
        "Access-Control-Request-Method": "POST",
      ]
      let response = await desk.inspector.response(
        to: SiteRequest(method: method, target: "/", headers: headers))
      #expect(response.status == 405 && response.headers["Allow"] == "GET, HEAD, POST")
      #expect(!response.allowsOtherSites)
    }

    nonisolated static let addresses: [(String, Int)] = [
      ("/runs/../../etc/passwd", 404), ("/runs/%2e%2e%2f%2e%2e%2fetc", 404),
      ("/runs/$id/stages/-1.json", 404), ("/runs/$id/stages/0", 404),
      ("/runs/$id/stages/9999999999999999999999.json", 404),
      ("/runs/$id/stages/0.json%00", 404), ("/runs/$id/delete", 404),
      ("/runs?state=all", 400), ("/runs?before=x", 404), ("/runs?since=yesterday", 400),
      ("/runs/$id?before=1e9", 400), ("/runs/%00", 404), ("/runs/'%20OR%201=1--", 404),
      ("/all/edit", 400), ("/all/edit?flow=order", 200), ("/all/start", 404),
      ("/all/retry?state=%3Cscript%3E", 400), ("/watched/0", 404),
      ("/watched/-1", 404), ("/watched/99999999999999999999", 404), ("/watched/1/reload", 404),
      ("/timeline?kind=%3Cscript%3E", 400), ("/timeline?before=-", 400),
      ("/timeline.json?kind=x", 400), ("/live?page=http://evil.example/", 404),
      ("/live?page=/live?page=/", 404), ("/live", 404), ("//evil.example/", 404),
      ("/\\evil.example", 404), ("http://evil.example/", 404), ("*", 404), ("", 404),
      ("/runs?" + String(repeating: "state=dead&", count: 300), 200),
      ("/" + String(repeating: "a", count: 4_096), 414),
      ("/runs/$id/edit?payload=%7B%7D&confirmed=yes", 200),
      ("/runs/$id/fork?from=-1", 400), ("/runs/$id/fork?from=x", 400),
      ("/runs/$id/fork?from=99999999999999999999", 400),
      ("/runs/$id/fork?from=9223372036854775807", 200), ("/runs/$id/fork?from=", 200),
      ("/runs/$id/retry?from=x", 200), ("/runs/$id/children?after=1.2.3", 400),
      ("/runs/$id/children?after=-", 400), ("/all/edit?flow=", 400), ("/all/fork?stage=-1", 400),
      ("/all/fork?stage=9223372036854775807", 200), ("/all", 404), ("/all/", 404),
      ("/limits/1", 404), ("/workers/worker-1", 404), ("/changes?before=x", 400),
      ("/changes?row=%00", 400), ("/trial?state=x", 404), ("/pause", 400), ("/resume?run=x", 404),
      ("/schedules/run?name=", 404), ("/schedules/start?name=nightly", 404),
      ("/watched/1/cancel", 404), ("/watched/1/force", 404), ("/timeline/pause", 404),
      ("/live?page=/limits", 200), ("/live?page=/runs/$id/retry", 200), ("/icon.svg/..", 404),
      ("/inspector.js?v=%3Cscript%3E", 200), ("/flow", 404), ("/flow?name=%00", 200),
    ]

    @Test("An address that is made up gets its status", arguments: addresses)
    func address(_ target: String, _ status: Int) async throws {
      let id = try await dead()
      let before = try await everything(id)
      let response = await desk.get(target.replacing("$id", with: "\(id)"))
      #expect(response.status == status)
      #expect(try await everything(id) == before)
    }

    /// Bytes as a form sends them, whatever they are.
    private func escaped(_ bytes: some Sequence<UInt8>) -> String {
      bytes.map { byte in
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "%0\(digits)" : "%\(digits)"
      }.joined()
    }

    nonisolated static let patch = #"{"send":{"to":"Graz"}}"#

    nonisolated static let patches: [(bytes: [UInt8], status: Int)] = [
      (Array(patch.utf8), 200),
      (Array(#"{"__proto__":{"to":"Graz"}}"#.utf8), 200),
      (Array(#"{"send":{"__proto__":{"to":true},"constructor":{"prototype":null}}}"#.utf8), 200),
      (Array(#"{"send":{"to":1e400}}"#.utf8), 422),
      (Array(#"{"send":{"to":"a","to":"b"}}"#.utf8), 200),
      ([], 422), (Array("{".utf8), 422), (Array("\u{FEFF}\(patch)".utf8), 422),
      (Array("\(patch)\0".utf8), 422), (Array("\(patch)\(patch)".utf8), 422),
      // As UTF-16, in both orders, with and without its mark, and as UTF-32.
      (patch.utf8.flatMap { [$0, 0] }, 422), (patch.utf8.flatMap { [0, $0] }, 422),
      ([0xFF, 0xFE] + patch.utf8.flatMap { [$0, 0] }, 422),
      ([0xFE, 0xFF] + patch.utf8.flatMap { [0, $0] }, 422),
      (patch.utf8.flatMap { [$0, 0, 0, 0] }, 422),
      // Not UTF-8 at all.
      (Array(#"{"send":""#.utf8) + [0xC0, 0xAF, 0xED, 0xA0, 0x80] + Array(#""}"#.utf8), 200),
      // Very deep, and as large as a form may be, and larger.
      ([UInt8](repeating: 0x5B, count: 100_000) + [UInt8](repeating: 0x5D, count: 100_000), 422),
      (Array(String(repeating: #"{"send":"#, count: 20_000).utf8), 422),
      (Array("\"\(String(repeating: "a", count: 340_000))\"".utf8), 200),
      (Array("\"\(String(repeating: "a", count: 350_000))\"".utf8), 413),
    ]

    @Test("A patch that is made up gets its status and writes nothing", arguments: patches)
    func patch(_ bytes: [UInt8], _ status: Int) async throws {
      let id = try await dead()
      let before = try await everything(id)
      let target = "/all/edit?flow=order"
      let token = InspectedJournal.hidden(in: await desk.get(target).text)
        .first { $0.0 == "form-token" }?.1
      let body = "form-token=\(token ?? "")&version=&payload=\(escaped(bytes))"
      let response = await desk.inspector.response(
        to: SiteRequest(
          method: "POST", target: target,
          headers: [
            "Host": "localhost:8471", "Origin": "http://localhost:8471",
            "Content-Type": "application/x-www-form-urlencoded",
          ], body: Array(body.utf8)))
      #expect(response.status == status)
      #expect(response.body.count < 4_000_000 && !response.allowsOtherSites)
      #expect(try await everything(id) == before)
    }

    @Test(
      "Names and values that were injected are text on every page",
      arguments: [
        "<script>alert(1)</script>", "\"onfocus=alert(1) autofocus=\"", "</title><script>",
        "javascript:alert(1)", "\r\nSet-Cookie: a=b", "%3Cscript%3E", "{{constructor}}",
      ])
    func injected(_ text: String) async throws {
      let users = Integrator(
        provider: desk.inspector.forcing(ClosureProvider { (text: String) in [text] }, as: text),
        errorHandlers: ErrorHandlers())
      desk.inspector.watch(users, as: text)
      _ = try await users(text)
      let query = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      for target in [
        "/watched", "/watched/1", "/timeline", "/timeline?text=\(query)", "/timeline?of=\(query)",
        "/timeline?from=\(query)", "/find?q=\(query)",
      ] {
        let response = await desk.get(target)
        let harmless = response.text.replacing("<script src=", with: "")
        #expect(!harmless.contains("<script>") && !harmless.contains(" onfocus="))
        #expect(!harmless.contains("\"onfocus=") && !harmless.contains("href=\"javascript"))
        #expect(response.headers["Set-Cookie"] == nil)
        #expect(response.headers.values.allSatisfy { !$0.contains("\n") && !$0.contains("\r") })
      }
    }
  }

  extension SiteResponse {
    /// Whether a header lets the scripts of other sites read the response.
    fileprivate var allowsOtherSites: Bool {
      headers.keys.contains { $0.lowercased().hasPrefix("access-control-") }
    }
  }
#endif
