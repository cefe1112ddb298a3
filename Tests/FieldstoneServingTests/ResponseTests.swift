#if Serving
  import FieldstoneServing
  import Foundation
  import Testing

  @Suite("A response", .timeLimit(.minutes(20)))
  struct ResponseTests {
    @Test(
      "without content has no body, so that the next one on the connection is read as such",
      arguments: [204, 304])
    func noContent(_ status: Int) async throws {
      try await RunningServer.with(limits: .patient) { server in
        let answer = try await server.answer(
          to: "GET /status?\(status) HTTP/1.1\r\n\(server.host)\r\n"
            + "GET / HTTP/1.1\r\n\(server.host)Connection: close\r\n\r\n")
        let parts = answer.components(separatedBy: "\r\n\r\n")
        try #require(parts.count == 3)
        #expect(parts[0].hasPrefix("HTTP/1.1 \(status) ") && !parts[0].contains("Content-Length"))
        #expect(parts[1].hasPrefix("HTTP/1.1 200 OK\r\n") && parts[2] == "<p>page")
      }
    }

    @Test("that is no final one ends the connection")
    func interim() async throws {
      try await RunningServer.with(limits: .patient) { server in
        let answer = try await server.answer(
          to: "GET /status?103 HTTP/1.1\r\n\(server.host)\r\nGET / HTTP/1.1\r\n\(server.host)\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 103 ") && answer.hasSuffix("\r\n\r\n"))
        #expect(answer.contains("Connection: close\r\n") && !answer.contains("Content-Length"))
        #expect(!answer.contains("200 OK"))
      }
    }

    @Test("has the server's length, chunks and connection, whatever those of the site")
    func framing() async throws {
      try await RunningServer.with(limits: .patient) { server in
        for (target, own, end) in [
          ("/framed", "Content-Length: 6", "framed"),
          ("/framed?download", "Transfer-Encoding: chunked", "6\r\nframed\r\n0\r\n\r\n"),
        ] {
          let answer = try await server.get(target)
          let head = answer.prefix(upTo: try #require(answer.range(of: "\r\n\r\n")).lowerBound)
          let framing = head.components(separatedBy: "\r\n").filter { line in
            ["content-length:", "transfer-encoding:", "connection:"].contains {
              line.lowercased().hasPrefix($0)
            }
          }
          #expect(framing.sorted() == ["Connection: close", own].sorted())
          #expect(answer.hasSuffix("\r\n\r\n" + end))
        }
      }
    }

    @Test("has one header of a name, whatever its case")
    func names() {
      var response = SiteResponse(
        status: 200, text: "", headers: ["cache-control": "max-age=60", "content-type": "text/css"])
      #expect(response.headers["cache-control"] == "max-age=60")
      #expect(response.headers["Cache-Control"] == nil && response.headers["Content-Type"] == nil)
      response.headers["CONTENT-TYPE"] = "text/plain"
      response.headers["x-frame-options"] = "SAMEORIGIN"
      response.headers["X-Own"] = "a"
      response.headers["X-Own"] = "b"
      let names = response.headers.keys.map { $0.lowercased() }
      #expect(Set(names).count == names.count)
      #expect(response.headers["CONTENT-TYPE"] == "text/plain" && response.headers["X-Own"] == "b")
      #expect(response.headers["x-frame-options"] == "SAMEORIGIN")
      response.headers["X-Own"] = nil
      #expect(response.headers["X-Own"] == nil)
      let download = SiteDownload(headers: ["cache-control": "no-store"]) { _ in }
      #expect(download.headers["Cache-Control"] == nil)
      #expect(download.headers["cache-control"] == "no-store")
    }
  }
#endif
