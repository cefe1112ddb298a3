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

    /// Every page and file, of a journal and of the live objects.
    nonisolated static let pages = [
      "/", "/runs", "/runs/$id", "/runs/$id/retry", "/runs/$id/edit", "/runs/$id/copy",
      "/runs/$id/path.svg", "/runs/$id/stages/0.json", "/all/retry", "/all/signal", "/watched",
      "/watched/1",
      "/flow?name=order", "/pause?flow=order", "/resume?run=$id", "/runs/$id/children",
      "/schedules", "/schedules/run?name=nightly",
      "/timeline", "/timeline.json", "/keys", "/find?q=a", "/live?page=/runs", "/inspector.js",
    ]

    /// Every form.
    nonisolated static let forms = [
      "/runs/$id/retry", "/runs/$id/cancel", "/runs/$id/edit", "/runs/$id/signal", "/all/retry",
      "/all/signal", "/all/cancel", "/pause?flow=order", "/resume?flow=order", "/watched/1/reload",
      "/watched/1/force", "/timeline/pause", "/timeline/clear", "/schedules/pause?name=nightly",
      "/schedules/run?name=nightly",
    ]

    private func dead() async throws -> RunID {
      let users = Integrator(
        provider: desk.inspector.forcing(ClosureProvider { 1 }, as: "Users"),
        errorHandlers: ErrorHandlers())
      desk.inspector.watch(users, as: "Users")
      return try await desk.deadRun()
    }

    private func form(of id: RunID) async -> [(String, String)] {
      InspectedJournal.hidden(in: await desk.get("/runs/\(id)/retry").text)
        + [("count", "1"), ("counted", "1"), ("youngest", "\(id)"), ("load", "error")]
        + [("payload", "1"), ("name", "n"), ("identifier", "i")]
    }

    @Test(
      "A name that was rebound to this machine reads nothing", arguments: pages,
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
      let run = try await desk.journal.run(id)
      let response = await desk.post(
        target.replacing("$id", with: "\(id)"), await form(of: id), headers)
      #expect(response.status == 403)
      #expect(try await desk.journal.run(id) == run)
    }

    @Test("A form without our secret changes nothing", arguments: forms, ["", "0", "guess"])
    func forged(_ target: String, _ secret: String) async throws {
      let id = try await dead()
      let run = try await desk.journal.run(id)
      let values = await form(of: id).filter { $0.0 != "form-token" } + [("form-token", secret)]
      let response = await desk.post(target.replacing("$id", with: "\(id)"), values)
      #expect(response.status == 403)
      #expect(try await desk.journal.run(id) == run)
    }

    @Test(
      "Another method is none of ours", arguments: ["PUT", "DELETE", "OPTIONS", "TRACE", "get", ""])
    func method(_ method: String) async throws {
      let response = await desk.inspector.response(
        to: InspectorRequest(method: method, target: "/", headers: ["Host": "localhost"]))
      #expect(response.status == 405 && response.headers["Allow"] == "GET, HEAD, POST")
    }

    nonisolated static let addresses: [(String, Int)] = [
      ("/runs/../../etc/passwd", 404), ("/runs/%2e%2e%2f%2e%2e%2fetc", 404),
      ("/runs/$id/stages/-1.json", 404), ("/runs/$id/stages/0", 404),
      ("/runs/$id/stages/9999999999999999999999.json", 404),
      ("/runs/$id/stages/0.json%00", 404), ("/runs/$id/delete", 404),
      ("/runs?state=all", 400), ("/runs?before=x", 404), ("/runs?since=yesterday", 400),
      ("/runs/$id?before=1e9", 400), ("/runs/%00", 404), ("/runs/'%20OR%201=1--", 404),
      ("/all/edit", 404), ("/all/retry?state=%3Cscript%3E", 400), ("/watched/0", 404),
      ("/watched/-1", 404), ("/watched/99999999999999999999", 404), ("/watched/1/reload", 404),
      ("/timeline?kind=%3Cscript%3E", 400), ("/timeline?before=-", 400),
      ("/timeline.json?kind=x", 400), ("/live?page=http://evil.example/", 404),
      ("/live?page=/live?page=/", 404), ("/live", 404), ("//evil.example/", 404),
      ("/\\evil.example", 404), ("http://evil.example/", 404), ("*", 404), ("", 404),
      ("/runs?" + String(repeating: "state=dead&", count: 300), 200),
      ("/" + String(repeating: "a", count: 4_096), 414),
      ("/runs/$id/edit?payload=%7B%7D&confirmed=yes", 200),
    ]

    @Test("An address that is made up gets its status", arguments: addresses)
    func address(_ target: String, _ status: Int) async throws {
      let id = try await dead()
      let run = try await desk.journal.run(id)
      let response = await desk.get(target.replacing("$id", with: "\(id)"))
      #expect(response.status == status)
      #expect(try await desk.journal.run(id) == run)
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
#endif
