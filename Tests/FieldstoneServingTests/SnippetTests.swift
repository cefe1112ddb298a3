#if Serving
  import FieldstoneServing
  import Testing

  // snippet: serving-site
  struct Greeting: Site {
    func answer(_ request: SiteRequest) async -> SiteAnswer {
      guard request.path == "/" else {
        return .response(SiteResponse(status: 404, text: "There is no such page.\n"))
      }
      return .response(SiteResponse(html: "<!DOCTYPE html><title>Hello</title><p>Hello"))
    }
  }
  // end

  @Suite("The article on serving")
  struct SnippetTests {
    @Test("A site of one page is served until its task is cancelled")
    func serve() async throws {
      let task = Task {
        // snippet: serving-run
        try await SiteServer(Greeting()).run(port: 0) { port in
          print("http://127.0.0.1:\(port)/")
        }
        // end
      }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("A site behind a proxy with TLS has the rules of the proxy's address")
    func proxy() {
      // snippet: serving-proxy
      let server = SiteServer(Greeting()) { _ in
        SiteAccess(hosts: ["tool.example"], port: 443, isBehindTLS: true)
      }
      // end
      _ = server
    }
  }
#endif
