#if PostgreSQL
  import FieldstoneDurable
  import Foundation

  /// The statements of a claim.
  ///
  /// All of them begin with the same parameters.
  enum ClaimSQL {
    /// The parameters from $1 to $9.
    static func parameters(_ request: ClaimRequest, at time: JournalTime) -> [PostgresParameter] {
      // No run has such a name: it is refused at the start.
      let rooms = request.flows.filter { !$0.flow.utf8.contains(0) }
      // One crash more makes a crash-suspected run; none where they are disregarded.
      return [
        .texts(rooms.map(\.flow)), .integers(rooms.map(\.version)),
        .integers(rooms.map { min(max($0.limit, 0), max(request.limit, 0)) }),
        .date(time.date), .text(time.boot), .integer(Int(time.uptime.stored)),
        .integer(request.quarantine.crashes - 1), .boolean(request.quarantine == .disregarded),
        .date(.distantFuture),
      ]
    }

    /// The flows that are asked for, and of which versions there are ready runs: one seek in the index
    /// for each that is there.
    private static let rooms = """
      WITH RECURSIVE room AS MATERIALIZED (SELECT * \
      FROM unnest($1::text[], $2::int8[], $3::int8[]) AS room(flow, version, places)), \
      open(flow, version) AS ((SELECT flow, version FROM run \
      WHERE state = 0 AND quarantine IS NULL ORDER BY flow, version LIMIT 1) \
      UNION ALL SELECT n.flow, n.version FROM open CROSS JOIN LATERAL (SELECT flow, version FROM run \
      WHERE state = 0 AND quarantine IS NULL AND (flow, version) > (open.flow, open.version) \
      ORDER BY flow, version LIMIT 1) n), \
      pair AS MATERIALIZED (SELECT room.flow, open.version, room.places FROM open \
      JOIN room ON room.flow = open.flow AND open.version <= room.version)
      """

    private static let ready = """
      FROM run WHERE state = 0 AND quarantine IS NULL AND flow = pair.flow AND version = pair.version
      """
    /// What waits for nothing is ready whatever the wall clock says.
    private static let waitless = "\(ready) AND waits = 0"
    private static let due = "\(ready) AND waits = 1 AND wakes_at <= $4"
    private static let preferred = "\(ready) AND waits = 2 AND wakes_at <= $4"
    /// A pause that began in the future would last for as much longer as the clock was set back.
    private static let setBack = "\(ready) AND paused_at > $4 AND wakes_at > $4"

    /// Those whose leases may be over, by the lower bounds that the indices have.
    private static let here = "state = 1 AND flow = room.flow AND boot = $5 AND check_uptime <= $6"
    private static let elsewhere =
      "state = 1 AND flow = room.flow AND boot <> $5 AND check_at <= $4"
    private static let isOverHere = "lease_uptime <= $6 AND version <= room.version"
    private static let isOverElsewhere = "lease_end <= $4 AND version <= room.version"
    private static let isCrashSuspected = "(crashes >= $7 OR quarantine IS NOT NULL)"

    /// When the next run is due; whether there is any to be claimed, any whose lease may be over, and
    /// any in quarantine.
    ///
    /// It locks nothing.
    static let look = """
      \(rooms) SELECT (SELECT min(d.wakes_at) FROM pair \
      CROSS JOIN (VALUES (1), (2)) AS kind(waits) CROSS JOIN LATERAL (SELECT wakes_at \(ready) \
      AND run.waits = kind.waits AND wakes_at > $4 AND wakes_at < $9 \
      AND (paused_at IS NULL OR paused_at <= $4) ORDER BY wakes_at LIMIT 1) d), \
      EXISTS (SELECT 1 FROM pair WHERE places > 0 AND (EXISTS (SELECT 1 \(waitless)) \
      OR EXISTS (SELECT 1 \(due)) OR EXISTS (SELECT 1 \(preferred)) OR EXISTS (SELECT 1 \(setBack)))), \
      EXISTS (SELECT 1 FROM room WHERE places > 0 AND (EXISTS (SELECT 1 FROM run WHERE \(here)) \
      OR EXISTS (SELECT 1 FROM run WHERE \(elsewhere)))), \
      EXISTS (SELECT 1 FROM run WHERE quarantine IS NOT NULL)
      """

    private static let asked = """
      WITH room AS MATERIALIZED (SELECT * \
      FROM unnest($1::text[], $2::int8[], $3::int8[]) AS room(flow, version, places))
      """

    /// Rows that are locked, without those that another has locked; a union takes them only so.
    private static func locked(_ query: String) -> String {
      "SELECT * FROM (\(query) FOR NO KEY UPDATE SKIP LOCKED) AS locked"
    }

    private static func over(_ columns: String, here more: String, elsewhere other: String)
      -> String
    {
      """
      \(locked("SELECT \(columns) FROM run WHERE \(here) AND \(more)")) UNION ALL \
      \(locked("SELECT \(columns) FROM run WHERE \(elsewhere) AND \(other)"))
      """
    }

    /// Moves the bounds on of leases that were prolonged since.
    static let moveBounds = """
      \(asked), stale AS MATERIALIZED (SELECT r.id FROM room CROSS JOIN LATERAL (\
      \(over("id", here: "lease_uptime > $6 LIMIT 1000", elsewhere: "lease_end > $4 LIMIT 1000"))) r) \
      UPDATE run SET check_uptime = lease_uptime, check_at = lease_end FROM stale \
      WHERE run.id = stale.id AND state = 1
      """

    private static let crashedRuns = over(
      "*", here: "\(isOverHere) AND \(isCrashSuspected)",
      elsewhere: "\(isOverElsewhere) AND \(isCrashSuspected)")

    /// The runs of dead workers that come into quarantine.
    static let crashed = """
      \(asked) SELECT r.id, r.flow, r.version, r.crashes, r.quarantine, r.worker \
      FROM room CROSS JOIN LATERAL (\
      \(crashedRuns)) r \
      WHERE room.places > 0 AND NOT $8
      """

    /// Whether a run's lease is over, for those in quarantine.
    static let isOver = """
      (r.boot = $2 AND r.lease_uptime <= $3 OR r.boot <> $2 AND r.lease_end <= $1)
      """

    private static let isGivenAlike = "($8 OR NOT \(isCrashSuspected))"
    private static let takenOver = over(
      "id, wakes_at",
      here: "\(isOverHere) AND \(isGivenAlike) ORDER BY check_uptime LIMIT room.places",
      elsewhere: "\(isOverElsewhere) AND \(isGivenAlike) ORDER BY check_at LIMIT room.places")
    private static let readyOnes = """
      \(locked("SELECT id, wakes_at \(waitless) ORDER BY wakes_at, id LIMIT pair.places")) UNION ALL \
      \(locked("SELECT id, wakes_at \(due) ORDER BY wakes_at, id LIMIT pair.places")) UNION ALL \
      \(preferredOnes) UNION ALL \
      \(locked("SELECT id, \(RunColumns.place) AS place \(setBack) ORDER BY place, id LIMIT pair.places"))
      """
    /// They are put in order here.
    ///
    /// Of a thousand and more, those that are due longest are looked at.
    private static let preferredOnes = """
      SELECT id, place FROM (SELECT due.id, n.place FROM (SELECT * FROM (\
      SELECT id, \(RunColumns.place) AS place \(preferred) ORDER BY wakes_at LIMIT 1000) AS m \
      ORDER BY place, id LIMIT 4 * pair.places) AS n JOIN run AS due ON due.id = n.id \
      WHERE due.state = 0 AND due.quarantine IS NULL AND due.waits = 2 AND due.wakes_at <= $4 \
      ORDER BY n.place, n.id LIMIT pair.places FOR NO KEY UPDATE OF due SKIP LOCKED) AS locked
      """
    private static let disregarded = locked(
      """
      SELECT id, wakes_at FROM run WHERE $8 AND quarantine IS NOT NULL AND state = 0 \
      AND flow = room.flow AND version <= room.version LIMIT room.places
      """)

    /// Takes what is due: $10 at most, by the worker $11, until $12 and $13.
    ///
    /// What another claim has locked is passed over. Each kind of run is found by its own index.
    static let take = """
      \(rooms), found AS MATERIALIZED (\
      SELECT r.id, room.flow, room.places, r.wakes_at, true AS is_taken_over \
      FROM room CROSS JOIN LATERAL (\(takenOver)) r \
      UNION ALL SELECT r.id, pair.flow, pair.places, r.wakes_at, false \
      FROM pair CROSS JOIN LATERAL (\(readyOnes)) r \
      UNION ALL SELECT r.id, room.flow, room.places, r.wakes_at, false \
      FROM room CROSS JOIN LATERAL (\(disregarded)) r), \
      placed AS (SELECT *, row_number() OVER (PARTITION BY flow \
      ORDER BY is_taken_over DESC, wakes_at, id) AS place FROM found), \
      chosen AS MATERIALIZED (SELECT * FROM placed WHERE place <= places \
      ORDER BY is_taken_over DESC, wakes_at, id LIMIT $10), \
      \(given(worker: 11, isAlone: "false")) \
      SELECT \(RunColumns.list) FROM r ORDER BY r.is_taken_over DESC, r.woke_at, r.id
      """

    /// Takes the runs $4 of a group: by the worker $5, until $6 and $7; $8 says whether it is alone.
    static let takeGroup = """
      WITH chosen AS MATERIALIZED (SELECT r.id, false AS is_taken_over, r.wakes_at FROM run r \
      WHERE r.id = ANY ($4) AND r.quarantine IS NOT NULL \
      AND (r.state = 0 OR r.state = 1 AND \(isOver)) FOR NO KEY UPDATE SKIP LOCKED), \
      \(given(worker: 5, isAlone: "$8", now: 1, boot: 2)) \
      SELECT \(RunColumns.list) FROM r ORDER BY r.id
      """

    /// One that is taken over has a crash behind it, and its attempt goes on counting as begun.
    private static func given(
      worker: Int, isAlone: String, now: Int = 4, boot: Int = 5
    ) -> String {
      """
      r AS (UPDATE run SET state = 1, fence = fence + 1, attempts = attempts + 1 - state, \
      crashes = crashes + state, lone_crashes = lone_crashes + is_alone::int, \
      is_alone = \(isAlone), worker = $\(worker), boot = $\(boot), lease_uptime = $\(worker + 1), \
      check_uptime = $\(worker + 1), lease_end = $\(worker + 2), check_at = $\(worker + 2), \
      changed_at = $\(now), due_at = NULL, paused_at = NULL FROM chosen WHERE run.id = chosen.id \
      RETURNING run.*, chosen.is_taken_over, chosen.wakes_at AS woke_at)
      """
    }
  }
#endif
