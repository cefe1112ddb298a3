import Foundation

/// How airports are written down.
enum ExportFormat: Sendable {
  /// With the columns of an airport file, so that it can be imported again.
  case csv

  /// An object a line, with the same names.
  case jsonLines

  /// How a server is told of it.
  var contentType: String {
    switch self {
    case .csv: "text/csv; charset=utf-8; header=present"
    case .jsonLines: "application/jsonl"
    }
  }

  /// What stands before the first airport.
  var header: String {
    switch self {
    case .csv: CSVWriter.line(AirportColumn.allCases.map(\.rawValue))
    case .jsonLines: ""
    }
  }

  /// Airports, one a record.
  func lines(_ airports: [Airport]) throws -> String {
    switch self {
    case .csv:
      return airports.map { airport in
        CSVWriter.line(AirportColumn.allCases.map { $0.value(of: airport)?.text ?? "" })
      }.joined()
    case .jsonLines:
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return try airports.map { airport in
        let values = AirportColumn.allCases.compactMap { column in
          column.value(of: airport).map { (column.rawValue, $0) }
        }
        let object = Dictionary(values, uniquingKeysWith: { first, _ in first })
        return String(decoding: try encoder.encode(object), as: UTF8.self) + "\n"
      }.joined()
    }
  }
}
