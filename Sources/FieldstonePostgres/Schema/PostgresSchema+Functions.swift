#if PostgreSQL
  import FieldstoneDurable

  extension PostgresSchema {
    // Functions for the transactions of other programs, in any language: they write the same rows
    // as a runner. They act with the rights of the schema's owner, so that a role needs nothing but
    // the right to execute them. Their search path is that of the session that creates them: the
    // caller's could lead to other tables.
    //
    // They send no notification, because one takes a lock that all commits of the database share.
    //
    // The text of an identifier has five bits per character, with two zeros before the 128 bits.
    // The slot is `RunID.slot(of:key:)`, by halves of 32 bits, because int8 does not overflow.
    static let functions = """

      CREATE FUNCTION run_id(id uuid) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
      AS $body$
        SELECT string_agg(substr('\(alphabet)', 1 + (substring((B'00'
            || ('x' || replace($1::text, '-', ''))::bit(128))::bit(130) FROM i * 5 + 1 FOR 5))::int,
            1), '' ORDER BY i)
          FROM generate_series(0, 25) AS i
      $body$;

      CREATE FUNCTION run_uuid(id text) RETURNS uuid LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
      AS $body$
      DECLARE
        bits text;
      BEGIN
        IF upper($1) !~ '^[0-7][0-9A-HJKMNP-TV-Z]{25}$' OR $1 IS NULL THEN
          RAISE EXCEPTION '% is no identifier of a run', COALESCE($1, 'NULL')
            USING ERRCODE = '22023', HINT = 'It has 26 characters, as start returned it.';
        END IF;
        SELECT string_agg((strpos('\(alphabet)', substr(upper($1), i, 1)) - 1)::bit(5)::text, ''
          ORDER BY i) INTO bits FROM generate_series(1, 26) AS i;
        RETURN (SELECT string_agg(to_hex(substr(bits, 3 + i * 4, 4)::bit(4)::int), '' ORDER BY i)
          FROM generate_series(0, 31) AS i)::uuid;
      END
      $body$;

      CREATE FUNCTION run_slot(flow text, key text) RETURNS int8 LANGUAGE plpgsql IMMUTABLE STRICT
        PARALLEL SAFE AS $body$
      DECLARE
        bytes bytea := convert_to($1, 'UTF8') || '\\x00'::bytea || convert_to($2, 'UTF8');
        high int8 := 3421674724;
        low int8 := 2216829733;
      BEGIN
        FOR i IN 0..length(bytes) - 1 LOOP
          low := low # get_byte(bytes, i);
          high := (high * 435 + (low * 435 >> 32) + (low << 8)) & 4294967295;
          low := low * 435 & 4294967295;
        END LOOP;
        RETURN (low # (low >> 16) # high # (high >> 16)) & 65535;
      END
      $body$;

      CREATE FUNCTION start(flow text, stage json, version int8 DEFAULT 1, key text DEFAULT NULL,
        not_before timestamptz DEFAULT NULL, priority int8 DEFAULT 0,
        concurrency_key text DEFAULT NULL, deadline timestamptz DEFAULT NULL,
        attributes jsonb DEFAULT '{}')
      RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $body$
      #variable_conflict use_column
      DECLARE
        new_flow text := start.flow;
        new_version int8 := COALESCE(start.version, 1);
        new_key text := start.key;
        new_concurrency text := start.concurrency_key;
        new_deadline timestamptz := start.deadline;
        payload bytea := convert_to(start.stage::text, 'UTF8');
        rank int8 := LEAST(GREATEST(COALESCE(start.priority, 0), -1000), 1000);
        moment timestamptz;
        due timestamptz;
        owned jsonb;
        slot int8;
        random text := replace(gen_random_uuid()::text, '-', '');
        new_id uuid;
        taken uuid;
        stored text;
        names text[];
        texts text[];
      BEGIN
        IF new_flow IS NULL OR payload IS NULL THEN
          RAISE EXCEPTION 'a start needs a flow and a stage' USING ERRCODE = '22004',
            HINT = 'The stage is the JSON of the flow''s first stage.';
        END IF;
        IF length(payload) > \(sizes.error) THEN
          RAISE EXCEPTION 'the stage has % bytes, and the limit is \(sizes.error)', length(payload)
            USING ERRCODE = '54000', HINT = 'Store large data elsewhere, and its place here.';
        END IF;
        IF octet_length(new_key) > \(sizes.key) OR octet_length(new_concurrency) > \(sizes.key) THEN
          RAISE EXCEPTION 'a key has more than \(sizes.key) bytes' USING ERRCODE = '54000',
            HINT = 'Use a shorter one, such as a hash of it.';
        END IF;
        SELECT jsonb_object_agg(a.name, a.text)::text, array_agg(a.name), array_agg(a.text)
          INTO stored, names, texts
          FROM (SELECT e.key AS name, CASE jsonb_typeof(e.value)
              WHEN 'string' THEN 's:' || (e.value #>> '{}')
              WHEN 'boolean' THEN CASE WHEN (e.value #>> '{}')::boolean THEN 'b:1' ELSE 'b:0' END
              WHEN 'number' THEN 'i:' || substring(e.value #>> '{}' FROM '^-?[0-9]{1,18}$') END AS text
            FROM jsonb_each(COALESCE(start.attributes, '{}')) AS e) AS a;
        IF array_position(texts, NULL) IS NOT NULL THEN
          RAISE EXCEPTION 'an attribute has no value that can be found' USING ERRCODE = '22023',
            HINT = 'Attributes are texts, whole numbers of 18 digits at most, and Booleans.';
        END IF;
        IF cardinality(names) > \(RunStart.mostAttributes) OR EXISTS (
          SELECT 1 FROM unnest(names || texts) AS t WHERE octet_length(t) > \(sizes.key)) THEN
          RAISE EXCEPTION 'there are % attributes, or one has more than \(sizes.key) bytes',
            cardinality(names) USING ERRCODE = '54000',
            HINT = 'A run has \(RunStart.mostAttributes) at most.';
        END IF;
        SELECT convert_from(slots, 'UTF8')::jsonb INTO owned FROM journal WHERE slots IS NOT NULL;
        slot := run_slot(new_flow, CASE WHEN owned -> 'flowsOnOneShard' ? new_flow THEN ''
          ELSE COALESCE(new_concurrency, new_key) END);
        IF slot IS NULL THEN
          IF owned IS NOT NULL THEN
            RAISE EXCEPTION 'this journal is one of several, and the start has no key'
              USING ERRCODE = '22023', HINT = 'Give it a key, or start it by a runner.';
          END IF;
          slot := ('x' || substr(random, 25, 4))::bit(16)::int;
        END IF;
        IF new_concurrency IS NOT NULL THEN
          IF current_setting('transaction_isolation') IN ('repeatable read', 'serializable') THEN
            RAISE EXCEPTION 'a start with a concurrency key needs the isolation level READ COMMITTED'
              USING ERRCODE = '0A000', HINT = 'A transaction that is ' ||
                current_setting('transaction_isolation') ||
                ' does not see the pauses and limits that were set since it began.';
          END IF;
          PERFORM pg_advisory_xact_lock_shared(
            hashtextextended('fieldstone pauses ' || current_schema(), 0));
        END IF;
        moment := clock_timestamp();
        new_id := (lpad(to_hex(floor(extract(epoch FROM moment) * 1000)::int8), 12, '0')
          || lpad(to_hex(slot), 4, '0') || substr(random, 1, 12) || substr(random, 21, 4))::uuid;
        due := CASE WHEN start.not_before > moment THEN start.not_before END;
        INSERT INTO run (id, flow, version, key, priority, state, sequence, fence, attempts, crashes,
          lone_crashes, is_alone, started_at, changed_at, waits, wakes_at, due_at, concurrency, gate,
          deadline, attributes)
        SELECT new_id, new_flow, new_version, new_key, rank, 0, 0, 0, 0, 0, 0, false, moment, moment,
          CASE WHEN due IS NULL THEN 0 WHEN rank = 0 THEN 1 ELSE 2 END,
          COALESCE(due, moment - rank * interval '\(secondsPerPriority) s'), due, new_concurrency,
          \(RunGate.ofKey(flow: "new_flow", concurrency: "new_concurrency")), new_deadline, stored
        ON CONFLICT DO NOTHING;
        IF NOT FOUND THEN
          SELECT r.id INTO taken FROM run r WHERE r.flow = new_flow AND r.key = new_key;
          IF taken IS NULL THEN
            RAISE EXCEPTION 'the run of the key % was deleted meanwhile', new_key
              USING ERRCODE = '40001', HINT = 'Repeat the transaction.';
          END IF;
          RETURN run_id(taken);
        END IF;
        INSERT INTO step (run, sequence, version, payload) VALUES (new_id, 0, new_version, payload);
        INSERT INTO attribute (name, value, id)
          SELECT n.name, n.value, new_id FROM unnest(names, texts) AS n(name, value);
        RETURN run_id(new_id);
      END
      $body$;

      CREATE FUNCTION signal(run text, name text, payload json DEFAULT 'null', id text DEFAULT NULL,
        actor text DEFAULT NULL)
      RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $body$
      #variable_conflict use_column
      DECLARE
        target uuid := run_uuid(signal.run);
        new_name text := signal.name;
        new_payload bytea := convert_to(COALESCE(signal.payload::text, 'null'), 'UTF8');
        new_id text := COALESCE(signal.id, gen_random_uuid()::text);
        new_actor text := signal.actor;
        found_state int2;
        known text;
        moment timestamptz;
      BEGIN
        IF new_name IS NULL THEN
          RAISE EXCEPTION 'a signal needs a name' USING ERRCODE = '22004',
            HINT = 'It is the name that the stage receives.';
        END IF;
        IF strpos(new_name, E'\\x1f') > 0 THEN
          RAISE EXCEPTION 'the name of a signal contains the character U+001F'
            USING ERRCODE = '22023', HINT = 'No stage can await it; leave it out.';
        END IF;
        IF length(new_payload) > \(sizes.error) OR octet_length(new_name) > \(sizes.key)
          OR octet_length(new_id) > \(sizes.key) OR octet_length(new_actor) > \(sizes.key) THEN
          RAISE EXCEPTION
            'a signal has \(sizes.error) bytes at most, its name, identifier and actor \(sizes.key)'
            USING ERRCODE = '54000', HINT = 'Store large data elsewhere, and its place here.';
        END IF;
        SELECT r.state INTO found_state FROM run r WHERE r.id = target FOR NO KEY UPDATE;
        IF NOT FOUND THEN
          RAISE EXCEPTION 'there is no run %', run_id(target) USING ERRCODE = 'P0002',
            HINT = 'It may have been deleted after its end.';
        END IF;
        SELECT s.name INTO known FROM signal s WHERE s.run = target AND s.id = new_id;
        IF FOUND THEN
          IF known <> new_name THEN
            RAISE EXCEPTION 'the run has a signal % with the name %', new_id, known
              USING ERRCODE = '23505', HINT = 'Use another identifier.';
          END IF;
          RETURN false;
        END IF;
        IF found_state IN (\(overStates)) THEN
          RAISE EXCEPTION 'the run % is over', run_id(target) USING ERRCODE = '55000',
            HINT = 'Signals are for runs that are not completed, dead or cancelled.';
        END IF;
        moment := clock_timestamp();
        INSERT INTO signal (run, id, name, sent_at, payload)
          VALUES (target, new_id, new_name, moment, new_payload);
        UPDATE run SET waits = 0, wakes_at = moment - priority * interval '\(secondsPerPriority) s'
          WHERE id = target AND state = 0 AND waits > 0 AND paused_at IS NULL
            AND new_name = ANY (\(SignalSQL.names(in: "awaited")));
        IF new_actor IS NOT NULL THEN
          INSERT INTO audit (changed_at, actor, action, kind, flow, name, new_value)
            VALUES (moment, new_actor, '\(AuditAction.signal.rawValue)', \(AuditSubject.runKind), '',
              run_id(target), convert_to('{"id":' || to_json(new_id)::text || ',"name":'
              || to_json(new_name)::text || '}', 'UTF8'));
        END IF;
        RETURN true;
      END
      $body$;

      REVOKE ALL ON FUNCTION start, signal FROM PUBLIC;
      """

    private static let alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
    /// A journal object may have others, and the functions know none of them.
    private static let sizes = PayloadLimits()
    private static let overStates = RunState.allCases.filter(\.isOver).map { "\($0.code)" }
      .joined(separator: ", ")
  }
#endif
