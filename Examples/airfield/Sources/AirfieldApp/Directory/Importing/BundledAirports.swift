import Fieldstone
import Foundation
import GRDB

enum BundledAirports {
  static func path() throws -> String {
    guard let url = Bundle.module.url(forResource: "airports", withExtension: "csv") else {
      throw MessageError("the bundled airports are missing; build airfield again")
    }
    return url.path
  }
}

extension AirportDirectory {
  /// Whether the bundled airports are to be imported: nothing is there yet, or importing them began
  /// and did not end.
  ///
  /// A directory that somebody filled from a file of their own does not need them.
  func needsBundledAirports() async throws -> Bool {
    try await read { db in
      try Bool.fetchOne(
        db,
        sql: """
          SELECT NOT EXISTS (SELECT 1 FROM airport)
            OR EXISTS (SELECT 1 FROM bundledImport WHERE NOT isComplete)
          """) ?? true
    }
  }

  /// Runs the import of the bundled airports, which counts as unfinished until `body` returns, also
  /// where the process ends before.
  func importingBundledAirports(_ body: () async throws -> Void) async throws {
    try await noteBundledImport(isComplete: false)
    try await body()
    try await noteBundledImport(isComplete: true)
  }

  private func noteBundledImport(isComplete: Bool) async throws {
    try await write { db in
      try db.execute(
        sql: """
          INSERT INTO bundledImport (id, isComplete) VALUES (1, ?)
          ON CONFLICT (id) DO UPDATE SET isComplete = excluded.isComplete
          """,
        arguments: [isComplete])
    }
  }
}
