#if SQLite
  import FieldstoneDurable
  import FieldstoneSQLite
  import GRDB
  import Testing

  @Suite("Pages of children", .timeLimit(.minutes(20)))
  struct ChildSearchTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    @Test(
      "A page is read from its place in the index on, and what comes after it is not sorted",
      arguments: [ChildSearch.ofStage, ChildSearch.ofAll])
    func plan(_ sql: String) async throws {
      try await SQLiteJournal(path: folder.path).close()
      let queue = try DatabaseQueue(path: folder.path)
      defer { try? queue.close() }
      let plan = try await queue.read { database in
        let values = sql.filter { $0 == "?" }.map { _ in DatabaseValue.null }
        return try Row.fetchAll(
          database, sql: "EXPLAIN QUERY PLAN " + sql, arguments: StatementArguments(values)
        ).map { row -> String in row["detail"] }
      }
      #expect(plan.first?.contains("USING INDEX fieldstone_run_child (parent=? AND ") == true)
      #expect(!plan.contains { $0.contains("SCAN") || $0.contains("TEMP B-TREE") }, "\(plan)")
    }
  }
#endif
