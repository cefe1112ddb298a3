#if SQLite
  import GRDB

  /// A write that waits for its commit.
  struct PendingWrite: Sendable {
    /// Writes, and gives what is to be done once that is committed.
    let perform: @Sendable (Database) throws -> @Sendable () -> Void
    /// Tells that it was not written.
    let fail: @Sendable (any Error) -> Void
  }
#endif
