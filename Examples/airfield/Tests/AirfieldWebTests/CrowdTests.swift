import FieldstoneServing
import FieldstoneTesting
import FlyingSocks
import Foundation
import Testing

@testable import AirfieldApp

@Suite("A crowd", .timeLimit(.minutes(10)))
struct CrowdTests {
  private static let pages = [
    "/live?view=directory", "/live?view=airport&icao=BIBD", "/live?view=directory&q=b", "/live",
  ]

  /// Opens a stream of events and reads its first one; nil where there are too many.
  private static func open(_ path: String, _ server: RunningServer) async throws -> AsyncSocket? {
    let socket = try await server.connect()
    try await socket.write(Data("GET \(path) HTTP/1.1\r\n\(server.host)\r\n".utf8))
    var answer = ""
    // Who is refused is not put out, so the end is not waited for.
    while !answer.hasPrefix("HTTP/1.1 503 "),
      let more = try? await socket.read(atMost: 4_096), !more.isEmpty
    {
      answer += String(decoding: more, as: UTF8.self)
      if answer.contains("\"hello\"") { return socket }
    }
    try? socket.close()
    #expect(answer.hasPrefix("HTTP/1.1 503 "), "\(answer.prefix(80))")
    return nil
  }

  @Test("of hundreds that open a stream, read of it and go is forgotten, and others are let in")
  func comesAndGoes() async throws {
    let (clients, atOnce) = (240, 20)
    let time = ManualTime()
    var limits = RequestLimits()
    limits.server.streams = 2 * atOnce
    try await RunningServer.with(limits: limits, time: time.source) { server in
      for start in stride(from: 0, to: clients, by: atOnce) {
        var sockets: [AsyncSocket] = []
        var attempts = 0
        while sockets.count < atOnce {
          // That a client has gone is noticed by its connection, a moment later.
          attempts += 1
          try #require(attempts < 2_000, "\(sockets.count) of those after \(start) were let in")
          let path = Self.pages[(start + sockets.count) % Self.pages.count]
          if let socket = try await Self.open(path, server) { sockets.append(socket) }
        }
        #expect(await server.site.visitors.count >= atOnce)
        for socket in sockets { try socket.close() }
      }
      #expect(await server.site.visitors.count <= clients)
      try await server.forgetVisitors(by: time)
      #expect(await server.site.visitors.count == 0)
      // Nobody listens any more for what is saved.
      #expect(await server.listenerCount == 0)
      let opened = try await Self.open("/live?view=directory", server)
      let last = try #require(opened)
      #expect(await server.site.visitors.count == 1)
      try last.close()
    }
  }
}
