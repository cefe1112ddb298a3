#if PostgreSQL
  import FieldstoneDurable

  /// The tables of a journal, and how they came to be.
  enum PostgresSchema {
    /// The steps from nothing to the newest schema; published ones are never changed.
    ///
    /// Each only adds, so that workers with older code go on.
    private static let migrations = [first]

    /// The newest schema that this code knows.
    static var newest: Int { migrations.count }

    /// Brings the schema to the newest, in one transaction, one worker at a time.
    static func migrate(_ session: PostgresSession, to schema: String) throws {
      try session.transaction {
        // Of the transaction, not of the session: that holds behind poolers, too.
        try session.query(
          "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
          [.text("fieldstone schema \(schema)")])
        let found = try number(session, schema)
        if found > newest { throw JournalError.newerSchema(found: found, known: newest) }
        guard found < newest else { return }
        if found == 0 {
          try session.execute("CREATE SCHEMA IF NOT EXISTS \(PostgresSession.quoted(schema))")
        }
        for migration in migrations[found...] { try session.execute(migration) }
        try session.execute("UPDATE journal SET schema = \(newest)")
      }
    }

    /// Refuses to go on in tables that newer code has changed since they were opened.
    static func check(_ session: PostgresSession) throws {
      guard let row = try session.query("SELECT schema FROM journal").rows.first else {
        throw JournalError.corrupt("the table journal is empty")
      }
      let found = try row.integer(0)
      if found > newest { throw JournalError.newerSchema(found: found, known: newest) }
    }

    private static func number(_ session: PostgresSession, _ schema: String) throws -> Int {
      let tables = try session.query(
        "SELECT tablename::text FROM pg_tables WHERE schemaname = $1", [.text(schema)]
      ).rows.map { try $0.text(0) }
      guard !tables.isEmpty else { return 0 }
      // Another's tables: the name was most likely given by mistake.
      guard tables.contains("journal"), tables.contains("run"), tables.contains("step") else {
        throw JournalError.noJournal("The schema \(schema)")
      }
      return try session.query("SELECT schema FROM journal").rows.first?.integer(0) ?? 0
    }

    // A run's row is narrow and holds no payload: a checkpoint changes it in place, in the room that
    // the fill factor leaves, and touches no index. So no index may name a column that a checkpoint
    // changes, also not in its condition. `check_uptime` and `check_at` are lower bounds of the end of
    // the lease for that reason: checkpoints and renewals leave them alone, and a claim that finds one
    // stale moves it on.
    //
    // Of a run that is due, `wakes_at` is its place among the others: since when it is due, an hour
    // earlier for each level of priority. Of one that waits it is the time; `waits` is 2 where the place
    // will be another. A start that took the place of another is known by its identifier.
    //
    // A row of `step` holds the stage of that number, and how the one before it was left. The steps
    // are only ever added to and purged. Their `xid` tells what has changed since a moment: numbers
    // from a sequence are not committed in their order.
    //
    // The tables change all the time, and the newest rows matter most: vacuum comes early.
    private static let first = """
      CREATE TABLE journal (schema int8 NOT NULL);
      INSERT INTO journal VALUES (0);

      CREATE TABLE run (
        id uuid NOT NULL PRIMARY KEY,
        flow text COLLATE "C" NOT NULL,
        version int8 NOT NULL,
        key text COLLATE "C",
        priority int8 NOT NULL,
        state int2 NOT NULL,
        sequence int8 NOT NULL,
        fence int8 NOT NULL,
        attempts int8 NOT NULL,
        crashes int8 NOT NULL,
        lone_crashes int8 NOT NULL,
        is_alone boolean NOT NULL,
        quarantine int8,
        started_at timestamptz NOT NULL,
        changed_at timestamptz NOT NULL,
        due_at timestamptz,
        waits int2 NOT NULL,
        wakes_at timestamptz NOT NULL,
        paused_at timestamptz,
        over_at timestamptz,
        rested xid8,
        awaited text COLLATE "C",
        worker text COLLATE "C",
        boot text COLLATE "C",
        lease_uptime int8,
        lease_end timestamptz,
        check_uptime int8,
        check_at timestamptz,
        error text
      ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02,
        autovacuum_analyze_scale_factor = 0.05);
      CREATE UNIQUE INDEX run_key ON run (flow, key) WHERE key IS NOT NULL;
      CREATE INDEX run_list ON run (flow, state, id);
      CREATE INDEX run_ready ON run (flow, version, waits, wakes_at, id)
        WHERE state = 0 AND quarantine IS NULL;
      CREATE INDEX run_paused ON run (flow, version, paused_at)
        WHERE state = 0 AND quarantine IS NULL AND paused_at IS NOT NULL;
      CREATE INDEX run_running ON run (flow, boot, check_uptime) WHERE state = 1;
      CREATE INDEX run_elsewhere ON run (flow, check_at) WHERE state = 1;
      CREATE INDEX run_over ON run (over_at) WHERE over_at IS NOT NULL;
      CREATE INDEX run_quarantine ON run (quarantine) WHERE quarantine IS NOT NULL;
      CREATE INDEX run_rested ON run (rested) WHERE rested IS NOT NULL;

      CREATE TABLE step (
        run uuid NOT NULL,
        sequence int8 NOT NULL,
        version int8 NOT NULL,
        xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
        kind int2,
        fence int8,
        attempts int8,
        began_at timestamptz,
        ended_at timestamptz,
        worker text,
        error text,
        payload bytea NOT NULL,
        PRIMARY KEY (run, sequence)
      ) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);
      CREATE INDEX step_xid ON step (xid);

      CREATE TABLE signal (
        run uuid NOT NULL,
        id text COLLATE "C" NOT NULL,
        name text COLLATE "C" NOT NULL,
        position int8 GENERATED ALWAYS AS IDENTITY,
        sent_at timestamptz NOT NULL,
        consumed_by int8,
        payload bytea NOT NULL,
        PRIMARY KEY (run, id)
      );
      CREATE TABLE replacement (id uuid NOT NULL PRIMARY KEY, run uuid NOT NULL);
      CREATE INDEX replacement_run ON replacement (run);
      CREATE INDEX signal_waiting ON signal (run, name, position) WHERE consumed_by IS NULL;
      """
  }
#endif
