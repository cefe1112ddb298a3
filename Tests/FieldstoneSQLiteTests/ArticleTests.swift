#if SQLite
  import FieldstoneDurable
  import FieldstoneDurableTesting
  import FieldstoneSQLite
  import Foundation
  import GRDB
  import Testing

  /// The code of the article on the embedded journal, compiled and run.
  @Suite("The article on the embedded journal", .timeLimit(.minutes(20)))
  struct ArticleTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    struct Receipt: Codable, Sendable, Equatable {
      var number: String
    }

    struct Shop: Sendable {
      func charge(_ amount: Int, key: String) async throws -> Receipt { Receipt(number: key) }
    }

    // snippet: sqlite-checkpoint
    enum Sale: DurableStage, VersionedFlow {
      static let flowName = "sale"

      case charge(Int)

      func next(in context: DurableContext<Shop>) async throws -> DurableStep<Self, Receipt> {
        switch self {
        case .charge(let amount):
          // Outside: again after a crash, so with the same key.
          let receipt = try await context.services.charge(amount, key: context.idempotencyKey)
          // In the journal's database: once.
          context.atCheckpoint { database in
            try database.execute(
              sql: "INSERT INTO sale (receipt, amount) VALUES (?, ?)",
              arguments: [receipt.number, amount])
          }
          return .complete(receipt)
        }
      }
    }
    // end

    @Test("A journal in the app's own database waits for the disk once the app says so")
    func ownDatabase() async throws {
      let path = folder.path
      // snippet: sqlite-in-database
      let pool = try DatabasePool(path: path)
      try await pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
      let journal = try SQLiteJournal(in: pool)
      // end
      _ = try await journal.runs(RunQuery())
      let synchronous = try await pool.writeWithoutTransaction { database in
        try Int.fetchOne(database, sql: "PRAGMA synchronous")
      }
      #expect(synchronous == 2)
      try await journal.close()
    }

    @Test("The overview, and a write at a checkpoint")
    func overview() async throws {
      let path = folder.path
      let queue = try DatabaseQueue(path: path)
      try await queue.write {
        try $0.execute(sql: "CREATE TABLE sale (receipt TEXT, amount INTEGER, isShipped INTEGER)")
        try $0.execute(sql: "CREATE TABLE cart (number INTEGER, isClosed INTEGER)")
      }
      let shop = Shop()
      let options = SQLiteJournalOptions(joinsOtherTables: true)
      // snippet: sqlite-overview
      let journal = try SQLiteJournal(path: path, options: options)
      let runner = try DurableRunner(
        journal: journal, flows: [DurableFlow(Sale.self, services: shop)])
      async let work: Void = runner.run()
      let receipt = try await runner.start(Sale.charge(1_299), key: "order 17").value
      // end
      let number = receipt.number
      // snippet: sqlite-write
      try await journal.write { database in
        try database.execute(
          sql: "UPDATE sale SET isShipped = TRUE WHERE receipt = ?", arguments: [number])
      }
      // end
      let cart = 18
      // snippet: sqlite-start
      let start = try runner.runStart(Sale.charge(900), key: "order \(cart)")
      try await journal.write { database in
        try database.execute(
          sql: "UPDATE cart SET isClosed = TRUE WHERE number = ?", arguments: [cart])
        try journal.start(start, in: database)
      }
      // end
      _ = try await runner.handle(start.id, completion: Receipt.self).value
      await runner.shutdown()
      try await work
      let sales = try await queue.read { database in
        try String.fetchAll(
          database, sql: "SELECT receipt FROM sale WHERE amount = 1299 AND isShipped")
      }
      #expect(sales == [receipt.number])
    }

    @Test("A sale that is killed charges again with the same key, and is written once")
    func trial() async throws {
      let trial = FlowTrial(Sale.charge(1_299)) { _ in
        let books = try DatabaseQueue()
        try await books.write {
          try $0.execute(sql: "CREATE TABLE sale (receipt TEXT, amount INTEGER)")
        }
        return books
      } flows: { _ in
        [DurableFlow(Sale.self, services: Shop())]
      }
      .writing { books, write in try books.write { try write($0) } }
      .comparing { books in
        try books.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM sale") ?? 0 }
      }
      let report = try await trial.run()
      let receipt = try report.outcome.value(as: Receipt.self)
      #expect(receipt.number == report.path.first?.idempotencyKey)
      #expect(report.kills.count == 2 && report.effects == "1")
      #expect(report.endsAlike, "\(report)")
    }
  }
#endif
