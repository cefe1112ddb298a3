import AirfieldTestSupport
import FieldstoneServing
import FieldstoneTesting
import FlyingSocks
import Foundation
import Testing

@testable import AirfieldApp

@Suite("A file sent to the server", .timeLimit(.minutes(10)))
struct UploadTests {
  @Test("is taken from a page of the server and from no other")
  func origins() async throws {
    try await RunningServer.with(limits: .patient, importGate: Gate()) { server in
      let file = PostedFile(text: Samples.header)
      for origin in ["http://evil.example", "null", "https://127.0.0.1:\(server.port)"] {
        let answer = try await server.answer(to: file.request(server, origin: origin))
        #expect(answer.hasPrefix("HTTP/1.1 403 "), "\(origin)")
      }
      #expect(await server.site.importState == .unknown)
      let taken = try await server.answer(to: file.request(server))
      #expect(taken.hasPrefix("HTTP/1.1 303 "))
      #expect(taken.contains("Location: /import\r\n"))
      #expect(await server.site.importState?.isBusy == true)
    }
  }

  @Test("may be much larger than any other body, and the connection goes on after it")
  func large() async throws {
    try await RunningServer.with(limits: .patient, importGate: Gate()) { server in
      let file = PostedFile(text: String(repeating: "x", count: 900_000))
      let request = file.request(server, more: "")
      let next = Array("GET /icon.svg HTTP/1.1\r\n\(server.host)Connection: close\r\n\r\n".utf8)
      let answer = try await server.answer(to: request + [next])
      #expect(answer.hasPrefix("HTTP/1.1 303 "))
      #expect(answer.contains("HTTP/1.1 200 OK"))
      #expect(answer.contains("<svg"))
    }
  }

  @Test("that is too large, or a second one, is read to its end and told so in a page")
  func refused() async throws {
    try await RunningServer.with(limits: .patient, importGate: Gate()) { server in
      let large = PostedFile(text: String(repeating: "x", count: 3 << 20))
      let answer = try await server.answer(to: large.request(server))
      #expect(answer.hasPrefix("HTTP/1.1 413 "))
      #expect(answer.contains("larger than 1 MB"))
      #expect(answer.hasSuffix("</html>"))
      let file = PostedFile(text: Samples.header)
      #expect(try await server.answer(to: file.request(server)).hasPrefix("HTTP/1.1 303 "))
      let second = try await server.answer(to: file.request(server))
      #expect(second.hasPrefix("HTTP/1.1 409 "))
      #expect(second.contains("Another import is under way"))
    }
  }

  @Test("that nobody would want to read to its end is refused without that")
  func huge() async throws {
    var limits = RequestLimits.patient
    limits.server.refusedBody = 1 << 20
    try await RunningServer.with(limits: limits, importGate: Gate()) { server in
      let request = PostedFile(text: "x").request(server, length: 99_999_999_999)
      let answer = try await server.answer(to: [request[0]])
      #expect(answer.hasPrefix("HTTP/1.1 413 "))
    }
  }

  @Test("is asked for where the client wants to be asked, and refused before it was sent")
  func expects() async throws {
    try await RunningServer.with(limits: .patient, importGate: Gate()) { server in
      let request = PostedFile(text: Samples.header).request(
        server, more: "Connection: close\r\nExpect: 100-continue\r\n")
      let socket = try await server.connect()
      try await socket.write(Data(request[0]))
      let first = try await socket.read(atMost: 25)
      #expect(String(decoding: first, as: UTF8.self) == "HTTP/1.1 100 Continue\r\n\r\n")
      try await socket.write(Data(request[1]))
      #expect(await server.rest(of: socket).hasPrefix("HTTP/1.1 303 "))
      // The second one is not asked for.
      #expect(try await server.answer(to: [request[0]]).hasPrefix("HTTP/1.1 409 "))
    }
  }

  @Test("leaves nothing when its client goes, and another is taken then")
  func gone() async throws {
    try await RunningServer.with(limits: .patient, importGate: Gate()) { server in
      let other = PostedFile(name: "other.csv", text: Samples.header).request(server)
      #expect(try await server.answer(to: other).hasPrefix("HTTP/1.1 303 "))
      await server.site.model.importing?.cancel()
      let before = server.keptFiles
      #expect(before.count == 1)

      let request = PostedFile(text: Samples.file(rows: 1_000)).request(server)
      let socket = try await server.connect()
      try await socket.write(Data(request[0] + request[1].prefix(100_000)))
      await server.site.waitForImport { if case .uploading = $0 { true } else { false } }
      try socket.close()
      await server.site.waitForImport { $0.status?.file == "other.csv" }
      #expect(await server.site.model.importing?.problem == nil)
      #expect(server.keptFiles == before)
      #expect(try await server.answer(to: request).hasPrefix("HTTP/1.1 303 "))
      #expect(server.keptFiles.count == 1)
    }
  }

  @Test("is given up when its client sends nothing more")
  func slow() async throws {
    let time = ManualTime()
    try await RunningServer.with(time: time.source, importGate: Gate()) { server in
      let other = PostedFile(name: "other.csv", text: Samples.header).request(server)
      #expect(try await server.answer(to: other).hasPrefix("HTTP/1.1 303 "))
      await server.site.model.importing?.cancel()
      let before = server.keptFiles
      let request = PostedFile(text: Samples.file(rows: 1_000)).request(server)
      let socket = try await server.connect()
      try await socket.write(Data(request[0] + request[1].prefix(100_000)))
      await server.site.waitForImport { if case .uploading = $0 { true } else { false } }
      let ending = Task { await server.rest(of: socket) }
      for _ in 0..<10 {
        time.advance(by: .seconds(12))
        _ = try await server.get("/icon.svg")
      }
      let answer = await ending.value
      #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 408"))
      await server.site.waitForImport { if case .uploading = $0 { false } else { true } }
      #expect(await server.site.model.importing?.state.status?.file == "other.csv")
      #expect(await server.site.model.importing?.problem == nil)
      #expect(server.keptFiles == before)
    }
  }

  @Test("with a hostile body is refused, and the server keeps serving")
  func hostile() async throws {
    try await RunningServer.with(limits: .patient, importGate: Gate()) { server in
      let form = PostedFile(text: "", boundary: "B")
      for (body, status, _) in ImportPageTests.hostile {
        let answer = try await server.answer(to: form.request(server, body: Array(body.utf8)))
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
      }
      var random = SeededGenerator(seed: 7)
      for length in [1, 100, 10_000] {
        let noise = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
        let answer = try await server.answer(to: form.request(server, body: noise))
        #expect(answer.hasPrefix("HTTP/1.1 400 "))
      }
      #expect(server.keptFiles.isEmpty)
      let page = try await server.get("/")
      #expect(page.contains("1 airport, by name"))
    }
  }
}

extension RunningServer {
  /// The files that are kept for imports.
  var keptFiles: [String] {
    let path = imports?.folder.path ?? ""
    return (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
  }
}

extension DirectorySite {
  /// What the import is at.
  fileprivate var importState: ImportState? { model.importing?.state }

  /// Waits until the import is at something.
  fileprivate func waitForImport(_ isMet: @escaping @Sendable (ImportState) -> Bool) async {
    guard let screen = model.importing else { return }
    await eventually { isMet(screen.state) }
  }
}
