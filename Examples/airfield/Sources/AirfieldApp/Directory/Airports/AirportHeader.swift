/// Where the columns of one airport file are, told by its first record.
struct AirportHeader: Sendable, Equatable, Codable {
  let width: Int

  private let positions: [AirportColumn: Int]

  /// Reads the header; columns that airports do not have are left aside.
  init(_ record: CSVRecord) throws(AirportHeaderError) {
    if let fault = record.fault { throw .malformed(fault) }
    var positions: [AirportColumn: Int] = [:]
    for (position, title) in record.fields.enumerated() {
      guard let column = AirportColumn(rawValue: title.lowercased()) else { continue }
      guard positions.updateValue(position, forKey: column) == nil else { throw .repeated(column) }
    }
    let missing = AirportColumn.allCases.filter { $0.isRequired && positions[$0] == nil }
    guard missing.isEmpty else { throw .missing(missing) }
    self.positions = positions
    width = record.fields.count
  }

  /// The columns that the file says nothing of.
  var absent: [AirportColumn] {
    AirportColumn.allCases.filter { positions[$0] == nil }
  }

  /// The value that a record of the right width has in a column; empty where the file lacks it.
  func value(_ column: AirportColumn, of record: CSVRecord) -> String {
    guard let position = positions[column], position < record.fields.count else { return "" }
    return record.fields[position]
  }
}

/// Why a file's first record is not the header of an airport file.
enum AirportHeaderError: Error, Equatable, Codable {
  case malformed(CSVFault)
  case missing([AirportColumn])
  case repeated(AirportColumn)

  var message: String {
    switch self {
    case .malformed(let fault): "its header has \(fault.message)"
    case .missing(let columns):
      "its header lacks \(columns.map(\.rawValue).joined(separator: ", "))"
    case .repeated(let column): "its header names \(column.rawValue) twice"
    }
  }
}
