/// A column of the airport file, by its name in the header.
public enum AirportColumn: String, Sendable, CaseIterable, Codable {
  case icao, iata, name, city, subd, country, elevation, lat, lon, tz, lid

  /// Whether a file without this column can't be imported.
  public var isRequired: Bool {
    switch self {
    case .icao, .name, .country, .lat, .lon, .tz: true
    case .iata, .city, .subd, .elevation, .lid: false
    }
  }
}
