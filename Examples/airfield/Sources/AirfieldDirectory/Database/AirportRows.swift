import GRDB

/// The rows that a query finds, in their order: by how much they are what was searched for, then by
/// name.
struct AirportRows {
  /// What the query has to hold, joined by AND; nil where it finds nothing.
  private let conditions: [String]?
  private let arguments: StatementArguments

  private let relevance: SearchRelevance

  init(_ query: AirportQuery, _ db: Database) throws {
    var conditions: [String] = []
    var arguments = StatementArguments()
    relevance = SearchRelevance(query.search)
    if let search = query.search {
      guard let pattern = try Self.pattern(of: search, db) else {
        self.conditions = nil
        self.arguments = arguments
        return
      }
      conditions.append(
        "airport.id IN (SELECT rowid FROM airportSearch WHERE airportSearch MATCH ?)")
      arguments += [pattern]
    }
    if let country = query.country {
      conditions.append("airport.country = ?")
      arguments += [country]
    }
    if let kind = query.kind { conditions.append(kind.condition) }
    self.conditions = conditions
    self.arguments = arguments
  }

  /// The pattern of a search; of what was most likely meant, where nothing is found.
  private static func pattern(of search: AirportSearch, _ db: Database) throws -> String? {
    let words = search.words
    guard !words.isEmpty else { return nil }
    let pattern = AirportSearch.pattern(words)
    let isFound = try Bool.fetchOne(
      db, sql: "SELECT EXISTS (SELECT 1 FROM airportSearch WHERE airportSearch MATCH ?)",
      arguments: [pattern])
    if isFound == true { return pattern }
    return try SpellingGuess(db).corrected(words).map(AirportSearch.pattern) ?? pattern
  }

  func count(_ db: Database) throws -> Int {
    guard let conditions else { return 0 }
    return try Int.fetchOne(
      db, sql: "SELECT count(*) FROM airport \(clause(conditions))", arguments: arguments) ?? 0
  }

  /// Some rows from a place that is a number.
  func fetch(_ db: Database, limit: Int, offset: Int) throws -> [Airport] {
    guard let conditions else { return [] }
    return try Row.fetchAll(
      db,
      sql: """
        SELECT \(Airport.columns), \(relevance.sql) AS relevance
        FROM airport \(clause(conditions)) ORDER BY \(order) LIMIT ? OFFSET ?
        """,
      arguments: relevance.arguments + arguments + [limit, offset]
    ).map { try Airport(row: $0) }
  }

  /// Some rows from a place that is an airport.
  func slice(_ db: Database, limit: Int, after cursor: AirportCursor?) throws -> AirportSlice {
    guard var conditions else { return AirportSlice(airports: [], next: nil) }
    var values = relevance.arguments + arguments
    if let cursor {
      // Comparing what is indexed by itself lets the index find the place.
      if relevance.tellsApart {
        conditions.append("(\(relevance.sql), sortName, airport.icao) > (?, ?, ?)")
        values += relevance.arguments + [cursor.relevance]
      } else {
        conditions.append("(sortName, airport.icao) > (?, ?)")
      }
      values += [cursor.sortName, cursor.icao]
    }
    // One more than asked for tells whether there is more.
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT \(Airport.columns), sortName, \(relevance.sql) AS relevance
        FROM airport \(clause(conditions)) ORDER BY \(order) LIMIT ?
        """,
      arguments: values + [limit + 1])
    let shown = rows.prefix(limit)
    var next: AirportCursor?
    if rows.count > limit, let last = shown.last {
      next = AirportCursor(
        relevance: try last.decode(forColumn: "relevance"),
        sortName: try last.decode(forColumn: "sortName"), icao: try last.decode(forColumn: "icao"))
    }
    return AirportSlice(airports: try shown.map { try Airport(row: $0) }, next: next)
  }

  /// All rows as dots, in no order; one that somebody has put nowhere is left out.
  func points(_ db: Database) throws -> [AirportPoint] {
    guard let conditions else { return [] }
    return try Row.fetchAll(
      db,
      sql: "SELECT icao, name, latitude, longitude FROM airport \(clause(conditions))",
      arguments: arguments
    ).map { row in
      AirportPoint(
        icao: try row.value(0), name: try row.value(1), latitude: try row.value(2),
        longitude: try row.value(3))
    }.filter(\.isOnEarth)
  }

  /// The highest number of a row there is; 0 where there is none.
  static func newest(_ db: Database) throws -> Int64 {
    try Int64.fetchOne(db, sql: "SELECT max(id) FROM airport") ?? 0
  }

  /// Where so many rows lie in the order in which they were stored, after a row and up to another.
  ///
  /// The number of a row never changes, whatever becomes of the airport: neither a new name nor a
  /// new code makes it come twice, or not at all.
  func range(_ db: Database, after row: Int64, upTo end: Int64, size: Int) throws -> ExportRange {
    guard let conditions else { return ExportRange(after: row, through: end, end: end) }
    // One more than asked for tells whether there is more.
    let ids = try Int64.fetchAll(
      db,
      sql: """
        SELECT id FROM airport NOT INDEXED \(clause(conditions + Self.span)) ORDER BY id LIMIT ?
        """,
      arguments: arguments + [row, end, size + 1])
    return ExportRange(after: row, through: ids.count > size ? ids[size - 1] : end, end: end)
  }

  /// The rows that lie there now.
  func fetch(_ db: Database, in range: ExportRange) throws -> [Airport] {
    guard let conditions else { return [] }
    return try Row.fetchAll(
      db,
      sql: """
        SELECT \(Airport.columns) FROM airport NOT INDEXED \(clause(conditions + Self.span))
        ORDER BY airport.id
        """,
      arguments: arguments + [range.after, range.through]
    ).map { try Airport(row: $0) }
  }

  /// Without an index all pages together go through the table once; with one, each would sort.
  private static let span = ["airport.id > ?", "airport.id <= ?"]

  private var order: String {
    relevance.tellsApart ? "relevance, sortName, airport.icao" : "sortName, airport.icao"
  }

  private func clause(_ conditions: [String]) -> String {
    conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
  }
}
