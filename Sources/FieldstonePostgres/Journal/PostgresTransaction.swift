#if PostgreSQL
  public import FieldstoneDurable

  /// The transaction of a checkpoint, in which a stage writes what is its own.
  ///
  /// It is of use within the write alone, on the thread of its connection.
  public struct PostgresTransaction {
    let session: PostgresSession

    /// Executes a statement.
    ///
    /// Tables are named with their schema, `public.sale`: the journal's own is the only one that is
    /// searched.
    ///
    /// - Parameters:
    ///   - sql: one statement, with `$1`, `$2` … for its parameters.
    ///   - parameters: the values as PostgreSQL reads them as text; nil for NULL.
    /// - Returns: how many rows it has changed.
    /// - Throws: ``PostgresError``, also for a text with the character NUL, which PostgreSQL can't hold.
    @discardableResult
    public func execute(_ sql: String, _ parameters: [String?] = []) throws -> Int {
      guard !([sql] + parameters).contains(where: { $0?.utf8.contains(0) ?? false }) else {
        throw PostgresError(
          sqlState: "22021", message: "a text holds the character NUL; leave it out or use bytea")
      }
      return try session.execute(sql, texts: parameters).changedRows
    }
  }

  extension DurableContext {
    /// Writes to the journal's own database in the transaction of this stage's checkpoint: with it
    /// or not at all.
    ///
    /// ```swift
    /// context.atCheckpoint { (transaction: PostgresTransaction) in
    ///   try transaction.execute("INSERT INTO public.sale (receipt) VALUES ($1)", [number])
    /// }
    /// ```
    ///
    /// It runs after the work of the stage, while its connection waits: keep it short. It may run
    /// more than once; only one of these is committed. It must not end the transaction. What it
    /// throws makes the attempt fail. On a journal of another kind the checkpoint throws
    /// `JournalError.noTransactions`.
    public func atCheckpoint(_ write: @escaping @Sendable (PostgresTransaction) throws -> Void) {
      atCheckpoint(
        CheckpointWrite { transaction in
          guard let transaction = transaction as? PostgresTransaction else {
            throw JournalError.noTransactions
          }
          try write(transaction)
        })
    }
  }
#endif
