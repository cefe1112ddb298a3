import GRDB

/// How much an airport is what was searched for, as an expression of SQL: 0 for the most.
///
/// The very code comes first, then those with an IATA code, as passengers fly there, then all others;
/// among equals cities of this name and names that begin with the text.
struct SearchRelevance {
  /// The expression.
  let sql: String

  /// The values that it takes.
  let arguments: StatementArguments

  /// The relevance of a search; the same for all airports where it is none, or too short to tell.
  init(_ search: AirportSearch?) {
    let text = search.map { SortKey.folded($0.text) } ?? ""
    guard let search, text.utf8.count >= 3 else {
      sql = "0"
      arguments = []
      return
    }
    var (isCode, values) = ("0", StatementArguments())
    if search.text.utf8.count <= 4 {
      let code = search.text.uppercased()
      isCode = "airport.icao = ? OR airport.iata IS ?"
      values += [code, code]
    }
    sql = """
      (CASE WHEN \(isCode) THEN 0 ELSE 2 * (airport.iata IS NULL)
        + CASE WHEN sortCity = ? OR (sortName >= ? AND sortName < ?) THEN 1 ELSE 2 END END)
      """
    arguments = values + [text, text, text + "\u{10FFFF}"]
  }

  /// Whether it tells airports apart.
  var tellsApart: Bool { sql != "0" }
}
