import GRDB

/// The codes that airports had before they were given others, so that old addresses lead to them.
enum FormerCodes {
  /// An airport is named by the number of its row, which no edit changes.
  static let table = """
    CREATE TABLE formerCode (
      code TEXT PRIMARY KEY,
      airport INTEGER NOT NULL
    ) WITHOUT ROWID;

    CREATE TRIGGER airportForgotten AFTER DELETE ON airport BEGIN
      DELETE FROM formerCode WHERE airport = old.id;
    END;
    """

  /// Notes that the airport that has a code now had another one.
  static func note(_ former: String, of icao: String, _ db: Database) throws {
    try db.execute(
      sql: """
        INSERT OR REPLACE INTO formerCode (code, airport) SELECT ?, id FROM airport WHERE icao = ?
        """, arguments: [former, icao])
  }
}

extension AirportDirectory {
  /// The code that an airport has now which had this one before; nil where none had it.
  public func successor(of code: String) async throws -> String? {
    try await read { db in
      try String.fetchOne(
        db,
        sql: "SELECT icao FROM airport WHERE id = (SELECT airport FROM formerCode WHERE code = ?)",
        arguments: [code.uppercased()])
    }
  }
}
