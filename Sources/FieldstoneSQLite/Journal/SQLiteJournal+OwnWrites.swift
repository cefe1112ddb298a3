#if SQLite
  public import FieldstoneDurable
  public import GRDB

  extension SQLiteJournal: OwnWriteJournal {
    /// Starts a run in the app's own transaction, which commits or rolls back both.
    ///
    /// ```swift
    /// let start = try runner.runStart(Order.charge(cart), key: cart.number)
    /// try await journal.write { database in
    ///   try database.execute(sql: "INSERT INTO cart (number) VALUES (?)", arguments: [cart.number])
    ///   try journal.start(start, in: database)
    /// }
    /// ```
    ///
    /// Make the start outside the body, because the body may run more than once: the identifier
    /// then stays the same. After the commit, this process's runners on this journal object look
    /// for work at once; other runners do at their next poll. A *blocked* run with the same key
    /// stays blocked.
    ///
    /// - Parameters:
    ///   - start: the run, as ``/FieldstoneDurable/DurableRunner`` makes it.
    ///   - database: the connection that ``write(_:)`` or a checkpoint's write passed to the body.
    /// - Returns: the result of `start(_:at:)`.
    /// - Throws: `JournalError.notInWrite` for a transaction that this journal has not opened,
    ///   `.unavailable`, `.closed`, `.tooLarge`, `.keyTooLong`, `.containsNUL`, `.foreignSlot`. A
    ///   call that throws changes nothing, even if the body ignores the error.
    @discardableResult
    public func start(_ start: RunStart, in database: Database) throws -> RunRecord {
      try limits.checkNames(of: start)
      try limits.check(start.payload)
      return try ownWrite(in: database) { transaction, line in
        var record: RunRecord?
        try database.inSavepoint {
          record = try transaction.start(start, at: ownTime)
          return .commit
        }
        guard let record else { throw JournalError.corrupt("the start \(start.id) has no answer") }
        line.touch(record.id)
        return record
      }
    }

    /// Signals a run in the app's own transaction, which commits or rolls back both.
    ///
    /// Make the signal outside the body, which may run more than once.
    ///
    /// - Parameters:
    ///   - id: the identifier of the run.
    ///   - signal: the signal, as ``/FieldstoneDurable/DurableRunner`` makes it.
    ///   - database: the connection that ``write(_:)`` or a checkpoint's write passed to the body.
    /// - Returns: whether the signal is new to the run.
    /// - Throws: the errors of `signal(_:_:at:)`, and `JournalError.notInWrite` for a transaction
    ///   that this journal has not opened. A call that throws changes nothing, even if the body
    ///   ignores the error.
    @discardableResult
    public func signal(
      _ id: RunID, _ signal: SignalRecord, in database: Database
    ) throws -> SignalReceipt {
      try limits.checkNames(of: signal)
      try limits.checkJSON(signal.payload)
      return try ownWrite(in: database) { transaction, line in
        let receipt = try transaction.signal(id, signal, at: ownTime)
        line.touch(id)
        return receipt
      }
    }

    private func ownWrite<Value>(
      in database: Database, _ body: (JournalTransaction, GroupCommitQueue) throws -> Value
    ) throws -> Value {
      let line = try openLine()
      try line.checkWriting(in: database)
      return try mappingErrors { try body(JournalTransaction(database: database), line) }
    }
  }
#endif
