#if SQLite
  extension JournalSchema {
    // The bits of `gate` say why a ready run can't be claimed: 2 if the run is paused, 4 if its
    // concurrency key is, 8 if its flow is. Bit 8 is set on running runs only, so that their
    // checkpoints see it; claims skip a paused flow anyway. The index of ready runs holds only runs
    // with a gate of 0. Each pause is also a row with its end. See `limits` for `flow_place`.
    //
    // `key_state` is the state of a run with a concurrency key, and 0 for a running one as for a ready
    // one. The runs of a claim have mostly different keys, whose entries in the index of keys lie on
    // as many pages: with `key_state` instead of `state`, a claim writes none of them, unless one of
    // its flows has places for whole runs.
    static let pauses = """
      ALTER TABLE fieldstone_journal ADD COLUMN minimum_protocol INTEGER NOT NULL DEFAULT 1;
      ALTER TABLE fieldstone_run ADD COLUMN concurrency TEXT;
      ALTER TABLE fieldstone_run ADD COLUMN gate INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE fieldstone_run ADD COLUMN flow_place INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE fieldstone_run ADD COLUMN key_state INTEGER NOT NULL DEFAULT 0;
      DROP INDEX fieldstone_run_ready;
      CREATE INDEX fieldstone_run_ready
        ON fieldstone_run (flow, version, flow_place, waits, wakes_at)
        WHERE state = 0 AND quarantine IS NULL AND gate = 0;
      DROP INDEX fieldstone_run_paused;
      CREATE INDEX fieldstone_run_paused ON fieldstone_run (flow, version, changed_at)
        WHERE state = 0 AND quarantine IS NULL AND gate = 0 AND waits > 0 AND attempts > 0;
      CREATE INDEX fieldstone_run_concurrency
        ON fieldstone_run (flow, concurrency, key_state, gate, flow_place, waits, wakes_at)
        WHERE concurrency IS NOT NULL;
      CREATE INDEX fieldstone_run_gate ON fieldstone_run (flow, gate, id) WHERE gate <> 0;
      CREATE TABLE fieldstone_pause (
        kind INTEGER NOT NULL,
        flow TEXT NOT NULL,
        name TEXT NOT NULL,
        until REAL,
        PRIMARY KEY (kind, flow, name)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX fieldstone_pause_until ON fieldstone_pause (until) WHERE until IS NOT NULL;
      """

    // A sharded journal stores its slots as JSON. A trigger created with them refuses runs of other
    // slots; its condition contains the slots, so that it reads no table.
    static let slots = """

      ALTER TABLE fieldstone_journal ADD COLUMN slots BLOB;
      """

    // A schedule is stored as JSON that workers read: its settings and its position. Each claim
    // checks the index of schedules with a due time.
    static let schedules = """

      CREATE TABLE fieldstone_schedule (
        name TEXT PRIMARY KEY,
        due_at REAL,
        definition BLOB NOT NULL,
        progress BLOB NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX fieldstone_schedule_due ON fieldstone_schedule (due_at) WHERE due_at IS NOT NULL;
      """

    // With a limit per key, a claimed run holds a `place` of its concurrency key for as long as the
    // limit says. Triggers release the place, whatever statement changes the run. A ready run
    // without a place gets bit 1 in its gate, which keeps it out of the index; no other run has it. `fieldstone_freed`
    // records keys that may have free places. A worker that gives a run back admits the next runs of
    // its key in the same transaction; for other changes, the next claim does. Each admits as many
    // runs as fit. A run that waits for a time has no such bit; a claim sets it if the run is due and
    // there is no place. The insertions have no `OR IGNORE`: a statement with `OR FAIL` would replace
    // it.
    //
    // With a limit of a flow's whole runs, a run holds a `flow_place` from its first claim on. Runs
    // with and without one are apart in the indices: a claim looks up both, and of the latter only
    // as many as there are places.
    static let limits = """
      ALTER TABLE fieldstone_run ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
      CREATE INDEX fieldstone_run_place ON fieldstone_run (flow, concurrency) WHERE place = 1;
      CREATE INDEX fieldstone_run_behind ON fieldstone_run (flow, concurrency, flow_place, version, wakes_at)
        WHERE gate = 1;
      CREATE INDEX fieldstone_run_flow_place ON fieldstone_run (flow, id) WHERE flow_place = 1;
      CREATE TABLE fieldstone_limit (
        flow TEXT PRIMARY KEY,
        runs INTEGER,
        runs_whole INTEGER NOT NULL,
        runs_hold INTEGER NOT NULL,
        key_maximum INTEGER,
        key_whole INTEGER NOT NULL,
        key_holds INTEGER NOT NULL,
        rate_count INTEGER,
        rate_period INTEGER,
        tokens REAL,
        filled_at REAL
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE fieldstone_freed (
        flow TEXT NOT NULL,
        concurrency TEXT NOT NULL,
        PRIMARY KEY (flow, concurrency)
      ) STRICT, WITHOUT ROWID;
      CREATE TRIGGER fieldstone_run_comes_late INSTEAD OF INSERT ON fieldstone_arrival
        WHEN NEW.state > 1
        BEGIN UPDATE fieldstone_run SET key_state = NEW.state WHERE number = NEW.number; END;
      CREATE TRIGGER fieldstone_run_changes_key INSTEAD OF INSERT ON fieldstone_move
        WHEN NEW.concurrency IS NOT NULL AND NEW.old_state <> NEW.state
          AND (NEW.state > 1 OR NEW.old_state > 1)
        BEGIN
          UPDATE fieldstone_run SET key_state = IIF(NEW.state > 1, NEW.state, 0)
            WHERE number = NEW.number;
        END;
      CREATE TRIGGER fieldstone_run_comes INSTEAD OF INSERT ON fieldstone_arrival
        WHEN EXISTS (SELECT 1 FROM fieldstone_limit
          WHERE fieldstone_limit.flow = NEW.flow AND key_maximum IS NOT NULL)
        BEGIN
          UPDATE fieldstone_run SET gate = gate | 1 WHERE number = NEW.number AND waits = 0;
          INSERT INTO fieldstone_freed VALUES (NEW.flow, NEW.concurrency) ON CONFLICT DO NOTHING;
        END;
      CREATE TRIGGER fieldstone_run_moves INSTEAD OF INSERT ON fieldstone_move
        WHEN NEW.is_moved AND EXISTS (SELECT 1 FROM fieldstone_limit
          WHERE fieldstone_limit.flow = NEW.flow AND key_maximum IS NOT NULL)
        BEGIN
          UPDATE fieldstone_run SET place = 0 WHERE number = NEW.number AND place = 1
            AND NOT (state = 1 OR (SELECT key_whole AND (NEW.state = 0
            OR (NEW.state IN (3, 4) AND key_holds)) FROM fieldstone_limit
            WHERE fieldstone_limit.flow = NEW.flow));
          UPDATE fieldstone_run SET gate = gate | 1 WHERE number = NEW.number
            AND state = 0 AND NEW.old_state <> 0 AND place = 0 AND waits = 0 AND quarantine IS NULL;
          UPDATE fieldstone_run SET gate = gate & ~1 WHERE number = NEW.number
            AND gate & 1 AND (state <> 0 OR waits > 0 OR quarantine IS NOT NULL);
          INSERT INTO fieldstone_freed VALUES (NEW.flow, NEW.concurrency) ON CONFLICT DO NOTHING;
        END;
      CREATE TRIGGER fieldstone_run_leaves INSTEAD OF INSERT ON fieldstone_move
        WHEN NEW.leaves
        BEGIN
          UPDATE fieldstone_run SET flow_place = 0 WHERE number = NEW.number
            AND NOT (NEW.state IN (3, 4) AND EXISTS (SELECT 1 FROM fieldstone_limit
            WHERE fieldstone_limit.flow = NEW.flow AND runs_hold = 1));
        END;
      """
  }
#endif
