#if PostgreSQL
  import FieldstoneDurable
  import Foundation

  /// The statements of the journal on a connection.
  struct JournalStatements {
    let session: PostgresSession

    func row(_ sql: String, _ parameters: [PostgresParameter]) throws -> PostgresRow? {
      try session.query(sql, parameters).rows.first
    }

    func rows(_ sql: String, _ parameters: [PostgresParameter]) throws -> [PostgresRow] {
      try session.query(sql, parameters).rows
    }

    /// - Returns: how many rows it has changed.
    @discardableResult
    func execute(_ sql: String, _ parameters: [PostgresParameter]) throws -> Int {
      try session.query(sql, parameters).changedRows
    }

    /// The run as it stands.
    func run(_ id: RunID) throws -> RunRecord? {
      let sql = "SELECT \(RunColumns.withStage) FROM \(RunColumns.stages) WHERE r.id = $1"
      return try row(sql, [.identifier(id)]).map(RunColumns.recordWithStage)
    }

    /// The run, which no other changes until the transaction ends.
    ///
    /// The lock first and the stage after it: a statement sees what was there when it began.
    func lock(_ id: RunID) throws -> RunRecord {
      guard
        try row("SELECT 1 FROM run WHERE id = $1 FOR NO KEY UPDATE", [.identifier(id)]) != nil,
        let record = try run(id)
      else { throw JournalError.noRun(id) }
      return record
    }
  }
#endif
