#if Serving
  import FieldstoneServing
  import FieldstoneTesting
  import FlyingSocks
  import Foundation
  import Testing

  @Suite("A crowd of clients", .timeLimit(.minutes(20)))
  struct CrowdTests {
    private func open(_ target: String, _ server: RunningServer) async throws -> AsyncSocket {
      let socket = try await server.connect()
      try await socket.write(Data("GET \(target) HTTP/1.1\r\n\(server.host)\r\n".utf8))
      return socket
    }

    @Test("that asks for nothing keeps nobody out: those that wait longest make room")
    func idle() async throws {
      try await RunningServer.with(limits: .patient) { server in
        var sockets: [AsyncSocket] = []
        for _ in 0..<600 { sockets.append(try await server.connect()) }
        for _ in 0..<20 { #expect(try await server.get("/").hasSuffix("<p>page")) }
        // The first ones were closed, and are told nothing.
        #expect(await server.rest(of: sockets[0]) == "")
        try await sockets[599].write(
          Data("GET / HTTP/1.1\r\n\(server.host)Connection: close\r\n\r\n".utf8))
        #expect(await server.rest(of: sockets[599]).hasSuffix("<p>page"))
        for socket in sockets { try? socket.close() }
      }
    }

    @Test("that keeps all places busy leaves some for short requests, and then says when to come")
    func busy() async throws {
      var limits = SiteLimits.patient
      limits.connections = 3
      limits.reserve = 2
      limits.shortArrival = .seconds(500)
      try await RunningServer.with(limits: limits) { server in
        var sockets: [AsyncSocket] = []
        for number in 0..<3 {
          sockets.append(try await open("/held", server))
          await server.site.gate.arrivals(atLeast: number + 1)
        }
        let page = try await server.answer(to: "GET / HTTP/1.1\r\n\(server.host)\r\n")
        #expect(page.hasPrefix("HTTP/1.1 200 OK") && page.contains("Connection: close\r\n"))
        for target in ["/events", "/download"] {
          let answer = try await server.answer(
            to: "GET \(target) HTTP/1.1\r\n\(server.host)\r\n")
          #expect(answer.hasPrefix("HTTP/1.1 503 ") && answer.contains("Retry-After: 5\r\n"))
        }
        let files = try await server.answer(to: server.form("/files", length: 5))
        #expect(files.hasPrefix("HTTP/1.1 503 "))
        for number in 3..<5 {
          sockets.append(try await open("/held", server))
          await server.site.gate.arrivals(atLeast: number + 1)
        }
        let last = try await server.connect()
        let refused = await server.rest(of: last)
        #expect(refused.hasPrefix("HTTP/1.1 503 ") && refused.contains("Retry-After: 5\r\n"))
        server.site.gate.open()
        #expect(await server.text(of: sockets[0], until: "\r\n\r\nheld").hasSuffix("held"))
        #expect(try await server.get("/").hasSuffix("<p>page"))
        for socket in sockets + [last] { try? socket.close() }
      }
    }

    @Test("of streams that open and go is noticed at once, and others are let in")
    func streams() async throws {
      var limits = SiteLimits.patient
      limits.streams = 10
      try await RunningServer.with(limits: limits) { server in
        for round in 1...8 {
          var sockets: [AsyncSocket] = []
          for _ in 0..<10 {
            let socket = try await open("/events", server)
            let text = await server.text(of: socket, until: "data: hello\n\n")
            #expect(text.contains("text/event-stream") && text.hasSuffix("data: hello\n\n"))
            sockets.append(socket)
          }
          #expect(try await server.get("/events").hasPrefix("HTTP/1.1 503 "))
          for socket in sockets { try socket.close() }
          // Each place is free a moment after its stream has ended.
          while server.site.ended.count < 11 * round { await Task.yield() }
          var hasPlaces = false
          while !hasPlaces {
            let socket = try await open("/events", server)
            hasPlaces = await server.text(of: socket, until: "\r\n\r\n").contains("200 OK")
            try socket.close()
            if !hasPlaces { server.site.ended.record("again") }
          }
          while server.site.ended.count < 12 * round { await Task.yield() }
        }
      }
    }

    @Test("that sends on during a stream of events is cut")
    func sendsDuringAStream() async throws {
      try await RunningServer.with(limits: .patient) { server in
        let socket = try await open("/events", server)
        let text = await server.text(of: socket, until: "data: hello\n\n")
        #expect(text.hasSuffix("data: hello\n\n"))
        // The server need not read all of it.
        for _ in 0..<8 {
          guard (try? await socket.write(Data(repeating: 97, count: 1_024))) != nil else { break }
        }
        #expect(await server.site.ended.elements(atLeast: 1) == ["events"])
        #expect(await server.rest(of: socket) == "")
        try? socket.close()
      }
    }

    private static let beginnings: [(text: String, status: Int?)] = [
      ("G", 408), ("GET / HTTP/1.1\r\nHo", 408), ("GET / HTTP/1.1\r\nHost: localhost\r\n", 408),
      ("GET / HTTP/1.1\r\nHost: localhost\r\n\r", 408),
      (
        "POST /form HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n"
          + "Content-Type: application/x-www-form-urlencoded\r\n\r\na=", 408
      ),
      // A client that says nothing at all is told nothing.
      ("", nil), ("\r\n", nil),
    ]

    @Test("that is slow is told so and put out, and keeps nobody waiting meanwhile")
    func slow() async throws {
      let time = ManualTime()
      let ended = Recorder<String>()
      try await RunningServer.with(time: time.source) { server in
        await withTaskGroup { group in
          for (text, status) in Self.beginnings {
            group.addTask {
              let answer = (try? await server.answer(to: text)) ?? ""
              #expect(answer.hasPrefix(status.map { "HTTP/1.1 \($0) " } ?? ""), "\(text)")
              #expect(answer.isEmpty == (status == nil), "\(text)")
              ended.record(text)
            }
          }
          while ended.count < Self.beginnings.count {
            #expect(((try? await server.get("/")) ?? "").hasSuffix("<p>page"))
            time.advance(by: .seconds(2))
          }
        }
      }
    }

    @Test("that sends a request byte by byte has no more time than others")
    func drip() async throws {
      let time = ManualTime()
      try await RunningServer.with(time: time.source) { server in
        let socket = try await server.connect()
        let text = Array("GET / HTTP/1.1\r\nHost: localhost\r\nA: ".utf8)
        for byte in text { try await socket.write(Data([byte])) }
        let ending = Task { await server.rest(of: socket) }
        let hasEnded = Recorder<Int>()
        let writing = Task {
          while hasEnded.count == 0, (try? await socket.write(Data([97]))) != nil {
            time.advance(by: .seconds(1))
            await Task.yield()
          }
        }
        let answer = await ending.value
        hasEnded.record(1)
        await writing.value
        #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 408 "))
        try socket.close()
      }
    }
  }
#endif
