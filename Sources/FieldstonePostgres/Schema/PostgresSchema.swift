#if PostgreSQL
  import FieldstoneDurable

  /// The tables of a journal, and how they came to be.
  enum PostgresSchema {
    /// The steps from nothing to the newest schema; published ones are never changed.
    ///
    /// Each only adds, so that workers with older code go on.
    private static let migrations = [first + limits + schedules]

    /// The newest schema that this code knows.
    static var newest: Int { migrations.count }

    /// Brings the schema to the newest, in one transaction, one worker at a time.
    static func migrate(_ session: PostgresSession, to schema: String) throws {
      let encoding = try session.query("SHOW server_encoding").rows.first?.text(0) ?? ""
      guard encoding == "UTF8" else {
        throw JournalError.unavailable(
          "the database has the encoding \(encoding); make one with UTF8 for the journal")
      }
      try session.transaction {
        // Of the transaction, not of the session: that holds behind poolers, too.
        try session.query(
          "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
          [.text("fieldstone schema \(schema)")])
        let found = try number(session, schema)
        guard found < newest else { return try check(session) }
        if found == 0 {
          try session.execute("CREATE SCHEMA IF NOT EXISTS \(PostgresSession.quoted(schema))")
        }
        for migration in migrations[found...] { try session.execute(migration) }
        try session.execute("UPDATE journal SET schema = \(newest), oldest = \(oldest)")
      }
    }

    /// The oldest schema whose code can go on in tables of the newest: a migration that takes away
    /// what older code needs raises it.
    private static let oldest = 1

    /// The columns of `journal` that ``check(_:for:)`` reads.
    static let checked = "schema, oldest, minimum_protocol"

    /// Refuses to go on in tables that newer code has changed so that this code can't use them, and
    /// workers that would ignore what the journal keeps.
    static func check(_ row: [Int?], for request: ClaimRequest? = nil) throws {
      guard row.count == 3, let found = row[0], let oldest = row[1], let minimum = row[2] else {
        throw JournalError.corrupt("the table journal is empty")
      }
      if oldest > newest { throw JournalError.newerSchema(found: found, known: newest) }
      if request != nil, minimum >= ClaimRequest.sealedProtocolVersion {
        throw JournalError.sealed
      }
      if let request, request.protocolVersion < minimum {
        throw JournalError.newerProtocol(minimum: minimum, known: request.protocolVersion)
      }
    }

    static func check(_ session: PostgresSession) throws {
      let row = try session.query("SELECT \(checked) FROM journal").rows.first
      try check((0..<3).map { row?.optionalInteger($0) })
    }

    /// Refuses to go on where there is no journal, and makes none.
    static func require(_ session: PostgresSession, in schema: String) throws {
      guard try number(session, schema) > 0 else {
        throw JournalError.noJournal("The schema \(schema)")
      }
      try check(session)
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
    // changes, also not in its condition. `check_at` is a lower bound of the end of the lease for that
    // reason: checkpoints and renewals leave it alone, and a claim that finds one stale moves it on.
    //
    // Of a run that is due, `wakes_at` is its place among the others: since when it is due, an hour
    // earlier for each level of priority. Of one that waits it is the time; `waits` is 2 where the place
    // will be another. A start that took the place of another is known by its identifier.
    //
    // A run that waits for its children has a policy, and counts those that have not ended; then it is
    // ready, and `waits` is not 0. `joined` is how a child ended while its parent waited. A row of
    // `cancellation` says that the children of a stage are yet to be cancelled, from an ordinal on.
    //
    // A row of `step` holds the stage of that number, and how the one before it was left. The steps
    // are only ever added to and purged. Their `xid` tells what has changed since a moment: numbers
    // from a sequence are not committed in their order.
    //
    // What keeps a ready run from being claimed is in its `gate`, by bits: its own pause is 2, that of
    // its concurrency key 4, and that of its flow 8. The last is set on runs that workers have, so that
    // their checkpoints see it; claims leave a paused flow out by themselves.
    //
    // The tables change all the time, and the newest rows matter most: vacuum comes early.
    private static let first = """
      CREATE TABLE journal (schema int8 NOT NULL, oldest int8 NOT NULL DEFAULT 0,
        minimum_protocol int8 NOT NULL DEFAULT 1);
      INSERT INTO journal (schema) VALUES (0);

      CREATE TABLE run (
        id uuid NOT NULL PRIMARY KEY,
        flow text COLLATE "C" NOT NULL,
        version int8 NOT NULL,
        key text COLLATE "C",
        priority int8 NOT NULL,
        concurrency text COLLATE "C",
        gate int8 NOT NULL DEFAULT 0,
        place int2 NOT NULL DEFAULT 0,
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
        deadline timestamptz,
        attributes text,
        trace text,
        awaited text COLLATE "C",
        worker text COLLATE "C",
        lease_end timestamptz,
        check_at timestamptz,
        error text,
        parent uuid,
        parent_sequence int8,
        ordinal int8,
        is_detached boolean NOT NULL DEFAULT false,
        depth int8 NOT NULL DEFAULT 0,
        joined int2,
        joined_error text,
        join_sequence int8,
        join_policy int2,
        open_children int8
      ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02,
        autovacuum_analyze_scale_factor = 0.05);
      CREATE UNIQUE INDEX run_key ON run (flow, key) WHERE key IS NOT NULL;
      CREATE INDEX run_list ON run (flow, state, id);
      CREATE INDEX run_ready ON run (flow, version, waits, wakes_at, id)
        WHERE state = 0 AND quarantine IS NULL AND gate = 0;
      CREATE INDEX run_paused ON run (flow, version, paused_at)
        WHERE state = 0 AND quarantine IS NULL AND gate = 0 AND paused_at IS NOT NULL;
      CREATE INDEX run_concurrency ON run (flow, concurrency, state, gate, waits, wakes_at)
        WHERE concurrency IS NOT NULL;
      CREATE INDEX run_gate ON run (flow, gate) WHERE gate > 0;
      CREATE INDEX run_running ON run (flow, check_at) WHERE state = 1;
      CREATE INDEX run_deadline ON run (deadline)
        WHERE deadline IS NOT NULL AND state IN (0, 1, 4);
      CREATE TABLE attribute (
        name text COLLATE "C" NOT NULL,
        value text COLLATE "C" NOT NULL,
        id uuid NOT NULL,
        PRIMARY KEY (name, value, id)
      );
      CREATE INDEX attribute_run ON attribute (id);
      CREATE INDEX run_over ON run (over_at) WHERE over_at IS NOT NULL;
      CREATE INDEX run_quarantine ON run (quarantine) WHERE quarantine IS NOT NULL;
      CREATE UNIQUE INDEX run_child ON run (parent, parent_sequence, ordinal) WHERE parent IS NOT NULL;
      CREATE INDEX run_rested ON run (rested) WHERE rested IS NOT NULL;

      CREATE TABLE pause (
        kind int8 NOT NULL,
        flow text COLLATE "C" NOT NULL,
        name text COLLATE "C" NOT NULL,
        until timestamptz,
        PRIMARY KEY (kind, flow, name)
      );
      CREATE INDEX pause_until ON pause (until) WHERE until IS NOT NULL;

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
      CREATE TABLE cancellation (
        position int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        parent uuid NOT NULL,
        sequence int8 NOT NULL,
        ordinal int8 NOT NULL DEFAULT 0
      );
      CREATE INDEX cancellation_parent ON cancellation (parent);
      CREATE INDEX signal_waiting ON signal (run, name, position) WHERE consumed_by IS NULL;
      """
  }
#endif
