/// The first airports that a query finds, and how many there are.
public struct AirportResults: Sendable, Equatable {
  /// What was asked.
  public let query: AirportQuery

  /// How many airports it finds.
  public let total: Int

  /// How many airports there are in all.
  public let count: Int

  /// The first of them.
  public let airports: [Airport]

  /// Where those after them begin; nil where there are none.
  public let next: AirportCursor?

  /// Makes results.
  public init(
    query: AirportQuery, total: Int, count: Int, airports: [Airport], next: AirportCursor?
  ) {
    self.query = query
    self.total = total
    self.count = count
    self.airports = airports
    self.next = next
  }
}
