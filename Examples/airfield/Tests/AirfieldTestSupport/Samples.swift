public import AirfieldDirectory

/// Airports and files that several tests use.
public enum Samples {
  /// The header of an airport file.
  public static let header = "icao,iata,name,city,subd,country,elevation,lat,lon,tz,lid\r\n"

  /// An airport of which only this is known, and where it lies.
  public static func airport(
    _ icao: String, iata: String? = nil, name: String, city: String? = nil,
    country: String = "IS"
  ) -> Airport {
    Airport(
      icao: icao, iata: iata, name: name, city: city, country: country, latitude: 1, longitude: 2,
      timeZone: "UTC")
  }
}
