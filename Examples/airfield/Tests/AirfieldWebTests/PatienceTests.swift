import FieldstoneServing
import FieldstoneTesting
import FlyingSocks
import Foundation
import Testing

@testable import AirfieldApp

@Suite("A server's patience", .timeLimit(.minutes(10)))
struct PatienceTests {
  /// Lets time pass until the server has ended a connection, and tells what it said.
  private func ending(
    after text: String, _ limits: RequestLimits
  ) async throws -> String {
    let time = ManualTime()
    let (answers, continuation) = AsyncStream.makeStream(of: String.self)
    try await RunningServer.with(limits: limits, time: time.source) { server in
      let socket = try await server.connect()
      if !text.isEmpty { try await socket.write(Data(text.utf8)) }
      let ending = Task { await server.rest(of: socket) }
      // Whenever its first bytes were read, its time is over before the last of these answers.
      for _ in 0..<10 {
        #expect(try await server.get("/icon.svg").contains("<svg"))
        time.advance(by: .seconds(12))
      }
      continuation.yield(await ending.value)
    }
    return await answers.first { _ in true } ?? ""
  }

  @Test("ends with a request that does not arrive, and it says so")
  func arrival() async throws {
    var limits = RequestLimits()
    limits.server.silence = .seconds(1_000_000)
    #expect(
      try await ending(after: "GET / HTTP/1.1\r\nHo", limits).hasPrefix("HTTP/1.1 408 "))
  }

  @Test("ends with a connection on which nothing is asked for")
  func silence() async throws {
    var limits = RequestLimits()
    limits.server.arrival = .seconds(1_000_000)
    #expect(try await ending(after: "", limits).isEmpty)
  }
}
