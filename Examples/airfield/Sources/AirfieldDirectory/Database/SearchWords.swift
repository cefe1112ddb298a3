import GRDB

/// The words by which an airport is found, in the form in which names are ordered.
///
/// The index folds marks by itself, but only where Unicode takes letters apart: Łódź has an ł that
/// it would leave alone. So words are folded before they are indexed, and what is typed as well.
enum SearchWords {
  /// The words of what a file says of an airport.
  static func of(_ airport: Airport, countryName: String) -> String {
    let words = [
      airport.icao, airport.iata, airport.localCode, airport.name, airport.city, airport.region,
      airport.country, countryName,
    ]
    return SortKey.folded(words.compactMap(\.self).joined(separator: " "))
  }

  /// The words of tags.
  static func of(_ tags: [String]) -> String {
    SortKey.folded(tags.joined(separator: " "))
  }

  /// The rows that a search finds; of what was most likely meant, where it finds none.
  static func rows(of search: AirportSearch, _ db: Database) throws -> [Int64] {
    let words = search.words
    guard !words.isEmpty else { return [] }
    let found = try rows(with: words, db)
    guard found.isEmpty, let meant = try SpellingGuess(db).corrected(words) else { return found }
    return try rows(with: meant, db)
  }

  /// What the index is asked for to find the same rows; nil where there is nothing to search for.
  static func pattern(of search: AirportSearch, _ db: Database) throws -> String? {
    let words = search.words
    guard !words.isEmpty else { return nil }
    let isFound = try Bool.fetchOne(
      db, sql: "SELECT EXISTS (SELECT 1 FROM airportSearch WHERE airportSearch MATCH ?)",
      arguments: [AirportSearch.pattern(words)])
    let meant = isFound == true ? nil : try SpellingGuess(db).corrected(words)
    return AirportSearch.pattern(meant ?? words)
  }

  private static func rows(with words: [String], _ db: Database) throws -> [Int64] {
    try db.rows(
      "SELECT rowid AS row FROM airportSearch WHERE airportSearch MATCH ?",
      [AirportSearch.pattern(words)])
  }
}
