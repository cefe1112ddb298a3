import AirfieldTestSupport
import Fieldstone
import FieldstoneDurable
import FieldstoneServing
import FieldstoneTesting
import Foundation
import Synchronization
import Testing

@testable import AirfieldApp

/// A site over a directory in a folder of its own, asked without a server.
@MainActor
struct TestSite {
  let folder: TemporaryFolder
  let directory: AirportDirectory
  let model: AirfieldModel
  let site: DirectorySite

  /// What the directory has written to its log.
  let log = Log()

  /// What imports files, where a gate was given.
  let imports: DirectoryImports?

  /// What makes the nightly export, where a gate was given.
  let nightly: NightlyExports?

  /// Makes the site.
  ///
  /// With a gate it takes files in, and their import waits there before its third batch. With a gate for
  /// exports it has a nightly export, which waits there before its second page.
  init(
    _ airports: [Airport] = [], limits: RequestLimits = RequestLimits(),
    time: TimeSource = .system, importGate gate: Gate? = nil,
    exportGate: Gate? = nil, exportTime: TimeSource = .system, largest: Int = 1 << 20,
    source: (AirportDirectory) -> AirportSource = { AirportSource($0) }
  ) async throws {
    folder = try TemporaryFolder()
    directory = try AirportDirectory(path: try folder.path("airports.sqlite")) { [log] in
      log.add($0)
    }
    _ = try await directory.store(airports)
    var imports: DirectoryImports?
    if let gate {
      imports = try DirectoryImports(
        directory: directory, limit: largest, options: Self.options(gate))
    }
    self.imports = imports
    nightly = try exportGate.map { [directory] gate in
      try NightlyExports(
        services: ExportServices(directory: directory, wanted: nil, pageSize: 1),
        options: Self.options(gate), time: exportTime)
    }
    model = AirfieldModel(
      source: source(directory), settings: folder.url.appending(path: "settings.json"),
      imports: imports, nightly: nightly, time: time)
    site = DirectorySite(model: model, limits: limits)
  }

  /// Options of a runner whose stages of number 3 wait at a gate.
  private static func options(_ gate: Gate) -> DurableRunnerOptions {
    var options = DurableRunnerOptions(lease: .seconds(864_000), shutdownGrace: .zero)
    options.aroundStage = { attempt in
      if attempt.sequence == 3 { try await gate.waitUnlessCancelled() }
      return try await attempt.perform()
    }
    return options
  }

  func answer(_ method: String, _ address: String, _ values: [(String, String)] = []) async
    -> SiteAnswer
  {
    let body = values.map { "\($0)=\(Self.encoded($1))" }.joined(separator: "&")
    return await site.answer(
      SiteRequest(
        method: method, target: address,
        headers: method == "POST" ? ["content-type": "application/x-www-form-urlencoded"] : [:],
        body: Array(body.utf8)))
  }

  func response(_ method: String, _ address: String, _ values: [(String, String)] = []) async
    -> SiteResponse
  {
    switch await answer(method, address, values) {
    case .response(let response): return response
    case .events, .download:
      Issue.record("\(address) is a stream")
      return await response("GET", "/nothing")
    }
  }

  /// The page at an address.
  func page(_ address: String, status: Int = 200) async -> String {
    let response = await response("GET", address)
    #expect(response.status == status, "\(address)")
    return String(decoding: response.body, as: UTF8.self)
  }

  /// The file that is read while it is sent, at an address.
  func download(_ address: String) async throws -> SiteDownload {
    guard case .download(let download) = await answer("GET", address) else {
      throw MessageError("\(address) is no download")
    }
    return download
  }

  /// The events of an address.
  func events(_ address: String) async throws -> Events {
    guard case .events(let stream) = await answer("GET", address) else {
      throw MessageError("\(address) is no stream")
    }
    return Events(stream)
  }

  static func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      let digits = String(byte, radix: 16)
      return "%" + (digits.count < 2 ? "0" + digits : digits)
    }.joined()
  }
}

/// Lines of a log, from any thread.
final class Log: Sendable {
  private let state = Mutex<[String]>([])

  func add(_ line: String) { state.withLock { $0.append(line) } }

  /// What was written since it was asked for last.
  func take() -> [String] {
    state.withLock { lines in
      defer { lines = [] }
      return lines
    }
  }
}
