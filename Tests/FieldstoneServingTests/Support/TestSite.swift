#if Serving
  import FieldstoneCore
  import FieldstoneServing
  import FieldstoneTesting
  import FlyingSocks
  import Foundation
  import Testing

  /// A small site: a page, a form, events, downloads and files.
  final class TestSite: Site {
    /// Opened to let `/held` answer.
    let gate = Gate()
    /// The streams that have ended.
    let ended = Recorder<String>()
    /// What became of each file.
    let files = Recorder<String>()

    func answer(_ request: SiteRequest) async -> SiteAnswer {
      switch request.path {
      case "/": return .response(SiteResponse(html: "<p>page"))
      case "/form":
        return .response(
          request.form.map { SiteResponse(status: 200, text: $0["a"] ?? "") }
            ?? SiteResponse(status: 415, text: "Post a form."))
      case "/held":
        await gate.wait()
        return .response(SiteResponse(status: 200, text: "held"))
      case "/events":
        return .events(
          EventStream(event: { "hello" }, onClose: { [ended] in ended.record("events") }))
      case "/download":
        return .download(
          SiteDownload(headers: ["Content-Type": "text/plain"]) { take in
            for piece in ["one", "", "two"] { try await take(Array(piece.utf8)) }
            if request.query == "fails" { throw DescribedFailure() }
          })
      case "/endless":
        return .download(
          SiteDownload(headers: ["Content-Type": "text/plain"]) { [ended] take in
            defer { ended.record("endless") }
            while true { try await take(Array(repeating: 120, count: 60_000)) }
          })
      case "/status":
        return .response(SiteResponse(status: Int(request.query) ?? 200, html: "<p>body"))
      case "/framed":
        let headers = ["content-length": "1", "Transfer-encoding": "gzip", "CONNECTION": "x"]
        guard request.query == "download" else {
          return .response(SiteResponse(status: 200, text: "framed", headers: headers))
        }
        return .download(SiteDownload(headers: headers) { try await $0(Array("framed".utf8)) })
      default: return .response(SiteResponse(status: 404, text: "Not found"))
      }
    }

    func answer(_ request: SiteRequest, body: SiteBody) async -> SiteResponse {
      switch request.path {
      case "/refused": return SiteResponse(status: 409, text: "Busy.")
      case "/impatient": return await impatient(body)
      case "/twice": return await twice(body)
      default: break
      }
      var count = 0
      do {
        while let piece = try await body.next() {
          count += piece.count
          files.record("some")
        }
        return SiteResponse(status: 200, text: "\(count) of \(body.length)")
      } catch {
        files.record("gone")
        return SiteResponse(status: 500, text: "")
      }
    }

    /// Reads with a time limit that passes at once.
    private func impatient(_ body: SiteBody) async -> SiteResponse {
      let reading = Task { try await body.next() }
      reading.cancel()
      var text = ""
      if case .failure(let error) = await reading.result, error is CancellationError {
        text = "gave up"
      }
      files.record("cancelled")
      return SiteResponse(status: 200, text: text)
    }

    /// Reads in two tasks at once.
    private func twice(_ body: SiteBody) async -> SiteResponse {
      await withTaskGroup(of: Result<Int, any Error>.self) { group in
        for _ in 0..<2 {
          group.addTask {
            do { return .success(try await body.next()?.count ?? 0) } catch {
              return .failure(error)
            }
          }
        }
        let first = await group.next()
        var text = ""
        if case .failure(let error) = first { text = "\(error)" }
        files.record("first")
        var count = 0
        for await result in group { count += (try? result.get()) ?? 0 }
        while let more = try? await body.next() { count += more.count }
        return SiteResponse(status: 200, text: "\(count): \(text)")
      }
    }

    private struct DescribedFailure: Error {}
  }

  /// A server of it on a free port, for as long as a test talks to it.
  struct RunningServer: Sendable {
    let port: UInt16
    let site: TestSite

    var host: String { "Host: 127.0.0.1:\(port)\r\n" }

    static func with(
      limits: SiteLimits = SiteLimits(), time: TimeSource = .system,
      _ body: (RunningServer) async throws -> Void
    ) async throws {
      let (ports, continuation) = AsyncStream.makeStream(of: UInt16.self)
      let site = TestSite()
      let server = SiteServer(site, limits: limits, time: time)
      let task = Task {
        defer { continuation.finish() }
        try await server.run(port: 0) { continuation.yield($0) }
      }
      let port = try #require(await ports.first { _ in true })
      do {
        try await body(RunningServer(port: port, site: site))
      } catch {
        task.cancel()
        throw error
      }
      site.gate.open()
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }

    func connect() async throws -> AsyncSocket {
      try await AsyncSocket.connected(to: .inet(ip4: "127.0.0.1", port: port), timeout: 600)
    }

    /// All that the server sends for some bytes, until it closes.
    func answer(to pieces: [[UInt8]]) async throws -> String {
      let socket = try await connect()
      defer { try? socket.close() }
      // It need not listen to the end of what it refuses.
      for piece in pieces { guard (try? await socket.write(Data(piece))) != nil else { break } }
      return await rest(of: socket)
    }

    func answer(to text: String) async throws -> String {
      try await answer(to: [Array(text.utf8)])
    }

    /// The bytes that arrive until the server closes.
    func rest(of socket: AsyncSocket) async -> String {
      var received: [UInt8] = []
      while let more = try? await socket.read(atMost: 4_096), !more.isEmpty { received += more }
      return String(decoding: received, as: UTF8.self)
    }

    /// The bytes that arrive until they contain a text, or the server closes.
    func text(of socket: AsyncSocket, until end: String) async -> String {
      var received = ""
      while !received.contains(end), let more = try? await socket.read(atMost: 4_096), !more.isEmpty
      {
        received += String(decoding: more, as: UTF8.self)
      }
      return received
    }

    /// The page at an address, over a connection of its own.
    func get(_ target: String) async throws -> String {
      try await answer(to: "GET \(target) HTTP/1.1\r\n\(host)Connection: close\r\n\r\n")
    }

    /// The bytes of a form with files.
    func form(_ target: String, length: Int, more: String = "Connection: close\r\n") -> [[UInt8]] {
      let head =
        "POST \(target) HTTP/1.1\r\n\(host)Origin: http://127.0.0.1:\(port)\r\n\(more)"
        + "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: \(length)\r\n\r\n"
      return [Array(head.utf8), Array(repeating: 120, count: length)]
    }
  }

  extension SiteLimits {
    /// Limits for tests by the time of the system: a machine that is busy is no slow client.
    static var patient: SiteLimits {
      var limits = SiteLimits()
      limits.arrival = .seconds(500)
      return limits
    }
  }
#endif
