#if INSPECTOR
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneInspector
  import FieldstoneLoading
  import FieldstoneTesting
  import FieldstoneServing
  import Foundation
  import Testing

  @Suite("The inspector's server-sent events")
  struct LiveEventTests {
    private let desk = InspectedJournal()

    private struct Part: Decodable {
      var tag: String
      var html: String?
      var problem: String?
    }

    private func answer(
      _ target: String, _ headers: [String: String] = [:], method: String = "GET"
    ) async -> SiteAnswer {
      await desk.inspector.answer(
        SiteRequest(
          method: method, target: target,
          headers: ["Host": "localhost:8471", "Accept": "text/event-stream"].merging(headers) { $1 }
        ))
    }

    private func part(_ stream: EventStream) async throws -> Part? {
      guard let bytes = await stream.next() else { return nil }
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(text.hasPrefix("data: {") && text.hasSuffix("\n\n") && text.count { $0 == "\n" } == 2)
      return try JSONDecoder().decode(Part.self, from: Data(text.dropFirst(6).utf8))
    }

    @Test("An open page is followed by events, whose HTML comes only where it has changed")
    func follows() async throws {
      try await desk.start()
      guard case .events(let stream) = await answer("/live?page=%2Fruns") else {
        Issue.record("The page has no events.")
        return
      }
      let first = try #require(try await part(stream))
      let html = try #require(first.html)
      #expect(await desk.get("/runs").text.contains(html))
      stream.signal()
      #expect(try await part(stream)?.html == nil)
      let id = try await desk.start()
      stream.signal()
      #expect(try await part(stream)?.html?.contains("/runs/\(id)") == true)
      await stream.close()
      #expect(try await part(stream) == nil)
    }

    @Test("An open page gets the buttons of its state")
    @MainActor
    func buttons() async throws {
      func part(_ page: String, of desk: LiveDesk) async -> String {
        await desk.get("/live?page=\(page)").text.replacing("\\/", with: "/")
      }
      let live = LiveDesk()
      let users = Integrator(
        provider: live.inspector.forcing(ClosureProvider { 1 }, as: "Users"),
        errorHandlers: ErrorHandlers())
      live.inspector.watch(users, as: "Users")
      let before = await part("%2Fwatched%2F1", of: live)
      #expect(before.contains("/watched/1/reload") && !before.contains("/watched/1/retry"))
      #expect(before.contains("/watched/1/force"))
      #expect(await live.post("/watched/1/force", [("load", "error")]).status == 303)
      _ = await users.call().start().outcome
      #expect(await part("%2Fwatched%2F1", of: live).contains("/watched/1/retry"))
      #expect(await part("%2Ftimeline", of: live).contains("/timeline/pause"))
      #expect(await live.post("/timeline/pause", from: "/timeline").status == 303)
      #expect(await part("%2Ftimeline", of: live).contains("/timeline/resume"))
    }

    @Test("A flow's page goes from pausing to resuming while it is open")
    func flow() async throws {
      try await desk.start()
      func part() async -> String {
        await desk.get("/live?page=%2Fflow%3Fname%3Dorder").text.replacing("\\/", with: "/")
      }
      let before = await part()
      #expect(before.contains("/pause?flow=order") && !before.contains("/resume?flow"))
      try await desk.journal.pause(.flow("order"), until: nil, at: desk.now)
      #expect(await part().contains("/resume?flow=order"))
    }

    @Test("A browser that has the page already gets nothing of it again")
    func tag() async throws {
      try await desk.start()
      guard case .events(let stream) = await answer("/live?page=%2Fruns") else { return }
      let tag = try #require(try await part(stream)?.tag)
      guard case .events(let again) = await answer("/live?page=%2Fruns&tag=\(tag)") else {
        Issue.record("The page has no events.")
        return
      }
      #expect(try await part(again)?.html == nil)
    }

    @Test("A page that is gone says so in its events")
    func gone() async throws {
      let id = try await desk.start("1")
      #expect(await desk.act("cancel", on: id).status == 303)
      guard case .events(let stream) = await answer("/live?page=%2Fruns%2F\(id)") else {
        Issue.record("The page has no events.")
        return
      }
      #expect(try await part(stream)?.problem == nil)
      desk.time.advance(by: .seconds(90_000))
      try await desk.journal.purge(JournalRetention(runs: .zero), at: desk.now)
      stream.signal()
      #expect(try await part(stream)?.problem != nil)
    }

    @Test(
      "A stream is refused like any other request",
      arguments: [
        ("/live?page=%2Fnowhere", [:], 404), ("/live", [:], 404), ("/runs", [:], 404),
        ("/live?page=http://evil.example/", [:], 404), ("/live?page=%2Flive%3Fpage=%2F", [:], 404),
        ("/live?page=%2Fruns", ["Host": "evil.example"], 403),
        ("/live?page=%2Fruns", ["Sec-Fetch-Site": "cross-site"], 403),
        ("/live?page=%2Fruns", ["Sec-Fetch-Site": "same-site"], 403),
        ("/live?page=%2Fruns&" + String(repeating: "a", count: 4_096), [:], 414),
      ] as [(String, [String: String], Int)])
    func refused(_ target: String, _ headers: [String: String], _ status: Int) async {
      guard case .response(let response) = await answer(target, headers) else {
        Issue.record("It has events.")
        return
      }
      #expect(response.status == status)
    }

    @Test("Without a browser's session there are no events")
    func locked() async {
      let desk = InspectedJournal { $0.token = "secret" }
      let answer = await desk.inspector.answer(
        SiteRequest(
          target: "/live?page=%2Fruns",
          headers: ["Host": "localhost", "Accept": "text/event-stream"]))
      guard case .response(let response) = answer else {
        Issue.record("It has events.")
        return
      }
      #expect(response.status == 401)
    }

    @Test("Other requests get a response, also a form that says that it takes events")
    func others() async {
      guard case .response(let page) = await answer("/live?page=%2Fruns", ["Accept": "*/*"]) else {
        Issue.record("It has events.")
        return
      }
      #expect(page.status == 200 && page.headers["Content-Type"] == "application/json")
      guard case .response(let form) = await answer("/live?page=%2Fruns", method: "POST") else {
        Issue.record("It has events.")
        return
      }
      #expect(form.status == 403)
    }
  }
#endif
