/// An airport as it is stored, with the number that grows whenever it is changed.
public struct AirportRecord: Sendable, Equatable {
  /// The airport.
  public let airport: Airport

  /// How often it was written, from 1.
  public let revision: Int

  /// Makes a record.
  public init(airport: Airport, revision: Int) {
    self.airport = airport
    self.revision = revision
  }
}
