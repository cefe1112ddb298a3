#if PostgreSQL
  import FieldstoneDurable

  /// The tables of a journal and their migrations.
  enum PostgresSchema {
    /// The migrations from an empty schema to the newest one; published ones never change.
    ///
    /// Each only adds, so that workers with older code continue.
    private static let migrations = [first + limits + schedules + audit + reports + functions]

    /// The newest schema that this code knows.
    static var newest: Int { migrations.count }

    /// Migrates the schema to the newest one, in one transaction, one worker at a time.
    static func migrate(_ session: PostgresSession, to schema: String) throws {
      let encoding = try session.query("SHOW server_encoding").rows.first?.text(0) ?? ""
      guard encoding == "UTF8" else {
        throw JournalError.unavailable(
          "the database has the encoding \(encoding); make one with UTF8 for the journal")
      }
      if try session.query("SELECT \(isReadOnly)").rows.first?.boolean(0) ?? true { throw readOnly }
      try session.transaction {
        // A lock of the transaction, not of the session, so that it works with poolers, too.
        try session.query(
          "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
          [.text("fieldstone schema \(schema)")])
        let found = try number(session, schema)
        guard found < newest else { return try check(session) }
        if found == 0 { try make(schema, session) }
        for migration in migrations[found...] { try session.execute(migration) }
        try session.execute("UPDATE journal SET schema = \(newest), oldest = \(oldest)")
      }
    }

    /// Creates the schema, unless it exists and the role may create tables in it.
    private static func make(_ schema: String, _ session: PostgresSession) throws {
      let isThere = try !session.query(
        "SELECT true FROM pg_namespace WHERE nspname = $1", [.text(schema)]
      ).rows.isEmpty
      if isThere {
        try requireRights("USAGE, CREATE", to: schema, session)
      } else {
        try session.execute("CREATE SCHEMA \(PostgresSession.quoted(schema))")
      }
    }

    /// Throws if the role lacks a right to an existing schema, whose tables it would not find.
    private static func requireRights(
      _ rights: String, to schema: String, _ session: PostgresSession
    ) throws {
      let answer = try session.query(
        "SELECT bool_and(has_schema_privilege($1, kind)), quote_ident(current_user) "
          + "FROM unnest(string_to_array($2, ', ')) AS kind", [.text(schema), .text(rights)]
      ).rows.first
      guard let answer, try !answer.boolean(0) else { return }
      throw try JournalError.notPermitted(
        "the schema “\(schema)”; GRANT \(rights) ON SCHEMA \(PostgresSession.quoted(schema)) "
          + "TO \(answer.text(1))")
    }

    /// Throws for a schema's name that the server would cut off, keeps for itself, or can't read.
    static func check(name schema: String) throws(JournalError) {
      let isValid =
        1...63 ~= schema.utf8.count && !schema.utf8.contains(0) && !schema.hasPrefix("pg_")
      if isValid { return }
      let shown = schema.replacing("\0", with: "␀").prefix(80)
      throw .noJournal(
        "The schema “\(shown)”; name one of 1 to 63 bytes, without the character NUL, that does "
          + "not begin with pg_")
    }

    /// The oldest schema whose code works with the newest tables; a migration that removes
    /// something that older code needs raises it.
    private static let oldest = 1

    /// The columns of `journal` that ``check(_:for:)`` reads.
    static let checked = "schema, oldest, minimum_protocol"

    /// Refuses tables that newer code has made incompatible, and workers that would ignore data of
    /// the journal.
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

    /// Requires an existing journal, and creates none.
    static func require(_ session: PostgresSession, in schema: String) throws {
      guard try number(session, schema) > 0 else {
        throw JournalError.noJournal("The schema \(schema)")
      }
      try check(session)
    }

    /// Whether the server takes no writes, as a standby does.
    static let isReadOnly = "current_setting('transaction_read_only')::boolean"

    static let readOnly = JournalError.unavailable(
      "the server takes no writes, as a standby does; name one that does, or several with "
        + "target_session_attrs=read-write")

    private static func number(_ session: PostgresSession, _ schema: String) throws -> Int {
      let tables = try session.query(
        "SELECT tablename::text FROM pg_tables WHERE schemaname = $1", [.text(schema)]
      ).rows.map { try $0.text(0) }
      guard !tables.isEmpty else { return 0 }
      // Another application's tables: the schema's name is probably a mistake.
      guard tables.contains("journal"), tables.contains("run"), tables.contains("step") else {
        throw JournalError.noJournal("The schema \(schema)")
      }
      try requireRights("USAGE", to: schema, session)
      return try session.query("SELECT schema FROM journal").rows.first?.integer(0) ?? 0
    }

    /// The condition of the index of running runs, for the statements that search it.
    ///
    /// A statement with `state = 1` might read the index of all runs in a state instead.
    static let isRunning = "(state = 1) IS TRUE"

    /// The condition of the index of lists, true for every run, for the statements that search it.
    ///
    /// Other statements can't use that index. In a table that was never analyzed, a claim would read
    /// all ready runs of a flow in it.
    static func isListed(_ table: String = "") -> String { "(\(table)state >= 0) IS TRUE" }

    /// The condition of the index of runs that await a signal, for the statements that search it.
    static func awaitsSignal(_ table: String = "") -> String {
      let (first, end) = RunWait.anySignal
      return "(\(table)wait >= '\(first)' AND \(table)wait < '\(end)') IS TRUE"
    }

    // Steps are found by keys alone, so a small sample is enough. While a server reads a sample, no
    // replaced row can be removed, and the table of runs grows.
    private static let stepColumns = [
      "run", "sequence", "version", "xid", "kind", "fence", "attempts", "began_at", "ended_at",
      "worker", "error", "payload",
    ]

    // A run's row is narrow and has no payload: a checkpoint updates it in place (HOT), within the
    // fill factor, and touches no index. So no index, nor its condition, may name a column that a
    // checkpoint changes. For the same reason `check_at` is only a lower bound of the lease's end:
    // checkpoints and renewals don't change it, and a claim that finds it stale updates it.
    //
    // For a due run, `wakes_at` is its position in the queue: its due time, one hour earlier per
    // level of priority. For a waiting run it is the time; `waits` is 2 if the position will
    // differ. A replaced start is known by its identifier.
    //
    // A run that waits for its children has a policy, and counts the open ones; then it is ready,
    // and `waits` is not 0, unless its time is out and its key is full. `joined` records how a child
    // ended while its parent waited. A row of `cancellation` says that a stage's children are still
    // to be cancelled, from an ordinal on.
    //
    // A row of `step` holds the stage of that number, and how the previous one ended. Steps are
    // only inserted and purged. Their `xid` shows what has changed since a snapshot: sequence
    // numbers are not committed in their order.
    //
    // The bits of `gate` say why a ready run can't be claimed: 2 if the run is paused, 4 if its
    // concurrency key is, 8 if its flow is. Bit 8 is set on running runs only, so that their
    // checkpoints see it; claims skip a paused flow anyway.
    //
    // For queries: `wait` says what a ready run waits for, as of the last claim; `stopped_at` is
    // the time at which a run stopped. Both are NULL while a run is running, so that no checkpoint
    // changes them. The fingerprint is set when a run becomes dead or blocked, and is valid only
    // then.
    //
    // Pages are sorted by `id NULLS FIRST`, an order that the primary key does not have. Otherwise
    // the planner, which does not know the values, would walk the primary key through unwanted
    // runs.
    //
    // A sharded journal stores its slots as JSON. A trigger created with them refuses runs of other
    // slots; its condition contains the slots, so that it reads no table.
    //
    // The tables change constantly, and the newest rows matter most, so vacuum runs early.
    private static let first = """
      CREATE TABLE journal (schema int8 NOT NULL, oldest int8 NOT NULL DEFAULT 0,
        minimum_protocol int8 NOT NULL DEFAULT 1, slots bytea);
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
        flow_place int2 NOT NULL DEFAULT 0,
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
        open_children int8,
        origin uuid,
        origin_sequence int8,
        fingerprint int8,
        wait text COLLATE "C" GENERATED ALWAYS AS (CASE WHEN state <> 0 OR waits = 0 THEN NULL
          WHEN attempts > 0 THEN 'retry' WHEN join_policy IS NOT NULL THEN 'children'
          WHEN awaited IS NOT NULL THEN 'signal:' || awaited ELSE 'time' END) STORED,
        stopped_at timestamptz GENERATED ALWAYS AS
          (CASE WHEN state IN (2, 3, 4, 5) THEN changed_at END) STORED
      ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02,
        autovacuum_analyze_scale_factor = 0.05);
      CREATE UNIQUE INDEX run_key ON run (flow, key) WHERE key IS NOT NULL;
      CREATE INDEX run_list ON run (flow, state, id NULLS FIRST) WHERE \(isListed());
      CREATE INDEX run_ready ON run (flow, version, flow_place, waits, wakes_at, id)
        WHERE state = 0 AND quarantine IS NULL AND gate = 0;
      CREATE INDEX run_paused ON run (flow, version, paused_at)
        WHERE state = 0 AND quarantine IS NULL AND gate = 0 AND paused_at IS NOT NULL;
      CREATE INDEX run_concurrency
        ON run (flow, concurrency, state, gate, flow_place, waits, wakes_at)
        WHERE concurrency IS NOT NULL;
      CREATE INDEX run_gate ON run (flow, gate, id NULLS FIRST) WHERE gate > 0;
      CREATE INDEX run_wait ON run (flow, wait, id NULLS FIRST) WHERE wait IS NOT NULL;
      CREATE INDEX run_signal ON run (flow, id NULLS FIRST) WHERE \(awaitsSignal());
      CREATE INDEX run_error ON run (fingerprint, id NULLS FIRST) WHERE state IN (3, 4);
      CREATE INDEX run_stopped ON run (flow, state, stopped_at, id) WHERE stopped_at IS NOT NULL;
      CREATE INDEX run_running ON run (flow, check_at) WHERE \(isRunning);
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
      ALTER TABLE step \(stepColumns.map { "ALTER \($0) SET STATISTICS 1" }.joined(separator: ", "));

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
