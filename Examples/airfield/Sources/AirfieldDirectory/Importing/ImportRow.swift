/// A row of the file: an airport, or the reason why it is none.
struct ImportRow: Sendable {
  /// The row's number, from 1 for the first under the header; blank lines do not count.
  let number: Int

  /// The line of the file on which the row begins, from 1.
  let line: Int

  /// What it holds, apart from whether an earlier row has the same code.
  let airport: Result<Airport, RejectReason>

  /// The texts of the airport, where they were made.
  private(set) var texts: AirportTexts?

  /// Makes the texts of the airport.
  mutating func makeTexts(_ countries: CountryNames) {
    texts = (try? airport.get()).map { AirportTexts($0, countries) }
  }
}
