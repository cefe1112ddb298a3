import AirfieldTestSupport
import Fieldstone
import FieldstoneServing
import FieldstoneTesting
import FlyingSocks
import Foundation
import Testing

@testable import AirfieldApp

/// A server on a free port, for as long as a test talks to it.
struct RunningServer: Sendable {
  let port: UInt16
  let site: DirectorySite
  let model: AirfieldModel
  let imports: DirectoryImports?
  let nightly: NightlyExports?
  let inspector: DirectoryInspector?

  /// The header that names the server.
  var host: String { "Host: 127.0.0.1:\(port)\r\n" }

  /// The airport that is served unless others are.
  static let bildudalur = Samples.airport(
    "BIBD", iata: "BIU", name: "Bíldudalur Airport", city: "Bíldudalur")

  /// Serves a directory, of one airport unless told otherwise, for as long as `body` runs.
  static func with(
    limits: RequestLimits = RequestLimits(), time: TimeSource = .system,
    importGate: Gate? = nil, exportGate: Gate? = nil, largest: Int = 1 << 20,
    airports: [Airport] = [bildudalur], isInspected: Bool = false,
    source: @Sendable (AirportDirectory) -> AirportSource = { AirportSource($0) },
    _ body: @escaping @Sendable (RunningServer) async throws -> Void
  ) async throws {
    let test = try await TestSite(
      airports, limits: limits, time: time, importGate: importGate, exportGate: exportGate,
      largest: largest, source: source)
    let site = test.site
    let inspector =
      isInspected
      ? await DirectoryInspector(
        model: test.model, directory: test.directory, imports: test.imports,
        nightly: test.nightly) : nil
    let server = DirectoryServer(
      site: site, inspector: inspector, port: 0, limits: limits, time: time)
    let (addresses, continuation) = AsyncStream.makeStream(of: String.self)
    let task = Task {
      defer { continuation.finish() }
      try await server.run { continuation.yield($0) }
    }
    let address = try #require(await addresses.first { _ in true })
    let port = try #require(URL(string: address)?.port.flatMap { UInt16(exactly: $0) })
    try await body(
      RunningServer(
        port: port, site: site, model: test.model, imports: test.imports, nightly: test.nightly,
        inspector: inspector))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    withExtendedLifetime(test) {}
  }

  /// How many screens want to hear of what is saved or imported.
  @MainActor
  var listenerCount: Int { model.changes.count + model.reloads.count }

  /// Lets time go by until all visitors who have gone are forgotten, or for long enough.
  func forgetVisitors(by time: ManualTime) async throws {
    for _ in 0..<1_000 where await site.visitors.count > 0 {
      // That a client has gone is noticed by its connection, a moment later.
      _ = try await get("/icon.svg")
      time.advance(by: .seconds(1))
      await site.visitors.forgetGone()
    }
  }

  /// A connection.
  func connect() async throws -> AsyncSocket {
    try await AsyncSocket.connected(
      to: .inet(ip4: "127.0.0.1", port: port), timeout: 600)
  }

  /// All that the server sends for some bytes, until it closes.
  func answer(to pieces: [[UInt8]]) async throws -> String {
    let socket = try await connect()
    defer { try? socket.close() }
    do {
      for piece in pieces { try await socket.write(Data(piece)) }
    } catch {
      // It need not listen to the end of what it refuses.
    }
    return await rest(of: socket)
  }

  func answer(to text: String) async throws -> String {
    try await answer(to: [Array(text.utf8)])
  }

  /// What arrives until the server closes.
  func rest(of socket: AsyncSocket) async -> String {
    var received: [UInt8] = []
    while let more = try? await socket.read(atMost: 4_096), !more.isEmpty { received += more }
    return String(decoding: received, as: UTF8.self)
  }

  /// The page at an address, over a connection of its own.
  func get(_ address: String) async throws -> String {
    try await answer(to: "GET \(address) HTTP/1.1\r\n\(host)Connection: close\r\n\r\n")
  }

  /// The status of the answer to some bytes; nil where the server closes without any.
  func status(of pieces: [[UInt8]]) async throws -> Int? {
    let socket = try await connect()
    defer { try? socket.close() }
    do {
      for piece in pieces where !piece.isEmpty { try await socket.write(Data(piece)) }
    } catch {
      // It need not listen to the end of what it refuses.
    }
    var head: [UInt8] = []
    // An answer of events has no end, so only its beginning is waited for.
    while head.count < 12, let more = try? await socket.read(atMost: 12 - head.count),
      !more.isEmpty
    {
      head += more
    }
    let text = String(decoding: head, as: UTF8.self)
    return text.hasPrefix("HTTP/1.1 ") ? Int(text.dropFirst(9)) : nil
  }
}

extension RequestLimits {
  /// Limits for tests by the time of the system: a machine that is busy with other work is no slow
  /// client.
  static var patient: RequestLimits {
    var limits = RequestLimits()
    limits.server.arrival = .seconds(500)
    return limits
  }
}
