import FieldstoneServing
import FieldstoneTesting
import FlyingSocks
import Foundation
import Testing

@testable import AirfieldApp

@Suite("A hostile client", .timeLimit(.minutes(10)))
struct HostileTests {
  @Test("is answered or refused as it should be, more than 200 times, and others are still served")
  func keepsServing() async throws {
    try await RunningServer.with { server in
      let requests = HostileRequest.all(host: server.host)
      #expect(requests.count >= 200)
      var statuses: [Int] = []
      for request in requests {
        let status = try await server.status(of: request.pieces)
        let isLost = status == nil && request.isCutOff
        #expect(status == request.status || isLost, "\(request.name): \(status ?? 0)")
        if !request.isCutOff { statuses.append(status ?? 0) }
      }
      let expected = requests.filter { !$0.isCutOff }.map(\.status)
      #expect(Self.counts(statuses) == Self.counts(expected))
      let page = try await server.get("/")
      #expect(page.contains("<a href=\"/airports/BIBD\">"))
      #expect(page.contains("1 airport, by name"))
    }
  }

  private static func counts(_ statuses: [Int]) -> [Int: Int] {
    Dictionary(grouping: statuses) { $0 }.mapValues(\.count)
  }

  /// Beginnings of requests that never go on, and how the connection ends with each.
  private static func slow(_ host: String) -> [(text: String, status: Int?)] {
    let post =
      "POST /settings HTTP/1.1\r\n\(host)Origin: http://" + host.dropFirst(6)
      + "Content-Length: 100\r\n"
    return [
      ("G", 408), ("GET / HTTP/1.1\r\nHo", 408), ("GET / HTTP/1.1\r\n\(host)", 408),
      ("GET / HTTP/1.1\r\n\(host)\r", 408),
      (post + "Content-Type: application/x-www-form-urlencoded\r\n\r\ntheme=", 408),
      // The page takes no files, and has answered before they came.
      (post + "Content-Type: multipart/form-data; boundary=x\r\n\r\n--x\r\n", 415),
      // Who says nothing at all is told nothing.
      ("", nil), ("\r\n", nil),
    ]
  }

  @Test("that is slow is told so and put out, and keeps nobody waiting meanwhile")
  func slow() async throws {
    let time = ManualTime()
    let ended = Recorder<String>()
    try await RunningServer.with(time: time.source) { server in
      let beginnings = (0..<5).flatMap { _ in Self.slow(server.host) }
      await withTaskGroup { group in
        for (text, status) in beginnings {
          group.addTask {
            let answer = try? await server.status(of: [Array(text.utf8)])
            #expect(answer == status, "\(text)")
            ended.record(text)
          }
        }
        // Each is over some time after its first bytes were read; everybody else is served.
        var attempts = 0
        while ended.count < beginnings.count, attempts < 1_000 {
          attempts += 1
          let icon = (try? await server.get("/icon.svg")) ?? ""
          #expect(icon.contains("<svg"))
          time.advance(by: .seconds(2))
        }
        #expect(ended.count == beginnings.count)
        group.cancelAll()
      }
    }
  }

  @Test("that opens more connections than there may be keeps nobody out")
  func connections() async throws {
    var limits = RequestLimits()
    limits.server.connections = 20
    try await RunningServer.with(limits: limits) { server in
      var sockets: [AsyncSocket] = []
      for _ in 0..<30 {
        let socket = try await server.connect()
        try await socket.write(Data("GET /icon.svg HTTP/1.1\r\n\(server.host)\r\n".utf8))
        _ = try await socket.read(atMost: 12)
        sockets.append(socket)
      }
      // Those that wait for a request have nothing to lose, and make room.
      #expect(try await server.get("/icon.svg").contains("<svg"))
      for socket in sockets { try socket.close() }
    }
  }
}
