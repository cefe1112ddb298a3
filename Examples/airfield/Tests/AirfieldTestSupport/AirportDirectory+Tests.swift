import FieldstoneSQLite
import GRDB

// Only debug builds can be looked into, and tests are.
#if DEBUG
  @testable public import AirfieldApp

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

    /// Stores airports in one transaction: all of them, or none where it throws.
    public func store(_ airports: [Airport]) async throws -> StoreResult {
      try await write { [countries, mark] db in
        try AirportWriter(db, countries: countries, mark: mark).store(airports.map { ($0, nil) })
      }
    }

    /// How many airports there are.
    public func count() async throws -> Int {
      try await read { try Int.fetchOne($0, sql: "SELECT count(*) FROM airport") ?? 0 }
    }

    /// The airport with this code, whatever the case of its letters.
    public func airport(icao: String) async throws -> Airport? {
      try await record(icao: icao)?.airport
    }

    /// A page of 50 of the airports that a search finds, or of all, by name.
    public func page(
      _ number: Int, matching search: AirportSearch? = nil
    ) async throws -> DirectoryPage {
      try await page(number, of: AirportQuery(search: search))
    }

    /// A page of 50 of the airports that a query finds.
    public func page(_ number: Int, of query: AirportQuery) async throws -> DirectoryPage {
      try await page(number, of: query, size: 50)
    }
  }
#endif
