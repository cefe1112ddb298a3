#if Inspector
  public import FieldstoneCore
  import FlyingSocks
  import Foundation

  /// What keeps an inspector from serving.
  public enum InspectorError: DescribedError, Hashable {
    /// The port can't be opened.
    case cannotListen(port: UInt16, reason: String)

    /// What went wrong and what to do about it.
    public var message: String {
      switch self {
      case .cannotListen(let port, let reason):
        "Port \(port) can't be served on (\(reason)); choose another, or 0 for a free one."
      }
    }
  }

  extension Inspector {
    /// Serves the pages at the loopback address of this machine until the task is cancelled.
    ///
    /// At most 64 connections are open at once. A request arrives within 10 seconds, a silent
    /// connection is closed after 60, and an answer is read within 30.
    ///
    /// - Parameters:
    ///   - port: the port; 0 takes a free one.
    ///   - onListening: hears the address of the overview once it is open, with the token where there
    ///     is one.
    /// - Throws: ``InspectorError``; `CancellationError` once the task is cancelled.
    @concurrent
    public func run(
      port: UInt16, onListening: @escaping @Sendable (_ address: String) -> Void
    ) async throws {
      let limits = ConnectionLimits()
      let pool = SocketPool.make(maxEvents: 64)
      let socket: Socket
      do {
        try await pool.prepare()
        socket = try Self.listeningSocket(port)
      } catch let error as SocketError {
        throw InspectorError.cannotListen(port: port, reason: Self.reason(error))
      }
      defer { try? socket.close() }
      guard case .ip4(_, let port) = try socket.sockname() else {
        throw InspectorError.cannotListen(port: port, reason: "it has no address")
      }
      let listener = try AsyncSocket(socket: socket, pool: pool)
      do {
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { try await pool.run() }
          group.addTask { try await accept(listener, limits) }
          let query = guardian.options.token.map { "?token=" + PageAddress.encoded($0) } ?? ""
          onListening("http://127.0.0.1:\(port)\(guardian.prefix)/\(query)")
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

    private static func listeningSocket(_ port: UInt16) throws -> Socket {
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

    private func accept(_ listener: AsyncSocket, _ limits: ConnectionLimits) async throws {
      let open = Locked(0)
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
          let isRoom = open.withLock { count in
            guard count < limits.connections else { return false }
            count += 1
            return true
          }
          guard isRoom else {
            try? socket.close()
            continue
          }
          try? socket.socket.setValue(
            true, for: BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY))
          group.addTask {
            await InspectorConnection(socket: socket, inspector: self, limits: limits).serve()
            open.withLock { $0 -= 1 }
          }
        }
      }
    }

    private static func reason(_ error: SocketError) -> String {
      if case .failed(_, _, let message) = error { return message }
      return error.localizedDescription
    }
  }
#endif
