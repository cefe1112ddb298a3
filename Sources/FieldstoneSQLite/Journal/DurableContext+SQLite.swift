#if SQLite
  public import FieldstoneDurable
  public import GRDB

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
