#if SQLite
  import FieldstoneDurable
  import FieldstoneSQLite
  import Foundation
  import GRDB

  /// Sells some things: each sale is a row of the app's own, a run, and a signal to the first run, in
  /// one transaction.
  struct Seller {
    static let sales = 4

    let path: String

    func sell() async throws {
      let journal = try SQLiteJournal(path: path)
      try await journal.write { try $0.execute(sql: "CREATE TABLE sale (run TEXT)") }
      say("opened")
      var first: RunID?
      for number in 0..<Self.sales {
        let start = RunStart(
          id: RunID(at: Date()), flow: "sales", version: 1,
          payload: Data("\(number)".utf8))
        let to = first ?? start.id
        first = to
        let signal = SignalRecord(
          id: "\(number)", name: "sold", payload: Data("\(number)".utf8), sentAt: Date())
        try await journal.write { database in
          try database.execute(
            sql: "INSERT INTO sale VALUES (?)", arguments: [start.id.description])
          try journal.start(start, in: database)
          try journal.signal(to, signal, in: database)
        }
        say("sold \(number)")
      }
      try await journal.close()
      say("ended")
    }
  }
#endif
