/// The table of exports that are over, beside those of the journal.
enum ExportTables {
  /// One row stays of all exports of the same to the same.
  static let sql = """
    CREATE TABLE exportRun (
      name TEXT PRIMARY KEY,
      finished INTEGER NOT NULL
    ) WITHOUT ROWID;
    """
}
