#if SQLite
  public import FieldstoneDurable
  public import GRDB

  extension CodedJournal where Base == SQLiteJournal {
    /// Encodes the stage, and starts a run in the app's own transaction, which commits or rolls
    /// back both.
    ///
    /// ```swift
    /// try await journal.base.write { database in
    ///   try database.execute(sql: "INSERT INTO cart (number) VALUES (?)", arguments: [cart.number])
    ///   try journal.start(start, in: database)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - start: the run, as ``/FieldstoneDurable/DurableRunner`` makes it.
    ///   - database: the connection that ``SQLiteJournal/write(_:)`` or a checkpoint's write passed
    ///     to the body.
    /// - Returns: the result of `start(_:at:)`.
    /// - Throws: the errors of `SQLiteJournal.start(_:in:)`, and `PayloadError`.
    @discardableResult
    public func start(_ start: RunStart, in database: Database) throws -> RunRecord {
      guard start.mayReplace else {
        return coder.decode(try base.start(coder.encode(start), in: database))
      }
      // The stage is encoded for the run that takes it; no other code writes between these two
      // calls.
      let found = try base.start(coder.encode(start.meetingOnly), in: database)
      guard found.id != start.id, found.isReplaceable else { return coder.decode(found) }
      return coder.decode(try base.start(coder.encode(start, for: found.id), in: database))
    }

    /// Encodes a signal, and sends it in the app's own transaction.
    ///
    /// - Parameters:
    ///   - id: the identifier of the run.
    ///   - signal: the signal, as ``/FieldstoneDurable/DurableRunner`` makes it.
    ///   - database: the connection that ``SQLiteJournal/write(_:)`` or a checkpoint's write passed
    ///     to the body.
    /// - Returns: whether the signal is new to the run.
    /// - Throws: the errors of `SQLiteJournal.signal(_:_:in:)`, and `PayloadError`.
    @discardableResult
    public func signal(
      _ id: RunID, _ signal: SignalRecord, in database: Database
    ) throws -> SignalReceipt {
      try base.signal(id, coder.encode(signal, to: id), in: database)
    }
  }
#endif
