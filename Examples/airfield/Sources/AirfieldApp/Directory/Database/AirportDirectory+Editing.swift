import Fieldstone
import Foundation
import GRDB

extension AirportDirectory {
  /// The airport with this code as it is stored, whatever the case of its letters.
  func record(icao: String) async throws -> AirportRecord? {
    try await read { try Self.record(icao, $0) }
  }

  /// Saves an airport in one transaction: all of it, or nothing where it throws.
  ///
  /// - Parameters:
  ///   - code: the code of the one that it takes the place of; nil for a new one.
  ///   - revision: the revision of that one when it was read.
  func save(
    _ airport: Airport, replacing code: String?, basedOn revision: Int?
  ) async throws -> AirportRecord {
    try await write { [mark, countries] db in
      if let code {
        let current = try Self.current(code, db)
        guard current.revision == revision else { throw AirportSaveError.conflict(current) }
      }
      if airport.icao != code, try Self.record(airport.icao, db) != nil {
        throw AirportSaveError.codeTaken(icao: airport.icao)
      }
      let record = AirportRecord(airport: airport, revision: (revision ?? 0) + 1)
      if let code {
        try db.execute(
          sql: "UPDATE airport SET (\(Self.written)) = (\(Self.places)) WHERE icao = ?19",
          arguments: Self.values(record, countries) + [code])
        if code != airport.icao { try FormerCodes.note(code, of: airport.icao, db) }
      } else {
        try Self.insert(record, countries, row: nil, db)
      }
      try mark.note(db)
      return record
    }
  }

  /// Inserts an airport, as the row of a number or as the next one.
  static func insert(
    _ record: AirportRecord, _ countries: CountryNames, row: Int64?, _ db: Database
  ) throws {
    try db.execute(
      sql: "INSERT INTO airport (\(written), id) VALUES (\(places), ?19)",
      arguments: values(record, countries) + [row])
  }

  static func record(_ icao: String, _ db: Database) throws -> AirportRecord? {
    try Row.fetchOne(
      db, sql: "SELECT \(Airport.columns), revision FROM airport WHERE icao = ?",
      arguments: [icao.uppercased()]
    ).map {
      AirportRecord(airport: try Airport(row: $0), revision: try $0.decode(forColumn: "revision"))
    }
  }

  /// The airport that has this code.
  ///
  /// - Throws: `AirportSaveError`: a conflict with the one that had the code before somebody renamed
  ///   it, whose revision says nothing here; otherwise that it is gone.
  private static func current(_ icao: String, _ db: Database) throws -> AirportRecord {
    if let current = try record(icao, db) { return current }
    guard try DeletedAirports(icao: icao.uppercased(), db) == nil,
      let renamed = try successor(of: icao, db).flatMap({ try record($0, db) })
    else { throw AirportSaveError.gone(icao: icao) }
    throw AirportSaveError.conflict(renamed)
  }

  private static let written = AirportTexts.columns + ", tags, tagWords, revision"
  private static let places = AirportTexts.places + ", ?16, ?17, ?18"

  private static func values(
    _ record: AirportRecord, _ countries: CountryNames
  ) -> StatementArguments {
    let airport = record.airport
    return AirportTexts(airport, countries).values(of: airport)
      + [airport.tags.joined(separator: "\n"), SearchWords.of(airport.tags), record.revision]
  }
}

extension AirportDirectory {
  /// Deletes an airport, which can be restored.
  @discardableResult
  func delete(icao code: String, basedOn revision: Int) async throws -> AirportRecord {
    try await write { [mark] db in
      let record = try Self.current(code, db)
      guard record.revision == revision else { throw AirportSaveError.conflict(record) }
      try DeletedAirports.move(record, db)
      try mark.note(db)
      return record
    }
  }

  /// The airport that was deleted last of those with a code and can be restored; nil where there is
  /// none, and where another has the code now.
  func deleted(icao: String) async throws -> Airport? {
    try await read { db in
      let code = icao.uppercased()
      guard try Self.record(code, db) == nil else { return nil }
      return try DeletedAirports(icao: code, db)?.record.airport
    }
  }

  /// Puts the airport back that was deleted last of those with a code: in its place among all
  /// others, with its tags and its former codes.
  func restore(icao: String) async throws -> AirportRecord {
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
      try Self.insert(record, countries, row: isFree ? deleted.row : nil, db)
      try deleted.end(db)
      try mark.note(db)
      return record
    }
  }
}

/// An airport as it is stored, with the number that grows whenever it is changed.
struct AirportRecord: Sendable, Equatable {
  let airport: Airport
  let revision: Int
}

/// Why an airport was not saved.
enum AirportSaveError: DescribedError, Equatable {
  case conflict(AirportRecord)
  case gone(icao: String)
  case codeTaken(icao: String)

  var message: String {
    switch self {
    case .conflict(let record):
      "somebody else has saved \(record.airport.icao) meanwhile; keep your edits or take theirs"
    case .gone(let icao): "somebody has deleted \(icao); undo that on its page, and save again"
    case .codeTaken(let icao): "another airport has the code \(icao); choose another one"
    }
  }
}

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

  static let most = 1_000

  /// The number of the row that an airport had.
  let row: Int64
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
  func successor(of code: String) async throws -> String? {
    try await read { try Self.successor(of: code, $0) }
  }

  private static func successor(of code: String, _ db: Database) throws -> String? {
    try String.fetchOne(
      db,
      sql: "SELECT icao FROM airport WHERE id = (SELECT airport FROM formerCode WHERE code = ?)",
      arguments: [code.uppercased()])
  }
}
