#if Serving
  import FieldstoneServing
  import FieldstoneTesting
  import FlyingSocks
  import Foundation
  import Testing

  @Suite("A server of pages", .timeLimit(.minutes(20)))
  struct SiteServerTests {
    @Test("answers one request after the other on a connection, however their bytes are cut")
    func requests() async throws {
      try await RunningServer.with(limits: .patient) { server in
        let one = "GET / HTTP/1.1\r\n\(server.host)\r\n"
        let form =
          "POST /form HTTP/1.1\r\n\(server.host)Origin: http://127.0.0.1:\(server.port)\r\n"
          + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\n\r\na=b\r\n"
        let last = "HEAD /form HTTP/1.1\r\n\(server.host)Connection: close\r\n\r\n"
        let bytes = Array((one + form + one + last).utf8)
        for pieces in [[bytes], bytes.map { [$0] }] {
          let answer = try await server.answer(to: pieces)
          #expect(answer.components(separatedBy: "HTTP/1.1 200 OK\r\n").count == 4)
          #expect(answer.contains("\r\n\r\nbHTTP/1.1"))
          #expect(answer.contains("HTTP/1.1 415 Unsupported Media Type\r\n"))
          #expect(answer.contains("Content-Length: 12\r\n") && answer.hasSuffix("\r\n\r\n"))
        }
      }
    }

    @Test("refuses what is no request, and ends the connection", arguments: [0, 1])
    func refused(_ half: Int) async throws {
      let requests = RequestReaderTests.refused
      try await RunningServer.with(limits: .patient) { server in
        for (index, request) in requests.enumerated() where index % 2 == half {
          let answer = try await server.answer(to: request.text)
          #expect(answer.hasPrefix("HTTP/1.1 \(request.status) "), "\(request.text)")
          #expect(answer.contains("Connection: close\r\n"))
        }
        var random = SeededGenerator(seed: 7)
        for (length, status) in [(1, 400), (10, 400), (1_000, 400)] {
          let noise = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
          let answer = try await server.answer(to: [noise + [13, 10, 13, 10]])
          #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
        }
        // More is sent than is read: the system may drop the answer with the connection.
        let header = Array("A: bbbbbbbbbbbbbbbbbbbbbbbbbbbbb\r\n".utf8)
        let long = [Array("GET /".utf8) + Array(repeating: 120, count: 100_000)]
        for (pieces, status) in [(Array(repeating: header, count: 800), 431), (long, 414)] {
          let answer = try await server.answer(to: pieces)
          #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 \(status) "))
        }
        #expect(try await server.get("/").hasSuffix("<p>page"))
      }
    }

    @Test("answers requests under its own name, and changes from its own pages")
    func origins() async throws {
      try await RunningServer.with(limits: .patient) { server in
        #expect(
          try await server.answer(
            to: "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
          ).hasPrefix("HTTP/1.1 403"))
        #expect(
          try await server.answer(
            to: "GET http://evil.example/ HTTP/1.1\r\n\(server.host)Connection: close\r\n\r\n"
          ).hasPrefix("HTTP/1.1 403"))
        let form = server.form("/files", length: 5)
        for origin in ["http://evil.example", "null"] {
          let text = String(decoding: form[0], as: UTF8.self)
            .replacing("http://127.0.0.1:\(server.port)", with: origin)
          let answer = try await server.answer(to: [Array(text.utf8), form[1]])
          #expect(answer.hasPrefix("HTTP/1.1 403"), "\(origin)")
        }
        #expect(server.site.files.count == 0)
      }
    }

    @Test("sends a word to a client that waits for it before its body")
    func question() async throws {
      try await RunningServer.with(limits: .patient) { server in
        for (target, type) in [
          ("/form", "application/x-www-form-urlencoded"),
          ("/files", "multipart/form-data; boundary=x"),
        ] {
          let socket = try await server.connect()
          try await socket.write(
            Data(
              ("POST \(target) HTTP/1.1\r\n\(server.host)Sec-Fetch-Site: same-origin\r\n"
                + "Content-Type: \(type)\r\nContent-Length: 3\r\nExpect: 100-continue\r\n"
                + "Connection: close\r\n\r\n").utf8))
          let word = try await socket.read(bytes: 25)
          #expect(String(decoding: word, as: UTF8.self) == "HTTP/1.1 100 Continue\r\n\r\n")
          try await socket.write(Data("a=b".utf8))
          #expect(await server.rest(of: socket).hasPrefix("HTTP/1.1 200 OK"))
        }
        // A refused one is not asked for.
        let form = server.form(
          "/refused", length: 5, more: "Connection: close\r\nExpect: 100-continue\r\n")
        #expect(try await server.answer(to: [form[0]]).hasPrefix("HTTP/1.1 409 "))
      }
    }

    @Test("says which port is taken, and how to take another")
    func taken() async throws {
      try await RunningServer.with { server in
        let error = await #expect(throws: SiteServerError.self) {
          try await SiteServer(server.site).run(port: server.port) { _ in }
        }
        #expect(error?.message.contains("Port \(server.port) can't be served on") == true)
      }
    }
  }

  @Suite("A body that is no page", .timeLimit(.minutes(20)))
  struct TransferTests {
    @Test("comes in chunks, and its last one says that it is whole")
    func chunks() async throws {
      try await RunningServer.with(limits: .patient) { server in
        let one = "GET /download HTTP/1.1\r\n\(server.host)\r\n"
        let last = "GET / HTTP/1.1\r\n\(server.host)Connection: close\r\n\r\n"
        let answer = try await server.answer(to: one + last)
        #expect(answer.contains("\r\n\r\n3\r\none\r\n3\r\ntwo\r\n0\r\n\r\nHTTP/1.1 200 OK\r\n"))
        let broken = try await server.get("/download?fails")
        #expect(broken.hasSuffix("3\r\ntwo\r\n"))
        let old = try await server.answer(to: "GET /download HTTP/1.0\r\n\(server.host)\r\n")
        #expect(old.hasSuffix("\r\n\r\nonetwo") && !old.contains("Transfer-Encoding"))
        let head = try await server.answer(
          to: "HEAD /download HTTP/1.1\r\n\(server.host)Connection: close\r\n\r\n")
        #expect(head.hasSuffix("\r\n\r\n") && head.contains("Transfer-Encoding: chunked\r\n"))
      }
    }

    @Test("ends when its reader goes away, takes nothing for too long, or takes too long")
    func endless() async throws {
      let time = ManualTime()
      var limits = SiteLimits()
      limits.transfer = .seconds(100)
      try await RunningServer.with(limits: limits, time: time.source) { server in
        for reads in [0, 0, 1_000_000] {
          let before = server.site.ended.count
          let socket = try await server.connect()
          try await socket.write(Data("GET /endless HTTP/1.1\r\n\(server.host)\r\n".utf8))
          _ = try await socket.read(bytes: 12)
          if before == 0 { try socket.close() }
          var read = 0
          while server.site.ended.count == before {
            if reads > read, let bytes = try? await socket.read(atMost: 4_096) {
              read += bytes.count
            }
            if before > 0 { time.advance(by: .seconds(reads > 0 ? 1 : 12)) }
            await Task.yield()
          }
          if before > 0 { try socket.close() }
        }
      }
    }

    @Test("of files is read while it comes, and the connection goes on after it")
    func files() async throws {
      try await RunningServer.with(limits: .patient) { server in
        let next = Array("GET / HTTP/1.1\r\n\(server.host)Connection: close\r\n\r\n".utf8)
        for (target, status) in [("/files", "200 OK"), ("/refused", "409 Conflict")] {
          let form = server.form(target, length: 900_000, more: "")
          let answer = try await server.answer(to: form + [next])
          #expect(answer.hasPrefix("HTTP/1.1 \(status)\r\n"))
          #expect(answer.hasSuffix("<p>page"))
        }
        #expect(server.site.files.elements.contains("some"))
      }
    }

    @Test("of a form that is too large is read to its end, so that the refusal is read, too")
    func tooLarge() async throws {
      try await RunningServer.with(limits: .patient) { server in
        let length = 3_000_000
        let head =
          "POST /form HTTP/1.1\r\n\(server.host)Origin: http://127.0.0.1:\(server.port)\r\n"
          + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: \(length)\r\n\r\n"
        let socket = try await server.connect()
        try await socket.write(Data(head.utf8))
        let answer = await server.text(of: socket, until: "\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 413 "))
        // Browsers send everything before they read; a connection that is reset shows no answer.
        for _ in 0..<30 { try await socket.write(Data(repeating: 97, count: length / 30)) }
        try? socket.close()
      }
    }

    @Test("to HEAD of a stream of events has its head alone")
    func headOfEvents() async throws {
      try await RunningServer.with(limits: .patient) { server in
        let answer = try await server.answer(to: "HEAD /events HTTP/1.1\r\n\(server.host)\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.hasSuffix("\r\n\r\n"))
        #expect(answer.contains("text/event-stream") && !answer.contains("data:"))
      }
    }

    @Test("of files that nobody would want to read is refused without that")
    func huge() async throws {
      var limits = SiteLimits.patient
      limits.refusedBody = 1 << 20
      try await RunningServer.with(limits: limits) { server in
        let head = String(decoding: server.form("/refused", length: 1)[0], as: UTF8.self)
          .replacing("Content-Length: 1\r\n", with: "Content-Length: 99999999999\r\n")
        let answer = try await server.answer(to: head)
        #expect(answer.hasPrefix("HTTP/1.1 409 "))
      }
    }

    @Test(
      "of files is given up when its client goes, or sends nothing more", arguments: [true, false])
    func gone(_ closes: Bool) async throws {
      let time = ManualTime()
      try await RunningServer.with(time: time.source) { server in
        let form = server.form("/files", length: 900_000)
        let socket = try await server.connect()
        try await socket.write(Data(form[0] + form[1].prefix(100_000)))
        while server.site.files.count == 0 { await Task.yield() }
        if closes { try socket.close() }
        while server.site.files.elements.last != "gone" {
          if !closes { time.advance(by: .seconds(2)) }
          await Task.yield()
        }
        if !closes {
          #expect(await server.rest(of: socket).hasPrefix("HTTP/1.1 408 "))
          try socket.close()
        }
      }
    }
  }
#endif
