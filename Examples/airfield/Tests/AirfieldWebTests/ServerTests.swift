import AirfieldDirectory
import AirfieldTestSupport
import AirfieldWeb
import FlyingSocks
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("The server")
struct ServerTests {
  /// Serves a directory of one airport on a free port for as long as `body` runs.
  private func serving(_ body: @escaping @Sendable (URL) async throws -> Void) async throws {
    let folder = try TemporaryFolder()
    let directory = try AirportDirectory(path: try folder.path("airports.sqlite"))
    _ = try await directory.store([
      Samples.airport("BIBD", iata: "BIU", name: "Bíldudalur Airport", city: "Bíldudalur")
    ])
    let server = DirectoryServer(site: DirectorySite(directory: directory), port: 0)
    let (addresses, continuation) = AsyncStream.makeStream(of: String.self)
    let task = Task {
      defer { continuation.finish() }
      try await server.run { continuation.yield($0) }
    }
    let address = try #require(await addresses.first { _ in true })
    try await body(try #require(URL(string: address)))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  /// All that the server sends for a request, which URLSession would not tell of HEAD.
  private func bytes(of request: String, from root: URL) async throws -> String {
    let port = try #require(root.port.flatMap { UInt16(exactly: $0) })
    let socket = try await AsyncSocket.connected(to: .inet(ip4: "127.0.0.1", port: port))
    defer { try? socket.close() }
    try await socket.write(Data("\(request)\r\nHost: \(root)\r\nConnection: close\r\n\r\n".utf8))
    var received: [UInt8] = []
    let source = socket.bytes
    while let more = try? await source.nextBuffer(suggested: 4096), !more.isEmpty {
      received += more
    }
    return String(decoding: received, as: UTF8.self)
  }

  @Test("answers browsers on the loopback address, page by page")
  func pages() async throws {
    try await serving { root in
      #expect(root.host() == "127.0.0.1")
      let expected = [
        ("/", 200, "Bíldudalur Airport"), ("/?q=B%C3%ADldudalur", 200, "1 airport for"),
        ("/?q=bildudalur+iceland&page=1", 200, "/airports/BIBD"),
        ("/airports/BIBD", 200, "<dt>IATA code</dt>"), ("/airports/NONE", 404, "Not found"),
        ("/airfield.css", 200, "prefers-color-scheme"), ("/icon.svg", 200, "<svg"),
      ]
      for (path, status, text) in expected {
        let url = try #require(URL(string: path, relativeTo: root))
        let (data, response) = try await URLSession.shared.data(from: url)
        #expect((response as? HTTPURLResponse)?.statusCode == status)
        #expect(String(decoding: data, as: UTF8.self).contains(text), "\(path)")
      }
    }
  }

  @Test("answers HEAD as GET without the body, and other methods with 405")
  func head() async throws {
    try await serving { root in
      let (page, _) = try await URLSession.shared.data(from: root)
      var request = URLRequest(url: root)
      request.httpMethod = "HEAD"
      let (_, answer) = try await URLSession.shared.data(for: request)
      let head = try #require(answer as? HTTPURLResponse)
      #expect(head.statusCode == 200)
      #expect(head.value(forHTTPHeaderField: "Content-Length") == "\(page.count)")
      #expect(try await bytes(of: "HEAD / HTTP/1.1", from: root).hasSuffix("\r\n\r\n"))
      #expect(try await bytes(of: "GET / HTTP/1.1", from: root).hasSuffix("</html>"))

      request.httpMethod = "POST"
      let (_, refusal) = try await URLSession.shared.data(for: request)
      #expect((refusal as? HTTPURLResponse)?.statusCode == 405)
      #expect((refusal as? HTTPURLResponse)?.value(forHTTPHeaderField: "Allow") == "GET, HEAD")
    }
  }

  @Test("says which port is taken, and how to take another")
  func taken() async throws {
    try await serving { root in
      let port = try #require(root.port.flatMap { UInt16(exactly: $0) })
      let folder = try TemporaryFolder()
      let directory = try AirportDirectory(path: try folder.path("airports.sqlite"))
      let second = DirectoryServer(site: DirectorySite(directory: directory), port: port)
      let error = await #expect(throws: DirectoryServerError.self) {
        try await second.run { _ in }
      }
      #expect(error?.message.contains("\(port)") == true)
      #expect(error?.message.contains("--port") == true)
    }
  }
}
