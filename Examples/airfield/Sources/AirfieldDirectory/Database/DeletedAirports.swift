import Foundation
import GRDB

/// The airports that were deleted last, each with all that its row had, so that it can come back.
struct DeletedAirports {
  /// Of a code that was deleted several times, the last airport is kept.
  static let table = """
    CREATE TABLE deletedAirport (
      number INTEGER PRIMARY KEY,
      icao TEXT NOT NULL UNIQUE,
      row INTEGER NOT NULL,
      airport TEXT NOT NULL,
      revision INTEGER NOT NULL,
      formerCodes TEXT NOT NULL
    );
    """

  /// How many are kept.
  static let most = 1_000

  /// The number of the row that an airport had.
  let row: Int64

  /// The airport, as it was stored.
  let record: AirportRecord

  /// The codes that it had before, one a line.
  private let formerCodes: String

  /// Moves an airport here out of the directory.
  static func move(_ record: AirportRecord, _ db: Database) throws {
    let airport = String(decoding: try JSONEncoder().encode(record.airport), as: UTF8.self)
    try db.execute(
      sql: """
        INSERT OR REPLACE INTO deletedAirport (number, icao, row, airport, revision, formerCodes)
        SELECT (SELECT ifnull(max(number), 0) + 1 FROM deletedAirport), icao, id, ?1, ?2,
          ifnull((SELECT group_concat(code, char(10)) FROM formerCode
            WHERE formerCode.airport = airport.id), '')
        FROM airport WHERE icao = ?3
        """, arguments: [airport, record.revision, record.airport.icao])
    try db.execute(sql: "DELETE FROM airport WHERE icao = ?", arguments: [record.airport.icao])
    try db.execute(
      sql: """
        DELETE FROM deletedAirport
        WHERE number <= (SELECT max(number) FROM deletedAirport) - ?
        """, arguments: [most])
  }

  /// The airport that was deleted last of those with a code; nil where it is not kept.
  init?(icao: String, _ db: Database) throws {
    let found = try Row.fetchOne(
      db, sql: "SELECT row, airport, revision, formerCodes FROM deletedAirport WHERE icao = ?",
      arguments: [icao])
    guard let found else { return nil }
    row = try found.value(0)
    record = AirportRecord(
      airport: try JSONDecoder().decode(
        Airport.self, from: Data(try found.value(1, String.self).utf8)),
      revision: try found.value(2))
    formerCodes = try found.value(3)
  }

  /// Gives the former codes to the airport that came back, and keeps it here no longer.
  func end(_ db: Database) throws {
    for code in formerCodes.split(separator: "\n") {
      try FormerCodes.note(String(code), of: record.airport.icao, db)
    }
    try db.execute(
      sql: "DELETE FROM deletedAirport WHERE icao = ?", arguments: [record.airport.icao])
  }
}
