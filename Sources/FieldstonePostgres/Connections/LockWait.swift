#if PostgreSQL
  /// How long the statements of a connection wait for the locks of other transactions.
  enum LockWait {
    /// For a little longer than a usual commit.
    ///
    /// An app's transaction may keep a run or a key locked for minutes. Many calls share a
    /// connection, and only those that need the lock may wait for it.
    case short
    /// For as long as the settings of the role and the database say.
    case long

    /// The setting of the session; nil for that of the role.
    var setting: String? { self == .short ? "lock_timeout TO '250ms'" : nil }
  }

  /// A lock was held for longer than a connection waits: a connection that waits makes the call.
  struct LockHeld: Error {}
#endif
