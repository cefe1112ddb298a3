#if SQLite
  public import FieldstoneDurable
  public import GRDB

  extension SQLiteJournal {
    /// Runs the app's own statements in a transaction, in turn with the journal's writes.
    ///
    /// ```swift
    /// try await journal.write { database in
    ///   try database.execute(
    ///     sql: "UPDATE customer SET name = ? WHERE id = ?", arguments: [name, id])
    /// }
    /// ```
    ///
    /// An app with tables in the journal's database should write them with this method, or at a
    /// checkpoint. Then no two processes write or checkpoint the log at the same time, and a busy
    /// writer does not starve the others. The write may share its commit with other writes, in a
    /// savepoint of its own. If it throws, only its own changes are rolled back.
    ///
    /// The body runs on the database's queue and blocks all other writers: keep it short. It may
    /// run more than once; only one execution is committed. It must not end the transaction.
    /// Cancelling the waiting task does not stop it.
    ///
    /// - Returns: the result of the body, after the commit.
    /// - Throws: the body's error, and the `DatabaseError` of a constraint that is checked at the
    ///   commit; `JournalError.unavailable` if the disk fails, if another process holds the lock
    ///   for ``SQLiteJournalOptions/busyTimeout``, or if the journal is read-only;
    ///   `JournalError.closed`, `.corrupt`. After `.unavailable` the write may still have been
    ///   committed.
    public func write<Value: Sendable>(
      _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
      try await openLine().submit { transaction in
        do { return try body(transaction.database) } catch { throw WriteFailure(cause: error) }
      }
    }
  }

  extension DurableContext {
    /// Writes to the journal's own database in the transaction of this stage's checkpoint: both
    /// commit or neither.
    ///
    /// ```swift
    /// context.atCheckpoint { database in
    ///   try database.execute(sql: "INSERT INTO sales (receipt) VALUES (?)", arguments: [number])
    /// }
    /// ```
    ///
    /// The body runs after the work of the stage, on the database's queue, and blocks all other
    /// writers: keep it short. It may run more than once; only one execution is committed. It must
    /// not end the transaction. An error that it throws fails the attempt. On a journal of another
    /// kind the checkpoint throws `JournalError.noTransactions`.
    public func atCheckpoint(_ write: @escaping @Sendable (Database) throws -> Void) {
      atCheckpoint(
        CheckpointWrite { transaction in
          guard let database = transaction as? Database else { throw JournalError.noTransactions }
          try write(database)
        })
    }
  }
#endif
