#if PostgreSQL
  import FieldstoneCore
  import FieldstoneDurable
  import Foundation

  /// A connection that receives the server's notifications, and the thread that owns it.
  ///
  /// A lost connection is opened again; it may have missed any notification, so this counts as one.
  final class NotificationThread: Sendable {
    private let channel: String
    private let connect: @Sendable () throws -> PostgresSession
    private let heard: @Sendable (_ payload: String?) -> Void
    /// Closed at the end, which wakes the thread.
    private let life = Pipe()
    private let isEnded = Locked(false)
    private let ending = OutcomePromise<Void>()

    /// - Parameters:
    ///   - channel: an SQL expression for the name of the channel.
    ///   - heard: receives each payload; nil if some may have been missed.
    init(
      channel: String, connect: @escaping @Sendable () throws -> PostgresSession,
      heard: @escaping @Sendable (_ payload: String?) -> Void
    ) {
      self.channel = channel
      self.connect = connect
      self.heard = heard
      let thread = Thread { self.run() }
      thread.name = "fieldstone.postgres.notifications"
      thread.start()
    }

    /// Ends the thread.
    func end() {
      let isFirst = isEnded.withLock { isEnded in
        defer { isEnded = true }
        return !isEnded
      }
      if isFirst { try? life.fileHandleForWriting.close() }
    }

    /// Waits until the thread has ended.
    func waitUntilEnded() async { _ = await ending.outcome }

    private func run() {
      let delays = DoublingDelay(first: .seconds(1), longest: .seconds(60))
      var delay = delays
      while !isEnded.withLock({ $0 }) {
        if let session = try? listeningSession() {
          delay = delays
          heard(nil)
          listen(session)
        } else {
          // Notifications only reduce latency, so an unreachable server is asked less and less
          // often.
          wait(at: [], for: Int32(delay.next().components.seconds * 1_000))
        }
      }
      ending.end(with: .success(()))
    }

    private func listeningSession() throws -> PostgresSession {
      let session = try connect()
      guard let name = try session.query("SELECT \(channel)").rows.first?.text(0) else {
        throw JournalError.corrupt("the channel has no name")
      }
      try session.execute("LISTEN \(PostgresSession.quoted(name))")
      return session
    }

    /// Receives notifications until the connection is lost or the thread ends.
    private func listen(_ session: PostgresSession) {
      while !isEnded.withLock({ $0 }), let payloads = session.takeNotifications() {
        for payload in payloads { heard(payload) }
        wait(at: [session.socket], for: -1)
      }
    }

    /// Waits for data, the end, or a time-out in milliseconds; -1 for no time-out.
    private func wait(at sockets: [Int32], for milliseconds: Int32) {
      var places = ([life.fileHandleForReading.fileDescriptor] + sockets).map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      _ = poll(&places, nfds_t(places.count), milliseconds)
    }
  }
#endif
