import GRDB

/// Which exports are over, in the transaction of a checkpoint.
struct ExportLedger {
  private let db: Database

  init(_ db: Database) {
    self.db = db
  }

  /// Counts an export that is over, so that the next one is a new one.
  func end(_ request: ExportRequest) throws {
    try db.execute(
      sql: """
        INSERT INTO exportRun (name, finished) VALUES (?, 1)
        ON CONFLICT (name) DO UPDATE SET finished = finished + 1
        """, arguments: [request.name])
  }
}
