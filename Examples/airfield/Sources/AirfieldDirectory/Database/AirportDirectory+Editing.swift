import GRDB

extension AirportDirectory {
  /// The airport with this code as it is stored, whatever the case of its letters.
  public func record(icao: String) async throws -> AirportRecord? {
    try await read { try Self.record(icao, $0) }
  }

  /// Saves an airport in one transaction: all of it, or nothing where it throws.
  ///
  /// - Parameters:
  ///   - airport: the airport.
  ///   - code: the code of the one that it takes the place of; nil for a new one.
  ///   - revision: the revision of that one when it was read.
  /// - Throws: ``AirportSaveError``, and what the database throws.
  public func save(
    _ airport: Airport, replacing code: String?, basedOn revision: Int?
  ) async throws -> AirportRecord {
    try await write { [mark, countryName = countryName(airport.country)] db in
      if let code {
        guard let current = try Self.record(code, db) else {
          throw AirportSaveError.gone(icao: code)
        }
        guard current.revision == revision else { throw AirportSaveError.conflict(current) }
      }
      if airport.icao != code, try Self.record(airport.icao, db) != nil {
        throw AirportSaveError.codeTaken(icao: airport.icao)
      }
      let record = AirportRecord(airport: airport, revision: (revision ?? 0) + 1)
      if let code {
        try db.execute(
          sql: "UPDATE airport SET (\(Self.written)) = (\(Self.places)) WHERE icao = ?",
          arguments: Self.values(record, countryName) + [code])
        if code != airport.icao { try FormerCodes.note(code, of: airport.icao, db) }
      } else {
        try Self.insert(record, countryName: countryName, row: nil, db)
      }
      try mark.note(db)
      return record
    }
  }

  /// Inserts an airport, as the row of a number or as the next one.
  static func insert(
    _ record: AirportRecord, countryName: String, row: Int64?, _ db: Database
  ) throws {
    try db.execute(
      sql: "INSERT INTO airport (id, \(written)) VALUES (?, \(places))",
      arguments: [row] + values(record, countryName))
  }

  static func record(_ icao: String, _ db: Database) throws -> AirportRecord? {
    try Row.fetchOne(
      db, sql: "SELECT \(Airport.columns), revision FROM airport WHERE icao = ?",
      arguments: [icao.uppercased()]
    ).map {
      AirportRecord(airport: try Airport(row: $0), revision: try $0.decode(forColumn: "revision"))
    }
  }

  private static let written = """
    icao, iata, name, city, region, country, countryName, elevation, latitude, longitude,
    timeZone, localCode, sortName, words, tags, tagWords, revision, sortCity
    """

  private static let places = Array(repeating: "?", count: 18).joined(separator: ", ")

  private static func values(_ record: AirportRecord, _ countryName: String) -> StatementArguments {
    let airport = record.airport
    return [
      airport.icao, airport.iata, airport.name, airport.city, airport.region, airport.country,
      countryName, airport.elevation, airport.latitude, airport.longitude, airport.timeZone,
      airport.localCode, SortKey.folded(airport.name),
      SearchWords.of(airport, countryName: countryName), airport.tags.joined(separator: "\n"),
      SearchWords.of(airport.tags), record.revision, SortKey.folded(airport.city ?? ""),
    ]
  }
}
