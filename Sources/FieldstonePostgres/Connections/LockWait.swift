#if PostgreSQL
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

    /// The setting of the session.
    var setting: String { "lock_timeout TO '\(self == .short ? "250ms" : "1s")'" }
  }

  /// A lock was held for longer than a connection waits: the call was rolled back, and is made again
  /// on a connection that waits longer.
  struct LockHeld: Error {}
#endif
