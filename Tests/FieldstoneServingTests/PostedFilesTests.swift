#if Serving
  import FieldstoneServing
  import FieldstoneTesting
  import FlyingSocks
  import Foundation
  import Testing

  @Suite("A form with files that is not wanted", .timeLimit(.minutes(20)))
  struct RefusedBodyTests {
    /// Who refuses it.
    enum Refuser: String, CaseIterable {
      case fullServer, access, site

      var status: Int {
        switch self {
        case .fullServer: 503
        case .access: 403
        case .site: 409
        }
      }
    }

    /// Connects, and sends the head of a form that one of them refuses.
    private func refused(
      by refuser: Refuser, length: Int, time: ManualTime,
      _ body: (RunningServer, AsyncSocket) async throws -> Void
    ) async throws {
      var limits = SiteLimits()
      // A head and a piece have time for ever, which a body that nobody wants does not get.
      limits.silence = .seconds(1_000_000_000)
      limits.arrival = .seconds(1_000_000_000)
      limits.transfer = .seconds(1_000_000_000)
      limits.connections = 1
      limits.reserve = 1
      try await RunningServer.with(limits: limits, time: time.source) { server in
        let held = try await server.connect()
        if refuser == .fullServer {
          try await held.write(Data("GET /held HTTP/1.1\r\n\(server.host)\r\n".utf8))
          await server.site.gate.arrivals(atLeast: 1)
        }
        var head = String(
          decoding: server.form("/refused", length: 1)[0], as: UTF8.self
        ).replacing("Content-Length: 1\r\n", with: "Content-Length: \(length)\r\n")
        if refuser == .access {
          head = head.replacing("Origin: http://127.0.0.1", with: "Origin: http://evil.example")
        }
        let socket = try await server.connect()
        try await socket.write(Data(head.utf8))
        try await body(server, socket)
        try? socket.close()
        server.site.gate.open()
        try? held.close()
      }
    }

    // Not for a full server, which gives the head the same time: it could pass before the body's.
    @Test(
      "has its answer soon, also when its client sends nothing",
      arguments: [Refuser.access, .site])
    func silent(_ refuser: Refuser) async throws {
      let time = ManualTime()
      try await refused(by: refuser, length: 1_000_000, time: time) { server, socket in
        let hasEnded = Recorder<String>()
        let waiting = Task { hasEnded.record(await server.rest(of: socket)) }
        while hasEnded.count == 0, time.uptime < .seconds(50_000_000) {
          time.advance(by: .seconds(1))
          await Task.yield()
        }
        try #require(hasEnded.count == 1)
        await waiting.value
        #expect(hasEnded.elements.first?.hasPrefix("HTTP/1.1 \(refuser.status) ") == true)
        #expect(hasEnded.elements.first?.contains("Connection: close\r\n") == true)
      }
    }

    @Test("has no more time when its client sends byte by byte", arguments: Refuser.allCases)
    func drip(_ refuser: Refuser) async throws {
      let (time, bulk, length) = (ManualTime(), 32 << 20, 5_000_000)
      try await refused(by: refuser, length: bulk + length, time: time) { server, socket in
        // More than the system buffers, so the server has read the head when this is written.
        for _ in 0..<32 { try await socket.write(Data(repeating: 97, count: bulk / 32)) }
        let hasEnded = Recorder<String>()
        let waiting = Task { hasEnded.record(await server.rest(of: socket)) }
        var sent = 0
        while hasEnded.count == 0, sent < length, (try? await socket.write(Data([97]))) != nil {
          sent += 1
          time.advance(by: .seconds(1))
          await Task.yield()
        }
        try #require(sent < length)
        await waiting.value
        // With unread bytes the connection is reset, which may take the answer with it.
        let answer = hasEnded.elements.first ?? ""
        #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 \(refuser.status) "))
      }
    }
  }

  @Suite("A site that reads a form", .timeLimit(.minutes(20)))
  struct ReadingSiteTests {
    @Test("may give up reading by a time limit of its own, and answer")
    func impatient() async throws {
      try await RunningServer.with(limits: .patient) { server in
        let form = server.form("/impatient", length: 5, more: "")
        let socket = try await server.connect()
        try await socket.write(Data(form[0]))
        #expect(await server.site.files.elements(atLeast: 1) == ["cancelled"])
        // The connection goes on after the rest of the body.
        try await socket.write(
          Data(form[1] + "GET / HTTP/1.1\r\n\(server.host)Connection: close\r\n\r\n".utf8))
        let answer = await server.rest(of: socket)
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.contains("\r\n\r\ngave up"))
        #expect(answer.hasSuffix("<p>page"))
        try socket.close()
      }
    }

    @Test("can't read it in two tasks at once: the pieces would be swapped")
    func twice() async throws {
      try await RunningServer.with(limits: .patient) { server in
        let form = server.form("/twice", length: 5)
        let socket = try await server.connect()
        try await socket.write(Data(form[0]))
        #expect(await server.site.files.elements(atLeast: 1) == ["first"])
        try await socket.write(Data(form[1]))
        let answer = await server.rest(of: socket)
        #expect(answer.contains("\r\n\r\n5: Another task reads this body"))
        try socket.close()
      }
    }
  }
#endif
