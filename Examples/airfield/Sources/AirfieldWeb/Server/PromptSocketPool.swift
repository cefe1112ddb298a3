import FlyingFox
import FlyingSocks
import Foundation

/// The server's own socket pool, for sockets that send at once.
///
/// The server writes the head and the body of an answer one after the other. Left alone, the system
/// holds the second back until the client has acknowledged the first, which on a connection that is
/// kept takes 40 ms. The pool is the one place that sees every socket of the server.
struct PromptSocketPool: AsyncSocketPool {
  private let base: any AsyncSocketPool = HTTPServer.defaultPool()

  func prepare() async throws {
    try await base.prepare()
  }

  func run() async throws {
    try await base.run()
  }

  func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
    // A connection inherits it from the listening socket; where that fails, it is only slower.
    try? socket.setValue(true, for: BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY))
    try await base.suspendSocket(socket, untilReadyFor: events)
  }
}
