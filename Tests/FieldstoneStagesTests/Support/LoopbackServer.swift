import FieldstoneCore
import Foundation

/// Answers each HTTP request on the loopback address with one response, from a thread of its own.
final class LoopbackServer: Sendable {
  /// The first line and the body of a request.
  struct Request: Sendable, Equatable {
    var line: String
    var body: String
  }

  private let descriptor: Int32
  let port: UInt16
  private let received = Locked<[Request]>([])

  var url: URL { URL(string: "http://127.0.0.1:\(port)/")! }
  var requests: [Request] { received.withLock { $0 } }

  init(status: Int = 200, body: String = "") throws {
    #if canImport(Darwin)
      let stream = SOCK_STREAM
    #else
      let stream = Int32(SOCK_STREAM.rawValue)
    #endif
    let listener = socket(AF_INET, stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0
          && listen(listener, 16) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    guard bound else { throw MessageError("No loopback port could be opened.") }
    descriptor = listener
    port = UInt16(bigEndian: address.sin_port)
    let reply =
      "HTTP/1.1 \(status) Whatever\r\nContent-Length: \(body.utf8.count)\r\n"
      + "Connection: close\r\n\r\n\(body)"
    let received = received
    Thread.detachNewThread {
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return }
        if let request = Self.read(from: connection) { received.withLock { $0.append(request) } }
        _ = Array(reply.utf8).withUnsafeBytes { write(connection, $0.baseAddress, $0.count) }
        close(connection)
      }
    }
  }

  deinit {
    // A listening socket that is shut down ends the thread's `accept`.
    shutdown(descriptor, 2)
    close(descriptor)
  }

  private static func read(from connection: Int32) -> Request? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let text = String(decoding: bytes, as: UTF8.self)
      if let head = text.range(of: "\r\n\r\n") {
        let headers = text[..<head.lowerBound]
        let length = headers.split(separator: "\r\n")
          .first { $0.lowercased().hasPrefix("content-length:") }
          .flatMap { Int($0.split(separator: ":")[1].trimmingCharacters(in: .whitespaces)) }
        let body = String(text[head.upperBound...])
        if body.utf8.count >= length ?? 0 {
          return Request(line: String(headers.prefix { $0 != "\r\n" }), body: body)
        }
      }
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      bytes += buffer[..<count]
    }
  }
}
