/// A column of the airport file, by its name in the header.
public enum AirportColumn: String, Sendable, CaseIterable, Codable {
  case icao, iata, name, city, subd, country, elevation, lat, lon, tz, lid

  /// What the column is called for people.
  public var title: String {
    switch self {
    case .icao: "ICAO code"
    case .iata: "IATA code"
    case .name: "Name"
    case .city: "City"
    case .subd: "Region"
    case .country: "Country"
    case .elevation: "Elevation"
    case .lat: "Latitude"
    case .lon: "Longitude"
    case .tz: "Time zone"
    case .lid: "Local code"
    }
  }

  /// Whether a file without this column can't be imported.
  public var isRequired: Bool {
    switch self {
    case .icao, .name, .country, .lat, .lon, .tz: true
    case .iata, .city, .subd, .elevation, .lid: false
    }
  }
}
