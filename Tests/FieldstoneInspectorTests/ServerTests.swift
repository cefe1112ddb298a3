#if INSPECTOR
  import FieldstoneCore
  import FieldstoneInspector
  import FieldstoneServing
  import FieldstoneTesting
  import FlyingSocks
  import Foundation
  import Testing

  @Suite("The inspector's server")
  struct ServerTests {
    /// Serves an empty journal on a free port for as long as the body runs.
    private func serve(
      _ desk: InspectedJournal = InspectedJournal(), host: String = "127.0.0.1",
      _ body: (UInt16, String) async throws -> Void
    ) async throws {
      let (addresses, continuation) = AsyncStream.makeStream(of: String.self)
      let task = Task {
        defer { continuation.finish() }
        try await desk.inspector.run(host: host, port: 0) { continuation.yield($0) }
      }
      let address = try #require(await addresses.first { _ in true })
      let port = try #require(URL(string: address)?.port.flatMap { UInt16(exactly: $0) })
      try await body(port, address)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }

    /// All that the server sends for some bytes, until it closes.
    private func answer(_ port: UInt16, _ pieces: String...) async throws -> String {
      let socket = try await AsyncSocket.connected(
        to: .inet(ip4: "127.0.0.1", port: port), timeout: 600)
      defer { try? socket.close() }
      for piece in pieces { try? await socket.write(Data(piece.utf8)) }
      var bytes: [UInt8] = []
      while let more = try? await socket.read(atMost: 4_096) { bytes += more }
      return String(decoding: bytes, as: UTF8.self)
    }

    @Test("Two requests on a connection have two answers, however their bytes are cut")
    func requests() async throws {
      try await serve { port, _ in
        let host = "Host: 127.0.0.1:\(port)\r\n"
        let text = try await answer(
          port, "GET / HTTP/1.1\r\nHo", "st: localhost\r\n\r\nGET /nothing HTTP/1.1\r\n\(host)",
          "Connection: close\r\n\r\n")
        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(text.contains("HTTP/1.1 404 Not Found\r\n"))
        #expect(text.hasSuffix("</html>"))
      }
    }

    static let refusedRequests: [(String, Int)] = [
      ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/2.0\r\nHost: localhost\r\n\r\n", 505),
      ("GET /\r\n\r\n", 400), ("nonsense\r\n\r\n", 400),
      ("GET x HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: a\r\nHost: localhost\r\n\r\n", 400),
      ("GET / HTTP/1.1\nHost: localhost\n\n\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost : localhost\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: localhost\r\nX: a\u{0}b\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n", 411),
      ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n", 413),
      ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1048577\r\n\r\n", 413),
      (
        "GET /" + String(repeating: "a", count: 5_000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n", 414
      ),
      ("GET / HTTP/1.1\r\nX: " + String(repeating: "a", count: 17_000), 431),
      (
        "GET / HTTP/1.1\r\nHost: localhost\r\n" + String(repeating: "X: a\r\n", count: 65) + "\r\n",
        431
      ),
    ]

    @Test("What can't be a request is refused, and the connection ends", arguments: refusedRequests)
    func refused(_ request: String, _ status: Int) async throws {
      try await serve { port, _ in
        let text = try await answer(port, request)
        #expect(text.hasPrefix("HTTP/1.1 \(status) "))
        #expect(text.contains("Connection: close"))
      }
    }

    @Test("A request that does not arrive in its time ends its connection")
    func slow() async throws {
      let desk = InspectedJournal()
      try await serve(desk) { port, _ in
        let socket = try await AsyncSocket.connected(
          to: .inet(ip4: "127.0.0.1", port: port), timeout: 600)
        try await socket.write(Data("GET / HTTP/1.1\r\n".utf8))
        let hasEnded = Locked(false)
        let end = Task {
          let bytes = try? await socket.read(bytes: 12)
          hasEnded.withLock { $0 = true }
          return String(decoding: bytes ?? [], as: UTF8.self)
        }
        // The connection looks at its time every two seconds, once it has read what was written.
        while !hasEnded.withLock({ $0 }) {
          desk.time.advance(by: .seconds(2))
          await Task.yield()
        }
        // Its time may be over before its first bytes were read.
        #expect(["", "HTTP/1.1 408"].contains(await end.value))
        try? socket.close()
      }
    }

    @Test("The printed address is served, also where the options name other hosts only")
    func printed() async throws {
      try await serve(InspectedJournal { $0.hosts = ["orders.example"] }) { port, address in
        #expect(address.hasPrefix("http://127.0.0.1:\(port)/"))
        for (host, status) in [("127.0.0.1", 200), ("orders.example", 200), ("localhost", 403)] {
          let text = try await answer(
            port, "GET / HTTP/1.1\r\nHost: \(host):\(port)\r\nConnection: close\r\n\r\n")
          #expect(text.hasPrefix("HTTP/1.1 \(status) "), "\(host)")
        }
      }
    }

    @Test("At all addresses the printed one has the name that other machines use, and a password")
    func others() async throws {
      let desk = InspectedJournal {
        $0.password = "correct horse battery"
        $0.hosts.insert("box.local")
      }
      try await serve(desk, host: "0.0.0.0") { port, address in
        #expect(address.hasPrefix("http://box.local:\(port)/"))
        let key = Data("Ada:correct horse battery".utf8).base64EncodedString()
        for (headers, status) in [([:], 401), (["authorization": "Basic \(key)"], 200)] {
          let request = SiteRequest(
            target: "/runs", headers: headers.merging(["host": "box.local:\(port)"]) { $1 })
          #expect(await desk.inspector.response(to: request).status == status)
        }
      }
    }

    @Test("The address has the token, and a port that is taken is told")
    func address() async throws {
      let desk = InspectedJournal { $0.token = "a b" }
      try await serve(desk) { port, address in
        // A name of its own, so that no other server of this machine gets the cookie.
        let name = try #require(address.firstMatch(of: #/^http:\/\/(f[0-9a-f]{8}\.localhost):/#)?.1)
        #expect(address == "http://\(name):\(port)/?token=a%20b")
        let request = SiteRequest(target: "/runs", headers: ["host": "\(name):\(port)"])
        #expect(await desk.inspector.response(to: request).status == 401)
        #expect(await InspectedJournal().inspector.response(to: request).status == 403)
        let error = await #expect(throws: SiteServerError.self) {
          try await InspectedJournal().inspector.run(port: port) { _ in }
        }
        #expect(error?.message.contains("Port \(port) can't be served on") == true)
      }
    }
  }
#endif
