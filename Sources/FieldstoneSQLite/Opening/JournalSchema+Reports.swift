#if SQLite
  extension JournalSchema {
    // Reports have their own tables: they touch no row and no index of runs. Each report inserts a
    // row in `fieldstone_rest` that notifies handles, as for runs that have stopped. The lines of a
    // run are stored together, in order; each write trims them.
    static let reports = """

      CREATE TABLE fieldstone_report (
        run INTEGER PRIMARY KEY,
        fence INTEGER NOT NULL,
        sequence INTEGER,
        billionths INTEGER,
        text TEXT,
        reported_at REAL
      ) STRICT;
      CREATE TABLE fieldstone_log (
        run INTEGER NOT NULL,
        fence INTEGER NOT NULL,
        number INTEGER NOT NULL,
        sequence INTEGER NOT NULL,
        logged_at REAL NOT NULL,
        text TEXT NOT NULL,
        of_runner INTEGER NOT NULL,
        PRIMARY KEY (run, fence, number)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE fieldstone_worker (
        name TEXT PRIMARY KEY,
        started_at REAL NOT NULL,
        seen_at REAL NOT NULL,
        record BLOB NOT NULL
      ) STRICT;
      """
  }
#endif
