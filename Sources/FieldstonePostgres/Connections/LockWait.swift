#if PostgreSQL
  import Foundation

  /// How long the statements of a connection wait for the locks of other transactions.
  package enum LockWait {
    /// For a little longer than a usual commit.
    ///
    /// An app's transaction may keep a run or a key locked for minutes. Many calls share a
    /// connection, and only those that need the lock may wait for it.
    case short
    /// For a second; then the call begins again, behind the others that wait.
    ///
    /// What a call has locked itself is free in between: a pause has the lock that all claims need
    /// while it waits for a run.
    case long
    /// For what each of several calls has of the short wait, a millisecond at least.
    case share(Int)

    /// The setting of the session.
    var setting: String { "lock_timeout TO '\(milliseconds)ms'" }

    private var milliseconds: Int {
      switch self {
      case .short: 250
      case .long: 1_000
      case .share(let count): max(1, 250 / max(1, count))
      }
    }

    /// The pause of a connection that waits for long after each lock that was held.
    ///
    /// A trigger of the app may refuse a lock at once, again and again.
    static let pause: TimeInterval = 0.05
  }

  /// A lock was held for longer than a connection waits: the call was rolled back, and is made again
  /// on a connection that waits longer.
  struct LockHeld: Error {}
#endif
