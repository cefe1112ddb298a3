#if PostgreSQL
  import FieldstoneCore
  public import FieldstoneDurable

  /// A transaction in which a stage, or the app, makes its own writes.
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
      return try session.executeOwn(sql, parameters).changedRows
    }
  }

  extension PostgresSession {
    /// Performs an own write of a stage or of the app in the open transaction.
    func performOwn<Value>(_ write: (PostgresTransaction) throws -> Value) throws -> Value {
      try admitForeignStatements()
      let value: Value
      do { value = try write(PostgresTransaction(session: self)) } catch {
        throw WriteFailure(cause: error)
      }
      guard isTransactionSound, !isEndedByApp else {
        throw WriteFailure(
          cause: MessageError(
            "A write has ended the transaction that it was given, or has passed over an error in it; "
              + "leave its end to the journal, and throw what a statement throws."))
      }
      return value
    }

    /// Executes a statement of an own write.
    ///
    /// Once one has ended the transaction, others are refused: they would be committed without it.
    fileprivate func executeOwn(_ sql: String, _ parameters: [String?]) throws -> PostgresResult {
      guard !isEndedByApp else {
        throw PostgresError(
          sqlState: "25P01",
          message: "the write has ended its transaction; leave its end to the journal")
      }
      // `AND CHAIN` begins another transaction at once. A rollback to a savepoint has the same tag.
      defer { if !isInTransaction { isEndedByApp = true } }
      let result = try execute(sql, texts: parameters)
      let words = sql.uppercased().split { !$0.isLetter }
      let isChained = words.contains("CHAIN") && !words.contains("TO")
      isEndedByApp = result.command == "COMMIT" || result.command == "ROLLBACK" && isChained
      return result
    }
  }

  extension PostgresJournal {
    /// Runs the app's own statements in a transaction, on a connection of the journal.
    ///
    /// ```swift
    /// try await journal.write { transaction in
    ///   try transaction.execute("DELETE FROM public.sale WHERE receipt = $1", [number])
    /// }
    /// ```
    ///
    /// It suits the few statements that belong to flows, and trials of flows that write at their
    /// checkpoints. The body occupies one of ``PostgresJournalOptions/connections``, on its thread:
    /// keep it short. It may run more than once; only one execution is committed. It must not end
    /// the transaction. Cancelling the waiting task does not stop it.
    ///
    /// - Returns: the result of the body, after the commit.
    /// - Throws: the body's error, and the ``PostgresError`` of a constraint or a trigger that the
    ///   commit executes; `JournalError.unavailable` if the connection is lost or the server is busy,
    ///   and then the write may still have been committed; `JournalError.closed`.
    public func write<Value: Sendable>(
      _ body: @escaping @Sendable (PostgresTransaction) throws -> Value
    ) async throws -> Value {
      try await submit { session in
        try session.transaction { try session.performOwn(body) }
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
