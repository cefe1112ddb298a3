/// A dot on a map: an airport, or several that lie too near to each other to be told apart.
public struct AirportPoint: Sendable, Equatable {
  /// The code of the airport; empty where it is several.
  public let icao: String

  /// The name of the airport; empty where it is several.
  public let name: String

  /// Degrees north of the equator.
  public let latitude: Double

  /// Degrees east of Greenwich.
  public let longitude: Double

  /// How many airports it is.
  public let count: Int

  /// Makes a dot.
  public init(icao: String, name: String, latitude: Double, longitude: Double, count: Int = 1) {
    self.icao = icao
    self.name = name
    self.latitude = latitude
    self.longitude = longitude
    self.count = count
  }
}
