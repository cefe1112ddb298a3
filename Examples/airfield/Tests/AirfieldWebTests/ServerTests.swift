import AirfieldTestSupport
import FieldstoneServing
import FieldstoneTesting
import FlyingSocks
import Foundation
import Testing

@testable import AirfieldApp

@Suite("The server", .timeLimit(.minutes(10)))
struct ServerTests {
  @Test("answers browsers on the loopback address, page by page")
  func pages() async throws {
    try await RunningServer.with { server in
      let expected = [
        ("/", 200, "Bíldudalur Airport"), ("/?q=B%C3%ADldudalur", 200, "1 airport for"),
        ("/?q=bildudalur+iceland&page=1", 200, "/airports/BIBD"),
        ("/airports/BIBD", 200, "<dt>IATA code</dt>"), ("/airports/NONE", 404, "Not found"),
        ("/airfield.css", 200, "prefers-color-scheme"), ("/airfield.js", 200, "EventSource"),
        ("/icon.svg", 200, "<svg"), ("/map.svg", 200, "<svg"), ("/map.txt", 200, "BIBD"),
      ]
      for (path, status, text) in expected {
        let answer = try await server.get(path)
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(path)")
        #expect(answer.contains(text), "\(path)")
      }
    }
  }

  @Test("answers one request after the other on a connection, also those sent at once")
  func keepsAlive() async throws {
    try await RunningServer.with { server in
      let one = "GET /icon.svg HTTP/1.1\r\n\(server.host)\r\n"
      let last = "GET /icon.svg HTTP/1.1\r\n\(server.host)Connection: close\r\n\r\n"
      let answer = try await server.answer(to: one + one + last)
      #expect(answer.components(separatedBy: "HTTP/1.1 200 OK").count == 4)
    }
  }

  @Test("answers HEAD as GET without the body")
  func head() async throws {
    try await RunningServer.with { server in
      let page = try await server.get("/airports/BIBD")
      let head = try await server.answer(
        to: "HEAD /airports/BIBD HTTP/1.1\r\n\(server.host)Connection: close\r\n\r\n")
      #expect(head.hasSuffix("\r\n\r\n"))
      #expect(page.hasPrefix(head))
      #expect(page.hasSuffix("</html>"))
    }
  }

  @Test("sends events until the client goes, and notices that at once")
  func events() async throws {
    try await RunningServer.with { server in
      let socket = try await server.connect()
      try await socket.write(Data("GET /live HTTP/1.1\r\n\(server.host)\r\n".utf8))
      var received = ""
      while !received.contains("\"hello\"") {
        received += String(decoding: try await socket.read(atMost: 4_096), as: UTF8.self)
      }
      #expect(received.contains("text/event-stream"))
      #expect(await server.site.visitors.count == 1)
      try socket.close()
      #expect(try await server.get("/").contains("Bíldudalur"))
    }
  }

  @Test("forgets whose client has gone, and lets another have its stream of events")
  func goneClients() async throws {
    let time = ManualTime()
    var limits = RequestLimits()
    limits.server.streams = 2
    try await RunningServer.with(limits: limits, time: time.source) { server in
      for number in 0..<6 {
        var (answer, attempts) = ("", 0)
        // That a client has gone is noticed by its connection, a moment later.
        while !answer.contains("\"hello\""), attempts < 1_000 {
          (answer, attempts) = ("", attempts + 1)
          let socket = try await server.connect()
          try await socket.write(Data("GET /live HTTP/1.1\r\n\(server.host)\r\n".utf8))
          while !answer.contains("\"hello\""), !answer.contains("503"),
            let more = try? await socket.read(atMost: 4_096), !more.isEmpty
          {
            answer += String(decoding: more, as: UTF8.self)
          }
          try? socket.close()
        }
        try #require(answer.contains("\"hello\""), "client \(number) of two at once")
      }
      try await server.forgetVisitors(by: time)
      #expect(await server.site.visitors.count == 0)
    }
  }

  @Test("refuses other names for itself, and writes from other pages")
  func origins() async throws {
    try await RunningServer.with { server in
      #expect(
        try await server.answer(
          to: "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
        ).hasPrefix("HTTP/1.1 403"))
      let post =
        "POST /faults HTTP/1.1\r\n\(server.host)Connection: close\r\n"
        + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 8\r\n"
      for (header, status) in [
        ("Origin: http://evil.example\r\n", 403), ("Origin: null\r\n", 403), ("", 403),
        ("Origin: http://127.0.0.1:\(server.port)\r\n", 303),
      ] {
        let answer = try await server.answer(to: post + header + "\r\ndo=clear")
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(header)")
      }
    }
  }

  @Test("gives up a client that does not finish its request")
  func slow() async throws {
    let time = ManualTime()
    try await RunningServer.with(time: time.source) { server in
      let socket = try await server.connect()
      try await socket.write(Data("GET / HTTP/1.1\r\nHo".utf8))
      // Another request shows that the first bytes of this one have been read.
      #expect(try await server.get("/icon.svg").contains("<svg"))
      let ending = Task { await server.rest(of: socket) }
      // Whenever its first bytes were read, its time is over before the last of these answers.
      for _ in 0..<10 {
        time.advance(by: .seconds(12))
        _ = try await server.get("/icon.svg")
      }
      let answer = await ending.value
      #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 408"))
      #expect(try await server.get("/icon.svg").contains("<svg"))
    }
  }

  @Test("says which port is taken, and how to take another")
  func taken() async throws {
    try await RunningServer.with { server in
      let second = DirectoryServer(site: server.site, port: server.port)
      let error = await #expect(throws: DirectoryServerError.self) {
        try await second.run { _ in }
      }
      #expect(error?.message.contains("\(server.port)") == true)
      #expect(error?.message.contains("--port") == true)
    }
  }
}
