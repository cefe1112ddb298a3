import GRDB

/// The rows that a page is cut from: all airports, or those that a search finds.
struct AirportRows {
  private enum Source {
    case all
    case matching(pattern: String, code: String)
    case none
  }

  private let source: Source

  init(_ search: AirportSearch?) {
    guard let search else {
      source = .all
      return
    }
    source = search.pattern.map { .matching(pattern: $0, code: search.text.uppercased()) } ?? .none
  }

  func count(_ db: Database) throws -> Int {
    switch source {
    case .none: 0
    case .all: try Int.fetchOne(db, sql: "SELECT count(*) FROM airport") ?? 0
    case .matching(let pattern, _):
      try Int.fetchOne(
        db, sql: "SELECT count(*) FROM airportSearch WHERE airportSearch MATCH ?",
        arguments: [pattern]) ?? 0
    }
  }

  func fetch(_ db: Database, limit: Int, offset: Int) throws -> [Airport] {
    switch source {
    case .none: []
    case .all:
      try Row.fetchAll(
        db,
        sql: """
          SELECT \(Airport.columns) FROM airport
          ORDER BY sortName, icao LIMIT ? OFFSET ?
          """,
        arguments: [limit, offset]
      ).map(Airport.init(row:))
    case .matching(let pattern, let code):
      try Row.fetchAll(
        db,
        sql: """
          SELECT \(Airport.columns) FROM airport
          WHERE id IN (SELECT rowid FROM airportSearch WHERE airportSearch MATCH ?)
          ORDER BY icao = ? OR iata IS ? DESC, sortName, icao LIMIT ? OFFSET ?
          """,
        arguments: [pattern, code, code, limit, offset]
      ).map(Airport.init(row:))
    }
  }
}
