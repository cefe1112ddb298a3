import AirfieldWeb
import FieldstoneTesting
import FlyingSocks
import Foundation
import Testing

@Suite("A hostile client")
struct HostileTests {
  private static let paths = [
    "/..", "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/airports/..%2f..%2fetc", "//",
    "///", "/%", "/%0", "/%zz", "/%00", "/airports/%00", "/airports/%FF%FE", "/airports/%C0%AF",
    "/?q=%", "/?q=%00", "/?q=%F0%9F", "/?page=-1", "/?page=9999999999999999999999", "/?&&&===",
    "/?q=%22%20OR%20*", "/?country=%27%3B--", "/?kind=x", "/airports/'%20OR%201=1--",
    "/new?draft=%00",
    "/live?view=edit&visitor=%00", "/live%00", "/map.svg?theme=%3Cscript%3E", "/actions",
    "/airfield.css/..", "/export.csv?country=%0D%0AX:%20y&kind=%22", "/export.csv?q=%22%20OR%20*",
    "/airports/\(String(repeating: "A", count: 3_000))",
    "/?q=\(String(repeating: "%22", count: 1_000))",
    "/?\(String(repeating: "a=b&", count: 900))", "/settings?theme=pink", "/\\..\\windows", "/;/",
    "/#",
  ]

  /// Requests that no browser sends, each with how it is cut into pieces.
  private static func requests(_ host: String) -> [[[UInt8]]] {
    var texts: [String] = []
    for path in paths {
      for method in ["GET", "HEAD", "POST", "DELETE"] {
        texts.append("\(method) \(path) HTTP/1.1\r\n\(host)Connection: close\r\n\r\n")
      }
    }
    texts += RequestReaderTests.refused.map(\.text)
    let own = host + "Origin: http://" + host.dropFirst(6) + "Connection: close\r\n"
    let type = "Content-Type: application/x-www-form-urlencoded\r\n"
    for address in ["/settings", "/faults", "/new", "/airports/BIBD/edit", "/actions"] {
      for body in [
        "", "=", "&&&", "%", "%00=%00", "draft=%00&do=undo", "do=theirs", "do=keep", "name=%FF",
        "icao=%3Cscript%3E&name=x", String(repeating: "tags=x&", count: 2_000),
        "latitude=nan&longitude=inf", "elevation=1e999", "latency=99999999999999999999",
      ] {
        texts.append(
          "POST \(address) HTTP/1.1\r\n\(own)\(type)Content-Length: \(body.utf8.count)\r\n\r\n"
            + body)
      }
      texts.append("POST \(address) HTTP/1.1\r\n\(own)\(type)Content-Length: 999999999\r\n\r\nx")
    }
    var requests = texts.map { [Array($0.utf8)] }
    // Split heads, bytes that are no text, and a head that never ends.
    for text in texts.prefix(12) { requests.append(text.utf8.map { [$0] }) }
    var random = SeededGenerator(seed: 7)
    for length in [1, 10, 1_000, 20_000] {
      requests.append([
        (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) } + [13, 10, 13, 10]
      ])
    }
    requests.append(
      Array(repeating: Array("A: bbbbbbbbbbbbbbbbbbbbbbbbbbbbb\r\n".utf8), count: 800))
    requests.append([Array("GET /".utf8) + Array(repeating: UInt8(ascii: "x"), count: 100_000)])
    return requests
  }

  @Test("is answered or refused more than 200 times, and the server keeps serving")
  func keepsServing() async throws {
    try await RunningServer.with { server in
      let requests = Self.requests(server.host)
      #expect(requests.count >= 200)
      for (number, request) in requests.enumerated() {
        let socket = try await server.connect()
        do {
          for piece in request { try await socket.write(Data(piece)) }
        } catch {
          // It need not listen to the end of what it refuses.
        }
        // What has no end yet is not waited for: the client goes.
        if let end = request.last, end.suffix(4) == [13, 10, 13, 10] || request.count == 1 {
          let first = (try? await socket.read(atMost: 12)) ?? []
          let status = String(decoding: first, as: UTF8.self)
          #expect(
            status.isEmpty || status.hasPrefix("HTTP/1.1 ") && !status.hasSuffix("500"),
            "request \(number): \(status)")
        }
        try? socket.close()
      }
      let page = try await server.get("/")
      #expect(page.contains("<a href=\"/airports/BIBD\">"))
      #expect(page.contains("1 airport, by name"))
    }
  }

  @Test(
    "that opens more connections than there may be keeps nobody else out for longer than it stays")
  func connections() async throws {
    var limits = RequestLimits()
    limits.connections = 20
    try await RunningServer.with(limits: limits) { server in
      var sockets: [AsyncSocket] = []
      for _ in 0..<20 {
        let socket = try await server.connect()
        try await socket.write(
          Data("GET /icon.svg HTTP/1.1\r\n\(server.host)\r\n".utf8))
        _ = try await socket.read(atMost: 12)
        sockets.append(socket)
      }
      #expect(try await server.get("/icon.svg").isEmpty)
      for socket in sockets { try socket.close() }
      // Each end is noticed by its connection, one after the other.
      var answer = ""
      while answer.isEmpty { answer = (try? await server.get("/icon.svg")) ?? "" }
      #expect(answer.contains("<svg"))
    }
  }
}
