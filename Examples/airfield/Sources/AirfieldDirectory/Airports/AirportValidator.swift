/// Makes airports of records, or says why not.
struct AirportValidator: Sendable {
  let header: AirportHeader
  let zones: TimeZoneCatalog

  /// The airport that a record describes, apart from whether its code is taken.
  func airport(_ record: CSVRecord) throws(RejectReason) -> Airport {
    if let fault = record.fault { throw .malformed(fault) }
    guard record.fields.count == header.width else {
      throw .columnCount(expected: header.width, found: record.fields.count)
    }
    let row = Row(record: record, header: header)
    return Airport(
      icao: try row.code(.icao, "four of A-Z, 0-9 and _") {
        $0.count == 4 && $0.allSatisfy(isCodeCharacter)
      },
      iata: try row.optionalCode(.iata, "three of A-Z and 0-9") {
        $0.count == 3 && $0.allSatisfy { isCodeCharacter($0) && $0 != UInt8(ascii: "_") }
      },
      name: try row.text(.name),
      city: try row.optionalText(.city),
      region: try row.optionalText(.subd),
      country: try row.code(.country, "two of A-Z") {
        $0.count == 2 && $0.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
      },
      elevation: try row.optionalNumber(.elevation, in: -2_000...30_000),
      latitude: try row.number(.lat, in: -90...90),
      longitude: try row.number(.lon, in: -180...180),
      timeZone: try zone(row),
      localCode: try row.optionalText(.lid))
  }

  private func zone(_ row: Row) throws(RejectReason) -> String {
    let identifier = row[.tz]
    if identifier.isEmpty { throw .empty(.tz) }
    guard zones.contains(identifier) else { throw .unknownTimeZone(identifier) }
    return identifier
  }
}

/// One record seen through the header.
private struct Row {
  static let longest = 200

  let record: CSVRecord
  let header: AirportHeader

  subscript(_ column: AirportColumn) -> String { header.value(column, of: record) }

  func code(
    _ column: AirportColumn, _ form: String, where fits: (String.UTF8View) -> Bool
  ) throws(RejectReason) -> String {
    guard let code = try optionalCode(column, form, where: fits) else { throw .empty(column) }
    return code
  }

  func optionalCode(
    _ column: AirportColumn, _ form: String, where fits: (String.UTF8View) -> Bool
  ) throws(RejectReason) -> String? {
    let value = self[column]
    if value.isEmpty { return nil }
    guard fits(value.utf8) else {
      throw .malformedCode(column, value: value, form: form)
    }
    return value
  }

  func text(_ column: AirportColumn) throws(RejectReason) -> String {
    guard let text = try optionalText(column) else { throw .empty(column) }
    return text
  }

  func optionalText(_ column: AirportColumn) throws(RejectReason) -> String? {
    let value = self[column]
    if value.utf8.allSatisfy({ $0 == UInt8(ascii: " ") }) { return nil }
    guard value.utf8.count <= Row.longest || value.count <= Row.longest else {
      throw .tooLong(column, limit: Row.longest)
    }
    guard !value.utf8.contains(where: isControl) else { throw .controlCharacter(column) }
    return value
  }

  func number(
    _ column: AirportColumn, in range: ClosedRange<Double>
  ) throws(RejectReason) -> Double {
    guard let number = try optionalNumber(column, in: range) else { throw .empty(column) }
    return number
  }

  func optionalNumber(
    _ column: AirportColumn, in range: ClosedRange<Double>
  ) throws(RejectReason) -> Double? {
    let value = self[column]
    if value.isEmpty { return nil }
    guard let number = DecimalNumber.parse(value) else {
      throw .notANumber(column, value: value)
    }
    // A number too large for a Double is infinite, and so out of range too.
    guard range.contains(number) else {
      throw .outOfRange(column, value: value, range: range)
    }
    return number
  }
}

private func isCodeCharacter(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
    UInt8(ascii: "_"):
    true
  default: false
  }
}

private func isControl(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): false
  default: byte < 0x20 || byte == 0x7F
  }
}
