import GRDB

/// The tables of the directory, and how the files of 0.1.0 become newer ones.
enum DirectorySchema {
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    // Files of 0.1.0 know their tables by the name of the last of four steps.
    migrator.registerMigration("exports") { db in
      try db.execute(sql: first + wordsChanged)
    }
    migrator.registerMigration("relevance, parts and deleted airports") { db in
      try db.execute(sql: second)
      try foldWords(db)
      try db.execute(
        sql: "INSERT INTO airportSearch (airportSearch) VALUES ('rebuild');" + wordsChanged)
      try db.execute(sql: "CREATE VIRTUAL TABLE airportTerm USING fts5vocab (airportSearch, row)")
    }
    return migrator
  }

  /// The tables of 0.1.0.
  ///
  /// Letters with marks sort after z in every collation of SQLite's own, so a form of the name is
  /// stored that sorts rightly as it is. `bundledImport` holds one row once the import of the
  /// bundled airports has begun, and no row before.
  ///
  /// The full-text index keeps no text of its own: it reads that of `airport`, and triggers keep it
  /// in step, so that no writer can forget to. The words of tags stand apart: an import writes those
  /// of its columns and knows no tags. Tags are kept one a line.
  ///
  /// One row of `importRun` stays of every import, the other tables are emptied when it is over. One
  /// row of `exportRun` stays of all exports of the same to the same.
  private static let first = """
    CREATE TABLE airport (
      id INTEGER PRIMARY KEY,
      icao TEXT NOT NULL UNIQUE,
      iata TEXT,
      name TEXT NOT NULL,
      city TEXT,
      region TEXT,
      country TEXT NOT NULL,
      countryName TEXT NOT NULL,
      elevation REAL,
      latitude REAL NOT NULL,
      longitude REAL NOT NULL,
      timeZone TEXT NOT NULL,
      localCode TEXT,
      sortName TEXT NOT NULL,
      tags TEXT NOT NULL DEFAULT '',
      revision INTEGER NOT NULL DEFAULT 1,
      words TEXT NOT NULL DEFAULT '',
      tagWords TEXT NOT NULL DEFAULT ''
    );

    CREATE INDEX airportByName ON airport (sortName, icao);

    CREATE INDEX airportByCountry ON airport (country, sortName, icao);

    CREATE TABLE bundledImport (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      isComplete INTEGER NOT NULL
    );

    CREATE VIRTUAL TABLE airportSearch USING fts5 (
      words, tagWords, content = 'airport', content_rowid = 'id', prefix = '1 2 3',
      tokenize = 'unicode61 remove_diacritics 2'
    );

    CREATE TRIGGER airportInserted AFTER INSERT ON airport BEGIN
      INSERT INTO airportSearch (rowid, words, tagWords)
      VALUES (new.id, new.words, new.tagWords);
    END;

    CREATE TRIGGER airportDeleted AFTER DELETE ON airport BEGIN
      INSERT INTO airportSearch (airportSearch, rowid, words, tagWords)
      VALUES ('delete', old.id, old.words, old.tagWords);
    END;

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

    CREATE TABLE exportRun (
      name TEXT PRIMARY KEY,
      finished INTEGER NOT NULL
    ) WITHOUT ROWID;

    """

  private static let wordsChanged = """
    CREATE TRIGGER airportUpdated AFTER UPDATE OF words, tagWords ON airport BEGIN
      INSERT INTO airportSearch (airportSearch, rowid, words, tagWords)
      VALUES ('delete', old.id, old.words, old.tagWords);
      INSERT INTO airportSearch (rowid, words, tagWords)
      VALUES (new.id, new.words, new.tagWords);
    END;
    """

  /// What has come since.
  ///
  /// The words of regions and local codes are indexed, too, all at once: the trigger of changed words
  /// comes back behind that. The indexes by code and city are small, as most airports have no IATA
  /// code, and many no city. While a row stands in `airportUnindexed`, the words of new airports are
  /// left to be indexed at once; see ``AirportWriter``. An import in parts has its place in its row of
  /// `importRun`, and which stage of it has told of a failed part. `directoryName` has the names by
  /// which journals elsewhere know this directory: a copy of the file has one of its own.
  private static let second = """
    DROP TRIGGER airportUpdated;
    DROP TRIGGER airportInserted;

    CREATE TABLE airportUnindexed (id INTEGER PRIMARY KEY);

    CREATE TRIGGER airportInserted AFTER INSERT ON airport
    WHEN NOT EXISTS (SELECT 1 FROM airportUnindexed) BEGIN
      INSERT INTO airportSearch (rowid, words, tagWords)
      VALUES (new.id, new.words, new.tagWords);
    END;

    ALTER TABLE airport ADD COLUMN sortCity TEXT NOT NULL DEFAULT '';
    CREATE INDEX airportByIATA ON airport (iata) WHERE iata IS NOT NULL;
    CREATE INDEX airportByCity ON airport (sortCity) WHERE sortCity <> '';
    CREATE INDEX airportByPlace ON airport (latitude, longitude);

    ALTER TABLE importRun ADD COLUMN place TEXT;
    ALTER TABLE importRun ADD COLUMN failedAt INTEGER;

    CREATE TABLE directoryName (path TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;

    """ + ChangeMark.table + FormerCodes.table + DeletedAirports.table

  private static func foldWords(_ db: Database) throws {
    let update = try db.makeStatement(
      sql: "UPDATE airport SET words = ?, sortCity = ? WHERE id = ?")
    let rows = try Row.fetchAll(
      db, sql: "SELECT \(Airport.columns), countryName, id FROM airport")
    for row in rows {
      let airport = try Airport(row: row)
      let words = SearchWords.of(airport, countryName: try row.value(12))
      try update.execute(
        arguments: [words, SortKey.folded(airport.city ?? ""), try row.value(13, Int64.self)])
    }
  }
}
