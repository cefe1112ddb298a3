/// A kind of code that airports have.
public enum CodeKind: String, Sendable, CaseIterable, Codable {
  /// Three characters, given by the International Air Transport Association.
  case iata
  /// Four letters, as the International Civil Aviation Organization gives them.
  case icao
  /// A code that the country itself gives.
  case local

  /// The rows whose airports have such a code, as a condition in SQL.
  var condition: String {
    switch self {
    case .iata: "airport.iata IS NOT NULL"
    case .icao: "airport.icao GLOB '[A-Z][A-Z][A-Z][A-Z]'"
    case .local: "airport.localCode IS NOT NULL"
    }
  }
}
