import GRDB

/// How much an airport is what was searched for: 0 for the most.
///
/// The very code comes first, then those with an IATA code, as passengers fly there, then all others;
/// among equals cities of this name and names that begin with the text.
struct SearchRelevance {
  /// How many there are.
  static let count = 5

  private let coded: RowSet
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
    return (flown.contains(row) ? 0 : 2) + (begun.contains(row) ? 1 : 2)
  }
}
