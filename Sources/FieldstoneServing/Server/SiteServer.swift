#if Serving
  public import FieldstoneCore
  import FlyingSocks
  import Foundation

  /// A server for a site over HTTP/1.1, for the pages of one process and its few readers.
  ///
  /// It bounds what clients can hold: connections, times, heads, bodies and streams of events. The
  /// connection that has waited longest for a request makes room for a new one. While all are busy,
  /// new clients are served one short request each, or get status 503 with `Retry-After`. It has no
  /// TLS: a reverse proxy does that.
  public struct SiteServer: Sendable {
    private let site: any Site
    private let access: @Sendable (UInt16) -> SiteAccess?
    private let limits: SiteLimits
    private let time: TimeSource

    /// Makes a server.
    ///
    /// - Parameters:
    ///   - site: the pages.
    ///   - limits: what a client may send and hold.
    ///   - time: the clock of all limits.
    ///   - access: the rules for a server on a port; nil for a site that checks its requests itself.
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
    ///   - host: the address of this machine to serve on, as four numbers; `0.0.0.0` for all, which
    ///     is for sites with passwords.
    ///   - port: the port; 0 takes a free one.
    ///   - onListening: hears the port once it is open.
    /// - Throws: ``SiteServerError``; `CancellationError` once the task is cancelled.
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
          // Unlike waiting for all of them, this ends at the first that throws.
          defer { group.cancelAll() }
          for try await _ in group {}
        }
      } catch {
        // Once cancelled, the parts of the server end in one way or another.
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
            // Too many files are open, or the client has gone already: others may still be served.
            try await time.sleep(for: .milliseconds(50))
            continue
          }
          guard let place = connections.enter(until: time.uptime + limits.silence) else {
            socket.writeAtOnce(Data(Self.full))
            try? socket.close()
            continue
          }
          if place.isShort { place.deadline.set(time.uptime + limits.shortArrival) }
          // Answers go out in one piece; waiting for more of them would only make them late.
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

    // No `Data`, which marks its pointer: the address sanitizer takes one that is kept for a leak.
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
  /// The server of a site, which is there with the trait `Serving`.
  @available(
    *, unavailable,
    message: "turn on the trait Serving in Package.swift: .package(…, traits: [\"Serving\"])"
  )
  public struct SiteServer: Sendable {}
#endif
