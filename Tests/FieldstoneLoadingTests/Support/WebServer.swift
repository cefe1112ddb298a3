import FieldstoneCore
import FieldstoneTesting
import Foundation

/// An HTTP server on the loopback address that does as the test says, with a thread for each
/// connection.
///
/// ```swift
/// let server = try WebServer { request in
///   request.path == "/slow" ? .init(body: "late", holdBefore: latch) : .init(status: 404)
/// }
/// ```
final class WebServer: Sendable {
  /// What was asked.
  struct Request: Sendable, Equatable {
    var method: String
    /// The path with its query.
    var path: String
    /// By name in lower case.
    var headers: [String: String]
    var body: String
  }

  private let descriptor: Int32
  let port: UInt16
  private let received = Recorder<Request>()
  private let hungUp = Recorder<String>()

  /// Makes a server and starts it.
  ///
  /// - Parameter answer: answers a request, on the connection's own thread.
  init(_ answer: @escaping @Sendable (Request) -> WebReply) throws {
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
        bind(listener, address, length) == 0
          && listen(listener, 64) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    guard isOpen else { throw MessageError("No loopback port could be opened.") }
    descriptor = listener
    port = UInt16(bigEndian: address.sin_port)
    let (received, hungUp) = (received, hungUp)
    Thread.detachNewThread {
      while true {
        let socket = accept(listener, nil, nil)
        guard socket >= 0 else { return }
        let connection = WebConnection(socket)
        Thread.detachNewThread {
          defer { connection.close() }
          guard let request = connection.request() else { return }
          received.record(request)
          connection.send(answer(request)) { hungUp.record(request.path) }
        }
      }
    }
  }

  deinit {
    // A listening socket that is shut down ends the thread's `accept`.
    shutdown(descriptor, 2)
    close(descriptor)
  }

  /// The address of a path.
  func url(_ path: String = "/") -> URL { URL(string: "http://127.0.0.1:\(port)\(path)")! }

  /// What was asked so far.
  var requests: [Request] { received.elements }

  /// Waits until so much was asked.
  @discardableResult
  func requests(atLeast count: Int) async -> [Request] { await received.elements(atLeast: count) }

  /// Waits until so many clients hung up on replies that wait for it, and gives their paths.
  @discardableResult
  func hangUps(atLeast count: Int) async -> [String] { await hungUp.elements(atLeast: count) }
}
