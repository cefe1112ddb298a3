/// The place of an airport among those that a query finds; what comes after it is the next page.
///
/// It names the airport and no number, so that airports that come or go meanwhile move nothing.
public struct AirportCursor: Sendable, Hashable, Codable {
  /// How much of what was searched for it is, 0 for the most; see ``SearchRelevance``.
  let relevance: Int

  /// What the list is sorted by, where somebody has asked for an order; see ``AirportOrder``.
  let key: String
  let sortName: String
  let icao: String
}
