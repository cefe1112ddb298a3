/// The tables of imports that are under way, beside those of the journal.
enum ImportTables {
  /// One row of `importRun` stays of every import; the others are emptied when it is over.
  static let sql = """
    CREATE TABLE importRun (
      id INTEGER PRIMARY KEY,
      run TEXT NOT NULL UNIQUE,
      path TEXT NOT NULL,
      read INTEGER NOT NULL DEFAULT 0,
      stored INTEGER NOT NULL DEFAULT 0,
      updated INTEGER NOT NULL DEFAULT 0,
      unchanged INTEGER NOT NULL DEFAULT 0,
      rejected INTEGER NOT NULL DEFAULT 0,
      isOver INTEGER NOT NULL DEFAULT 0
    );

    CREATE TABLE importSeen (
      import INTEGER NOT NULL,
      icao TEXT NOT NULL,
      record INTEGER NOT NULL,
      PRIMARY KEY (import, icao)
    ) WITHOUT ROWID;

    CREATE TABLE importReject (
      import INTEGER NOT NULL,
      record INTEGER NOT NULL,
      line INTEGER NOT NULL,
      reason TEXT NOT NULL,
      PRIMARY KEY (import, record)
    ) WITHOUT ROWID;
    """

  /// What an import in parts needs besides: where it stands, and which stage of it has told of a failed
  /// part.
  static let parts = """
    ALTER TABLE importRun ADD COLUMN place TEXT;
    ALTER TABLE importRun ADD COLUMN failedAt INTEGER;
    """

  /// The names by which journals elsewhere know this directory: a copy of the file has one of its own.
  static let names = """
    CREATE TABLE directoryName (path TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;
    """
}
