#if SQLite
  public import FieldstoneDurable
  public import GRDB

  extension SQLiteJournal {
    /// Writes what is the app's own, in a transaction, in line with the journal's writes.
    ///
    /// ```swift
    /// try await journal.write { database in
    ///   try database.execute(
    ///     sql: "UPDATE customer SET name = ? WHERE id = ?", arguments: [name, id])
    /// }
    /// ```
    ///
    /// An app that has its tables beside the journal's should write them so, or at a checkpoint: then
    /// no two processes write or checkpoint the log at the same time, and a busy writer does not
    /// keep the others out. It may share its commit with other writes, in a savepoint of its own:
    /// when it throws, nothing of it is there, and nothing of theirs is undone.
    ///
    /// The body runs on the database's queue, while all other writers wait: keep it short. It may run
    /// more than once; only one of these is committed. It must not end the transaction. Cancelling the
    /// task that waits does not stop it.
    ///
    /// - Returns: what the body returns, once that is committed.
    /// - Throws: what the body throws, and the `DatabaseError` of a rule that is looked at as it is
    ///   committed; `JournalError.unavailable` when the disk does not take it, when another process
    ///   has not let it in within ``SQLiteJournalOptions/busyTimeout``, and when the journal is only to
    ///   be read; `JournalError.closed`, `.corrupt`. Of `.unavailable` it may be that it was
    ///   committed all the same.
    public func write<Value: Sendable>(
      _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
      try await openLine().submit { database in
        do { return try body(database) } catch { throw WriteFailure(cause: error) }
      }
    }
  }

  extension DurableContext {
    /// Writes to the journal's own database in the transaction of this stage's checkpoint: with it
    /// or not at all.
    ///
    /// ```swift
    /// context.atCheckpoint { database in
    ///   try database.execute(sql: "INSERT INTO sales (receipt) VALUES (?)", arguments: [number])
    /// }
    /// ```
    ///
    /// It runs after the work of the stage, on the database's queue, while all other writers wait:
    /// keep it short. It may run more than once; only one of these is committed. It must not end
    /// the transaction. What it throws makes the attempt fail. On a journal of another kind the
    /// checkpoint throws `JournalError.noTransactions`.
    public func atCheckpoint(_ write: @escaping @Sendable (Database) throws -> Void) {
      atCheckpoint(
        CheckpointWrite { transaction in
          guard let database = transaction as? Database else { throw JournalError.noTransactions }
          try write(database)
        })
    }
  }
#endif
