public import AirfieldDirectory
import FieldstoneSQLite
import GRDB

extension AirportDirectory {
  /// Lets the database grow by so many pages and no more, as on a disk that fills up; nil for any
  /// number.
  public func leaveRoom(for pages: Int?) async throws {
    try await journal.write { db in
      let there = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
      let most = pages.map { there + $0 } ?? 1 << 30
      _ = try Int.fetchOne(db, sql: "PRAGMA max_page_count = \(most)")
    }
  }

  /// Writes what no airfield writes.
  public func tamper(_ sql: String) async throws {
    try await journal.write { try $0.execute(sql: sql) }
  }
}
