#if PostgreSQL
  extension PostgresSchema {
    // Reports have their own tables: they touch no row and no index of runs. A report's `xid` shows
    // whether it changed since a snapshot, as a step's does. A report changes four times a second,
    // so its table is small and vacuumed early.
    static let reports = """

      CREATE TABLE report (
        run uuid NOT NULL PRIMARY KEY,
        fence int8 NOT NULL,
        sequence int8,
        billionths int8,
        text text,
        reported_at timestamptz,
        xid xid8 NOT NULL DEFAULT pg_current_xact_id()
      ) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
      CREATE INDEX report_xid ON report (xid);
      CREATE TABLE log (
        run uuid NOT NULL,
        fence int8 NOT NULL,
        number int8 NOT NULL,
        sequence int8 NOT NULL,
        logged_at timestamptz NOT NULL,
        text text NOT NULL,
        of_runner boolean NOT NULL,
        PRIMARY KEY (run, fence, number)
      ) WITH (autovacuum_vacuum_scale_factor = 0.05);
      CREATE TABLE worker (
        name text COLLATE "C" NOT NULL PRIMARY KEY,
        started_at timestamptz NOT NULL,
        seen_at timestamptz NOT NULL,
        record bytea NOT NULL
      );
      """
  }
#endif
