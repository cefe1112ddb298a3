#if PostgreSQL
  extension PostgresSchema {
    // A schedule is what was set, and how far it has come, as JSON that workers read. Each claim looks at
    // the index of those that have a time.
    static let schedules = """

      CREATE TABLE schedule (
        name text COLLATE "C" NOT NULL PRIMARY KEY,
        due_at timestamptz,
        definition bytea NOT NULL,
        progress bytea NOT NULL
      );
      CREATE INDEX schedule_due ON schedule (due_at) WHERE due_at IS NOT NULL;
      """

    // A run with a concurrency key that is limited has a `place` of it from a claim on, for as long as
    // the limit says. Whatever changes the run, a trigger gives its place back; it costs runs without
    // such a key nothing. A ready run without a place is behind its key: 1 in its gate keeps it out of
    // the index. What may let one of a key come in is noted in `freed`, which waits for nobody; the next
    // claim brings in as many as there is room for. Claims of a flow with limits lock its row of
    // `flow_limit`, so that only one at a time counts. A run that waits for a time is not behind: when it
    // is due, and there is no room, a claim puts it there.
    static let limits = """
      CREATE INDEX run_place ON run (flow, concurrency) WHERE place = 1;
      CREATE INDEX run_behind ON run (flow, concurrency, wakes_at, id) WHERE gate = 1 AND state = 0;
      CREATE TABLE flow_limit (
        flow text COLLATE "C" NOT NULL PRIMARY KEY,
        runs int8,
        key_maximum int8,
        key_whole boolean NOT NULL,
        key_holds boolean NOT NULL,
        rate_count int8,
        rate_period int8,
        tokens int8,
        filled_at timestamptz
      );
      CREATE TABLE freed (
        flow text COLLATE "C" NOT NULL,
        concurrency text COLLATE "C" NOT NULL
      );
      CREATE FUNCTION place_run() RETURNS trigger LANGUAGE plpgsql AS $body$
      DECLARE
        held flow_limit%ROWTYPE;
      BEGIN
        SELECT * INTO held FROM flow_limit
          WHERE flow_limit.flow = NEW.flow AND key_maximum IS NOT NULL;
        IF NOT FOUND THEN
          RETURN NEW;
        END IF;
        IF NEW.place = 1 AND NOT (NEW.state = 1 OR held.key_whole
          AND (NEW.state = 0 OR NEW.state IN (3, 4) AND held.key_holds)) THEN
          NEW.place := 0;
        END IF;
        IF NEW.state <> 0 OR NEW.waits <> 0 OR NEW.quarantine IS NOT NULL THEN
          NEW.gate := NEW.gate & ~1::int8;
        ELSIF NEW.place = 0 THEN
          IF TG_OP = 'INSERT' THEN
            NEW.gate := NEW.gate | 1;
          ELSIF OLD.state <> 0 THEN
            NEW.gate := NEW.gate | 1;
          END IF;
        END IF;
        INSERT INTO freed VALUES (NEW.flow, NEW.concurrency);
        RETURN NEW;
      END
      $body$;
      CREATE TRIGGER run_comes BEFORE INSERT ON run FOR EACH ROW
        WHEN (NEW.concurrency IS NOT NULL) EXECUTE FUNCTION place_run();
      CREATE TRIGGER run_moves BEFORE UPDATE ON run FOR EACH ROW
        WHEN (NEW.concurrency IS NOT NULL AND NOT (NEW.state = 1 AND NEW.place = 1)
          AND (OLD.state <> NEW.state OR (OLD.gate | 1) <> (NEW.gate | 1)
          OR OLD.quarantine IS DISTINCT FROM NEW.quarantine OR OLD.waits <> NEW.waits))
        EXECUTE FUNCTION place_run();
      """
  }
#endif
