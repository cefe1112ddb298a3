#if PostgreSQL
  extension PostgresSchema {
    // A schedule is stored as JSON that workers read: its settings and its position. Each claim
    // checks the index of schedules with a due time.
    static let schedules = """

      CREATE TABLE schedule (
        name text COLLATE "C" NOT NULL PRIMARY KEY,
        due_at timestamptz,
        definition bytea NOT NULL,
        progress bytea NOT NULL
      );
      CREATE INDEX schedule_due ON schedule (due_at) WHERE due_at IS NOT NULL;
      """

    // With a limit per key, a claimed run holds a `place` of its concurrency key for as long as the
    // limit says. A trigger releases the places, whatever statement changes the run; runs
    // without any cost nothing. A ready run without a place gets bit 1 in its gate, which keeps it
    // out of the index. `freed` records keys that may have free places, without waiting for locks;
    // the next claim admits as many runs as fit. Claims of a flow with limits lock its row of
    // `flow_limit`, so that only one at a time counts. A run that waits for a time has no such bit;
    // a claim sets it if the run is due and there is no place.
    //
    // With a limit of a flow's whole runs, a run holds a `flow_place` from its first claim on. Runs
    // with and without one are apart in the indices: a claim looks up both, and of the latter only
    // as many as there are places.
    static let limits = """
      CREATE INDEX run_place ON run (flow, concurrency) WHERE place = 1;
      CREATE INDEX run_behind ON run (flow, concurrency, flow_place, version, wakes_at, id)
        WHERE gate = 1 AND state = 0;
      CREATE INDEX run_flow_place ON run (flow, id NULLS FIRST) WHERE flow_place = 1;
      CREATE TABLE flow_limit (
        flow text COLLATE "C" NOT NULL PRIMARY KEY,
        runs int8,
        runs_whole boolean NOT NULL,
        runs_hold boolean NOT NULL,
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
        IF NEW.state = 5 THEN
          NEW.worker := NULL;
          NEW.lease_end := NULL;
          NEW.check_at := NULL;
        END IF;
        IF NEW.flow_place = 1 AND (NEW.state IN (2, 5) OR NEW.state IN (3, 4)
          AND NOT EXISTS (SELECT 1 FROM flow_limit
            WHERE flow_limit.flow = NEW.flow AND runs_hold)) THEN
          NEW.flow_place := 0;
        END IF;
        IF NEW.concurrency IS NULL THEN
          RETURN NEW;
        END IF;
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
          OR OLD.quarantine IS DISTINCT FROM NEW.quarantine OR OLD.waits <> NEW.waits)
          OR NEW.flow_place = 1 AND NEW.state > 1 AND OLD.state <> NEW.state
          OR NEW.state = 5 AND OLD.state = 1)
        EXECUTE FUNCTION place_run();
      """
  }
#endif
