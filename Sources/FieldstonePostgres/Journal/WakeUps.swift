#if PostgreSQL
  package import FieldstoneCore
  import FieldstoneDurable
  import Foundation

  /// Notifies other processes that a run may be due or finished, and receives their notifications.
  ///
  /// Both happen at most 50 times a second: a notification takes a lock of the whole server at its
  /// commit, and each wakes every worker. It is outside the journal's transactions, and nothing
  /// depends on it.
  final class WakeUps: Sendable {
    /// The name is short even if the schema's name is long.
    private static let channel = "'fieldstone_' || hashtextextended(current_schema(), 0)"
    private static let pause = Duration.milliseconds(20)

    private struct Listening {
      var thread: NotificationThread?
      var isEnded = false
    }

    /// Identifies this journal's own notifications, which this process ignores.
    private let sender = UUID().uuidString
    private let connect: (@Sendable () throws -> PostgresSession)?
    private let listening = Locked(Listening())
    private let observers: EventObservers<Void>
    private let sent: Locked<Int>
    private let telling: PacedCall
    private let waking: PacedCall

    /// - Parameters:
    ///   - calls: the connections that send notifications.
    ///   - connect: opens the connection that receives them; nil if none can arrive.
    init(
      calls: ConnectionLine<PostgresJournal.Call>, time: TimeSource,
      connect: (@Sendable () throws -> PostgresSession)?
    ) {
      self.connect = connect
      let (observers, sent) = (EventObservers<Void>(), Locked(0))
      self.observers = observers
      self.sent = sent
      waking = PacedCall(each: Self.pause, by: time) { _ in observers.send(()) }
      telling = PacedCall(each: Self.pause, by: time) { [sender] telling in
        sent.withLock { $0 += 1 }
        _ = calls.add { connection, _ in
          do {
            try connection.use { session in
              _ = try session.query("SELECT pg_notify(\(Self.channel), $1)", [.text(sender)])
            }
          } catch is LockHeld {
            // Another commit has the server's lock of notifications.
            telling.ask()
          } catch {}
        }
      }
    }

    /// The number of sent notifications; for tests.
    var sentCount: Int { sent.withLock { $0 } }

    /// Notifies the other processes, now or after the pause.
    func tell() { telling.ask() }

    /// Calls a closure at each wake-up; the first observer opens the connection.
    func observe(_ body: @escaping @Sendable () -> Void) -> Registration {
      let registration = observers.observe { _, _ in body() }
      listening.withLock { listening in
        guard let connect, listening.thread == nil, !listening.isEnded else { return }
        listening.thread = NotificationThread(channel: Self.channel, connect: connect) {
          [waking, sender] payload in
          if payload != sender { waking.ask() }
        }
      }
      return registration
    }

    func end() {
      let thread = listening.withLock { listening in
        listening.isEnded = true
        return listening.thread
      }
      thread?.end()
    }

    func waitUntilEnded() async { await listening.withLock { $0.thread }?.waitUntilEnded() }
  }

  extension PostgresJournal: WakeUpSource {
    package func onWakeUp(_ body: @escaping @Sendable () -> Void) -> Registration {
      wakeUps.observe(body)
    }

    /// The number of sent notifications; for tests.
    package var sentWakeUps: Int { wakeUps.sentCount }
  }
#endif
