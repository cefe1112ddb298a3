#if PostgreSQL && (os(macOS) || os(Linux))
  import FieldstoneCore
  import Foundation

  /// Stands between a journal and its server, and cuts a connection at a message that a test names.
  ///
  /// libpq sends each request at once, so that what is read at a time is one.
  final class CuttingProxy: Sendable {
    /// Where a connection is cut.
    enum Cut: CaseIterable {
      /// The server never gets the request.
      case before
      /// The server does what was asked for, and its answer is lost.
      case after
    }

    private struct State {
      var requests = 0
      var cut: (number: Int, kind: Cut)?
      var isOver = false
      /// How many connections were refused; nil where they are taken.
      var refused: Int?
    }

    let folder: String
    private let server: String
    private let state = Locked(State())

    init(to server: PostgresServer) throws {
      self.server = server.folder + "/.s.PGSQL.5432"
      folder = server.folder + "/p\(UInt32.random(in: 0...UInt32.max))"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      let listener = try Self.socket()
      guard Self.withAddress(folder + "/.s.PGSQL.5432", { bind(listener, $0, $1) }) == 0,
        listen(listener, 16) == 0
      else { throw POSIXError(.ENOTCONN) }
      Thread {
        while true {
          let client = accept(listener, nil, nil)
          guard client >= 0, !self.state.withLock({ $0.isOver }) else { break }
          let isRefused = self.state.withLock { state in
            state.refused = state.refused.map { $0 + 1 }
            return state.refused != nil
          }
          if isRefused { close(client) } else { self.connect(client) }
        }
        close(listener)
      }.start()
    }

    /// Cuts at the request of a number, counted from now on; afterwards connections are refused or not.
    func cut(_ kind: Cut, at number: Int, thenRefuses: Bool = false) {
      state.withLock { $0 = State(cut: (number, kind), refused: thenRefuses ? 0 : nil) }
    }

    /// How many connections were refused.
    var refused: Int { state.withLock { $0.refused ?? 0 } }

    /// How many requests there were since.
    var requests: Int { state.withLock { $0.requests } }

    /// Takes no more connections.
    func end() {
      state.withLock { $0.isOver = true }
      if let client = try? Self.socket() {
        _ = Self.withAddress(folder + "/.s.PGSQL.5432") { Foundation.connect(client, $0, $1) }
        close(client)
      }
    }

    private func connect(_ client: Int32) {
      guard let server = try? Self.socket(),
        Self.withAddress(self.server, { Foundation.connect(server, $0, $1) }) == 0
      else {
        close(client)
        return
      }
      let cut = Locked(false)
      let open = Locked(2)
      let leave: @Sendable () -> Void = {
        shutdown(client, Int32(SHUT_RDWR))
        shutdown(server, Int32(SHUT_RDWR))
        let left = open.withLock { open in
          open -= 1
          return open
        }
        guard left == 0 else { return }
        close(client)
        close(server)
      }
      Thread {
        Self.forward(from: client, to: server) {
          let kind = self.state.withLock { state in
            state.requests += 1
            return state.cut.flatMap { $0.number == state.requests ? $0.kind : nil }
          }
          if kind == .after { cut.withLock { $0 = true } }
          return kind != .before
        }
        leave()
      }.start()
      Thread {
        Self.forward(from: server, to: client) { !cut.withLock { $0 } }
        leave()
      }.start()
    }

    /// Forwards until an end, or until the other says no.
    private static func forward(from: Int32, to: Int32, goesOn: () -> Bool) {
      var bytes = [UInt8](repeating: 0, count: 1 << 20)
      while true {
        let count = read(from, &bytes, bytes.count)
        guard count > 0, goesOn() else { return }
        var sent = 0
        while sent < count {
          let more = bytes.withUnsafeBytes { bytes in
            bytes.baseAddress.map { send(to, $0 + sent, count - sent, noSignal) } ?? -1
          }
          guard more > 0 else { return }
          sent += more
        }
      }
    }

    private static func socket() throws -> Int32 {
      #if canImport(Darwin)
        let descriptor = Foundation.socket(AF_UNIX, SOCK_STREAM, 0)
      #else
        let descriptor = Foundation.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      #endif
      guard descriptor >= 0 else { throw POSIXError(.EMFILE) }
      return descriptor
    }

    private static func withAddress(
      _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { room in
        room.copyBytes(from: path.utf8.prefix(room.count - 1))
      }
      return withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
    }

    #if canImport(Darwin)
      private static let noSignal: Int32 = 0
    #else
      private static let noSignal = Int32(MSG_NOSIGNAL)
    #endif
  }
#endif
