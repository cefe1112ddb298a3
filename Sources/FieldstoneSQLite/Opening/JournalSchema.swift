#if SQLite
  import FieldstoneDurable
  import GRDB

  /// The tables of a journal and their migrations.
  ///
  /// The schema's number has a table of its own, because in an app's database the header's numbers
  /// belong to the app. A file that holds only a journal also has the number in its header.
  enum JournalSchema {
    /// The migrations from an empty database to the newest schema; published ones never change.
    private static let migrations = [
      first, rests, crashes,
      starts + stops + pauses + changeViews + limits + children + changeTriggers + schedules + audit
        + reports + queries + slots,
    ]

    /// The newest schema that this code knows.
    static var newest: Int { migrations.count }

    /// "Fldj", for tools that read the header of the file.
    private static let applicationID = 0x466C_646A

    /// The kind of database that was found.
    private enum Found: Equatable {
      case nothing
      case otherTables
      case journal(schema: Int)
    }

    /// Refuses a database that is not a journal with a known schema.
    ///
    /// A database without tables passes if a journal may be created in it.
    static func check(_ database: Database, _ path: String, joinsOtherTables: Bool) throws {
      try checkEncoding(of: database, path)
      switch try find(in: database) {
      case .journal(let schema) where schema > newest:
        throw JournalError.newerSchema(found: schema, known: newest)
      case .journal(1...): break
      case .nothing where !database.configuration.readonly: break
      case .otherTables where joinsOtherTables: break
      case .journal, .nothing, .otherTables: throw JournalError.noJournal(path)
      }
    }

    /// Refuses a database that compares texts in another order than by the bytes of their UTF-8.
    private static func checkEncoding(of database: Database, _ path: String) throws {
      let encoding = try String.fetchOne(database, sql: "PRAGMA encoding") ?? ""
      guard encoding == "UTF-8" else {
        throw JournalError.noJournal(
          "\(path), whose texts are encoded in \(encoding),; name a database in UTF-8")
      }
    }

    /// Migrates a database to the newest schema, in one transaction.
    static func migrate(_ database: Database, _ path: String, joinsOtherTables: Bool) throws {
      try checkEncoding(of: database, path)
      if try find(in: database) == .journal(schema: newest) { return }
      try database.inTransaction(.immediate) {
        try check(database, path, joinsOtherTables: joinsOtherTables)
        let found = try find(in: database)
        var schema = 0
        if case .journal(let number) = found { schema = number }
        for migration in migrations[schema...] { try database.execute(sql: migration) }
        if (1..<4).contains(schema) { try fillFingerprints(database) }
        try database.execute(
          sql: "UPDATE fieldstone_journal SET schema = ?", arguments: [newest])
        if found == .nothing, !joinsOtherTables {
          try database.execute(sql: "PRAGMA application_id = \(applicationID)")
        }
        return .commit
      }
    }

    /// Gives a read-only connection the columns that an older schema does not have yet.
    static func showAsNewest(_ database: Database) throws {
      guard case .journal(let schema) = try find(in: database), schema < newest else { return }
      var missing: [String] = []
      if schema < 3 {
        missing += ["0 AS crashes", "0 AS lone_crashes", "NULL AS quarantine", "0 AS is_alone"]
      }
      if schema < 4 {
        missing += missingForQueries
        missing += ["0 AS priority", "NULL AS concurrency", "0 AS gate", "0 AS place"]
        missing += ["0 AS flow_place", "0 AS key_state"]
        missing += [
          "NULL AS parent", "NULL AS parent_id", "NULL AS join_sequence", "NULL AS join_policy",
          "NULL AS open_children", "NULL AS deadline", "NULL AS attributes", "NULL AS trace",
          "NULL AS origin", "NULL AS origin_sequence",
        ]
        try database.execute(
          sql: """
            CREATE TEMP VIEW fieldstone_pause AS \
            SELECT 0 AS kind, '' AS flow, '' AS name, NULL AS until WHERE 0;
            CREATE TEMP VIEW fieldstone_limit AS SELECT '' AS flow, NULL AS runs, \
            0 AS runs_whole, 0 AS runs_hold, NULL AS key_maximum, NULL AS key_whole, NULL AS key_holds, NULL AS rate_count, \
            NULL AS rate_period, NULL AS tokens, NULL AS filled_at WHERE 0;
            CREATE TEMP VIEW fieldstone_attribute AS \
            SELECT '' AS name, '' AS value, '' AS run_id WHERE 0;
            CREATE TEMP VIEW fieldstone_schedule AS \
            SELECT '' AS name, NULL AS due_at, x'' AS definition, x'' AS progress WHERE 0;
            CREATE TEMP VIEW fieldstone_report AS SELECT 0 AS run, 0 AS fence, NULL AS sequence, \
            NULL AS billionths, NULL AS text, NULL AS reported_at WHERE 0;
            CREATE TEMP VIEW fieldstone_log AS SELECT 0 AS run, 0 AS fence, 0 AS number, \
            0 AS sequence, 0.0 AS logged_at, '' AS text, 0 AS of_runner WHERE 0;
            CREATE TEMP VIEW fieldstone_worker AS SELECT '' AS name, 0.0 AS started_at, \
            0.0 AS seen_at, x'' AS record WHERE 0;
            CREATE TEMP VIEW fieldstone_audit AS \
            SELECT 0 AS number, 0.0 AS changed_at, NULL AS actor, '' AS action, 0 AS kind, \
            '' AS flow, '' AS name, NULL AS old_value, NULL AS new_value WHERE 0;
            CREATE TEMP VIEW fieldstone_journal AS \
            SELECT *, 1 AS minimum_protocol, NULL AS slots FROM main.fieldstone_journal
            """)
      }
      try database.execute(
        sql: """
          CREATE TEMP VIEW fieldstone_run AS \
          SELECT *, \(missing.joined(separator: ", ")) FROM main.fieldstone_run
          """)
    }

    /// Shows the tables of a read-only connection as they are, if another process has migrated them
    /// since ``showAsNewest(_:)``.
    static func showMigrated(_ database: Database) throws {
      let views = try String.fetchAll(
        database.cachedStatement(sql: "SELECT name FROM sqlite_temp_master WHERE type = 'view'"))
      guard !views.isEmpty,
        let schema = try Int.fetchOne(database, sql: "SELECT schema FROM main.fieldstone_journal"),
        schema >= newest
      else { return }
      for view in views { try database.execute(sql: "DROP VIEW temp.\(view)") }
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

    // The payload is the last column: it may be long, and the columns before it are read without
    // it. A checkpoint to the next stage touches no index of runs: neither the state nor the worker
    // changes.
    //
    // Steps are stored in insertion order, with an index by run. The alternative, a table without a
    // rowid ordered by run, writes a page per run in a commit. With 16 runs per commit and stages
    // of 100 bytes, that costs 2.1 pages per checkpoint, against 1.3 here. It also costs a page
    // more for each stage over 950 bytes: 4.7 KB for a stage of 1,000 bytes, against 1.4 KB. The
    // price here: 3.2 pages for a single run, against 2.6. The steps of concurrent runs are
    // scattered, so reading 50 of them takes 0.05 ms, against 0.02 ms.
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

    // The runs that stopped without a step; waiters find the latest of them without a scan. A
    // checkpoint to the next stage inserts a step and touches none of this. Run 0 records that the
    // last steps were purged, after which their numbers are reused.
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

    // Crashes are counted separately from attempts, and crash-suspected runs form groups: see "What
    // runs again after a crash". The columns follow the payload; NULL and zero take no space there.
    // Older schemas counted crashes as attempts: without an error, each attempt but a running run's
    // current one was a crash.
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

    // Runs have a priority. For a due run, `wakes_at` is its position in the queue: its due time,
    // one hour earlier per level. For a waiting run it is the time, as before; `waits` is 2 if the
    // position will differ, so that these runs are looked up separately. A replaced start is known
    // by its identifier, so that it can be repeated.
    private static let starts = """
      ALTER TABLE fieldstone_run ADD COLUMN priority INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE fieldstone_run ADD COLUMN deadline REAL;
      ALTER TABLE fieldstone_run ADD COLUMN attributes TEXT;
      ALTER TABLE fieldstone_run ADD COLUMN trace TEXT;
      CREATE INDEX fieldstone_run_deadline ON fieldstone_run (deadline)
        WHERE deadline IS NOT NULL AND (state < 2 OR state = 4);
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

    // The table of runs that stopped, and the one of cancellations, have no AUTOINCREMENT: for such a
    // table that a trigger may write, SQLite looks its last number up in each statement that has the
    // trigger. The last row of the first is never deleted, so its numbers only increase. It is not
    // renamed: for that, SQLite reads all views of the database, and an app's may be broken.
    private static let stops = """

      DROP TRIGGER fieldstone_run_rests;
      DROP TRIGGER fieldstone_step_anew;
      DROP TRIGGER fieldstone_rest_bound;
      CREATE TABLE fieldstone_older_rest AS SELECT position, run FROM fieldstone_rest;
      DROP TABLE fieldstone_rest;
      CREATE TABLE fieldstone_rest (
        position INTEGER PRIMARY KEY,
        run INTEGER NOT NULL
      ) STRICT;
      INSERT INTO fieldstone_rest SELECT position, run FROM fieldstone_older_rest;
      DROP TABLE fieldstone_older_rest;
      CREATE TRIGGER fieldstone_step_anew AFTER DELETE ON fieldstone_step
        WHEN OLD.rowid > (SELECT COALESCE(MAX(rowid), 0) FROM fieldstone_step)
        BEGIN INSERT INTO fieldstone_rest (run) VALUES (0); END;
      CREATE TRIGGER fieldstone_rest_bound AFTER INSERT ON fieldstone_rest
        BEGIN DELETE FROM fieldstone_rest WHERE position <= NEW.position - 10000; END;
      """

    // What else changes when a run does: the places of its key and flow, its own wait for children,
    // its parent's count of open children, and the list of runs that stopped without a step. Most
    // changes have none of these. SQLite prepares memory for all statements of a trigger before it
    // tests the condition; with five triggers that was two fifths of the update of a claim or an end.
    // So the triggers of the table only test, and insert into a view; the statements are triggers of
    // the view. The test of `fieldstone_run_changes` holds whenever one of theirs may. Each column of
    // a view costs in each of these updates, whether or not anything is inserted.
    private static let changeViews = """
      CREATE VIEW fieldstone_move AS SELECT 0 AS number, '' AS flow, '' AS concurrency,
        0 AS state, 0 AS old_state, 0 AS is_moved, 0 AS leaves, 0 AS goes_on;
      CREATE VIEW fieldstone_arrival AS SELECT 0 AS number, '' AS flow, '' AS concurrency,
        0 AS state;
      CREATE VIEW fieldstone_child_end AS SELECT 0 AS number, 0 AS parent, 0 AS sequence,
        0 AS state, 0.0 AS ended_at;
      """

    /// The triggers of the table of runs, made once all the columns that they read exist.
    private static let changeTriggers = """

      CREATE TRIGGER fieldstone_run_arrives AFTER INSERT ON fieldstone_run
        WHEN NEW.concurrency IS NOT NULL
        BEGIN
          INSERT INTO fieldstone_arrival VALUES (NEW.number, NEW.flow, NEW.concurrency, NEW.state);
        END;
      CREATE TRIGGER fieldstone_run_changes
        AFTER UPDATE OF state, gate, quarantine, waits ON fieldstone_run
        WHEN (NEW.concurrency IS NOT NULL AND NOT (NEW.state = 1 AND NEW.place = 1)
          AND (OLD.state <> NEW.state OR (OLD.gate | 1) <> (NEW.gate | 1)
          OR OLD.quarantine IS NOT NEW.quarantine OR OLD.waits <> NEW.waits))
          OR (NEW.flow_place = 1 AND NEW.state >= 2)
          OR (NEW.join_policy IS NOT NULL AND NOT (NEW.state = 0 AND NEW.due_at IS NOT NULL))
          OR (NEW.state >= 3 AND OLD.state <> NEW.state)
        BEGIN
          INSERT INTO fieldstone_move VALUES (NEW.number, NEW.flow, NEW.concurrency, NEW.state,
            OLD.state,
            NEW.concurrency IS NOT NULL AND NOT (NEW.state = 1 AND NEW.place = 1)
              AND (OLD.state <> NEW.state OR (OLD.gate | 1) <> (NEW.gate | 1)
              OR OLD.quarantine IS NOT NEW.quarantine OR OLD.waits <> NEW.waits),
            NEW.flow_place = 1 AND NEW.state >= 2,
            NEW.join_policy IS NOT NULL AND NOT (NEW.state = 0 AND NEW.due_at IS NOT NULL));
        END;
      CREATE TRIGGER fieldstone_child_ends AFTER UPDATE OF state ON fieldstone_run
        WHEN NEW.parent IS NOT NULL AND NEW.joined IS NULL
          AND NEW.state >= 2 AND NEW.state <> 4 AND (OLD.state < 2 OR OLD.state = 4)
        BEGIN
          INSERT INTO fieldstone_child_end VALUES (NEW.number, NEW.parent, NEW.parent_sequence,
            NEW.state, NEW.changed_at);
        END;
      CREATE TRIGGER fieldstone_run_rests INSTEAD OF INSERT ON fieldstone_move
        WHEN NEW.state >= 3 AND NEW.old_state <> NEW.state
        BEGIN INSERT INTO fieldstone_rest (run) VALUES (NEW.number); END;
      """

    // Runs have children, and wait for those that a stage has started. A column of the parent
    // counts the open children, so that an end costs the same among 10 and 10,000. A run waits
    // while it has a policy; then it is ready, and `due_at` is set. `waits` is 0 if its time is out
    // and its key is full: it waits until it is claimed. Triggers handle the end of a run, because
    // many statements end runs and none may omit it. A completion sets `joined` by itself, so that
    // they have nothing to do; `EndedChildren` then changes the parent once per commit.
    //
    // The parent is stored twice. Its number is small in the index; numbers increase, so no other
    // run gets it while a child exists. Its identifier stays after a purge. `joined` records how a
    // child ended while its parent waited.
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
        position INTEGER PRIMARY KEY,
        parent INTEGER NOT NULL,
        sequence INTEGER NOT NULL,
        ordinal INTEGER NOT NULL DEFAULT 0
      ) STRICT;
      CREATE INDEX fieldstone_cancellation_parent ON fieldstone_cancellation (parent);
      CREATE TRIGGER fieldstone_run_ends INSTEAD OF INSERT ON fieldstone_child_end
        BEGIN
          UPDATE fieldstone_run SET joined = NEW.state WHERE number = NEW.number
            AND EXISTS (SELECT 1 FROM fieldstone_run AS p WHERE p.number = NEW.parent
              AND p.join_sequence = NEW.sequence AND p.join_policy IS NOT NULL);
          UPDATE fieldstone_run SET open_children = open_children - 1 WHERE number = NEW.parent
            AND join_sequence = NEW.sequence AND join_policy IS NOT NULL;
          UPDATE fieldstone_run SET waits = 0, wakes_at = NEW.ended_at - priority * 3600.0,
            due_at = NULL, changed_at = NEW.ended_at WHERE number = NEW.parent
            AND join_sequence = NEW.sequence AND (join_policy = 1
              OR (join_policy IS NOT NULL AND open_children <= 0)
              OR (join_policy = 2 AND NEW.state <> 2));
        END;
      CREATE TRIGGER fieldstone_run_goes_on INSTEAD OF INSERT ON fieldstone_move
        WHEN NEW.goes_on
        BEGIN
          UPDATE fieldstone_run SET join_policy = NULL WHERE number = NEW.number;
          INSERT INTO fieldstone_cancellation (parent, sequence)
            SELECT number, join_sequence FROM fieldstone_run
            WHERE number = NEW.number AND open_children > 0;
        END;
      """
  }
#endif
