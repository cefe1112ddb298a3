/// A column of the airport file, by its name in the header.
enum AirportColumn: String, Sendable, CaseIterable, Codable {
  case icao, iata, name, city, subd, country, elevation, lat, lon, tz, lid

  /// What the column is called for people.
  var title: String {
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
  var isRequired: Bool {
    switch self {
    case .icao, .name, .country, .lat, .lon, .tz: true
    case .iata, .city, .subd, .elevation, .lid: false
    }
  }
}

extension AirportColumn {
  enum Value: Encodable, Equatable {
    case text(String)
    case number(Double)

    var text: String {
      switch self {
      case .text(let text): text
      case .number(let number): DecimalNumber.text(number)
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .text(let text): try container.encode(text)
      case .number(let number): try container.encode(number)
      }
    }
  }

  /// Leaves what another airport has in this column, where an airport can be without it.
  func copy(from other: Airport, to airport: inout Airport) {
    switch self {
    case .iata: airport.iata = other.iata
    case .city: airport.city = other.city
    case .subd: airport.region = other.region
    case .elevation: airport.elevation = other.elevation
    case .lid: airport.localCode = other.localCode
    case .icao, .name, .country, .lat, .lon, .tz: break
    }
  }

  /// What an airport has in this column; nil where it has nothing.
  func value(of airport: Airport) -> Value? {
    switch self {
    case .icao: .text(airport.icao)
    case .iata: airport.iata.map { .text($0) }
    case .name: .text(airport.name)
    case .city: airport.city.map { .text($0) }
    case .subd: airport.region.map { .text($0) }
    case .country: .text(airport.country)
    case .elevation: airport.elevation.map { .number($0) }
    case .lat: .number(airport.latitude)
    case .lon: .number(airport.longitude)
    case .tz: .text(airport.timeZone)
    case .lid: airport.localCode.map { .text($0) }
    }
  }
}
