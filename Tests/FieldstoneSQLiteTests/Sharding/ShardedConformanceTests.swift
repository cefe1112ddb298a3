#if SQLite
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneDurableTesting
  import FieldstoneSQLite
  import Foundation
  import GRDB
  import Testing

  @Suite("Several journals in SQLite as one", .timeLimit(.minutes(20)))
  struct ShardedConformanceTests {
    @Test("The runs of a slot have all promises, also when two processes share the files")
    func conforms() async throws {
      let folder = try Folder()
      let count = Locked(0)
      let paths = Locked<[ObjectIdentifier: [String]]>([:])
      let options = SQLiteJournalOptions(durability: .normal)
      let open: @Sendable ([String], UInt16) async throws -> ShardedJournal = { files, slot in
        let journals = try files.map { try SQLiteJournal(path: $0, options: options) }
        let journal = try await ShardedJournal(journals, allIn: slot)
        paths.withLock { $0[ObjectIdentifier(journal)] = files }
        return journal
      }
      var suite = JournalConformance {
        let number = count.withLock { count in
          count += 1
          return count
        }
        return try await open(
          (0..<2).map { folder["\(number)-\($0).sqlite"] },
          UInt16(truncatingIfNeeded: number &* 25_033))
      }
      suite.slot = { $0.slotOfRun(in: "flow", key: nil) }
      suite.openAnother = { journal in
        let files = paths.withLock { $0[ObjectIdentifier(journal)] } ?? []
        return try await open(files, journal.slotOfRun(in: "flow", key: nil) ?? 0)
      }
      suite.transactions = .init(
        write: { text in
          CheckpointWrite { transaction in
            let database = try #require(transaction as? Database)
            try database.execute(sql: "CREATE TABLE IF NOT EXISTS note (text TEXT)")
            try database.execute(sql: "INSERT INTO note VALUES (?)", arguments: [text])
          }
        },
        written: { journal in
          var notes: [String] = []
          for file in paths.withLock({ $0[ObjectIdentifier(journal)] }) ?? [] {
            notes += try await DatabaseQueue(path: file).read { database in
              guard try database.tableExists("note") else { return [] }
              return try String.fetchAll(database, sql: "SELECT text FROM note")
            }
          }
          return notes
        })
      // A pause or a limit of a flow leaves a row in each shard.
      do {
        try await suite.check()
      } catch let error as JournalConformanceError {
        let broken = Set(error.failures.map(\.promise))
        #expect(broken.subtracting([.audit]) == [], "\(error.message)")
      }
    }
  }
#endif
