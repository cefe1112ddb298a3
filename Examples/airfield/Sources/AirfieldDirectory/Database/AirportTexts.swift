/// What is stored of an airport besides what a file says: the texts that it is listed and found by.
struct AirportTexts: Sendable {
  let countryName: String
  let sortName: String
  let words: String
  let sortCity: String

  init(_ airport: Airport, _ countries: CountryNames) {
    countryName = countries.name(of: airport.country)
    sortName = SortKey.folded(airport.name)
    words = SearchWords.of(airport, countryName: countryName)
    sortCity = SortKey.folded(airport.city ?? "")
  }
}
