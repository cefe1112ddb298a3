#if SQLite
  import Fieldstone
  import FieldstoneDurable
  import FieldstoneSQLite
  import Foundation
  import GRDB
  import Testing

  // What an application would write that keeps its runs and its own tables in one database.

  private enum Sale: DurableStage, VersionedFlow {
    static let flowName = "sale"

    case charge(Int)

    func next(in context: DurableContext<Void>) async throws -> DurableStep<Self, Int> {
      guard case .charge(let amount) = self else { return .complete(0) }
      context.atCheckpoint { database in
        try database.execute(sql: "INSERT INTO sale VALUES (?)", arguments: [amount])
      }
      return .complete(amount)
    }
  }

  @Suite("The surface of the journal in SQLite", .timeLimit(.minutes(20)))
  struct SQLiteSurface {
    /// Works in a folder of its own, which is removed.
    private func inFolder(_ body: (String) async throws -> Void) async throws {
      let folder = FileManager.default.temporaryDirectory
        .appending(path: "fieldstone-surface-\(UUID().uuidString)", directoryHint: .isDirectory)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      try await body(folder.appending(path: "journal.sqlite").path(percentEncoded: false))
    }

    private func sell(_ amount: Int, _ journal: SQLiteJournal) async throws {
      let runner = try DurableRunner(
        journal: journal, flows: [DurableFlow(Sale.self, services: ())])
      let work = Task { try await runner.run() }
      #expect(try await runner.start(Sale.charge(amount)).value == amount)
      await runner.shutdown()
      try await work.value
    }

    @Test("A journal is opened, written beside, looked at, and closed")
    func file() async throws {
      try await inFolder { path in
        var options = SQLiteJournalOptions(
          durability: .normal, limits: PayloadLimits(), busyTimeout: .seconds(5),
          joinsOtherTables: true, maximumReaders: 2, logLimit: 1_000_000)
        options.durability = .full
        let journal = try SQLiteJournal(path: path, options: options, time: .system)
        try await journal.write { try $0.execute(sql: "CREATE TABLE sale (amount INTEGER)") }
        try await sell(7, journal)
        let count = try await journal.write { database in
          try Int.fetchOne(database, sql: "SELECT SUM(amount) FROM sale")
        }
        #expect(count == 7)
        let reader = try SQLiteJournal.reader(path: journal.path)
        #expect(try await reader.runs(RunQuery()).runs.count == 1)
        try await reader.close()
        try await journal.close()
        #expect(SQLiteDurability.allCases == [.full, .normal])
      }
    }

    @Test("A database that the app has open takes a journal")
    func inAnApp() async throws {
      try await inFolder { path in
        let pool = try DatabasePool(path: path)
        try await pool.write { try $0.execute(sql: "CREATE TABLE sale (amount INTEGER)") }
        let journal = try SQLiteJournal(in: pool)
        try await sell(9, journal)
        let sales = try await pool.read { try Int.fetchAll($0, sql: "SELECT amount FROM sale") }
        #expect(sales == [9])
        #expect(throws: JournalError.self) { try SQLiteJournal(in: DatabaseQueue()) }
      }
    }
  }
#endif
