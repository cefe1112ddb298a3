#if INSPECTOR
  import FieldstoneInspector
  import FieldstoneServing
  import Foundation
  import Testing

  @Suite("Where the inspector serves")
  struct StartTests {
    private func error(
      host: String, _ change: (inout InspectorOptions) -> Void
    ) async -> InspectorStartError? {
      let desk = InspectedJournal(change)
      do {
        try await desk.inspector.run(host: host, port: 0) { _ in }
        return nil
      } catch {
        return error as? InspectorStartError
      }
    }

    @Test(
      "Another address than the loopback's takes a password",
      arguments: ["0.0.0.0", "192.168.1.20", "10.0.0.1", "128.0.0.1"])
    func password(_ host: String) async {
      #expect(await error(host: host) { $0.token = "t" } == .needsPassword(host: host))
      #expect(await error(host: host) { $0.password = "" } == .shortPassword)
      #expect(await error(host: host) { $0.password = "eleven char" } == .shortPassword)
    }

    @Test("By default each inspector has a token for one use, which a look does not use up")
    func token() async throws {
      let inspector = Inspector(name: "Orders")
      let token = try #require(inspector.printedToken)
      #expect(token.count >= 20 && token != Inspector(name: "Orders").printedToken)
      func status(_ method: String, _ target: String) async -> Int {
        await inspector.response(
          to: SiteRequest(method: method, target: target, headers: ["Host": "localhost"])
        ).status
      }
      #expect(await status("GET", "/watched") == 401)
      #expect(await status("GET", "/?token=") == 401)
      #expect(await status("HEAD", "/?token=\(token)") == 401)
      #expect(await inspector.opened("/watched").status == 200)
      #expect(await status("GET", "/?token=\(token)") == 401)
    }

    @Test("In a release build nothing is served unless that is asked for")
    func release() async {
      #expect(await error(host: "127.0.0.1") { $0.isReleaseBuild = true } == .releaseBuild)
      let closed = InspectedJournal { $0.isReleaseBuild = true }
      let refused = await closed.get("/")
      #expect(refused.status == 403 && refused.text.contains("release"))
      #expect(!refused.text.contains("orders"))
      let open = InspectedJournal {
        $0.isReleaseBuild = true
        $0.allowsReleaseBuilds = true
      }
      #expect(await open.get("/").status == 200)
    }

    @Test("With a password a page is for those who know it, and for the printed address")
    func opened() async throws {
      let desk = InspectedJournal { $0.password = "correct horse battery" }
      func get(_ text: String?) async -> SiteResponse {
        await desk.get(
          "/runs",
          text.map { ["Authorization": "Basic " + Data($0.utf8).base64EncodedString()] } ?? [:])
      }
      let refused = await get(nil)
      #expect(refused.status == 401 && refused.headers["WWW-Authenticate"] != nil)
      #expect(!refused.text.contains("order"))
      for wrong in ["", ":", "a:b", "correct horse battery:", "a:correct horse batterx"] {
        #expect(await get(wrong).status == 401)
      }
      #expect(await get("Ada:correct horse battery").status == 200)
      #expect(await get(":correct horse battery").status == 200)
      // Without a token of ours nobody's opens the pages.
      #expect(await desk.get("/?token=").status == 401)
      let both = InspectedJournal {
        $0.password = "correct horse battery"
        $0.token = "once"
      }
      #expect(await both.get("/?token=once").status == 303)
      #expect(await both.get("/").status == 401)
    }
  }
#endif
