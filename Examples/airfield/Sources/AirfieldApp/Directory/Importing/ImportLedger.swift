import Fieldstone
import FieldstoneDurable
import Foundation
import GRDB

/// What an import has come to so far, in the transaction of a checkpoint.
struct ImportLedger {
  private let db: Database
  private let run: String

  init(_ db: Database, run: RunID) {
    self.db = db
    self.run = run.description
  }

  /// Makes the row of an import; a no-op where it is there.
  ///
  /// - Parameter place: where an import in parts begins; nil for any other.
  func begin(_ source: ImportSource, at place: CSVPosition? = nil) throws {
    try db.execute(
      sql: "INSERT INTO importRun (run, path, place) VALUES (?, ?, ?) ON CONFLICT (run) DO NOTHING",
      arguments: [run, source.path, try place.map { try $0.json }])
  }

  /// Stores the rows of a batch of a part as ``add(_:leaving:into:)`` does, and moves the import on.
  ///
  /// - Throws: ``ImportMoved`` where the import does not stand at the first of them, or is over.
  func add(
    _ rows: [ImportRow], leaving absent: [AirportColumn], into directory: AirportDirectory,
    from place: CSVPosition, to next: CSVPosition
  ) throws {
    try db.execute(
      sql: "UPDATE importRun SET place = ? WHERE run = ? AND place = ? AND NOT isOver",
      arguments: [try next.json, run, try place.json])
    guard db.changesCount == 1 else { throw ImportMoved() }
    try add(rows, leaving: absent, into: directory)
  }

  /// Stores airports, lists rejects, and counts both.
  ///
  /// Whether an earlier row has a code is asked here, where all earlier rows are committed.
  ///
  /// - Parameter absent: the columns that the file lacks; what is stored in them stays.
  func add(
    _ rows: [ImportRow], leaving absent: [AirportColumn], into directory: AirportDirectory
  ) throws {
    let number = try number()
    var airports: [(airport: Airport, texts: AirportTexts?)] = []
    for row in rows {
      switch row.airport {
      case .success(let airport):
        if let earlier = try see(airport.icao, of: row, in: number) {
          try reject(row, .repeatedCode(airport.icao, record: earlier), in: number)
        } else {
          airports.append((airport, row.texts))
        }
      case .failure(let reason):
        try reject(row, reason, in: number)
      }
    }
    let writer = try AirportWriter(db, countries: directory.countries, mark: directory.mark)
    let result = try writer.store(airports, leaving: absent)
    try db.execute(
      sql: """
        UPDATE importRun SET read = read + ?, stored = stored + ?, updated = updated + ?,
          unchanged = unchanged + ?, rejected = rejected + ?
        WHERE id = ?
        """,
      arguments: [
        rows.count, result.stored, result.updated, result.unchanged, rows.count - airports.count,
        number,
      ])
  }

  /// Says that the import is over, and forgets what only it needed.
  func end(path: String, keepsRejects: Bool) throws {
    try db.execute(
      sql: """
        INSERT INTO importRun (run, path, isOver) VALUES (?, ?, 1)
        ON CONFLICT (run) DO UPDATE SET isOver = 1
        """, arguments: [run, path])
    let number = try number()
    try db.execute(sql: "DELETE FROM importSeen WHERE import = ?", arguments: [number])
    guard !keepsRejects else { return }
    try db.execute(sql: "DELETE FROM importReject WHERE import = ?", arguments: [number])
  }

  private func number() throws -> Int64 {
    guard
      let number = try Int64.fetchOne(
        db, sql: "SELECT id FROM importRun WHERE run = ?", arguments: [run])
    else {
      throw MessageError(
        "import \(run) is in the journal and not in the database, which may be an older copy; cancel it "
          + "there, and import the file again")
    }
    return number
  }

  /// Notes a code, or gives the earlier row that has it.
  private func see(_ icao: String, of row: ImportRow, in number: Int64) throws -> Int? {
    let note = try db.cachedStatement(
      sql: "INSERT INTO importSeen (import, icao, record) VALUES (?, ?, ?) ON CONFLICT DO NOTHING")
    note.setUncheckedArguments([number, icao, row.number])
    try note.execute()
    guard db.changesCount == 0 else { return nil }
    return try Int.fetchOne(
      db, sql: "SELECT record FROM importSeen WHERE import = ? AND icao = ?",
      arguments: [number, icao])
  }

  private func reject(_ row: ImportRow, _ reason: RejectReason, in number: Int64) throws {
    try db.cachedStatement(
      sql: "INSERT INTO importReject (import, record, line, reason) VALUES (?, ?, ?, ?)"
    ).execute(arguments: [number, row.number, row.line, reason.message])
  }
}

/// Another run has moved the import on since a part looked where it stands, or has given it up.
struct ImportMoved: DescribedError {
  let message = "the import has gone on elsewhere; ask for it again, and it goes on from there"
}

extension CSVPosition {
  /// The place as it is kept; equal places are equal texts.
  fileprivate var json: String {
    get throws { String(decoding: try StageJSON.data(of: self), as: UTF8.self) }
  }

  init(json: String) throws { self = try StageJSON.value(from: Data(json.utf8)) }
}

/// How an import stands, by its row of `importRun`.
struct ImportStanding: Sendable {
  private(set) var counts = ImportCounts()

  /// The first record that is not imported yet, of an import in parts; nil for any other.
  private(set) var place: CSVPosition?

  /// Whether it has ended or was given up.
  private(set) var isOver = false

  /// The number of the import's stage that has told last that a part has failed.
  private(set) var failedAt: Int?

  /// Reads how an import stands; as if nothing were read where nobody knows it.
  init(_ db: Database, run: RunID) throws {
    let sql = """
      SELECT read, stored, updated, unchanged, rejected, place, isOver, failedAt FROM importRun
      WHERE run = ?
      """
    guard let row = try Row.fetchOne(db, sql: sql, arguments: [run.description]) else { return }
    counts.read = try row.value(0)
    counts.stored = try row.value(1)
    counts.updated = try row.value(2)
    counts.unchanged = try row.value(3)
    counts.rejected = try row.value(4)
    place = try row.value(5, String?.self).map { try CSVPosition(json: $0) }
    isOver = try row.value(6)
    failedAt = try row.value(7)
  }
}

extension AirportDirectory {
  /// The name by which journals elsewhere know the directory, another for each file and each place.
  func nameElsewhere() async throws -> String {
    let path = URL(filePath: path).standardizedFileURL.resolvingSymlinksInPath().path
    return try await write { db in
      try db.execute(
        sql:
          "INSERT OR IGNORE INTO directoryName (path, name) VALUES (?, lower(hex(randomblob(8))))",
        arguments: [path])
      return try String.fetchOne(
        db, sql: "SELECT name FROM directoryName WHERE path = ?", arguments: [path]) ?? ""
    }
  }

  /// How many imports of a path are over.
  func finishedImports(of source: ImportSource) async throws -> Int {
    try await read { db in
      try Int.fetchOne(
        db, sql: "SELECT count(*) FROM importRun WHERE isOver AND path = ?",
        arguments: [source.path]) ?? 0
    }
  }

  /// How an import stands; as if nothing were read where nobody knows it.
  func standing(ofImport run: RunID) async throws -> ImportStanding {
    try await read { try ImportStanding($0, run: run) }
  }

  /// How an import stands, and the first of its rejected rows behind a record, both of one moment.
  func standing(
    ofImport run: RunID, rejects limit: Int, after record: Int = 0
  ) async throws -> (standing: ImportStanding, rejects: [Reject]) {
    try await read { db in
      let standing = try ImportStanding(db, run: run)
      guard standing.counts.rejected > 0 else { return (standing, []) }
      let sql = """
        SELECT record, line, reason FROM importReject
        WHERE import = (SELECT id FROM importRun WHERE run = ?) AND record > ?
        ORDER BY record LIMIT ?
        """
      let rows = try Row.fetchAll(db, sql: sql, arguments: [run.description, record, limit])
      return (standing, try rows.map { try Reject(row: $0) })
    }
  }

  /// Notes that a stage of an import tells that a part has failed.
  func note(failureOf run: RunID, at sequence: Int) async throws {
    try await write { db in
      try db.execute(
        sql: "UPDATE importRun SET failedAt = ? WHERE run = ?",
        arguments: [sequence, run.description])
    }
  }

  /// Gives up an import that will not go on; what it stored stays.
  func giveUp(_ run: RunID, of source: ImportSource? = nil) async throws {
    try await write { db in
      try ImportLedger(db, run: run).end(path: source?.path ?? "", keepsRejects: false)
    }
  }

  /// Forgets the rejected rows of the imports that are over.
  func forgetRejects() async throws {
    try await write { db in
      try db.execute(
        sql: "DELETE FROM importReject WHERE import IN (SELECT id FROM importRun WHERE isOver)")
    }
  }
}

extension Reject {
  fileprivate init(row: Row) throws {
    self.init(record: try row.value(0), line: try row.value(1), reason: try row.value(2))
  }
}
