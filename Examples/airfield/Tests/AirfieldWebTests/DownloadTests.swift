import AirfieldTestSupport
import FieldstoneServing
import FieldstoneTesting
import FlyingSocks
import Foundation
import Synchronization
import Testing

@testable import AirfieldApp

@Suite("A download over a connection", .timeLimit(.minutes(10)))
struct DownloadTests {
  private static let many = ExportTests.fields(1_001)

  /// The body that chunks come to, and whether the last one was there.
  private func unchunked(_ answer: String) throws -> (body: String, isWhole: Bool) {
    let parts = answer.components(separatedBy: "\r\n\r\n")
    #expect(parts[0].contains("\r\nTransfer-Encoding: chunked"))
    #expect(!parts[0].contains("Content-Length"))
    var rest = Array(answer.utf8).dropFirst(parts[0].utf8.count + 4)
    var body: [UInt8] = []
    while let end = rest.firstRange(of: [13, 10]) {
      let digits = String(decoding: rest[..<end.lowerBound], as: UTF8.self)
      let size = try #require(Int(digits, radix: 16), "\(digits)")
      rest = rest[end.upperBound...]
      if size == 0 { return (String(decoding: body, as: UTF8.self), rest.elementsEqual([13, 10])) }
      body += rest.prefix(size)
      rest = rest.dropFirst(size + 2)
    }
    return (String(decoding: body, as: UTF8.self), false)
  }

  private func request(_ server: RunningServer, _ method: String = "GET", _ version: String = "1.1")
    -> String
  {
    "\(method) /export.csv HTTP/\(version)\r\n\(server.host)Connection: close\r\n\r\n"
  }

  /// Whether a download begins, of which no more is read.
  private func begins(_ server: RunningServer) async throws -> Bool {
    let socket = try await server.connect()
    defer { try? socket.close() }
    try await socket.write(Data(request(server).utf8))
    return String(decoding: try await socket.read(atMost: 12), as: UTF8.self).hasSuffix("200")
  }

  @Test("tells its length where it is short")
  func short() async throws {
    try await RunningServer.with { server in
      let answer = try await server.get("/export.csv")
      let body = Samples.header + "BIBD,BIU,Bíldudalur Airport,Bíldudalur,,IS,,1,2,UTC,\r\n"
      #expect(answer.contains("\r\nContent-Length: \(body.utf8.count)\r\n"))
      #expect(answer.hasSuffix("\r\n\r\n" + body))
      #expect(!answer.contains("Transfer-Encoding"))
    }
  }

  @Test("comes in chunks where it is long, whose last one says that it is whole")
  func long() async throws {
    try await RunningServer.with(airports: Self.many) { server in
      let (body, isWhole) = try unchunked(try await server.get("/export.csv"))
      #expect(isWhole)
      #expect(body.hasPrefix(Samples.header + "1000,A1000,"))
      #expect(body.components(separatedBy: "\r\n").count == 1_003)
      let old = try await server.answer(to: request(server, "GET", "1.0"))
      #expect(!old.contains("Transfer-Encoding"))
      #expect(old.hasSuffix("\r\n\r\n" + body))
    }
  }

  @Test("leaves the connection open for the next request")
  func keepsAlive() async throws {
    try await RunningServer.with(airports: Self.many) { server in
      let one = "GET /export.csv HTTP/1.1\r\n\(server.host)\r\n"
      let last = "GET /icon.svg HTTP/1.1\r\n\(server.host)Connection: close\r\n\r\n"
      let answer = try await server.answer(to: one + one + last)
      #expect(answer.components(separatedBy: "\r\n0\r\n\r\nHTTP/1.1 200 OK").count == 3)
      #expect(answer.hasSuffix("</svg>\n") || answer.hasSuffix("</svg>"))
    }
  }

  @Test("has a head and nothing else for HEAD")
  func head() async throws {
    try await RunningServer.with(airports: Self.many) { server in
      let head = try await server.answer(to: request(server, "HEAD"))
      #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(head.hasSuffix("\r\n\r\n"))
      #expect(head.components(separatedBy: "\r\n\r\n").count == 2)
      #expect(try await server.get("/export.csv").hasPrefix(head))
    }
  }

  @Test("goes on after a piece whose airports have all gone")
  func emptyPiece() async throws {
    let steps = Steps()
    try await RunningServer.with(
      airports: Self.many,
      source: { base in
        AirportSource.pieces(base) { mark in
          steps.next() == 1
            ? ExportPiece(text: "", next: mark) : ExportPiece(text: "last\r\n", next: nil)
        }
      }
    ) { server in
      let (body, isWhole) = try unchunked(try await server.get("/export.csv"))
      #expect(isWhole)
      #expect(body.hasSuffix("\r\nlast\r\n"))
    }
  }

  @Test("ends without its last chunk where reading fails")
  func fails() async throws {
    try await RunningServer.with(
      airports: Self.many, source: { AirportSource.pieces($0) { _ in throw FaultError.nextPage } }
    ) { server in
      let (body, isWhole) = try unchunked(try await server.get("/export.csv"))
      #expect(!isWhole)
      #expect(body.components(separatedBy: "\r\n").count == 1_002)
    }
  }

  @Test("ends, its place is free and nothing is read any more when the reader goes away")
  func goesAway() async throws {
    var limits = RequestLimits()
    limits.downloads = 1
    try await RunningServer.with(
      limits: limits, airports: Self.many, source: { AirportSource.endless($0) }
    ) { server in
      let socket = try await server.connect()
      try await socket.write(Data(request(server).utf8))
      #expect(String(decoding: try await socket.read(atMost: 12), as: UTF8.self).hasSuffix("200"))
      #expect(try await !begins(server))
      try socket.close()
      // The end is noticed by what is written next.
      while try await !begins(server) {}
    }
  }

  @Test("ends, and its place is free, when the reader takes nothing for too long")
  func stalls() async throws {
    var limits = RequestLimits()
    limits.downloads = 1
    let time = ManualTime()
    try await RunningServer.with(
      limits: limits, time: time.source, airports: Self.many, source: { AirportSource.endless($0) }
    ) { server in
      let socket = try await server.connect()
      try await socket.write(Data(request(server).utf8))
      #expect(String(decoding: try await socket.read(atMost: 12), as: UTF8.self).hasSuffix("200"))
      #expect(try await !begins(server))
      repeat { time.advance(by: .seconds(12)) } while try await !begins(server)
      try socket.close()
    }
  }

  @Test("ends when it takes too long altogether, however well it is read")
  func takesLong() async throws {
    var limits = RequestLimits()
    limits.server.reading = .seconds(1_000_000)
    let time = ManualTime()
    try await RunningServer.with(
      limits: limits, time: time.source, airports: Self.many, source: { AirportSource.endless($0) }
    ) { server in
      let socket = try await server.connect()
      try await socket.write(Data(request(server).utf8))
      var read = 0
      while let bytes = try? await socket.read(atMost: 65_536), !bytes.isEmpty {
        read += bytes.count
        time.advance(by: .seconds(12))
      }
      #expect(read > 0)
    }
  }
}

/// Counts from 1, from any thread.
private final class Steps: Sendable {
  private let last = Atomic(0)

  func next() -> Int { last.wrappingAdd(1, ordering: .relaxed).newValue }
}
