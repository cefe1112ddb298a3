#if PostgreSQL
  import FieldstoneCore
  import FieldstoneDurable
  import Foundation

  /// A connection that hears the server's notifications, and the thread that makes, uses and frees it.
  ///
  /// A lost connection is made anew; what was said meanwhile may be anything, and counts as heard.
  final class NotificationThread: Sendable {
    private let channel: String
    private let connect: @Sendable () throws -> PostgresSession
    private let heard: @Sendable (_ payload: String?) -> Void
    /// Closed at the end, which wakes the thread.
    private let life = Pipe()
    private let isEnded = Locked(false)
    private let ending = OutcomePromise<Void>()

    /// - Parameters:
    ///   - channel: an expression for the name of what to listen to.
    ///   - heard: gets the payload of each; nil when some may have been missed.
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
          // It is only for speed: a server that is not there is asked less and less often.
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

    /// Hears what comes until the connection is lost or the end.
    private func listen(_ session: PostgresSession) {
      while !isEnded.withLock({ $0 }), let payloads = session.takeNotifications() {
        for payload in payloads { heard(payload) }
        wait(at: [session.socket], for: -1)
      }
    }

    /// Waits for something to read, the end, or some milliseconds; -1 for as long as that takes.
    private func wait(at sockets: [Int32], for milliseconds: Int32) {
      var places = ([life.fileHandleForReading.fileDescriptor] + sockets).map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      _ = poll(&places, nfds_t(places.count), milliseconds)
    }
  }
#endif
