/// Why a row of the file does not become an airport.
public enum RejectReason: Error, Equatable, Codable {
  /// The row can't be read as CSV.
  case malformed(CSVFault)

  /// The row has more or fewer values than the header.
  case columnCount(expected: Int, found: Int)

  /// A value that every airport needs is empty.
  case empty(AirportColumn)

  /// A code has another form than its column asks for.
  case malformedCode(AirportColumn, value: String, form: String)

  /// An earlier row of the same file has this code already.
  case repeatedCode(String, record: Int)

  /// A value is no decimal number.
  case notANumber(AirportColumn, value: String)

  /// A number is beyond what its column may hold.
  case outOfRange(AirportColumn, value: String, range: ClosedRange<Double>)

  /// There is no time zone of this name.
  case unknownTimeZone(String)

  /// A text is longer than its limit of characters.
  case tooLong(AirportColumn, limit: Int)

  /// A text holds a control character other than a tab or a line break.
  case controlCharacter(AirportColumn)

  /// Latitude and longitude are both 0, where there is only the sea.
  case nowhere

  /// The reason as a phrase, in the words of the rejects file.
  public var message: String {
    switch self {
    case .malformed(let fault): fault.message
    case .columnCount(let expected, let found):
      "\(found) \(found == 1 ? "column" : "columns") instead of \(expected)"
    case .empty(let column): "\(column.rawValue) is empty"
    case .malformedCode(let column, let value, let form):
      "\(column.rawValue) \(shown(value)) is not \(form)"
    case .repeatedCode(let code, let record): "icao \(shown(code)) repeats record \(record)"
    case .notANumber(let column, let value):
      "\(column.rawValue) \(shown(value)) is not a number"
    case .outOfRange(let column, let value, let range):
      "\(column.rawValue) \(shown(value)) is not from \(Int(range.lowerBound))"
        + " to \(Int(range.upperBound))"
    case .unknownTimeZone(let name): "tz \(shown(name)) is not a known time zone"
    case .tooLong(let column, let limit):
      "\(column.rawValue) is longer than \(limit) characters"
    case .controlCharacter(let column): "\(column.rawValue) holds a control character"
    case .nowhere: "lat and lon are both 0, where there is only the sea"
    }
  }

  /// A value of the file as a phrase may show it: in quotes, on one line, and never long.
  private func shown(_ value: String) -> String {
    let start = value.unicodeScalars.prefix(32).map { scalar in
      scalar.properties.generalCategory == .control ? "\u{FFFD}" : Character(scalar)
    }
    return "“" + String(start) + (value.unicodeScalars.count > 32 ? "…”" : "”")
  }
}
