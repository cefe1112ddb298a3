@testable import AirfieldApp

extension AirportDirectory {
  /// The codes of the airports that a search finds first.
  func codes(of text: String) async throws -> [String] {
    try await results(of: AirportQuery(search: AirportSearch(text)), limit: 9)
      .airports.map(\.icao)
  }

  /// The codes of all airports that a query finds, asked for slice by slice.
  func codes(of query: AirportQuery, inSlicesOf limit: Int) async throws -> [String] {
    var codes: [String] = []
    var cursor: AirportCursor?
    repeat {
      let slice = try await airports(of: query, after: cursor, limit: limit)
      codes += slice.airports.map(\.icao)
      cursor = slice.next
    } while cursor != nil
    return codes
  }
}
