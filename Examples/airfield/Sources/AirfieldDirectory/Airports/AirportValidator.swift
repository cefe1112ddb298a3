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
    let airport = Airport(
      icao: try row.code(.icao, AirportRules.icaoForm, where: AirportRules.isICAO),
      iata: try row.optionalCode(.iata, AirportRules.iataForm, where: AirportRules.isIATA),
      name: try row.text(.name),
      city: try row.optionalText(.city),
      region: try row.optionalText(.subd),
      country: try row.code(.country, "two of A-Z", where: AirportRules.isCountry),
      elevation: try row.optionalNumber(.elevation, in: AirportRules.elevations),
      latitude: try row.number(.lat, in: AirportRules.latitudes),
      longitude: try row.number(.lon, in: AirportRules.longitudes),
      timeZone: try zone(row),
      localCode: try row.optionalText(.lid))
    if AirportRules.isNowhere(latitude: airport.latitude, longitude: airport.longitude) {
      throw .nowhere
    }
    return airport
  }

  private func zone(_ row: Row) throws(RejectReason) -> String {
    let typed = row[.tz]
    if typed.isEmpty { throw .empty(.tz) }
    if zones.contains(typed) { return typed }
    let identifier = TimeZoneCatalog.spelled(typed)
    guard zones.contains(identifier) else { throw .unknownTimeZone(typed) }
    return identifier
  }
}

/// One record seen through the header.
private struct Row {
  let record: CSVRecord
  let header: AirportHeader

  subscript(_ column: AirportColumn) -> String { header.value(column, of: record) }

  func code(
    _ column: AirportColumn, _ form: String, where fits: (String) -> Bool
  ) throws(RejectReason) -> String {
    guard let code = try optionalCode(column, form, where: fits) else { throw .empty(column) }
    return code
  }

  func optionalCode(
    _ column: AirportColumn, _ form: String, where fits: (String) -> Bool
  ) throws(RejectReason) -> String? {
    let value = self[column]
    if value.isEmpty { return nil }
    guard fits(value) else {
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
    if AirportRules.isBlank(value) { return nil }
    guard AirportRules.fits(value, in: column) else {
      throw .tooLong(column, limit: AirportRules.longest(column))
    }
    guard !AirportRules.hasControlCharacter(value) else { throw .controlCharacter(column) }
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
