/// Why a file's first record is not the header of an airport file.
public enum AirportHeaderError: Error, Equatable, Codable {
  /// It can't be read as CSV.
  case malformed(CSVFault)

  /// It lacks columns that every airport needs.
  case missing([AirportColumn])

  /// It names a column twice.
  case repeated(AirportColumn)

  /// What is wrong, as the end of a sentence about the file.
  public var message: String {
    switch self {
    case .malformed(let fault): "its header has \(fault.message)"
    case .missing(let columns):
      "its header lacks \(columns.map(\.rawValue).joined(separator: ", "))"
    case .repeated(let column): "its header names \(column.rawValue) twice"
    }
  }
}
