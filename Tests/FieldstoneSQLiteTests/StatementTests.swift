#if SQLite
  import FieldstoneDurable
  import FieldstoneSQLite
  import Foundation
  import GRDB
  import GRDBSQLite
  import JournalModel
  import Testing

  @Suite("What SQLite does for the journal's statements", .timeLimit(.minutes(20)))
  struct StatementTests {
    private let time = JournalTime(
      date: Date(timeIntervalSinceReferenceDate: 800_000_000), uptime: .seconds(100), boot: "boot")

    // SQLite prepares a statement again when a value is bound that it has compared with the condition
    // of a partial index. That was half of each claim.
    @Test("None is prepared again because its values are others")
    func preparedOnce() async throws {
      var trial = RandomRequestTrial(isInDatabase: true)
      let folder = try Folder()
      var again: Set<String> = []
      var count = 0
      for seed in 0..<UInt64(20) {
        let journal = try SQLiteJournal(
          path: folder["\(seed).sqlite"], options: SQLiteJournalOptions(durability: .normal))
        #expect(try await trial.failure(of: journal, seed: seed) == nil)
        let statements = try await journal.write { Self.cachedStatements(of: $0) }
        count += statements.count
        again.formUnion(statements.filter { $0.preparedAgain > 0 }.map(\.sql))
        try await journal.close()
      }
      #expect(again == [])
      #expect(count > 500)
    }

    // A temporary table takes 90 KB of memory, which is given back to the system each time: that was
    // half of a checkpoint. SQLite makes one for RETURNING, for an INSERT from a query into a table
    // with a trigger, and for a list of three or more values that isn't looked up in an index.
    @Test("A start, a claim, checkpoints and an end make no temporary tables")
    func noTemporaryTables() async throws {
      let folder = try Folder()
      let journal = try SQLiteJournal(path: folder.path)
      func start(_ key: String?) async throws {
        let start = RunStart(
          id: RunID(at: time.date), flow: "orders", version: 1, key: key, payload: Data("{}".utf8))
        _ = try await journal.start(start, at: time)
      }
      try await start("ada")
      for _ in 0..<4 { try await start(nil) }
      let request = ClaimRequest(
        worker: "one", flows: [.init(flow: "orders", version: 1, limit: 8)], lease: .seconds(30))
      let runs = try await journal.claim(request, at: time).runs.map(\.record)
      var claims = runs.map { RunClaim(id: $0.id, sequence: $0.sequence, fence: $0.fence) }
      #expect(claims.count == 5)
      func checkpoint(_ index: Int, _ next: Checkpoint.Next) async throws {
        try await journal.checkpoint(
          Checkpoint(
            claim: claims[index], version: 1, next: next, beganAt: time.date, lease: .seconds(30)),
          at: time)
        claims[index].sequence += 1
      }
      for index in claims.indices { try await checkpoint(index, .stage(Data("{}".utf8))) }
      #expect(try await journal.renew(claims, lease: .seconds(30), at: time) == [])
      try await checkpoint(0, .completion(Data("1".utf8)))
      try await checkpoint(1, .waiting(Data("{}".utf8), until: time.date + 60))
      try await checkpoint(2, .receiving(Data("{}".utf8), signals: ["approved"], until: nil))
      let retry = Parking.Reason.retry(at: time.date + 60, error: "no")
      try await journal.park(Parking(claim: claims[3], reason: retry), at: time)
      try await journal.park(Parking(claim: claims[4], reason: .dead(error: "no")), at: time)

      let (statements, temporary) = try await journal.write { database in
        let statements = Self.cachedStatements(of: database).map(\.sql)
        let temporary = statements.filter { sql in
          // The workers are read once, when a worker claims for the first time.
          !sql.hasPrefix("PRAGMA") && !sql.hasPrefix("SELECT DISTINCT worker")
            && Self.steps(of: sql, in: database).contains("OpenEphemeral")
        }
        return (statements, temporary)
      }
      #expect(temporary == [])
      #expect(statements.count { $0.contains("UPDATE fieldstone_run") } >= 4)
      #expect(statements.contains { $0.hasPrefix("INSERT INTO fieldstone_run ") })
      try await journal.close()
    }

    // The runs of a claim have mostly different keys, whose entries lie on as many pages. And a table
    // with AUTOINCREMENT has its last number looked up by each statement whose triggers may write it.
    @Test("No claim and no end writes the index of keys, or looks the last number of a table up")
    func untouched() async throws {
      let folder = try Folder()
      let journal = try SQLiteJournal(path: folder.path)
      try await journal.start(1)
      let run = try #require(try await journal.claim(1).first)
      try await journal.checkpoint(run.checkpoint(.completion(Data("1".utf8))), at: .at(1))
      let (pages, opened) = try await journal.write { database in
        let pages = try Int.fetchAll(
          database,
          sql: """
            SELECT rootpage FROM sqlite_schema \
            WHERE name IN ('fieldstone_run_concurrency', 'sqlite_sequence')
            """)
        let updates = Self.cachedStatements(of: database).map(\.sql).filter {
          $0.hasPrefix("UPDATE OR FAIL fieldstone_run ")
        }
        let opened = updates.map { update in
          // The programs of triggers, which run only where they have to, follow the statement's own.
          let all = Self.operations(of: update, in: database)
          let own = all.dropFirst().prefix { $0.name != "Init" }
          return own.filter { $0.name.hasPrefix("Open") }.map(\.page)
        }
        return (pages, opened)
      }
      #expect(pages.count == 2)
      #expect(opened.count == 2)
      for opened in opened { #expect(opened.count > 8 && Set(opened).isDisjoint(with: pages)) }
      try await journal.close()
    }

    /// The operations of a statement and its triggers.
    private static func steps(of sql: String, in database: Database) -> [String] {
      operations(of: sql, in: database).map(\.name)
    }

    /// The same; an operation that opens a table or an index has its page.
    private static func operations(
      of sql: String, in database: Database
    ) -> [(name: String, page: Int)] {
      var (steps, statement): ([(name: String, page: Int)], OpaquePointer?) = ([], nil)
      sqlite3_prepare_v2(database.sqliteConnection, "EXPLAIN " + sql, -1, &statement, nil)
      while sqlite3_step(statement) == SQLITE_ROW {
        let name = String(cString: sqlite3_column_text(statement, 1))
        steps.append((name, Int(sqlite3_column_int64(statement, 3))))
      }
      sqlite3_finalize(statement)
      #expect(!steps.isEmpty, "\(sql)")
      return steps
    }

    private static func cachedStatements(
      of database: Database
    ) -> [(sql: String, preparedAgain: Int)] {
      var statements: [(sql: String, preparedAgain: Int)] = []
      var statement = sqlite3_next_stmt(database.sqliteConnection, nil)
      while let found = statement {
        let count = sqlite3_stmt_status(found, SQLITE_STMTSTATUS_REPREPARE, 0)
        statements.append((String(cString: sqlite3_sql(found)), Int(count)))
        statement = sqlite3_next_stmt(database.sqliteConnection, found)
      }
      return statements
    }
  }
#endif
