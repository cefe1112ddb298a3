#if PostgreSQL
  import FieldstoneDurable
  import Foundation

  /// The statements of a claim.
  ///
  /// All begin with the same parameters.
  enum ClaimSQL {
    /// The parameters $1 to $9.
    ///
    /// - Parameter limits: say how many runs of a flow may be claimed.
    static func parameters(
      _ request: ClaimRequest, now: PostgresParameter, _ limits: FlowAdmissions = FlowAdmissions()
    ) -> [PostgresParameter] {
      let rooms = request.flows
      // The limit of a request binds neither a group nor what is not given: also with a limit of 0,
      // the runs of dead workers come into quarantine, and paused ones are released. Bounded, because
      // a statement multiplies the places.
      let most = min(max(request.limit, 1), Int(Int32.max))
      // One more crash makes a run crash-suspected; not if the request disregards quarantine.
      return [
        .texts(rooms.map(\.flow)), .integers(rooms.map(\.version)),
        .integers(rooms.map { min(max($0.limit, 0), most) }),
        now, .integer(request.quarantine.crashes - 1), .boolean(request.quarantine == .disregarded),
        .date(.distantFuture), .integers(rooms.map { max(0, limits.room(of: $0.flow)) }),
        .integers(rooms.map { limits.flowPlaces(of: $0.flow) }),
      ]
    }

    private static let room = """
      room AS MATERIALIZED (SELECT *, EXISTS (SELECT 1 FROM pause \
      WHERE pause.kind = 0 AND pause.flow = room.flow AND \(JournalStatements.isNotOver)) AS is_paused \
      FROM unnest($1::text[], $2::int8[], $3::int8[], $8::int8[], $9::int8[]) \
      AS room(flow, version, places, allowed, flow_places))
      """
    /// The requested flows, and their versions with ready runs: one index seek per version.
    ///
    /// Runs with a place of their flow are apart from those that need one. `since` is the position of
    /// the first run without a wait, if there is one.
    private static let rooms = """
      WITH RECURSIVE \(ClockSQL.table(4)), \(room), \
      open AS ((SELECT \(firstOpen) WHERE \(RunGate.open) \(firstOrder)) \
      UNION ALL SELECT n.* FROM open CROSS JOIN LATERAL (SELECT \(firstOpen) \
      WHERE \(RunGate.open) AND (flow, version) > (open.flow, open.version) \(firstOrder)) n), \
      pair AS MATERIALIZED (\
      SELECT room.flow, open.version, kind.flow_place, room.places AS most, \
      LEAST(room.places, room.allowed, \
      CASE WHEN kind.flow_place = 0 THEN room.flow_places END) AS places, \
      CASE WHEN open.waits = 0 AND open.flow_place = kind.flow_place THEN open.wakes_at END AS since \
      FROM open JOIN (room JOIN (VALUES (0::int2), (1::int2)) AS kind(flow_place) \
      ON kind.flow_place = 0 OR room.flow IN (SELECT l.flow FROM flow_limit l WHERE l.runs_whole)) \
      \(joined))
      """
    private static let firstOpen = "flow, version, flow_place, waits, wakes_at FROM run"
    private static let firstOrder = "ORDER BY flow, version, flow_place, waits, wakes_at LIMIT 1"
    private static let joined = """
      ON room.flow = open.flow AND open.version <= room.version AND NOT room.is_paused
      """

    /// The same for flows without limits, as ``look`` has found them: $13 to $15.
    ///
    /// The server passes the index's entries of runs that were claimed before until they are
    /// vacuumed. So it looks for the first one once per claim.
    private static let foundRooms = """
      WITH \(ClockSQL.table(4)), \(room), pair AS MATERIALIZED (\
      SELECT room.flow, open.version, 0::int2 AS flow_place, room.places AS most, room.places, \
      open.since FROM unnest($13::text[], $14::int8[], $15::timestamptz[]) \
      AS open(flow, version, since) JOIN room \(joined))
      """

    private static let open = """
      FROM run WHERE \(RunGate.open) AND flow = pair.flow AND version = pair.version
      """
    private static let ready = "\(open) AND flow_place = pair.flow_place"
    /// A run without a wait is ready whatever the wall clock says.
    private static let waitless = "\(ready) AND waits = 0"
    private static let foundWaitless = "\(waitless) AND wakes_at >= pair.since"
    private static let due = "\(ready) AND waits = 1 AND wakes_at <= \(now)"
    private static let preferred = "\(ready) AND waits = 2 AND wakes_at <= \(now)"
    /// If the clock was set back, a pause that began in the future would last longer by the same
    /// time.
    ///
    /// The sum keeps the server from the index of all ready runs.
    private static let setBack = """
      \(open) AND flow_place + 0 = pair.flow_place AND paused_at > \(now) AND wakes_at > \(now)
      """

    /// Runs whose lease may have expired, by the lower bound in the index.
    private static let mayBeOver =
      "\(PostgresSchema.isRunning) AND flow = room.flow AND check_at <= \(now)"
    private static let isOver = "lease_end <= \(now) AND version <= room.version"
    private static let isCrashSuspected = "(crashes >= $5 OR quarantine IS NOT NULL)"
    private static let now = ClockSQL.now

    /// Whether there is a row.
    ///
    /// The offset keeps the server from reading the rows of all flows into a table of its own, which
    /// it prefers for tables that it takes for small.
    private static func isThere(_ rows: String) -> String { "EXISTS (SELECT 1 \(rows) OFFSET 0)" }

    /// Reads the outlook of a claim without locks.
    ///
    /// $10 is the time of an earlier look of the same claim, or NULL. Pauses and deadlines that had ended
    /// by then and are still there are locked: the claim need not begin again because of them.
    ///
    /// Its columns are: the time of the next due run, deadline or end of a pause; whether there are
    /// claimable runs without a wait, possibly expired leases, and quarantined runs; the server's
    /// clock; whether a pause has ended; whether there are limits, and keys with free places; whether
    /// children are to be cancelled; the earliest deadline; the schema; the schedules; whether the
    /// server takes no writes; whether tokens were counted by a clock that was set back since; whether
    /// there are claimable runs that have waited; and the open versions of flows, with the positions
    /// of their first runs without a wait.
    static let look = """
      \(rooms) SELECT LEAST((SELECT until FROM pause WHERE until > \(since) ORDER BY until LIMIT 1), \
      (SELECT deadline FROM run WHERE \(JournalStatements.hasDeadline) AND deadline > \(since) \
      ORDER BY deadline LIMIT 1), (SELECT min(d.wakes_at) FROM pair \
      CROSS JOIN (VALUES (1), (2)) AS kind(waits) CROSS JOIN LATERAL (SELECT wakes_at \(ready) \
      AND run.waits = kind.waits AND wakes_at > \(now) AND wakes_at < $7 \
      AND (paused_at IS NULL OR paused_at <= \(now)) ORDER BY wakes_at LIMIT 1) d)), \
      EXISTS (SELECT 1 FROM pair WHERE places > 0 AND (since IS NOT NULL OR \(isThere(waitless)))), \
      EXISTS (SELECT 1 FROM room WHERE places > 0 AND \(isThere("FROM run WHERE \(mayBeOver)"))), \
      EXISTS (SELECT 1 FROM run WHERE quarantine IS NOT NULL), \(now), \
      EXISTS (SELECT 1 FROM pause WHERE until <= \(now)), \
      EXISTS (SELECT 1 FROM flow_limit JOIN room ON room.flow = flow_limit.flow), \
      EXISTS (SELECT 1 FROM freed JOIN room ON room.flow = freed.flow \
      WHERE EXISTS (SELECT 1 FROM flow_limit WHERE flow_limit.flow = room.flow)), \
      EXISTS (SELECT 1 FROM cancellation), \
      (SELECT deadline FROM run WHERE \(JournalStatements.hasDeadline) ORDER BY deadline LIMIT 1), \
      \(PostgresSchema.checked), EXISTS (SELECT 1 FROM schedule WHERE due_at <= \(now)), \
      (SELECT due_at FROM schedule WHERE due_at > \(now) ORDER BY due_at LIMIT 1), \
      \(PostgresSchema.isReadOnly), EXISTS (SELECT 1 FROM flow_limit \
      JOIN room ON room.flow = flow_limit.flow WHERE filled_at > \(now)), \
      EXISTS (SELECT 1 FROM pair WHERE places > 0 AND (\(isThere(due)) \
      OR \(isThere(preferred)) OR \(isThere(setBack)))), found.* FROM (SELECT array_agg(flow), array_agg(version), \
      array_agg(CASE WHEN waits = 0 AND flow_place = 0 THEN wakes_at END) \
      FROM open WHERE flow = ANY ($1)) AS found LEFT JOIN journal ON true
      """

    private static let since = "COALESCE($10::timestamptz, (SELECT now FROM clock))"

    private static let asked = """
      \(ClockSQL.with(4)), \(room)
      """

    /// Locks the rows of a query and skips locked ones; a union requires the subquery.
    private static func locked(_ query: String) -> String {
      "SELECT * FROM (\(query) FOR NO KEY UPDATE SKIP LOCKED) AS locked"
    }

    private static func over(_ columns: String, _ more: String) -> String {
      locked("SELECT \(columns) FROM run WHERE \(mayBeOver) AND \(more)")
    }

    /// Updates the lower bounds of leases that were renewed.
    static let moveBounds = """
      \(asked), stale AS MATERIALIZED (SELECT r.id FROM room CROSS JOIN LATERAL (\
      \(over("id", "lease_end > \(now) LIMIT 1000"))) r) \
      UPDATE run SET check_at = lease_end FROM stale \
      WHERE run.id = stale.id AND \(RunColumns.unindexedState) = 1
      """

    private static let crashedRuns = over("*", "\(isOver) AND \(isCrashSuspected)")

    /// The runs of dead workers that enter quarantine.
    static let crashed = """
      \(asked) SELECT r.id, r.flow, r.version, r.crashes, r.quarantine, r.worker \
      FROM room CROSS JOIN LATERAL (\
      \(crashedRuns)) r \
      WHERE room.places > 0 AND NOT $6
      """

    private static let isGivenAlike = "($6 OR NOT \(isCrashSuspected))"
    private static let isPaused = "(gate > 0 OR room.is_paused)"
    /// Releases the paused runs of dead workers; they can't be claimed while they are paused.
    static let settlePaused = """
      \(asked), dead AS MATERIALIZED (SELECT r.id FROM room CROSS JOIN LATERAL (\
      \(over("id", "\(isOver) AND \(isPaused) AND \(isGivenAlike)"))) r \
      WHERE room.places > 0) \
      UPDATE run SET state = 0, attempts = GREATEST(0, attempts - 1), crashes = crashes + 1, \
      lone_crashes = lone_crashes + is_alone::int, is_alone = false, changed_at = \(now), \
      \(RunColumns.waiting(for: "NULL::timestamptz", now: now)), due_at = NULL, \
      worker = NULL, lease_end = NULL, check_at = NULL FROM dead WHERE run.id = dead.id
      """
    private static let takenOver = over(
      "id, wakes_at, worker",
      "\(isOver) AND NOT \(isPaused) AND \(isGivenAlike) ORDER BY check_at LIMIT room.places")
    private static func waitlessOnes(_ waitless: String) -> String {
      locked("SELECT id, wakes_at \(waitless) ORDER BY wakes_at, id LIMIT pair.places")
    }
    private static func readyOnes(_ waitless: String) -> String {
      """
      \(waitlessOnes(waitless)) UNION ALL \
      \(locked("SELECT id, wakes_at \(due) ORDER BY wakes_at, id LIMIT pair.places")) UNION ALL \
      \(preferredOnes) UNION ALL \
      \(locked("SELECT id, \(RunColumns.place) AS place \(setBack) ORDER BY place, id LIMIT pair.places"))
      """
    }
    /// The due runs with a priority, sorted by it.
    ///
    /// Only the 1,000 runs that have been due longest are sorted.
    private static let preferredOnes = """
      SELECT id, place FROM (SELECT due.id, n.place FROM (SELECT * FROM (\
      SELECT id, \(RunColumns.place) AS place \(preferred) ORDER BY wakes_at LIMIT 1000) AS m \
      ORDER BY place, id LIMIT 4 * pair.places) AS n JOIN run AS due ON due.id = n.id \
      WHERE due.state = 0 AND due.quarantine IS NULL AND due.gate = 0 AND due.waits = 2 AND due.wakes_at <= \(now) \
      ORDER BY n.place, n.id LIMIT pair.places FOR NO KEY UPDATE OF due SKIP LOCKED) AS locked
      """
    /// The runs in quarantine, by their index: the expressions are in no other.
    ///
    /// - Parameter more: a further condition.
    private static func disregarded(_ more: String) -> String {
      locked(
        """
        SELECT id, wakes_at FROM run WHERE $6 AND quarantine IS NOT NULL AND gate = 0 \
        AND \(RunColumns.unindexedState) = 0 AND NOT room.is_paused AND flow || '' = room.flow \
        AND version <= room.version\(more) ORDER BY wakes_at, id LIMIT LEAST(room.places, room.allowed)
        """)
    }

    /// Claims due runs of flows without limits: at most $10, for the worker $11, for $12
    /// microseconds, of the versions that ``look`` has found.
    ///
    /// Runs that another claim has locked are skipped. Each kind of run has its own index.
    static let take = take(found(limits: false))
    /// The same if all due runs are without a wait: a shorter statement, which the server begins in
    /// less time.
    static let takeWaitless = take(
      """
      SELECT r.id, pair.flow, pair.flow_place AS kind, pair.most, pair.places, r.wakes_at, \
      false AS is_taken_over, NULL::text AS taken_from \
      FROM pair CROSS JOIN LATERAL (\(waitlessOnes(foundWaitless))) r
      """)
    private static func take(_ found: String) -> String {
      """
      \(chosen(found, limits: false)), \
      \(given(worker: 11, lease: 12, isAlone: "false", limits: false)) \
      SELECT \(claimed) FROM r ORDER BY r.is_taken_over DESC, r.woke_at, r.id
      """
    }
    /// The runs that `take` would claim, with the columns that limits need; of those in quarantine,
    /// without the runs $11.
    static let choose = """
      \(chosen(found(limits: true), limits: true)) SELECT run.id, chosen.is_taken_over, run.flow, run.concurrency, run.place, \
      run.flow_place, chosen.taken_from FROM chosen JOIN run ON run.id = chosen.id \
      ORDER BY chosen.is_taken_over DESC, chosen.wakes_at, run.id
      """
    /// Claims the chosen runs $2, in their order, from the workers $5, for the worker $3, for $4
    /// microseconds.
    static let takeChosen = """
      \(ClockSQL.with(1)), chosen AS MATERIALIZED (\
      SELECT c.id, false AS is_taken_over, c.taken_from, to_timestamp(c.place) AS wakes_at \
      FROM unnest($2::uuid[], $5::text[]) WITH ORDINALITY AS c(id, taken_from, place)), \
      \(given(worker: 3, lease: 4, isAlone: "false")) \
      SELECT \(claimed) FROM r ORDER BY r.woke_at
      """
    private static func found(limits: Bool) -> String {
      """
      SELECT r.id, room.flow, 2 AS kind, room.places AS most, room.places, r.wakes_at, \
      true AS is_taken_over, r.worker AS taken_from FROM room CROSS JOIN LATERAL (\(takenOver)) r \
      UNION ALL SELECT r.id, pair.flow, pair.flow_place, pair.most, pair.places, r.wakes_at, false, NULL \
      FROM pair CROSS JOIN LATERAL (\(readyOnes(limits ? waitless : foundWaitless))) r \
      UNION ALL SELECT r.id, room.flow, 3, room.places, room.places, r.wakes_at, false, NULL \
      FROM room CROSS JOIN LATERAL (\
      \(disregarded(limits ? " AND id <> ALL ($11)" : ""))) r
      """
    }
    private static func chosen(_ found: String, limits: Bool) -> String {
      """
      \(limits ? rooms : foundRooms), found AS MATERIALIZED (\(found)), \
      \(limits ? ranked : "") \
      placed AS (SELECT *, row_number() OVER (PARTITION BY flow \
      ORDER BY is_taken_over DESC, wakes_at, id) AS place \
      FROM \(limits ? "ranked WHERE rank <= places" : "found")), \
      chosen AS MATERIALIZED (SELECT * FROM placed \
      WHERE place <= most AND \(limits ? "true" : withoutLimits) \
      ORDER BY is_taken_over DESC, wakes_at, id LIMIT $10)
      """
    }
    private static let ranked = """
      ranked AS (SELECT *, row_number() OVER (PARTITION BY flow, kind \
      ORDER BY wakes_at, id) AS rank FROM found),
      """
    /// Limits may have been set since they were read.
    private static let withoutLimits =
      "NOT EXISTS (SELECT 1 FROM flow_limit WHERE flow_limit.flow = placed.flow)"

    /// Claims the runs $2 of a group for the worker $3, for $4 microseconds; $5 says whether the
    /// run is alone.
    ///
    /// The sum is in no index, so that the runs are found by their identifiers.
    static let takeGroup = """
      \(ClockSQL.with(1)), \
      chosen AS MATERIALIZED (SELECT r.id, false AS is_taken_over, \
      CASE r.state WHEN 1 THEN r.worker END AS taken_from, r.wakes_at FROM run r \
      WHERE r.id = ANY ($2) AND r.quarantine + 0 IS NOT NULL \
      AND (r.state = 0 OR r.state = 1 AND r.lease_end <= \(now)) FOR NO KEY UPDATE SKIP LOCKED), \
      \(given(worker: 3, lease: 4, isAlone: "$5")) \
      SELECT \(claimed) FROM r ORDER BY r.id
      """

    /// The columns of a claimed run: its record's, and the worker from which it was taken over.
    private static let claimed = "\(RunColumns.list), r.taken_from"

    /// The stages $2 of the runs $1.
    static let stages = """
      SELECT s.payload FROM unnest($1::uuid[], $2::int8[]) WITH ORDINALITY AS c(id, sequence, place) \
      JOIN step s ON s.run = c.id AND s.sequence = c.sequence ORDER BY c.place
      """
    /// The same, with the oldest of the signals $3 that each awaits.
    static let stagesWithSignals = """
      SELECT s.payload, g.id, g.name, g.payload, g.sent_at \
      FROM unnest($1::uuid[], $2::int8[], $3::text[]) WITH ORDINALITY \
      AS c(id, sequence, awaited, place) \
      JOIN step s ON s.run = c.id AND s.sequence = c.sequence LEFT JOIN LATERAL (\
      \(SignalSQL.oldest(of: "c"))) g ON true ORDER BY c.place
      """

    private static let givenPlaces = """
      place = CASE WHEN concurrency IS NOT NULL AND EXISTS (SELECT 1 FROM flow_limit l \
      WHERE l.flow = run.flow AND l.key_maximum IS NOT NULL) THEN 1 ELSE 0 END, \
      flow_place = CASE WHEN EXISTS (SELECT 1 FROM flow_limit l \
      WHERE l.flow = run.flow AND l.runs_whole) THEN 1 ELSE 0 END,
      """

    /// A reclaimed run has one more crash, and its attempt already counts as begun.
    ///
    /// A worker that gets further runs, or its own again, no longer tries one alone.
    private static func given(
      worker: Int, lease: Int, isAlone: String, limits: Bool = true
    ) -> String {
      let end = "\(now) + \(ClockSQL.microseconds("$\(lease)"))"
      return """
        r AS (UPDATE run SET state = 1, fence = fence + 1, \(limits ? givenPlaces : "") \
        attempts = attempts + 1 - state, \
        crashes = crashes + state, \
        lone_crashes = lone_crashes + (is_alone AND run.worker IS DISTINCT FROM $\(worker))::int, \
        is_alone = \(isAlone), worker = $\(worker), lease_end = \(end), check_at = \(end), \
        changed_at = \(now), due_at = NULL, paused_at = NULL FROM chosen WHERE run.id = chosen.id \
        RETURNING run.*, chosen.is_taken_over, chosen.taken_from, chosen.wakes_at AS woke_at)
        """
    }
  }
#endif
