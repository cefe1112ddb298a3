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
}
