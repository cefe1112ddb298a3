import Foundation
import GRDB

/// Tells the changes of one process from those of others: each process notes the number of its last
/// change under a name of its own.
struct ChangeMark: Sendable {
  /// One row a process that has changed airports; rows of processes long gone are removed.
  static let table = """
    CREATE TABLE airportChange (
      process TEXT PRIMARY KEY,
      number INTEGER NOT NULL
    ) WITHOUT ROWID;
    """

  private static let mostProcesses = 1_000

  private let process = UUID().uuidString

  /// Notes a change, in the transaction that makes it.
  func note(_ db: Database) throws {
    let last = try Self.last(db)
    try db.execute(
      sql: "INSERT OR REPLACE INTO airportChange (process, number) VALUES (?, ?)",
      arguments: [process, last + 1])
    try db.execute(
      sql: "DELETE FROM airportChange WHERE number < ?",
      arguments: [last + 1 - Self.mostProcesses])
  }

  /// The number of the last change; 0 where there was none.
  static func last(_ db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "SELECT max(number) FROM airportChange") ?? 0
  }

  /// The number of the last change that another process has made; 0 where none has.
  func lastOfOthers(_ db: Database) throws -> Int {
    try Int.fetchOne(
      db, sql: "SELECT max(number) FROM airportChange WHERE process <> ?", arguments: [process])
      ?? 0
  }
}
