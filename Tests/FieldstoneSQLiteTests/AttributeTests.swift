#if SQLite
  import FieldstoneDurable
  import FieldstoneSQLite
  import Foundation
  import GRDB
  import Testing

  @Suite("Runs found by their attributes", .timeLimit(.minutes(20)))
  struct AttributeTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    /// A journal with 100,000 runs, each with an attribute that all have and one that ten have.
    private func fill() async throws -> [RunID] {
      let journal = try SQLiteJournal(path: folder.path)
      var ids: [RunID] = []
      for number in 0..<10 {
        var start = RunStart.sample(number)
        start.attributes = ["customer": "ada", "number": .integer(number)]
        ids.append(try await journal.start(start, at: .at(Double(number))).id)
      }
      try await journal.close()
      let queue = try DatabaseQueue(path: folder.path)
      try await queue.write { database in
        try database.execute(
          sql: """
            CREATE TEMP TABLE n AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n \
            WHERE i < 99990) SELECT i, '00000000000000000000' || printf('%06d', i) AS id FROM n;
            INSERT INTO fieldstone_run (id, flow, version, state, sequence, fence, attempts, \
            started_at, changed_at, waits, wakes_at, payload) \
            SELECT id, 'crowd', 1, 2, 1, 1, 0, 0, 0, 0, 0, x'30' FROM n;
            INSERT INTO fieldstone_attribute SELECT 'customer', 's:bob', id FROM n;
            INSERT INTO fieldstone_attribute SELECT 'number', 'i:' || (i % 9999), id FROM n;
            """)
      }
      try queue.close()
      return ids
    }

    @Test(
      "Among 100,000 the index of an attribute is searched from where the page begins, nothing else"
    )
    func plan() async throws {
      let ids = try await fill()
      let journal = try SQLiteJournal(path: folder.path)
      var query = RunQuery(flow: "sample", states: [.ready], before: ids[9])
      let first = "SEARCH fieldstone_attribute USING PRIMARY KEY (name=? AND value=? AND run_id<?)"
      let run = "SEARCH fieldstone_run USING INDEX sqlite_autoindex_fieldstone_run_1 (id=?)"
      query.attributes = ["customer": "ada"]
      #expect(try await journal.plans(of: query) == [[first, run]])
      query.attributes["number"] = 3
      let other = "SEARCH other USING PRIMARY KEY (name=? AND value=? AND run_id=?)"
      let both = try #require(try await journal.plans(of: query).first)
      #expect(both.first == first && both.contains(run) && both.contains { $0.contains(other) })
      #expect(!both.contains { $0.contains("SCAN") || $0.contains("TEMP B-TREE") }, "\(both)")
      // And what is found is that.
      query = RunQuery()
      query.attributes = ["customer": "ada"]
      #expect(try await journal.runs(query).runs.map(\.id) == ids.sorted(by: >))
      query.attributes["number"] = 3
      #expect(try await journal.runs(query).runs.map(\.id) == [ids[3]])
      query.attributes["customer"] = "bob"
      #expect(try await journal.runs(query).runs.count == 10)
      query.limit = 4
      let page = try await journal.runs(query)
      #expect(page.runs.count == 4 && page.next == page.runs.last?.id)
    }
  }
#endif
