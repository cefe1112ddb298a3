import FieldstoneDurable
import Foundation
import GRDB

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

  /// How many imports are over.
  func finishedImports() async throws -> Int {
    try await read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM importRun WHERE isOver") ?? 0
    }
  }

  /// How an import stands; as if nothing were read where nobody knows it.
  func standing(ofImport run: RunID) async throws -> ImportStanding {
    try await read { try ImportStanding($0, run: run) }
  }

  /// How an import stands, and the first of its rejected rows, both of one moment.
  func standing(
    ofImport run: RunID, rejects limit: Int
  ) async throws -> (standing: ImportStanding, rejects: [Reject]) {
    try await read { db in
      let standing = try ImportStanding(db, run: run)
      guard standing.counts.rejected > 0 else { return (standing, []) }
      return (standing, try Reject.first(limit, of: run, in: db))
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

  /// The rejected rows of an import in their order; nil once it is over, when they are forgotten.
  func rejects(of run: RunID) async throws -> [Reject]? {
    try await read { db in
      let sql = "SELECT id FROM importRun WHERE run = ? AND NOT isOver"
      guard let number = try Int64.fetchOne(db, sql: sql, arguments: [run.description]) else {
        return nil
      }
      return try Row.fetchAll(
        db, sql: "SELECT record, line, reason FROM importReject WHERE import = ? ORDER BY record",
        arguments: [number]
      ).map { try Reject(row: $0) }
    }
  }

  /// The first rejected rows of an import, also of one that is over where they are kept.
  func rejects(of run: RunID, limit: Int) async throws -> [Reject] {
    try await read { try Reject.first(limit, of: run, in: $0) }
  }

  /// Gives up an import that will not go on; what it stored stays.
  func giveUp(_ run: RunID) async throws {
    try await write { db in
      try ImportLedger(db, run: run).end(path: "", keepsRejects: false)
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
  fileprivate static func first(_ limit: Int, of run: RunID, in db: Database) throws -> [Reject] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT record, line, reason FROM importReject
        WHERE import = (SELECT id FROM importRun WHERE run = ?) ORDER BY record LIMIT ?
        """, arguments: [run.description, limit]
    ).map { try Reject(row: $0) }
  }

  fileprivate init(row: Row) throws {
    self.init(record: try row.value(0), line: try row.value(1), reason: try row.value(2))
  }
}
