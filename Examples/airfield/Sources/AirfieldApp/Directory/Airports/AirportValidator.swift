import Fieldstone

/// Makes airports of records, or says why not.
struct AirportValidator: Sendable {
  let header: AirportHeader

  /// The airport that a record describes, apart from whether its code is taken.
  func airport(_ record: CSVRecord) throws(RejectReason) -> Airport {
    if let fault = record.fault { throw .malformed(fault) }
    guard record.fields.count == header.width else {
      throw .columnCount(expected: header.width, found: record.fields.count)
    }
    let row = Row(record: record, header: header)
    let airport = Airport(
      icao: try row.required(
        .icao, row.code(.icao, AirportRules.icaoForm, where: AirportRules.isICAO)),
      iata: try row.code(.iata, AirportRules.iataForm, where: AirportRules.isIATA),
      name: try row.required(.name, row.text(.name)),
      city: try row.text(.city),
      region: try row.text(.subd),
      country: try row.required(
        .country, row.code(.country, AirportRules.countryForm, where: AirportRules.isCountry)),
      elevation: try row.number(.elevation, in: AirportRules.elevations),
      latitude: try row.required(.lat, row.number(.lat, in: AirportRules.latitudes)),
      longitude: try row.required(.lon, row.number(.lon, in: AirportRules.longitudes)),
      timeZone: try zone(row),
      localCode: try row.text(.lid))
    if AirportRules.isNowhere(latitude: airport.latitude, longitude: airport.longitude) {
      throw .nowhere
    }
    return airport
  }

  private func zone(_ row: Row) throws(RejectReason) -> String {
    let typed = row[.tz]
    if typed.isEmpty { throw .empty(.tz) }
    if TimeZoneCatalog.contains(typed) { return typed }
    let identifier = TimeZoneCatalog.spelled(typed)
    guard TimeZoneCatalog.contains(identifier) else { throw .unknownTimeZone(typed) }
    return identifier
  }
}

private struct Row {
  let record: CSVRecord
  let header: AirportHeader

  subscript(_ column: AirportColumn) -> String { header.value(column, of: record) }

  func required<Value>(
    _ column: AirportColumn, _ value: Value?
  ) throws(RejectReason) -> Value {
    guard let value else { throw .empty(column) }
    return value
  }

  func code(
    _ column: AirportColumn, _ form: String, where fits: (String) -> Bool
  ) throws(RejectReason) -> String? {
    let value = self[column]
    if value.isEmpty { return nil }
    if fits(value) { return value }
    let code = value.uppercased()
    guard fits(code) else { throw .malformedCode(column, value: value, form: form) }
    return code
  }

  func text(_ column: AirportColumn) throws(RejectReason) -> String? {
    let value = self[column]
    if AirportRules.isBlank(value) { return nil }
    guard AirportRules.fits(value, in: column) else {
      throw .tooLong(column, limit: AirportRules.longest(column))
    }
    guard !AirportRules.hasControlCharacter(value) else { throw .controlCharacter(column) }
    return value
  }

  func number(
    _ column: AirportColumn, in range: ClosedRange<Double>
  ) throws(RejectReason) -> Double? {
    let value = self[column]
    if value.isEmpty { return nil }
    var parsed = DecimalNumber.parse(value)
    if parsed == nil { parsed = try typed(value, column) }
    guard let number = parsed else { return nil }
    // A number too large for a Double is infinite, and so out of range too.
    guard range.contains(number) else {
      throw .outOfRange(column, value: value, range: range)
    }
    return number
  }

  /// A number as other languages write it; as the form does, only where it has one meaning.
  private func typed(_ value: String, _ column: AirportColumn) throws(RejectReason) -> Double? {
    do {
      return try Self.typed.parse(value)
    } catch let issue as FieldIssue where issue.code == "ambiguousNumber" {
      throw .ambiguousNumber(column, value: value)
    } catch {
      throw .notANumber(column, value: value)
    }
  }

  private static let typed = FieldTextFormat<Double>.decimal()
}

/// Why a row of the file does not become an airport.
enum RejectReason: Error, Equatable, Codable {
  case malformed(CSVFault)
  case columnCount(expected: Int, found: Int)
  case empty(AirportColumn)
  case malformedCode(AirportColumn, value: String, form: String)
  case repeatedCode(String, record: Int)
  case notANumber(AirportColumn, value: String)
  case ambiguousNumber(AirportColumn, value: String)
  case outOfRange(AirportColumn, value: String, range: ClosedRange<Double>)
  case unknownTimeZone(String)
  case tooLong(AirportColumn, limit: Int)
  case controlCharacter(AirportColumn)
  case nowhere

  var message: String {
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
    case .ambiguousNumber(let column, let value):
      "\(column.rawValue) \(shown(value)) may be thousands or a fraction; "
        + "write a point and no comma"
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
