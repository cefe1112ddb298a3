#if SQLite
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneSQLite
  import FieldstoneDurableTesting
  import Foundation
  import GRDB
  import Testing

  @Suite("A journal in SQLite", .timeLimit(.minutes(20)))
  struct ConformanceTests {
    @Test("It keeps what every journal promises, also when two share its file")
    func conforms() async throws {
      let folder = try Folder()
      let count = Locked(0)
      let options = SQLiteJournalOptions(
        durability: .normal, limits: PayloadLimits(warning: 10, error: 2_000))
      var suite = JournalConformance {
        let number = count.withLock { count in
          count += 1
          return count
        }
        return try SQLiteJournal(path: folder["\(number).sqlite"], options: options)
      }
      suite.keepsLateReports = true
      suite.payloadLimit = 2_000
      suite.openAnother = { try SQLiteJournal(path: $0.path, options: options) }
      suite.transactions = .init(
        write: { text in
          CheckpointWrite { transaction in
            let database = try #require(transaction as? Database)
            try database.execute(sql: "CREATE TABLE IF NOT EXISTS note (text TEXT)")
            try database.execute(sql: "INSERT INTO note VALUES (?)", arguments: [text])
          }
        },
        written: { journal in
          let queue = try DatabaseQueue(path: journal.path)
          return try await queue.read { database in
            guard try database.tableExists("note") else { return [] }
            return try String.fetchAll(database, sql: "SELECT text FROM note")
          }
        })
      try await suite.check()
    }
  }
#endif
