#if SQLite
  import FieldstoneCore
  import FieldstoneDurable
  import GRDB

  /// Commits a batch of writes together, or one by one if that fails.
  struct Commit {
    let database: Database

    /// A write ended the transaction that it shares with others, or has ignored that SQLite did.
    private struct TransactionEnded: Error {}

    /// A write without a savepoint failed after it had changed rows.
    private struct HalfWritten: Error {}

    /// - Returns: closures that answer the waiting writers; call them without a lock.
    func run(_ batch: [PendingWrite]) -> [() -> Void] {
      guard batch.count != 1 else { return [runAlone(batch[0])] }
      do {
        return try runTogether(batch)
      } catch {
        rollBack()
        // A full disk may still have room for most of the writes, one by one.
        if let error = error as? DatabaseError, JournalError(error).isTransient,
          error.resultCode != .SQLITE_FULL
        {
          return batch.map { write in { write.fail(JournalError(error)) } }
        }
        // One write is at fault; running each alone shows which.
        return batch.map { runAlone($0) }
      }
    }

    private func runTogether(_ batch: [PendingWrite]) throws -> [() -> Void] {
      var answers: [() -> Void] = []
      let ended = EndedChildren()
      try execute("BEGIN IMMEDIATE")
      for write in batch {
        // Only other checkpoints don't read what is not settled yet.
        if write.kind != .checkpoint { try settle(ended) }
        if write.kind != .any {
          answers.append(try performWithoutSavepoint(write, ended))
          continue
        }
        do {
          answers.append(try performInSavepoint(write))
        } catch {
          guard database.isInsideTransaction, !(error is TransactionEnded) else {
            throw TransactionEnded()
          }
          answers.append { write.fail(Self.told(error)) }
        }
      }
      try settle(ended)
      try execute("COMMIT")
      return answers
    }

    private func settle(_ ended: EndedChildren) throws {
      try ended.settle(in: JournalTransaction(database: database))
    }

    /// Performs a write in a savepoint of its own.
    ///
    /// It is one of GRDB's: within it, no statement is executed once SQLite has rolled the whole
    /// transaction back, also if the write has ignored that error.
    private func performInSavepoint(_ write: PendingWrite) throws -> () -> Void {
      var answer: (() -> Void)?
      do {
        try database.inSavepoint {
          answer = try write.perform(JournalTransaction(database: database))
          return .commit
        }
      } catch {
        throw answer == nil ? error : TransactionEnded()
      }
      guard let answer else { throw TransactionEnded() }
      return answer
    }

    /// Performs a write without a savepoint; such a write fails, if at all, before it changes a
    /// row.
    ///
    /// With a savepoint, SQLite copies each page that the write touches.
    private func performWithoutSavepoint(
      _ write: PendingWrite, _ ended: EndedChildren
    ) throws -> () -> Void {
      let changes = database.totalChangesCount
      do {
        return try write.perform(JournalTransaction(database: database, endedChildren: ended))
      } catch {
        guard database.isInsideTransaction else { throw TransactionEnded() }
        // A statement that SQLite ends by itself may have changed an index and no row.
        guard !(error is DatabaseError), database.totalChangesCount == changes else {
          throw HalfWritten()
        }
        return { write.fail(Self.told(error)) }
      }
    }

    private func runAlone(_ write: PendingWrite) -> () -> Void {
      do {
        if write.kind == .any { return try performInTransaction(write) }
        try execute("BEGIN IMMEDIATE")
        let answer = try write.perform(JournalTransaction(database: database))
        guard database.isInsideTransaction else { throw TransactionEnded() }
        try execute("COMMIT")
        return answer
      } catch {
        rollBack()
        return { write.fail(Self.told(error)) }
      }
    }

    /// Performs a write in a transaction of its own.
    ///
    /// It is one of GRDB's, for the reason of ``performInSavepoint(_:)``, and has no savepoint, with
    /// which SQLite copies each page that the write touches.
    private func performInTransaction(_ write: PendingWrite) throws -> () -> Void {
      var answer: (() -> Void)?
      do {
        try database.inTransaction(.immediate) {
          answer = try write.perform(JournalTransaction(database: database))
          return .commit
        }
      } catch let error as DatabaseError where answer != nil {
        switch error.resultCode {
        case .SQLITE_ABORT: throw TransactionEnded()
        // The journal's tables have no deferred constraints.
        case .SQLITE_CONSTRAINT: throw WriteFailure(cause: error)
        default: throw error
        }
      }
      guard let answer else { throw TransactionEnded() }
      return answer
    }

    private func rollBack() {
      // After some errors SQLite has rolled back already.
      if database.isInsideTransaction { try? execute("ROLLBACK") }
    }

    private func execute(_ sql: String) throws {
      try database.cachedStatement(sql: sql).execute()
    }

    /// Maps an error for the writer.
    ///
    /// The errors of a caller's own write stay unchanged, unless the database itself has failed.
    private static func told(_ error: any Error) -> any Error {
      switch error {
      case let failure as WriteFailure:
        guard let error = failure.cause as? DatabaseError else { return failure.cause }
        return JournalError(inOwnWrite: error) ?? error
      case let error as DatabaseError: return JournalError(error)
      case is TransactionEnded:
        return MessageError(
          "A write ended the transaction that it was given, or ignored an error with which SQLite "
            + "had rolled it back. Leave the transaction to the journal, and throw such errors.")
      default: return error
      }
    }
  }

  /// A write that waits for its commit.
  struct PendingWrite: Sendable {
    /// What a write may do.
    enum Kind {
      /// It makes a checkpoint, and changes only rows.
      case checkpoint
      /// It changes only rows, so the count of changed rows shows whether it has changed anything.
      case rows
      /// It may also change tables, as an app's write.
      case any
    }

    let kind: Kind
    /// Performs the write, and returns the closure to call after the commit.
    let perform: @Sendable (JournalTransaction) throws -> @Sendable () -> Void
    /// Reports that the write was not committed.
    let fail: @Sendable (any Error) -> Void
    /// The time from which on the write has waited for other processes; nil if it has not.
    var blockedSince: Duration?
  }
#endif
