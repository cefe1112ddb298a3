import GRDB

/// The tables of the directory, and how older files become newer ones.
enum DirectorySchema {
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("airports") { db in
      try db.execute(sql: airports)
    }
    migrator.registerMigration("imports") { db in
      try db.execute(sql: ImportTables.sql)
    }
    return migrator
  }

  /// The one form that the file has had so far.
  ///
  /// Letters with marks sort after z in every collation of SQLite's own, so a form of the name is
  /// stored that sorts rightly as it is. `bundledImport` holds one row once the import of the
  /// bundled airports has begun, and no row before.
  ///
  /// The full-text index keeps no text of its own: it reads that of `airport`, and triggers keep it
  /// in step, so that no writer can forget to.
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

    CREATE VIRTUAL TABLE airportSearch USING fts5 (
      icao, iata, name, city, country, countryName,
      content = 'airport', content_rowid = 'id',
      tokenize = 'unicode61 remove_diacritics 2'
    );

    CREATE TRIGGER airportInserted AFTER INSERT ON airport BEGIN
      INSERT INTO airportSearch (rowid, icao, iata, name, city, country, countryName)
      VALUES (new.id, new.icao, new.iata, new.name, new.city, new.country, new.countryName);
    END;

    CREATE TRIGGER airportDeleted AFTER DELETE ON airport BEGIN
      INSERT INTO airportSearch
        (airportSearch, rowid, icao, iata, name, city, country, countryName)
      VALUES ('delete', old.id, old.icao, old.iata, old.name, old.city, old.country,
        old.countryName);
    END;

    CREATE TRIGGER airportUpdated AFTER UPDATE ON airport BEGIN
      INSERT INTO airportSearch
        (airportSearch, rowid, icao, iata, name, city, country, countryName)
      VALUES ('delete', old.id, old.icao, old.iata, old.name, old.city, old.country,
        old.countryName);
      INSERT INTO airportSearch (rowid, icao, iata, name, city, country, countryName)
      VALUES (new.id, new.icao, new.iata, new.name, new.city, new.country, new.countryName);
    END;
    """
}
