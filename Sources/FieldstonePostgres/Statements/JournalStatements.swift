#if PostgreSQL
  import FieldstoneDurable
  import Foundation

  /// The journal's statements on a connection.
  struct JournalStatements {
    let session: PostgresSession

    func row(_ sql: String, _ parameters: [PostgresParameter]) throws -> PostgresRow? {
      try session.query(sql, parameters).rows.first
    }

    func rows(_ sql: String, _ parameters: [PostgresParameter]) throws -> [PostgresRow] {
      try session.query(sql, parameters).rows
    }

    /// - Returns: the number of changed rows.
    @discardableResult
    func execute(_ sql: String, _ parameters: [PostgresParameter]) throws -> Int {
      try session.query(sql, parameters).changedRows
    }

    /// The result of statements with a transaction of their own; nil if another transaction held a lock for too long.
    @discardableResult
    func unlessLocked<Result>(_ body: () throws -> Result) throws -> Result? {
      do { return try body() } catch let error as PostgresError where error.isLocked {
        session.rollBack()
        return nil
      }
    }

    /// The result of a transaction that another call can do as well; nil if it would have to wait.
    ///
    /// It waits for locks no longer than on a usual connection, whichever it has: while it waits for
    /// an exclusive lock, others wait behind it for a shared one.
    @discardableResult
    func tidyUnlessLocked<Result>(_ body: () throws -> Result) throws -> Result? {
      try unlessLocked {
        try session.transaction(beginningWith: "SET LOCAL \(LockWait.short.setting)", body)
      }
    }

    /// The current record of a run.
    func run(_ id: RunID) throws -> RunRecord? {
      let sql = "SELECT \(RunColumns.withStage) FROM \(RunColumns.stages) WHERE r.id = $1"
      return try row(sql, [.identifier(id)]).map(RunColumns.recordWithStage)
    }

    /// Locks a run against changes until the transaction ends, and reads it.
    ///
    /// The stage is read after the lock, because a statement sees the state at its own beginning.
    func lock(_ id: RunID) throws -> RunRecord {
      guard
        try row("SELECT 1 FROM run WHERE id = $1 FOR NO KEY UPDATE", [.identifier(id)]) != nil,
        let record = try run(id)
      else { throw JournalError.noRun(id) }
      return record
    }
  }
#endif
