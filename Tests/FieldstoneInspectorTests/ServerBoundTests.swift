#if INSPECTOR
  import FieldstoneInspector
  import FlyingSocks
  import Foundation
  import Testing

  @Suite("The bounds of the inspector's server", .timeLimit(.minutes(20)))
  struct ServerBoundTests {
    /// Serves an empty journal on a free port for as long as the body runs; its time stands still.
    private func serve(_ body: (UInt16) async throws -> Void) async throws {
      let desk = InspectedJournal()
      let (addresses, continuation) = AsyncStream.makeStream(of: String.self)
      let task = Task {
        defer { continuation.finish() }
        try await desk.inspector.run(port: 0) { continuation.yield($0) }
      }
      defer { task.cancel() }
      let address = try #require(await addresses.first { _ in true })
      try await body(try #require(URL(string: address)?.port.flatMap { UInt16(exactly: $0) }))
    }

    private func connect(_ port: UInt16) async throws -> AsyncSocket {
      try await AsyncSocket.connected(to: .inet(ip4: "127.0.0.1", port: port), timeout: 600)
    }

    /// What the server sends up to a text, or until it closes.
    private func text(of socket: AsyncSocket, until end: String?) async -> String {
      var bytes: [UInt8] = []
      while let more = try? await socket.read(atMost: 4_096) {
        bytes += more
        if let end, String(decoding: bytes, as: UTF8.self).contains(end) { break }
      }
      return String(decoding: bytes, as: UTF8.self)
    }

    @Test("32 pages are followed by events at once, and the next is told when to come again")
    func streams() async throws {
      try await serve { port in
        let request =
          "GET /live?page=/runs HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n"
        var sockets: [AsyncSocket] = []
        for _ in 0..<32 {
          let socket = try await connect(port)
          try await socket.write(Data(request.utf8))
          #expect(await text(of: socket, until: "data: {").hasPrefix("HTTP/1.1 200 "))
          sockets.append(socket)
        }
        let last = try await connect(port)
        try await last.write(Data(request.utf8))
        let refused = await text(of: last, until: "\r\n\r\n")
        #expect(refused.hasPrefix("HTTP/1.1 503 ") && refused.contains("Retry-After: "))
        for socket in sockets + [last] { try? socket.close() }
      }
    }

    @Test("64 connections are open at once: the one that has been silent longest makes room")
    func connections() async throws {
      try await serve { port in
        var sockets: [AsyncSocket] = []
        for _ in 0..<200 { sockets.append(try await connect(port)) }
        for socket in sockets.prefix(136) { #expect(await text(of: socket, until: nil) == "") }
        for socket in sockets.suffix(64) {
          try await socket.write(Data("HEAD /keys HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
          #expect(await text(of: socket, until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
        }
        for socket in sockets { try? socket.close() }
      }
    }

    @Test("A body has at most a megabyte", arguments: [(1 << 20, 415), ((1 << 20) + 1, 413)])
    func body(_ length: Int, _ status: Int) async throws {
      try await serve { port in
        let socket = try await connect(port)
        let head =
          "POST /all/retry HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"
          + "Content-Type: text/plain\r\nContent-Length: \(length)\r\nConnection: close\r\n\r\n"
        try await socket.write(Data(head.utf8))
        // One that is too long is refused by its head.
        if status != 413 { try await socket.write(Data(count: length)) }
        #expect(await text(of: socket, until: "\r\n\r\n").hasPrefix("HTTP/1.1 \(status) "))
        try? socket.close()
      }
    }
  }
#endif
