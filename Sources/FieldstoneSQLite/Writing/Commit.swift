#if SQLite
  import FieldstoneCore
  import FieldstoneDurable
  import GRDB

  /// Commits writes together, and each alone where they can't be.
  struct Commit {
    let database: Database

    /// A write ended the transaction that it shares with others.
    private struct TransactionEnded: Error {}

    /// A write without a savepoint has failed after it had changed something.
    private struct HalfWritten: Error {}

    /// - Returns: closures that answer the waiting writers; to be called when no lock is held.
    func run(_ batch: [PendingWrite]) -> [() -> Void] {
      guard batch.count != 1 else { return [runAlone(batch[0])] }
      do {
        return try runTogether(batch)
      } catch {
        rollBack()
        // Without room for all of them there may be room for most, each alone.
        if let error = error as? DatabaseError, JournalError(error).isTransient,
          error.resultCode != .SQLITE_FULL
        {
          return batch.map { write in { write.fail(JournalError(error)) } }
        }
        // One write is to blame; running each alone shows which.
        return batch.map { runAlone($0) }
      }
    }

    private func runTogether(_ batch: [PendingWrite]) throws -> [() -> Void] {
      var answers: [() -> Void] = []
      try execute("BEGIN IMMEDIATE")
      for write in batch {
        if write.changesRowsOnly {
          answers.append(try performWithoutSavepoint(write))
          continue
        }
        try execute("SAVEPOINT fieldstone")
        do {
          let answer = try write.perform(database)
          try execute("RELEASE fieldstone")
          answers.append(answer)
        } catch {
          guard database.isInsideTransaction else { throw TransactionEnded() }
          try execute("ROLLBACK TO fieldstone")
          try execute("RELEASE fieldstone")
          answers.append { write.fail(Self.told(error)) }
        }
      }
      try execute("COMMIT")
      return answers
    }

    /// Performs a write that is refused, if at all, before it has changed anything: then there is
    /// nothing to undo.
    ///
    /// A savepoint would have SQLite copy each page that the write touches.
    private func performWithoutSavepoint(_ write: PendingWrite) throws -> () -> Void {
      let changes = database.totalChangesCount
      do {
        return try write.perform(database)
      } catch {
        guard database.isInsideTransaction else { throw TransactionEnded() }
        guard database.totalChangesCount == changes else { throw HalfWritten() }
        return { write.fail(Self.told(error)) }
      }
    }

    private func runAlone(_ write: PendingWrite) -> () -> Void {
      do {
        try execute("BEGIN IMMEDIATE")
        let answer = try write.perform(database)
        guard database.isInsideTransaction else { throw TransactionEnded() }
        try commitAlone()
        return answer
      } catch {
        rollBack()
        return { write.fail(Self.told(error)) }
      }
    }

    private func commitAlone() throws {
      do {
        try execute("COMMIT")
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
        // The journal's tables have no rule that is looked at so late.
        throw WriteFailure(cause: error)
      }
    }

    private func rollBack() {
      // Some errors have rolled back already.
      if database.isInsideTransaction { try? execute("ROLLBACK") }
    }

    private func execute(_ sql: String) throws {
      try database.cachedStatement(sql: sql).execute()
    }

    /// The answer to the writer.
    ///
    /// The errors of the caller's own writes stay theirs, unless the database itself has failed.
    private static func told(_ error: any Error) -> any Error {
      switch error {
      case let failure as WriteFailure:
        guard let error = failure.cause as? DatabaseError else { return failure.cause }
        return JournalError(inOwnWrite: error) ?? error
      case let error as DatabaseError: return JournalError(error)
      case is TransactionEnded:
        return MessageError(
          "A write ended the transaction that it was given; leave that to the journal.")
      default: return error
      }
    }
  }

  /// A write that waits for its commit.
  struct PendingWrite: Sendable {
    /// Whether it changes nothing but rows.
    ///
    /// Then the count of changed rows tells whether it has changed anything. What an app writes may
    /// change tables, too.
    let changesRowsOnly: Bool
    /// Writes, and gives what is to be done once that is committed.
    let perform: @Sendable (Database) throws -> @Sendable () -> Void
    /// Tells that it was not written.
    let fail: @Sendable (any Error) -> Void
  }
#endif
