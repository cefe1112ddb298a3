import GRDB

extension AirportDirectory {
  /// Deletes an airport, which can be restored.
  ///
  /// - Parameters:
  ///   - code: the code of the airport.
  ///   - revision: its revision when it was read.
  /// - Returns: the airport as it was.
  /// - Throws: ``AirportSaveError``, ``DirectoryError/readOnly(path:)``, and what the database throws.
  @discardableResult
  public func delete(icao code: String, basedOn revision: Int) async throws -> AirportRecord {
    try await write { [mark] db in
      guard let record = try Self.record(code, db) else { throw AirportSaveError.gone(icao: code) }
      guard record.revision == revision else { throw AirportSaveError.conflict(record) }
      try DeletedAirports.move(record, db)
      try mark.note(db)
      return record
    }
  }

  /// The airport that was deleted last of those with a code and can be restored; nil where there is
  /// none, and where another has the code now.
  public func deleted(icao: String) async throws -> Airport? {
    try await read { db in
      let code = icao.uppercased()
      guard try Self.record(code, db) == nil else { return nil }
      return try DeletedAirports(icao: code, db)?.record.airport
    }
  }

  /// Puts the airport back that was deleted last of those with a code: in its place among all
  /// others, with its tags and its former codes.
  ///
  /// - Throws: ``AirportSaveError``, ``DirectoryError/readOnly(path:)``, and what the database throws.
  public func restore(icao: String) async throws -> AirportRecord {
    try await write { [mark, countries] db in
      let code = icao.uppercased()
      guard try Self.record(code, db) == nil else { throw AirportSaveError.codeTaken(icao: code) }
      guard let deleted = try DeletedAirports(icao: code, db) else {
        throw AirportSaveError.gone(icao: code)
      }
      let isFree =
        try Int.fetchOne(
          db, sql: "SELECT 1 FROM airport WHERE id = ?", arguments: [deleted.row]) == nil
      let record = AirportRecord(
        airport: deleted.record.airport, revision: deleted.record.revision + 1)
      try Self.insert(
        record, countryName: countries.name(of: record.airport.country),
        row: isFree ? deleted.row : nil, db)
      try deleted.end(db)
      try mark.note(db)
      return record
    }
  }
}
