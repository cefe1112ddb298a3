import GRDB

/// The rows that a query finds, as they lie in the file: what an export reads.
struct AirportRows {
  /// What the query has to hold, joined by AND; nil where it finds nothing.
  private let conditions: [String]?
  private let arguments: StatementArguments

  init(_ query: AirportQuery, _ db: Database) throws {
    var conditions: [String] = []
    var arguments = StatementArguments()
    if let search = query.search {
      guard let pattern = try SearchWords.pattern(of: search, db) else {
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

  private func clause(_ conditions: [String]) -> String {
    conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
  }
}
