import FieldstoneDurable
import GRDB

/// How an import stands, by its row of `importRun`.
struct ImportStanding: Sendable {
  /// What became of the rows so far.
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
