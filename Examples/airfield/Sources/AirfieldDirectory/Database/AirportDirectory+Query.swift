import GRDB

extension AirportDirectory {
  /// The first airports that a query finds, and how many there are.
  public func results(of query: AirportQuery, limit: Int) async throws -> AirportResults {
    try await read { db in
      let rows = try AirportRows(query, db)
      let count = try AirportRows(AirportQuery(), db).count(db)
      let total = query.isForAll ? count : try rows.count(db)
      let slice = try rows.slice(db, limit: max(1, limit), after: nil)
      return AirportResults(
        query: query, total: total, count: count, airports: slice.airports, next: slice.next)
    }
  }

  /// The airports that a query finds after a place.
  public func airports(
    of query: AirportQuery, after cursor: AirportCursor?, limit: Int
  ) async throws -> AirportSlice {
    try await read { db in
      try AirportRows(query, db).slice(db, limit: max(1, limit), after: cursor)
    }
  }

  /// A page of the airports that a query finds; see ``page(_:matching:)``.
  public func page(
    _ number: Int, of query: AirportQuery, size: Int = AirportDirectory.pageSize
  ) async throws -> DirectoryPage {
    try await read { db in
      let rows = try AirportRows(query, db)
      let total = try rows.count(db)
      let size = max(1, size)
      let last = max(1, (total + size - 1) / size)
      let shown = min(max(1, number), last)
      let airports = try rows.fetch(db, limit: size, offset: (shown - 1) * size)
      return DirectoryPage(number: shown, last: last, total: total, airports: airports)
    }
  }

  /// The airports that a query finds, as dots on a map; in no order.
  public func points(of query: AirportQuery) async throws -> [AirportPoint] {
    try await read { try AirportRows(query, $0).points($0) }
  }

  /// The countries that have airports, by name.
  public func countriesWithAirports() async throws -> [CountryCount] {
    try await read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT country, countryName, count(*) FROM airport GROUP BY country
          ORDER BY countryName
          """
      ).map {
        CountryCount(code: try $0.value(0), name: try $0.value(1), count: try $0.value(2))
      }
    }
  }
}
