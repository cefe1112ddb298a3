import GRDB

/// How much an airport is what was searched for: 0 for the most.
///
/// The very code comes first, then those with an IATA code, as passengers fly there, then all others;
/// among equals cities of this name and names that begin with the text, the large airports first.
struct SearchRelevance {
  /// How many there are.
  static let count = 9

  private let coded: RowSet
  private let largest: RowSet
  private let large: RowSet
  private let flown: RowSet
  private let begun: RowSet

  /// The relevance of a search; nil where it is none, or too short to tell.
  init?(_ search: AirportSearch?, _ db: Database) throws {
    let text = search.map { SortKey.folded($0.text) } ?? ""
    guard let search, text.utf8.count >= 3 else { return nil }
    let code = search.text.uppercased()
    coded = RowSet(
      try db.rows(
        """
        SELECT id AS row FROM airport WHERE icao = ?
        UNION ALL SELECT id AS row FROM airport WHERE iata = ?
        """, [code, code]))
    largest = try Self.rows(with: LargeAirports.largest, db)
    large = try Self.rows(with: LargeAirports.large, db)
    flown = RowSet(try db.rows("SELECT id AS row FROM airport WHERE iata IS NOT NULL"))
    begun = RowSet(
      try db.rows(
        """
        SELECT id AS row FROM airport WHERE sortName >= ? AND sortName < ?
        UNION ALL SELECT id AS row FROM airport WHERE sortCity = ? AND sortCity <> ''
        """, [text, text + "\u{10FFFF}", text]))
  }

  /// The relevance of a row that the search finds.
  func of(_ row: Int64) -> Int {
    if coded.contains(row) { return 0 }
    guard flown.contains(row) else { return begun.contains(row) ? 7 : 8 }
    let size = largest.contains(row) ? 1 : large.contains(row) ? 2 : 3
    return size + (begun.contains(row) ? 0 : 3)
  }

  private static func rows(with codes: [String], _ db: Database) throws -> RowSet {
    RowSet(
      try db.rows(
        """
        SELECT id AS row FROM airport
        WHERE iata IN (\(repeatElement("?", count: codes.count).joined(separator: ",")))
        """, StatementArguments(codes)))
  }
}
