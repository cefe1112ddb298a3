/// Airports in a row, and where those after them begin.
public struct AirportSlice: Sendable, Equatable {
  /// The airports, by name.
  public let airports: [Airport]

  /// Where those after them begin; nil where there are none.
  public let next: AirportCursor?

  /// Makes a slice.
  public init(airports: [Airport], next: AirportCursor?) {
    self.airports = airports
    self.next = next
  }
}
