/// An airport as a dot on a map.
public struct AirportPoint: Sendable, Equatable {
  /// Its code.
  public let icao: String

  /// Its name.
  public let name: String

  /// Degrees north of the equator.
  public let latitude: Double

  /// Degrees east of Greenwich.
  public let longitude: Double

  /// Whether there is such a place; a database may hold any number.
  var isOnEarth: Bool {
    AirportRules.latitudes.contains(latitude) && AirportRules.longitudes.contains(longitude)
  }

  /// Makes a dot.
  public init(icao: String, name: String, latitude: Double, longitude: Double) {
    self.icao = icao
    self.name = name
    self.latitude = latitude
    self.longitude = longitude
  }
}
