import GRDB

/// Writes airports inside one transaction, and tells new ones from changed ones.
///
/// The words of new airports are indexed together: one by one, by the trigger, they take twice the
/// time of all the rest, because the index then writes what it gathers after each of them.
struct AirportWriter {
  private let insert: Statement
  private let update: Statement
  private let countries: CountryNames
  private let mark: ChangeMark
  private let db: Database

  init(_ db: Database, countries: CountryNames, mark: ChangeMark) throws {
    self.db = db
    self.countries = countries
    self.mark = mark
    insert = try db.cachedStatement(
      sql: """
        INSERT INTO airport (\(AirportTexts.columns)) VALUES (\(AirportTexts.places))
        ON CONFLICT (icao) DO NOTHING
        """)
    // The comparison leaves equal rows alone, so that importing again writes nothing.
    update = try db.cachedStatement(
      sql: """
        UPDATE airport SET (\(AirportTexts.columns)) = (\(AirportTexts.places)),
          revision = revision + 1
        WHERE icao = ?1 AND (iata, name, city, region, country, countryName, elevation,
            latitude, longitude, timeZone, localCode, sortName)
          IS NOT (?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
        """)
  }

  /// Stores airports, with their texts where those were made before; what is stored in the absent columns,
  /// those that their source says nothing of, stays.
  func store(
    _ airports: [(airport: Airport, texts: AirportTexts?)], leaving absent: [AirportColumn] = []
  ) throws -> StoreResult {
    var result = StoreResult()
    var unindexed = try beginIndexingAtOnce()
    for var (airport, texts) in airports {
      if !absent.isEmpty, let stored = try Airport.with("icao", airport.icao, db) {
        for column in absent { column.copy(from: stored, to: &airport) }
        texts = nil
      }
      let values = (texts ?? AirportTexts(airport, countries)).values(of: airport)
      if try changes(insert, values) {
        result.stored += 1
        continue
      }
      // What is changed has to be in the index, which is told what was there before.
      try unindexed.map { try index(from: $0) }
      unindexed = nil
      if try changes(update, values) {
        result.updated += 1
      } else {
        result.unchanged += 1
      }
    }
    try unindexed.map { try index(from: $0) }
    if result.stored + result.updated > 0 { try mark.note(db) }
    return result
  }

  /// The first number that a new row may have; nil where the numbers have come to their end.
  private func beginIndexingAtOnce() throws -> Int64? {
    let newest = try AirportRows.newest(db)
    guard newest < Int64.max >> 1 else { return nil }
    try db.execute(sql: "INSERT INTO airportUnindexed (id) VALUES (?)", arguments: [newest + 1])
    return newest + 1
  }

  /// Indexes the words of all rows from a number on, and those of later ones one by one again.
  private func index(from first: Int64) throws {
    try db.execute(
      sql: """
        INSERT INTO airportSearch (rowid, words, tagWords)
        SELECT id, words, tagWords FROM airport WHERE id >= ?
        """, arguments: [first])
    try db.execute(sql: "DELETE FROM airportUnindexed")
  }

  private func changes(_ statement: Statement, _ values: StatementArguments) throws -> Bool {
    statement.setUncheckedArguments(values)
    try statement.execute()
    return db.changesCount > 0
  }
}

/// What is stored of an airport besides what a file says: the texts that it is listed and found by.
struct AirportTexts: Sendable {
  let countryName: String
  let sortName: String
  let words: String
  let sortCity: String

  init(_ airport: Airport, _ countries: CountryNames) {
    countryName = countries.name(of: airport.country)
    sortName = SortKey.folded(airport.name)
    words = SearchWords.of(airport, countryName: countryName)
    sortCity = SortKey.folded(airport.city ?? "")
  }

  /// The columns that are written whatever the airport comes from.
  static let columns = """
    icao, iata, name, city, region, country, countryName, elevation, latitude, longitude, timeZone,
    localCode, sortName, words, sortCity
    """

  /// Places for their values in a statement: ?1, ?2 and so on.
  static let places = (1...15).map { "?\($0)" }.joined(separator: ", ")

  func values(of airport: Airport) -> StatementArguments {
    [
      airport.icao, airport.iata, airport.name, airport.city, airport.region, airport.country,
      countryName, airport.elevation, airport.latitude, airport.longitude, airport.timeZone,
      airport.localCode, sortName, words, sortCity,
    ]
  }
}

struct StoreResult: Sendable, Equatable {
  var stored = 0
  var updated = 0
  var unchanged = 0
}
