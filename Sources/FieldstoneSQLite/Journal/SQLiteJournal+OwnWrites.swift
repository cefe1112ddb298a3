#if SQLite
  public import FieldstoneDurable
  public import GRDB

  extension SQLiteJournal: OwnWriteJournal {
    /// Starts a run in a transaction of the app's own: it is there if and only if the app's rows are.
    ///
    /// ```swift
    /// let start = try runner.runStart(Order.charge(cart), key: cart.number)
    /// try await journal.write { database in
    ///   try database.execute(sql: "INSERT INTO cart (number) VALUES (?)", arguments: [cart.number])
    ///   try journal.start(start, in: database)
    /// }
    /// ```
    ///
    /// Make the start outside of the body, which may run more than once: then its identifier is the
    /// same each time. After the commit the runners of this process on this journal object look at
    /// once, others at their next poll. A run with the same key that is *blocked* stays so.
    ///
    /// - Parameters:
    ///   - start: the run, as ``/FieldstoneDurable/DurableRunner`` makes it.
    ///   - database: what the body of ``write(_:)`` or the write of a checkpoint was given.
    /// - Returns: what `start(_:at:)` returns.
    /// - Throws: `JournalError.notInWrite` for a transaction that this journal has not opened,
    ///   `.unavailable`, `.closed`, `.tooLarge`, `.keyTooLong`, `.containsNUL`.
    @discardableResult
    public func start(_ start: RunStart, in database: Database) throws -> RunRecord {
      try limits.checkNames(of: start)
      try limits.check(start.payload)
      return try ownWrite(in: database) { transaction, line in
        let record = try transaction.start(start, at: ownTime)
        line.touch(record.id)
        return record
      }
    }

    /// Signals a run in a transaction of the app's own: the signal is sent if and only if the app's
    /// rows are there.
    ///
    /// Make the signal outside of the body, which may run more than once.
    ///
    /// - Parameters:
    ///   - id: names the run.
    ///   - signal: the signal, as ``/FieldstoneDurable/DurableRunner`` makes it.
    ///   - database: what the body of ``write(_:)`` or the write of a checkpoint was given.
    /// - Returns: whether it is new to the run.
    /// - Throws: what `signal(_:_:at:)` throws, and `JournalError.notInWrite` for a transaction that
    ///   this journal has not opened. A body that passes over the error has changed nothing by it.
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
