public import Fieldstone
import FlyingSocks
import Foundation
import Synchronization

/// A web server for a site, on the loopback address of this machine and nowhere else.
public struct DirectoryServer: Sendable {
  private let site: DirectorySite
  private let port: UInt16
  private let limits: RequestLimits
  private let time: TimeSource

  /// Makes a server; port 0 takes a free one.
  public init(
    site: DirectorySite, port: UInt16, limits: RequestLimits = RequestLimits(),
    time: TimeSource = .system
  ) {
    self.site = site
    self.port = port
    self.limits = limits
    self.time = time
  }

  /// Serves until the task is cancelled, and tells its address once it is open.
  public func run(onListening: @escaping @Sendable (_ address: String) -> Void) async throws {
    let pool = SocketPool.make(maxEvents: 64)
    let socket: Socket
    do {
      try await pool.prepare()
      socket = try listeningSocket()
    } catch let error as SocketError {
      throw DirectoryServerError.cannotListen(port: port, reason: Self.reason(error))
    }
    defer { try? socket.close() }
    guard case .ip4(_, let port) = try socket.sockname() else {
      throw DirectoryServerError.cannotListen(port: port, reason: "it has no address")
    }
    let listener = try AsyncSocket(socket: socket, pool: pool)
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await pool.run() }
        group.addTask { try await accept(listener, RequestOrigin(port: port)) }
        group.addTask { try await forgetVisitors() }
        onListening("http://127.0.0.1:\(port)/")
        // Unlike waiting for all of them, this ends at the first that throws.
        defer { group.cancelAll() }
        for try await _ in group {}
      }
    } catch {
      // Being cancelled, the parts of the server end in one way or another, and the first one tells.
      try Task.checkCancellation()
      throw error
    }
    try Task.checkCancellation()
  }

  private func listeningSocket() throws -> Socket {
    let address = try sockaddr_in.inet(ip4: "127.0.0.1", port: port)
    let socket = try Socket(domain: Int32(sockaddr_in.family))
    try socket.setValue(true, for: .localAddressReuse)
    #if canImport(Darwin)
      try socket.setValue(true, for: .noSIGPIPE)
    #endif
    try socket.bind(to: address)
    try socket.listen()
    return socket
  }

  private func accept(_ listener: AsyncSocket, _ origin: RequestOrigin) async throws {
    let open = OpenConnections(limit: limits.connections)
    try await withThrowingDiscardingTaskGroup { group in
      while true {
        try Task.checkCancellation()
        let socket: AsyncSocket
        do {
          socket = try await listener.accept()
        } catch SocketError.disconnected {
          return
        } catch is CancellationError {
          throw CancellationError()
        } catch {
          // Too many files are open, or the client has gone already: others may still be served.
          try await time.sleep(for: .milliseconds(50))
          continue
        }
        guard open.enter() else {
          try? socket.close()
          continue
        }
        // Answers go out in one piece; waiting for more of them would only make them late.
        try? socket.socket.setValue(
          true, for: BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY))
        group.addTask {
          let connection = Connection(
            socket: socket, site: site, origin: origin, limits: limits, time: time)
          await connection.serve()
          open.leave()
        }
      }
    }
  }

  private func forgetVisitors() async throws {
    while true {
      try await time.sleep(for: .seconds(15))
      await site.forgetVisitors()
    }
  }

  private static func reason(_ error: SocketError) -> String {
    if case .failed(_, _, let message) = error { return message }
    return error.localizedDescription
  }
}

/// Counts the connections that are open.
private final class OpenConnections: Sendable {
  private let limit: Int
  private let count = Mutex(0)

  init(limit: Int) {
    self.limit = limit
  }

  /// Lets one more in, unless there are too many.
  func enter() -> Bool {
    count.withLock { count in
      guard count < limit else { return false }
      count += 1
      return true
    }
  }

  func leave() {
    count.withLock { $0 -= 1 }
  }
}
