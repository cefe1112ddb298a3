#if SQLite
  import FieldstoneDurable
  import GRDB

  /// The statements of the journal within one transaction.
  struct JournalTransaction {
    let database: Database
    /// Counts the ended children of runs that wait for them; nil if that can't wait for the commit.
    var endedChildren: EndedChildren?

    /// The conflict clause of statements that change one run's state.
    ///
    /// A statement whose triggers change rows can be taken back by itself, for which SQLite copies each
    /// page that it writes. The journal needs no copies: an error of a statement rolls back the whole
    /// transaction, or the savepoint of its write.
    static let orFail = "OR FAIL"

    /// Executes a cached statement.
    ///
    /// - Returns: the number of changed rows.
    @discardableResult
    func execute(_ sql: String, _ arguments: StatementArguments = []) throws -> Int {
      try database.cachedStatement(sql: sql).execute(arguments: arguments)
      return database.changesCount
    }

    func row(_ sql: String, _ arguments: StatementArguments = []) throws -> StoredRow? {
      try StoredRow.fetchOne(try database.cachedStatement(sql: sql), arguments: arguments)
    }

    func rows(_ sql: String, _ arguments: StatementArguments = []) throws -> [StoredRow] {
      try StoredRow.fetchAll(try database.cachedStatement(sql: sql), arguments: arguments)
    }

    /// Throws if newer code has migrated the tables since they were opened.
    func checkSchema() throws {
      guard let row = try row("SELECT schema FROM fieldstone_journal") else { return }
      let found = try row.whole(0)
      if found > JournalSchema.newest {
        throw JournalError.newerSchema(found: found, known: JournalSchema.newest)
      }
    }

    /// The run with its number in the database.
    func find(_ id: RunID) throws -> (number: Int, record: RunRecord)? {
      let sql = "SELECT \(RunColumns.list) FROM fieldstone_run WHERE id = ?"
      guard let row = try row(sql, [id.description]) else { return nil }
      return (try row.whole(0), try RunColumns.record(row))
    }

    /// The run after a statement has changed it.
    ///
    /// A second statement reads it: for `RETURNING`, SQLite makes a temporary table each time, which
    /// takes longer than both.
    func changed(
      _ number: Int, _ sql: String, _ arguments: StatementArguments
    ) throws -> RunRecord {
      try execute(sql, arguments)
      let read = "SELECT \(RunColumns.list) FROM fieldstone_run WHERE number = ?"
      guard let row = try row(read, [number]) else {
        throw JournalError.corrupt("a run is gone that was there")
      }
      return try RunColumns.record(row)
    }
  }
#endif
