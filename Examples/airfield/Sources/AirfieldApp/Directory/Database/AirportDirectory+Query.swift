import GRDB

extension AirportDirectory {
  /// The first airports that a query finds, and how many there are.
  ///
  /// What a query finds is kept until an airport is written: finding it costs time that grows with
  /// the number of airports, and each page of it costs that of the page alone.
  func results(of query: AirportQuery, limit: Int) async throws -> AirportResults {
    try await read { [rankings] db in
      let ranking = try rankings.ranking(of: query, db)
      let slice = try Self.slice(ranking, 0..<max(1, limit), db)
      return AirportResults(
        query: query, total: ranking.rows.count, airports: slice.airports, next: slice.next,
        change: try ChangeMark.last(db))
    }
  }

  /// The airports that a query finds after a place.
  func airports(
    of query: AirportQuery, after cursor: AirportCursor?, limit: Int
  ) async throws -> AirportSlice {
    try await read { [rankings] db in
      let ranking = try rankings.ranking(of: query, db)
      let start = try cursor.map { try ranking.index(after: $0, db) } ?? 0
      return try Self.slice(ranking, start..<(start + max(1, limit)), db)
    }
  }

  /// A page of the airports that a query finds.
  ///
  /// A number below 1 gives the first page, one beyond the last gives the last, so that an address
  /// stays good when airports leave.
  func page(_ number: Int, of query: AirportQuery, size: Int) async throws -> DirectoryPage {
    try await read { [rankings] db in
      let ranking = try rankings.ranking(of: query, db)
      let (total, size) = (ranking.rows.count, max(1, size))
      let last = max(1, (total + size - 1) / size)
      let shown = min(max(1, number), last)
      let start = (shown - 1) * size
      let slice = try Self.slice(ranking, start..<(start + size), db)
      return DirectoryPage(
        number: shown, last: last, total: total, airports: slice.airports,
        change: try ChangeMark.last(db))
    }
  }

  /// The countries that have airports, by name.
  ///
  /// It goes from one to the next in their index: to group the airports takes twice as long.
  func countriesWithAirports() async throws -> [CountryCount] {
    try await read { db in
      try Row.fetchAll(
        db,
        sql: """
          WITH RECURSIVE here(code) AS (
            SELECT min(country) FROM airport
            UNION ALL SELECT (SELECT min(country) FROM airport WHERE country > code)
            FROM here WHERE code IS NOT NULL)
          SELECT code, (SELECT countryName FROM airport WHERE country = code LIMIT 1) AS name,
            (SELECT count(*) FROM airport WHERE country = code)
          FROM here WHERE code IS NOT NULL ORDER BY name
          """
      ).map {
        CountryCount(code: try $0.value(0), name: try $0.value(1), count: try $0.value(2))
      }
    }
  }

  private static func slice(
    _ ranking: Ranking, _ range: Range<Int>, _ db: Database
  ) throws -> AirportSlice {
    let range = range.clamped(to: ranking.rows.indices)
    let select = try db.cachedStatement(
      sql: """
        SELECT \(Airport.columns), sortName, \(AirportOrder.key(of: ranking.order)) AS sortKey
        FROM airport WHERE id = ?
        """)
    var airports: [Airport] = []
    var next: AirportCursor?
    for index in range {
      guard let row = try Row.fetchOne(select, arguments: [ranking.rows[index]]) else { continue }
      airports.append(try Airport(row: row))
      guard index == range.upperBound - 1, range.upperBound < ranking.rows.count else { continue }
      next = AirportCursor(
        relevance: ranking.relevance(at: index), key: try row.decode(forColumn: "sortKey"),
        sortName: try row.decode(forColumn: "sortName"), icao: try row.decode(forColumn: "icao"))
    }
    return AirportSlice(airports: airports, next: next)
  }
}
