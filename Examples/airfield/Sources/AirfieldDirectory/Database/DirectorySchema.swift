import GRDB

/// The tables of the directory, and how older files become newer ones.
enum DirectorySchema {
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("airports") { db in
      try db.execute(sql: airports)
    }
    migrator.registerMigration("edits and folded words") { db in
      try db.execute(sql: edits)
      try foldWords(db, also: "")
    }
    migrator.registerMigration("imports") { db in
      try db.execute(sql: ImportTables.sql)
    }
    migrator.registerMigration("exports") { db in
      try db.execute(sql: ExportTables.sql)
    }
    migrator.registerMigration("changes by processes") { db in
      try db.execute(sql: ChangeMark.table)
    }
    migrator.registerMigration("relevance, regions and spelling") { db in
      try db.execute(sql: relevance)
      try foldWords(db, also: ", sortCity = ?3")
      try db.execute(sql: "CREATE VIRTUAL TABLE airportTerm USING fts5vocab (airportSearch, row)")
    }
    migrator.registerMigration("indexes of relevance") { db in
      try db.execute(sql: relevanceIndexes)
    }
    migrator.registerMigration("former codes and neighbours") { db in
      try db.execute(sql: FormerCodes.table)
      try db.execute(sql: "CREATE INDEX airportByPlace ON airport (latitude, longitude)")
    }
    migrator.registerMigration("words of many airports at once") { db in
      try db.execute(sql: indexingAtOnce)
    }
    migrator.registerMigration("deleted airports") { db in
      try db.execute(sql: DeletedAirports.table)
    }
    migrator.registerMigration("parts of imports") { db in
      try db.execute(sql: ImportTables.parts)
    }
    migrator.registerMigration("names of the directory") { db in
      try db.execute(sql: ImportTables.names)
    }
    return migrator
  }

  /// The form that the file had first.
  ///
  /// Letters with marks sort after z in every collation of SQLite's own, so a form of the name is
  /// stored that sorts rightly as it is. `bundledImport` holds one row once the import of the
  /// bundled airports has begun, and no row before. There was an index of other words in it, too.
  private static let airports = """
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
      sortName TEXT NOT NULL
    );

    CREATE INDEX airportByName ON airport (sortName, icao);

    CREATE TABLE bundledImport (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      isComplete INTEGER NOT NULL
    );
    """

  /// What editing needs, and an index over folded words in place of the one before.
  ///
  /// The full-text index keeps no text of its own: it reads that of `airport`, and triggers keep it
  /// in step, so that no writer can forget to. The words of tags stand apart: an import writes those of its columns and knows no tags. Tags
  /// are kept one a line.
  private static let edits = """
    ALTER TABLE airport ADD COLUMN tags TEXT NOT NULL DEFAULT '';
    ALTER TABLE airport ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE airport ADD COLUMN words TEXT NOT NULL DEFAULT '';
    ALTER TABLE airport ADD COLUMN tagWords TEXT NOT NULL DEFAULT '';

    DROP TRIGGER IF EXISTS airportInserted;
    DROP TRIGGER IF EXISTS airportDeleted;
    DROP TRIGGER IF EXISTS airportUpdated;
    DROP TABLE IF EXISTS airportSearch;

    CREATE INDEX airportByCountry ON airport (country, sortName, icao);

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
    """

  /// Made once the words of old rows are there, so that writing them does not index them one by one.
  private static let following = """
    INSERT INTO airportSearch (airportSearch) VALUES ('rebuild');

    CREATE TRIGGER airportUpdated AFTER UPDATE OF words, tagWords ON airport BEGIN
      INSERT INTO airportSearch (airportSearch, rowid, words, tagWords)
      VALUES ('delete', old.id, old.words, old.tagWords);
      INSERT INTO airportSearch (rowid, words, tagWords)
      VALUES (new.id, new.words, new.tagWords);
    END;
    """

  /// What a search is ordered by; the words of regions and local codes are indexed from here on.
  private static let relevance = """
    DROP TRIGGER airportUpdated;
    ALTER TABLE airport ADD COLUMN sortCity TEXT NOT NULL DEFAULT '';
    """

  /// Small ones: most airports have no IATA code, and many no city.
  private static let relevanceIndexes = """
    CREATE INDEX airportByIATA ON airport (iata) WHERE iata IS NOT NULL;
    CREATE INDEX airportByCity ON airport (sortCity) WHERE sortCity <> '';
    """

  /// While a row stands in `airportUnindexed`, the words of new airports are left to be indexed at
  /// once; see ``AirportWriter``.
  private static let indexingAtOnce = """
    CREATE TABLE airportUnindexed (id INTEGER PRIMARY KEY);

    DROP TRIGGER airportInserted;

    CREATE TRIGGER airportInserted AFTER INSERT ON airport
    WHEN NOT EXISTS (SELECT 1 FROM airportUnindexed) BEGIN
      INSERT INTO airportSearch (rowid, words, tagWords)
      VALUES (new.id, new.words, new.tagWords);
    END;
    """

  private static func foldWords(_ db: Database, also: String) throws {
    let update = try db.makeStatement(
      sql: "UPDATE airport SET words = ?2\(also) WHERE id = ?1")
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT id, icao, iata, name, city, region, country, countryName, localCode FROM airport
        """)
    for row in rows {
      let airport = Airport(
        icao: try row.value(1), iata: try row.value(2), name: try row.value(3),
        city: try row.value(4), region: try row.value(5), country: try row.value(6), latitude: 0,
        longitude: 0, timeZone: "", localCode: try row.value(8))
      let words = SearchWords.of(airport, countryName: try row.value(7))
      let values = [try row.value(0, Int64.self).databaseValue, words.databaseValue]
      update.setUncheckedArguments(
        StatementArguments(
          also.isEmpty ? values : values + [SortKey.folded(airport.city ?? "").databaseValue]))
      try update.execute()
    }
    try db.execute(sql: following)
  }
}

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
