/// The place of an airport among those that a query finds; what comes after it is the next page.
///
/// It names the airport and no number, so that airports that come or go meanwhile move nothing.
public struct AirportCursor: Sendable, Hashable, Codable {
  /// Whether the airport has the very code that was searched for: those come first.
  let isExact: Bool
  let sortName: String
  let icao: String
}
