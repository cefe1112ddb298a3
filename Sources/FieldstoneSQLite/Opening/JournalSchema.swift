#if SQLite
  import FieldstoneDurable
  import GRDB

  /// The tables of a journal, and how they came to be.
  ///
  /// The schema's number stands in a table of its own: in the database of an app the header's
  /// numbers are the app's. A file that holds nothing but a journal says so in its header, too.
  enum JournalSchema {
    /// The steps from an empty database to the newest schema; published ones are never changed.
    private static let migrations = [
      first, rests, crashes, starts + pauses + limits + children + schedules,
    ]

    /// The newest schema that this code knows.
    static var newest: Int { migrations.count }

    /// "Fldj", for tools that read the header of the file.
    private static let applicationID = 0x466C_646A

    /// What is found in a database.
    private enum Found: Equatable {
      case nothing
      case otherTables
      case journal(schema: Int)
    }

    /// Refuses a database that is no journal of a schema that is known.
    ///
    /// One without any table passes where it may be made into one.
    static func check(_ database: Database, _ path: String, joinsOtherTables: Bool) throws {
      switch try find(in: database) {
      case .journal(let schema) where schema > newest:
        throw JournalError.newerSchema(found: schema, known: newest)
      case .journal(1...): break
      case .nothing where !database.configuration.readonly: break
      case .otherTables where joinsOtherTables: break
      case .journal, .nothing, .otherTables: throw JournalError.noJournal(path)
      }
    }

    /// Brings a database to the newest schema, in one transaction.
    static func migrate(_ database: Database, _ path: String, joinsOtherTables: Bool) throws {
      if try find(in: database) == .journal(schema: newest) { return }
      try database.inTransaction(.immediate) {
        try check(database, path, joinsOtherTables: joinsOtherTables)
        let found = try find(in: database)
        var schema = 0
        if case .journal(let number) = found { schema = number }
        for migration in migrations[schema...] { try database.execute(sql: migration) }
        try database.execute(
          sql: "UPDATE fieldstone_journal SET schema = ?", arguments: [newest])
        if found == .nothing, !joinsOtherTables {
          try database.execute(sql: "PRAGMA application_id = \(applicationID)")
        }
        return .commit
      }
    }

    /// Lets a connection that only reads see the columns that an older schema does not have yet.
    static func showAsNewest(_ database: Database) throws {
      guard case .journal(let schema) = try find(in: database), schema < newest else { return }
      var missing: [String] = []
      if schema < 3 {
        missing += ["0 AS crashes", "0 AS lone_crashes", "NULL AS quarantine", "0 AS is_alone"]
      }
      if schema < 4 {
        missing += ["0 AS priority", "NULL AS concurrency", "0 AS gate", "0 AS place"]
        missing += [
          "NULL AS parent", "NULL AS parent_id", "NULL AS join_sequence", "NULL AS join_policy",
          "NULL AS open_children", "NULL AS deadline", "NULL AS attributes", "NULL AS trace",
        ]
        try database.execute(
          sql: """
            CREATE TEMP VIEW fieldstone_pause AS \
            SELECT 0 AS kind, '' AS flow, '' AS name, NULL AS until WHERE 0;
            CREATE TEMP VIEW fieldstone_limit AS SELECT '' AS flow, NULL AS runs, \
            NULL AS key_maximum, NULL AS key_whole, NULL AS key_holds, NULL AS rate_count, \
            NULL AS rate_period, NULL AS tokens, NULL AS filled_at WHERE 0;
            CREATE TEMP VIEW fieldstone_attribute AS \
            SELECT '' AS name, '' AS value, '' AS run_id WHERE 0;
            CREATE TEMP VIEW fieldstone_schedule AS \
            SELECT '' AS name, NULL AS due_at, x'' AS definition, x'' AS progress WHERE 0
            """)
      }
      try database.execute(
        sql: """
          CREATE TEMP VIEW fieldstone_run AS \
          SELECT *, \(missing.joined(separator: ", ")) FROM main.fieldstone_run
          """)
    }

    private static func find(in database: Database) throws -> Found {
      let names = try String.fetchAll(
        database,
        sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      guard names.contains("fieldstone_journal") else {
        return names.isEmpty ? .nothing : .otherTables
      }
      let schema = try Int.fetchOne(database, sql: "SELECT schema FROM fieldstone_journal")
      return .journal(schema: schema ?? 0)
    }

    // The payload comes last: it may be long, and what stands before it is read without it. A run
    // that goes on from stage to stage touches no index of the runs: neither its state changes nor
    // its worker.
    //
    // Steps lie in the order in which they came, and an index leads to those of a run. Ordered by
    // run, without a rowid, a commit would write a page for each run in it: 2.1 pages a checkpoint
    // where 16 runs share it and stages have 100 bytes, and these are 1.3; and stages over 950 bytes
    // would take a page more each: 4.7 KB for one of 1,000 bytes, and not 1.4. The price: 3.2 pages
    // for a run alone, and not 2.6; and the steps of runs that went on side by side lie apart, so
    // that 50 of them are read in 0.05 ms, and not in 0.02.
    private static let first = """
      CREATE TABLE fieldstone_journal (schema INTEGER NOT NULL) STRICT;
      INSERT INTO fieldstone_journal VALUES (0);

      CREATE TABLE fieldstone_run (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        flow TEXT NOT NULL,
        version INTEGER NOT NULL,
        key TEXT,
        state INTEGER NOT NULL,
        sequence INTEGER NOT NULL,
        fence INTEGER NOT NULL,
        attempts INTEGER NOT NULL,
        started_at REAL NOT NULL,
        changed_at REAL NOT NULL,
        due_at REAL,
        waits INTEGER NOT NULL,
        wakes_at REAL NOT NULL,
        awaited TEXT,
        worker TEXT,
        boot TEXT,
        lease_end INTEGER,
        error TEXT,
        payload BLOB NOT NULL
      ) STRICT;
      CREATE UNIQUE INDEX fieldstone_run_key ON fieldstone_run (flow, key) WHERE key IS NOT NULL;
      CREATE INDEX fieldstone_run_list ON fieldstone_run (flow, state, id);
      CREATE INDEX fieldstone_run_ready ON fieldstone_run (flow, version, waits, wakes_at)
        WHERE state = 0;
      CREATE INDEX fieldstone_run_running ON fieldstone_run (flow, worker, boot) WHERE state = 1;
      CREATE INDEX fieldstone_run_over ON fieldstone_run (changed_at) WHERE state IN (2, 5);

      CREATE TABLE fieldstone_step (
        run INTEGER NOT NULL,
        sequence INTEGER NOT NULL,
        fence INTEGER NOT NULL,
        kind INTEGER NOT NULL,
        version INTEGER NOT NULL,
        attempts INTEGER NOT NULL,
        began_at REAL NOT NULL,
        ended_at REAL NOT NULL,
        worker TEXT,
        error TEXT,
        payload BLOB NOT NULL,
        PRIMARY KEY (run, sequence)
      ) STRICT;

      CREATE TABLE fieldstone_signal (
        position INTEGER PRIMARY KEY AUTOINCREMENT,
        run INTEGER NOT NULL,
        id TEXT NOT NULL,
        name TEXT NOT NULL,
        sent_at REAL NOT NULL,
        consumed_by INTEGER,
        payload BLOB NOT NULL,
        UNIQUE (run, id)
      ) STRICT;
      CREATE INDEX fieldstone_signal_waiting ON fieldstone_signal (run, name, position)
        WHERE consumed_by IS NULL;
      """

    // The runs that have come to rest without a step, so that their waiters are found without
    // reading all: the latest of them. A run that goes on from stage to stage leaves steps and touches
    // none of this. Run 0 says that the last steps were purged, whose numbers are then given anew.
    private static let rests = """
      CREATE TABLE fieldstone_rest (
        position INTEGER PRIMARY KEY AUTOINCREMENT,
        run INTEGER NOT NULL
      ) STRICT;
      CREATE TRIGGER fieldstone_run_rests AFTER UPDATE OF state ON fieldstone_run
        WHEN NEW.state IN (3, 4, 5) AND OLD.state <> NEW.state
        BEGIN INSERT INTO fieldstone_rest (run) VALUES (NEW.number); END;
      CREATE TRIGGER fieldstone_step_anew AFTER DELETE ON fieldstone_step
        WHEN OLD.rowid > (SELECT COALESCE(MAX(rowid), 0) FROM fieldstone_step)
        BEGIN INSERT INTO fieldstone_rest (run) VALUES (0); END;
      CREATE TRIGGER fieldstone_rest_bound AFTER INSERT ON fieldstone_rest
        BEGIN DELETE FROM fieldstone_rest WHERE position <= NEW.position - 10000; END;
      """

    // Crashes are counted apart from attempts, and crash-suspected runs are in groups: see
    // "What runs again after a crash". The columns come after the payload; nothing and zero take no
    // room there. Before, crashes were attempts: what has no error has crashed at each but its last.
    private static let crashes = """
      ALTER TABLE fieldstone_run ADD COLUMN crashes INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE fieldstone_run ADD COLUMN lone_crashes INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE fieldstone_run ADD COLUMN quarantine INTEGER;
      ALTER TABLE fieldstone_run ADD COLUMN is_alone INTEGER NOT NULL DEFAULT 0;
      DROP INDEX fieldstone_run_ready;
      CREATE INDEX fieldstone_run_ready ON fieldstone_run (flow, version, waits, wakes_at)
        WHERE state = 0 AND quarantine IS NULL;
      CREATE INDEX fieldstone_run_quarantine ON fieldstone_run (quarantine)
        WHERE quarantine IS NOT NULL;
      CREATE INDEX fieldstone_run_paused ON fieldstone_run (flow, version, changed_at)
        WHERE state = 0 AND quarantine IS NULL AND waits = 1 AND attempts > 0;
      UPDATE fieldstone_run SET crashes = attempts - 1, attempts = 1
        WHERE state = 1 AND attempts > 1 AND error IS NULL;
      UPDATE fieldstone_run SET crashes = attempts, attempts = 0
        WHERE state = 0 AND attempts > 0 AND waits = 0 AND error IS NULL;
      """

    // Runs have a priority. Of a run that is due, `wakes_at` is its place among the others: since when
    // it is due, an hour earlier for each level. Of one that waits it is the time, as before; `waits` is
    // 2 where the place will be another, so that those are looked up by themselves. A start that took
    // the place of another is known by its identifier, so that it can be repeated.
    private static let starts = """
      ALTER TABLE fieldstone_run ADD COLUMN priority INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE fieldstone_run ADD COLUMN deadline REAL;
      ALTER TABLE fieldstone_run ADD COLUMN attributes TEXT;
      ALTER TABLE fieldstone_run ADD COLUMN trace TEXT;
      CREATE INDEX fieldstone_run_deadline ON fieldstone_run (deadline)
        WHERE deadline IS NOT NULL AND state IN (0, 1, 4);
      CREATE TABLE fieldstone_attribute (
        name TEXT NOT NULL,
        value TEXT NOT NULL,
        run_id TEXT NOT NULL,
        PRIMARY KEY (name, value, run_id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX fieldstone_attribute_run ON fieldstone_attribute (run_id);
      DROP INDEX fieldstone_run_paused;
      CREATE INDEX fieldstone_run_paused ON fieldstone_run (flow, version, changed_at)
        WHERE state = 0 AND quarantine IS NULL AND waits > 0 AND attempts > 0;
      CREATE TABLE fieldstone_replacement (
        id TEXT PRIMARY KEY,
        run INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX fieldstone_replacement_run ON fieldstone_replacement (run);
      """

    // Runs have children, and wait for those that a stage has started. A row of the parent counts those
    // that have not ended, so that an end costs the same among ten and ten thousand. A run waits while it
    // has a policy; then it is ready, and `waits` is not 0. What is done at an end is done by triggers: a
    // run comes to its end by many ways, and none may forget it.
    //
    // The parent is named twice: its number is small in the index, and is given to no other run while it
    // has a child, as numbers go up; its identifier stays when it is purged. `joined` is how a child ended
    // while its parent waited.
    private static let children = """

      ALTER TABLE fieldstone_run ADD COLUMN parent INTEGER;
      ALTER TABLE fieldstone_run ADD COLUMN parent_id TEXT;
      ALTER TABLE fieldstone_run ADD COLUMN parent_sequence INTEGER;
      ALTER TABLE fieldstone_run ADD COLUMN ordinal INTEGER;
      ALTER TABLE fieldstone_run ADD COLUMN is_detached INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE fieldstone_run ADD COLUMN depth INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE fieldstone_run ADD COLUMN joined INTEGER;
      ALTER TABLE fieldstone_run ADD COLUMN joined_error TEXT;
      ALTER TABLE fieldstone_run ADD COLUMN join_sequence INTEGER;
      ALTER TABLE fieldstone_run ADD COLUMN join_policy INTEGER;
      ALTER TABLE fieldstone_run ADD COLUMN open_children INTEGER;
      CREATE UNIQUE INDEX fieldstone_run_child ON fieldstone_run (parent, parent_sequence, ordinal)
        WHERE parent IS NOT NULL;
      CREATE TABLE fieldstone_cancellation (
        position INTEGER PRIMARY KEY AUTOINCREMENT,
        parent INTEGER NOT NULL,
        sequence INTEGER NOT NULL,
        ordinal INTEGER NOT NULL DEFAULT 0
      ) STRICT;
      CREATE INDEX fieldstone_cancellation_parent ON fieldstone_cancellation (parent);
      CREATE TRIGGER fieldstone_run_ends AFTER UPDATE OF state ON fieldstone_run
        WHEN NEW.parent IS NOT NULL AND NEW.joined IS NULL
          AND NEW.state IN (2, 3, 5) AND OLD.state NOT IN (2, 3, 5)
        BEGIN
          UPDATE fieldstone_run SET joined = NEW.state WHERE number = NEW.number
            AND EXISTS (SELECT 1 FROM fieldstone_run AS p WHERE p.number = NEW.parent
              AND p.join_sequence = NEW.parent_sequence AND p.join_policy IS NOT NULL);
          UPDATE fieldstone_run SET open_children = open_children - 1 WHERE number = NEW.parent
            AND join_sequence = NEW.parent_sequence AND join_policy IS NOT NULL;
          UPDATE fieldstone_run SET waits = 0, wakes_at = NEW.changed_at - priority * 3600.0,
            due_at = NULL, changed_at = NEW.changed_at WHERE number = NEW.parent
            AND join_sequence = NEW.parent_sequence AND (join_policy = 1
              OR (join_policy IS NOT NULL AND open_children <= 0)
              OR (join_policy = 2 AND NEW.state <> 2));
        END;
      CREATE TRIGGER fieldstone_run_goes_on AFTER UPDATE OF state, waits ON fieldstone_run
        WHEN NEW.join_policy IS NOT NULL AND NOT (NEW.state = 0 AND NEW.waits > 0)
        BEGIN
          UPDATE fieldstone_run SET join_policy = NULL WHERE number = NEW.number;
          INSERT INTO fieldstone_cancellation (parent, sequence)
            SELECT NEW.number, NEW.join_sequence WHERE NEW.open_children > 0;
        END;
      """
  }
#endif
