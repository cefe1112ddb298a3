#if SQLite
  import GRDB

  /// A write that waits for its commit.
  struct PendingWrite: Sendable {
    /// Whether it changes nothing but rows.
    ///
    /// Then the count of changed rows tells whether it has changed anything. What an app writes may
    /// change tables, too.
    let changesRowsOnly: Bool
    /// Writes, and gives what is to be done once that is committed.
    let perform: @Sendable (Database) throws -> @Sendable () -> Void
    /// Tells that it was not written.
    let fail: @Sendable (any Error) -> Void
  }
#endif
