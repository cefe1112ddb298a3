#if PostgreSQL
  public import FieldstoneDurable

  /// The transaction of a checkpoint, in which a stage makes its own writes.
  ///
  /// It is valid only during the write, on the thread of its connection.
  public struct PostgresTransaction {
    let session: PostgresSession

    /// Executes a statement.
    ///
    /// Qualify tables with their schema, `public.sale`: only the journal's own schema is in the
    /// search path.
    ///
    /// - Parameters:
    ///   - sql: one statement, with `$1`, `$2` … for its parameters.
    ///   - parameters: the values in PostgreSQL's text format; nil for NULL.
    /// - Returns: the number of changed rows.
    /// - Throws: ``PostgresError``, also for a text with the character NUL, which PostgreSQL can't
    ///   store.
    @discardableResult
    public func execute(_ sql: String, _ parameters: [String?] = []) throws -> Int {
      guard !([sql] + parameters).contains(where: { $0?.utf8.contains(0) ?? false }) else {
        throw PostgresError(
          sqlState: "22021", message: "a text holds the character NUL; leave it out or use bytea")
      }
      return try session.execute(sql, texts: parameters).changedRows
    }
  }

  extension PostgresJournal {
    /// Writes in a transaction of its own, as a checkpoint does; for tests.
    package func write(
      _ body: @escaping @Sendable (PostgresTransaction) throws -> Void
    ) async throws {
      try await submit { session in
        try session.transaction { try body(PostgresTransaction(session: session)) }
      }
    }
  }

  extension DurableContext {
    /// Writes to the journal's own database in the transaction of this stage's checkpoint: both
    /// commit or neither.
    ///
    /// ```swift
    /// context.atCheckpoint { (transaction: PostgresTransaction) in
    ///   try transaction.execute("INSERT INTO public.sale (receipt) VALUES ($1)", [number])
    /// }
    /// ```
    ///
    /// The body runs after the work of the stage, while its connection waits: keep it short. It may
    /// run more than once; only one execution is committed. It must not end the transaction. An
    /// error that it throws fails the attempt. On a journal of another kind the checkpoint throws
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
