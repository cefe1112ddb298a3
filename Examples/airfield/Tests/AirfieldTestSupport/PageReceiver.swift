import Foundation
import Synchronization

/// Answers each HTTP request on the loopback address as a test wants, from a thread of its own.
public final class PageReceiver: Sendable {
  /// A request as it came.
  public struct Request: Sendable, Equatable {
    /// The first line.
    public var line: String
    /// The headers, by their names in small letters.
    public var headers: [String: String]
    /// The body.
    public var body: String

    /// What is the same whenever the same page is posted.
    public var key: String? { headers["idempotency-key"] }
    /// The number of the page.
    public var page: Int? { headers["airfield-page"].flatMap { Int($0) } }
  }

  /// How a request is answered.
  public enum Reply: Sendable {
    /// With a status and headers.
    case status(Int, [String: String] = [:])
    /// By closing the connection.
    case drop
    /// Not at all, for as long as the receiver is there.
    case hold
  }

  private struct State: Sendable {
    var requests: [Request] = []
    var accepted: [Request] = []
    var held: [Int32] = []
  }

  private let descriptor: Int32
  private let state: Shared<State>

  /// The port that it listens on.
  public let port: UInt16

  /// Each request as it comes; for one listener.
  public let arrivals: AsyncStream<Request>

  /// Opens a port, and answers each request as `reply` says.
  public init(_ reply: @escaping @Sendable (Request) -> Reply = { _ in .status(201) }) throws {
    (descriptor, port) = try Self.listen()
    let (listener, state) = (descriptor, Shared(State()))
    self.state = state
    let (arrivals, continuation) = AsyncStream.makeStream(of: Request.self)
    self.arrivals = arrivals
    Thread.detachNewThread {
      while case let connection = accept(listener, nil, nil), connection >= 0 {
        guard let request = Self.read(from: connection) else {
          close(connection)
          continue
        }
        let reply = reply(request)
        state.withLock { state in
          state.requests.append(request)
          if case .status(200...299, _) = reply { state.accepted.append(request) }
        }
        continuation.yield(request)
        switch reply {
        case .status(let status, let headers): Self.write(status, headers, to: connection)
        case .drop: break
        case .hold:
          state.withLock { $0.held.append(connection) }
          continue
        }
        close(connection)
      }
      // Not before: the number of what is closed is soon that of somebody else's socket.
      close(listener)
      continuation.finish()
    }
  }

  deinit {
    for connection in state.withLock({ $0.held }) { close(connection) }
    // A listening socket that is shut down ends the thread's `accept`.
    shutdown(descriptor, 2)
  }

  /// The address of a path on it.
  public func address(_ path: String = "/airports") -> String { "http://127.0.0.1:\(port)\(path)" }

  /// All requests so far, in their order.
  public var requests: [Request] { state.withLock { $0.requests } }

  /// Those that were accepted.
  public var accepted: [Request] { state.withLock { $0.accepted } }

  private static func listen() throws -> (descriptor: Int32, port: UInt16) {
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
    let isOpen = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && Foundation.listen(listener, 16) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    guard isOpen else { throw POSIXError(.EADDRNOTAVAIL) }
    return (listener, UInt16(bigEndian: address.sin_port))
  }

  private static func read(from connection: Int32) -> Request? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      if let request = request(bytes) { return request }
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      bytes += buffer[..<count]
    }
  }

  /// The request, once all of it is there.
  private static func request(_ bytes: [UInt8]) -> Request? {
    let end = Array("\r\n\r\n".utf8)
    guard let head = bytes.firstRange(of: end) else { return nil }
    let lines = String(decoding: bytes[..<head.lowerBound], as: UTF8.self)
      .components(separatedBy: "\r\n")
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      if parts.count == 2 { headers[parts[0].lowercased()] = parts[1] }
    }
    let body = bytes[head.upperBound...]
    guard body.count >= headers["content-length"].flatMap({ Int($0) }) ?? 0 else { return nil }
    return Request(
      line: lines[0], headers: headers, body: String(decoding: body, as: UTF8.self))
  }

  private static func write(_ status: Int, _ headers: [String: String], to connection: Int32) {
    var text = "HTTP/1.1 \(status) Whatever\r\nContent-Length: 0\r\nConnection: close\r\n"
    for (name, value) in headers { text += "\(name): \(value)\r\n" }
    let bytes = Array((text + "\r\n").utf8)
    _ = bytes.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, 0) }
  }
}

/// A value that a thread and others share.
private final class Shared<Value: Sendable>: Sendable {
  private let value: Mutex<Value>

  init(_ value: Value) {
    self.value = Mutex(value)
  }

  func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    value.withLock { value in body(&value) }
  }
}
