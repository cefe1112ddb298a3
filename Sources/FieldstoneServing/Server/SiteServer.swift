#if Serving
  public import FieldstoneCore
  import FlyingSocks
  import Foundation

  /// An HTTP/1.1 server for a site, for the pages of one process and its few readers.
  ///
  /// It bounds the connections, times, heads, bodies and event streams of its clients. A new
  /// connection closes the one that has been idle longest. While all are busy, a new client is
  /// served one short request, or gets status 503 with `Retry-After`. It has no TLS; put a reverse
  /// proxy before it, and tell ``SiteAccess`` so.
  public struct SiteServer: Sendable {
    private let site: any Site
    private let access: @Sendable (UInt16) -> SiteAccess?
    private let limits: SiteLimits
    private let time: TimeSource

    /// Makes a server.
    ///
    /// - Parameters:
    ///   - site: the pages.
    ///   - limits: the limits on clients.
    ///   - time: the clock of all limits.
    ///   - access: makes the rules for a server on a port; nil for a site that checks its requests
    ///     itself. The default permits the names of this machine with this port alone.
    public init(
      _ site: any Site, limits: SiteLimits = SiteLimits(), time: TimeSource = .system,
      access: @escaping @Sendable (_ port: UInt16) -> SiteAccess? = { SiteAccess(port: $0) }
    ) {
      self.site = site
      self.access = access
      self.limits = limits
      self.time = time
    }

    /// Serves until the task is cancelled.
    ///
    /// - Parameters:
    ///   - host: the IPv4 address of this machine to serve on. `0.0.0.0` stands for all; use it
    ///     only for sites with passwords.
    ///   - port: the port; 0 selects a free one.
    ///   - onListening: called with the port once it is open.
    /// - Throws: ``SiteServerError``; `CancellationError` if the task is cancelled.
    @concurrent
    public func run(
      host: String = "127.0.0.1", port: UInt16,
      onListening: @escaping @Sendable (_ port: UInt16) -> Void
    ) async throws {
      let pool = SocketPool.make(maxEvents: 64)
      let socket: Socket
      do {
        try await pool.prepare()
        socket = try Self.listeningSocket(host, port)
      } catch let error as SocketError {
        throw SiteServerError.cannotListen(port: port, reason: Self.reason(error))
      }
      defer { try? socket.close() }
      guard case .ip4(_, let port) = try socket.sockname() else {
        throw SiteServerError.cannotListen(port: port, reason: "it has no address")
      }
      let listener = try AsyncSocket(socket: socket, pool: pool)
      let connections = OpenConnections(limits: limits)
      do {
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { try await pool.run() }
          group.addTask { try await accept(listener, access(port), connections) }
          group.addTask {
            while true {
              try await time.sleep(for: .seconds(15))
              connections.tidy()
            }
          }
          onListening(port)
          // Waiting for all child tasks would not end at the first error.
          defer { group.cancelAll() }
          for try await _ in group {}
        }
      } catch {
        // After a cancellation, the parts of the server end with various errors.
        try Task.checkCancellation()
        throw error
      }
      try Task.checkCancellation()
    }

    private static func listeningSocket(_ host: String, _ port: UInt16) throws -> Socket {
      let address = try sockaddr_in.inet(ip4: host, port: port)
      let socket = try Socket(domain: Int32(sockaddr_in.family))
      do {
        try socket.setValue(true, for: .localAddressReuse)
        #if canImport(Darwin)
          try socket.setValue(true, for: .noSIGPIPE)
        #endif
        try socket.bind(to: address)
        try socket.listen()
        return socket
      } catch {
        try? socket.close()
        throw error
      }
    }

    private func accept(
      _ listener: AsyncSocket, _ access: SiteAccess?, _ connections: OpenConnections
    ) async throws {
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
            // Too many files are open, or the client has disconnected; other clients may still be
            // served.
            try await time.sleep(for: .milliseconds(50))
            continue
          }
          guard let place = connections.enter(until: time.uptime + limits.silence) else {
            socket.writeAtOnce(Data(Self.full))
            try? socket.close()
            continue
          }
          if place.isShort { place.deadline.set(time.uptime + limits.shortArrival) }
          // Responses are written in one piece, so waiting to fill a packet would only delay them.
          try? socket.socket.setValue(
            true, for: BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY))
          group.addTask {
            await SiteConnection(
              socket: socket, site: site, access: access, limits: limits, time: time, place: place
            ).serve()
          }
        }
      }
    }

    // Not a `Data`, which tags its pointer: the address sanitizer reports a stored one as a leak.
    private static let full = [UInt8](
      ResponseHead.bytes(
        status: 503, headers: SiteResponse.busy.headers, length: SiteResponse.busy.body.count,
        keepsAlive: false) + SiteResponse.busy.body)

    private static func reason(_ error: SocketError) -> String {
      if case .failed(_, _, let message) = error { return message }
      return error.localizedDescription
    }
  }
#else
  /// The server of a site; available with the trait `Serving`.
  @available(
    *, unavailable,
    message: "turn on the trait Serving in Package.swift: .package(…, traits: [\"Serving\"])"
  )
  public struct SiteServer: Sendable {}
#endif
