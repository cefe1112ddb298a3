#if PostgreSQL
  import FieldstoneDurable
  import Foundation

  /// The limits of the requested flows, and the number of their runs that a claim may still take.
  struct FlowAdmissions {
    struct Flow {
      var limits: FlowLimits
      var bucket: TokenBucket?
      /// The number of further runs of the flow that may be running.
      var runs = Int.max
      /// The number of free places of the flow.
      var flowPlaces = Int.max
      /// The number of free places of each key that was looked up.
      var keys: [[UInt8]: Int] = [:]
      /// The number of runs that the claim has admitted.
      var admitted = 0

      var room: Int { min(runs, bucket?.available ?? .max) - admitted }
    }

    var flows: [[UInt8]: Flow] = [:]
    /// The reclaimed runs, which already have their places and tokens.
    var takenOver: Set<RunID> = []

    /// Whether the next claim is to look further, as each does a bounded amount.
    var hasMore = false

    var isEmpty: Bool { flows.isEmpty }

    /// The number of ready runs of a flow that a claim may take.
    func room(of flow: String) -> Int { flows[Array(flow.utf8)]?.room ?? .max }

    /// The number of runs of a flow that may get a place of it.
    func flowPlaces(of flow: String) -> Int { flows[Array(flow.utf8)]?.flowPlaces ?? .max }

    /// The request, bounded by the limits.
    func bounded(_ request: ClaimRequest) -> ClaimRequest {
      var request = request
      for index in request.flows.indices {
        request.flows[index].limit = min(
          request.flows[index].limit, room(of: request.flows[index].flow))
      }
      return request
    }

    /// The time of the next token among flows without tokens.
    func nextToken(except paused: Set<[UInt8]>) -> Date? {
      flows.filter { !paused.contains($0.key) }.values.compactMap { flow in
        flow.limits.rate.flatMap { flow.bucket?.nextToken(by: $0) }
      }.min()
    }
  }

  extension TokenBucket {
    /// The tokens as the table stores them, in billionths.
    fileprivate var stored: Int {
      Int(exactly: (tokens * 1e9).rounded(.down)) ?? (tokens > 0 ? .max : 0)
    }
  }

  extension JournalStatements {
    static let limitColumns = """
      flow, runs, key_maximum, key_whole, key_holds, rate_count, rate_period, tokens, filled_at, \
      runs_whole, runs_hold
      """

    func limits(_ row: PostgresRow) throws -> FlowAdmissions.Flow {
      var limits = FlowLimits(
        runs: row.optionalInteger(1), counting: try row.boolean(9) ? .wholeRun : .executing,
        whenStuck: try row.boolean(10) ? .holds : .releases)
      if let maximum = row.optionalInteger(2) {
        limits.perKey = FlowLimits.PerKey(
          maximum, counting: try row.boolean(3) ? .wholeRun : .executing,
          whenStuck: try row.boolean(4) ? .holds : .releases)
      }
      var bucket: TokenBucket?
      if let count = row.optionalInteger(5) {
        limits.rate = FlowLimits.Rate(count, each: .nanoseconds(try row.integer(6)))
        bucket = TokenBucket(
          tokens: Double(try row.integer(7)) / 1e9, filledAt: try row.date(8))
      }
      return FlowAdmissions.Flow(limits: limits, bucket: bucket)
    }

    /// The server's time.
    func serverDate() throws -> Date {
      guard let row = try row("\(ClockSQL.with(1)) SELECT now FROM clock", [now]) else {
        throw JournalError.corrupt("the server has no clock")
      }
      return try row.date(0)
    }

    func setLimits(
      _ limits: FlowLimits?, of flow: String, replacing: Bool
    ) throws -> FlowLimits? {
      // Excludes claims, starts and changes that have read other limits.
      try lockPauses()
      let kept = try row(
        "SELECT \(Self.limitColumns) FROM flow_limit WHERE flow = $1 FOR UPDATE", [.text(flow)]
      ).map { try self.limits($0) }
      if let kept, !replacing { return kept.limits }
      try execute("DELETE FROM flow_limit WHERE flow = $1", [.text(flow)])
      // Without a limit, the triggers ignore the runs.
      try execute(
        """
        UPDATE run SET place = 0, gate = gate & ~\(RunGate.limit)::int8 WHERE flow = $1 \
        AND concurrency IS NOT NULL AND (place = 1 OR gate & \(RunGate.limit) > 0)
        """, [.text(flow)])
      try execute(
        "UPDATE run SET flow_place = 0 WHERE flow = $1 AND flow_place = 1", [.text(flow)])
      try execute("DELETE FROM freed WHERE flow = $1", [.text(flow)])
      guard let limits = limits?.effective else { return nil }
      try execute("UPDATE journal SET minimum_protocol = 2 WHERE minimum_protocol < 2", [])
      if limits.wholeRuns != nil {
        try execute(
          """
          UPDATE run SET flow_place = 1 WHERE flow = $1 AND fence > 0 \
          AND \(PostgresSchema.isListed()) AND state IN (\(RunState.codes(where: limits.isPlaceKept)))
          """, [.text(flow)])
      }
      if let perKey = limits.perKey {
        try execute(
          """
          UPDATE run SET place = 1 WHERE flow = $1 AND concurrency IS NOT NULL \
          AND fence > 0 AND state IN (\(RunState.codes(where: perKey.isPlaceKept)))
          """, [.text(flow)])
        try execute(
          """
          UPDATE run SET gate = gate | \(RunGate.limit) WHERE flow = $1 \
          AND concurrency IS NOT NULL AND state = 0 AND place = 0 AND waits = 0 \
          AND quarantine IS NULL
          """, [.text(flow)])
        try execute(
          """
          INSERT INTO freed SELECT DISTINCT flow, concurrency FROM run \
          WHERE flow = $1 AND concurrency IS NOT NULL AND state = 0
          """, [.text(flow)])
      }
      // An existing bucket keeps its fill level.
      let date = try serverDate()
      let bucket = limits.rate.map { kept?.bucket ?? TokenBucket($0, at: date) }
      try execute(
        """
        INSERT INTO flow_limit (\(Self.limitColumns)) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
        """,
        [
          .text(flow), optional(limits.runs), optional(limits.perKey?.maximum),
          .boolean(limits.perKey?.counting == .wholeRun),
          .boolean(limits.perKey?.whenStuck == .holds), optional(limits.rate?.count),
          optional(limits.rate.map { Int($0.period.stored) }),
          optional(bucket.map(\.stored)), .date(bucket?.filledAt),
          .boolean(limits.wholeRuns != nil), .boolean(limits.whenStuck == .holds),
        ])
      return limits
    }

    private func optional(_ value: Int?) -> PostgresParameter {
      value.map { .integer($0) } ?? .noInteger
    }

    func flowLimits() throws -> [String: FlowLimits] {
      let all = try rows("SELECT \(Self.limitColumns) FROM flow_limit", []).map { row in
        (try row.text(0), try limits(row).limits)
      }
      return Dictionary(all, uniquingKeysWith: { $1 })
    }

    /// Locks the limits of the requested flows against other claims, and admits runs of changed
    /// keys to the index as far as there are places.
    func lockLimits(of request: ClaimRequest) throws -> FlowAdmissions {
      let names = request.flows.map(\.flow)
      var admissions = FlowAdmissions()
      let found = try rows(
        """
        SELECT \(Self.limitColumns) FROM flow_limit WHERE flow = ANY ($1) ORDER BY flow FOR UPDATE
        """, [.texts(names)])
      guard !found.isEmpty else { return admissions }
      let date = try serverDate()
      for row in found {
        let flow = try row.text(0)
        var admission = try limits(row)
        if let runs = admission.limits.runningRuns {
          admission.runs = try left(of: runs, PostgresSchema.isRunning, flow)
        }
        if let runs = admission.limits.wholeRuns {
          admission.flowPlaces = try left(of: runs, "flow_place = 1", flow)
        }
        if let rate = admission.limits.rate { admission.bucket?.fill(by: rate, at: date) }
        admissions.flows[Array(flow.utf8)] = admission
      }
      let freed = try rows(
        """
        DELETE FROM freed WHERE ctid = ANY (ARRAY(SELECT ctid FROM freed \
        WHERE flow = ANY ($1) LIMIT 1000 FOR UPDATE SKIP LOCKED)) RETURNING flow, concurrency
        """, [.texts(names)])
      var skipped: (flows: [String], keys: [String]) = ([], [])
      var keys: Set<[[UInt8]]> = []
      for row in freed {
        let (flow, key) = (try row.text(0), try row.text(1))
        guard keys.insert([Array(flow.utf8), Array(key.utf8)]).inserted,
          let perKey = admissions.flows[Array(flow.utf8)]?.limits.perKey
        else { continue }
        // First those with a place of their flow, however many others are in the index: those may
        // not get one before these have ended.
        var isWhole = true
        if admissions.flows[Array(flow.utf8)]?.limits.wholeRuns != nil {
          isWhole = try bringIn(flow, key, 1, among: [1], maximum: perKey.maximum)
        }
        isWhole = try bringIn(flow, key, 0, among: [0, 1], maximum: perKey.maximum) && isWhole
        if isWhole { continue }
        skipped.flows.append(flow)
        skipped.keys.append(key)
      }
      if !skipped.keys.isEmpty {
        // The next claim tries again.
        try execute(
          "INSERT INTO freed SELECT * FROM unnest($1::text[], $2::text[])",
          [.texts(skipped.flows), .texts(skipped.keys)])
      }
      admissions.hasMore = freed.count == 1_000 && skipped.keys.count < 1_000
      return admissions
    }

    /// The limit of a flow, less the runs that count.
    private func left(of limit: Int, _ counts: String, _ flow: String) throws -> Int {
      let sql = """
        SELECT count(*) FROM (SELECT 1 FROM run WHERE \(counts) AND flow = $1 LIMIT $2) AS held
        """
      return max(0, limit - (try row(sql, [.text(flow), .integer(limit)])?.integer(0) ?? 0))
    }

    /// The number of free places of a key.
    func placesLeft(_ flow: String, _ key: String, maximum: Int) throws -> Int {
      let sql = """
        SELECT count(*) FROM (SELECT 1 FROM run \
        WHERE place = 1 AND flow = $1 AND concurrency = $2 LIMIT $3) AS held
        """
      let held = try row(sql, [.text(flow), .text(key), .integer(maximum)])?.integer(0) ?? 0
      return maximum - held
    }

    /// Admits runs of a key, as many as it has places that no other indexed run will take before.
    ///
    /// - Parameters:
    ///   - flowPlace: whether the admitted runs have a place of their flow, as a number.
    ///   - flowPlaces: the same of the runs in the index that count.
    /// - Returns: false if another transaction has locked some of them.
    private func bringIn(
      _ flow: String, _ key: String, _ flowPlace: Int, among flowPlaces: [Int], maximum: Int
    ) throws -> Bool {
      let free = try placesLeft(flow, key, maximum: maximum)
      guard free > 0 else { return true }
      var isWhole = true
      let versions = try rows(
        Self.behind,
        [
          now, .text(flow), .text(key), .integer(free), .integers(flowPlaces), .integer(flowPlace),
        ])
      for row in versions {
        let (version, count) = (try row.integer(0), try row.integer(1))
        guard count > 0 else { continue }
        // A locked run is skipped. Its transaction may change nothing that records its key again.
        let admitted = try execute(
          """
          UPDATE run SET gate = 0 WHERE id = ANY (ARRAY(SELECT id FROM run WHERE gate = 1 \
          AND state = 0 AND flow = $1 AND concurrency = $2 AND flow_place = $4 AND version = $5 \
          ORDER BY wakes_at, id LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED))
          """,
          [.text(flow), .text(key), .integer(count), .integer(flowPlace), .integer(version)])
        if admitted < count { isWhole = false }
      }
      return isWhole
    }

    /// How many runs of a key are to be admitted, by their versions.
    ///
    /// Of each version as many as there are places, those that have been due longest: a worker does
    /// not know which of them others will take.
    private static let behind: String = {
      let gated = """
        gate = 1 AND state = 0 AND flow = $2 AND concurrency = $3 AND flow_place = $6
        """
      func ready(_ place: String, _ wait: String) -> String {
        """
        (SELECT false, \(place), id FROM run WHERE flow = $2 AND concurrency = $3 AND state = 0 \
        AND gate = 0 AND flow_place = f.place AND place = 0 AND quarantine IS NULL AND \(wait) \
        AND version = v.version ORDER BY wakes_at LIMIT $4)
        """
      }
      let isDue = "wakes_at <= \(ClockSQL.now)"
      return """
        WITH RECURSIVE \(ClockSQL.table(1)), v(version) AS (\
        (SELECT version FROM run WHERE \(gated) ORDER BY version LIMIT 1) \
        UNION ALL SELECT n.version FROM v CROSS JOIN LATERAL (SELECT version FROM run \
        WHERE \(gated) AND run.version > v.version ORDER BY version LIMIT 1) n) \
        SELECT v.version, (SELECT count(*) FROM (SELECT is_behind FROM (\
        (SELECT true AS is_behind, wakes_at AS place, id FROM run WHERE \(gated) \
        AND version = v.version ORDER BY wakes_at, id LIMIT $4) \
        UNION ALL SELECT o.* FROM unnest($5::int2[]) AS f(place) CROSS JOIN LATERAL (\
        \(ready("wakes_at", "waits = 0")) \
        UNION ALL \(ready("wakes_at", "waits = 1 AND \(isDue)")) \
        UNION ALL \(ready(RunColumns.place, "waits = 2 AND \(isDue)"))) o) a \
        ORDER BY place, id LIMIT $4) AS first WHERE is_behind) FROM v
        """
    }()

    /// The runs and tokens that use up the limits of a run's flow; O(n log n) in the limits'
    /// numbers.
    func limitUse(of record: RunRecord) throws -> LimitUse? {
      let sql = "SELECT \(Self.limitColumns) FROM flow_limit WHERE flow = $1"
      guard let kept = try row(sql, [.text(record.flow)]).map({ try limits($0) }) else {
        return nil
      }
      var use = LimitUse(limits: kept.limits)
      if let maximum = kept.limits.wholeRuns {
        let sql = """
          SELECT id FROM run WHERE flow_place = 1 AND flow = $1 \
          AND NOT EXISTS (SELECT 1 FROM run r WHERE r.id = $2 AND r.flow_place = 1) \
          ORDER BY id NULLS FIRST LIMIT $3
          """
        use.flowHolders = try ids(
          sql, [.text(record.flow), .identifier(record.id), .integer(maximum)])
      }
      if let maximum = kept.limits.runningRuns {
        let sql = """
          SELECT id FROM run WHERE state = 1 AND \(PostgresSchema.isListed()) AND flow = $1 \
          ORDER BY id NULLS FIRST LIMIT $2
          """
        use.flowHolders = try ids(sql, [.text(record.flow), .integer(maximum)])
      }
      if let maximum = kept.limits.perKey?.maximum, let key = record.concurrencyKey {
        let sql = """
          SELECT id FROM run WHERE place = 1 AND flow = $1 AND concurrency = $2 \
          AND NOT EXISTS (SELECT 1 FROM run r WHERE r.id = $3 AND r.place = 1) ORDER BY id LIMIT $4
          """
        use.keyHolders = try ids(
          sql, [.text(record.flow), .text(key), .identifier(record.id), .integer(maximum)])
      }
      if let rate = kept.limits.rate { use.nextToken = kept.bucket?.nextToken(by: rate) }
      return use
    }

    private func ids(_ sql: String, _ parameters: [PostgresParameter]) throws -> [RunID] {
      try rows(sql, parameters).map { try $0.identifier(0) }
    }

    /// Claims the due runs that pass their limits.
    ///
    /// A run whose key is full leaves the index, at most 1,000 per claim, and the next runs are
    /// looked up. One in quarantine is in no such index, and is looked up once.
    func takeAdmitted(
      _ parameters: [PostgresParameter], lease: [PostgresParameter],
      _ admissions: inout FlowAdmissions
    ) throws -> [PostgresRow] {
      var refused: [RunID] = []
      while true {
        var left = admissions
        var given: [RunID] = []
        var holders: [String?] = []
        var behind: [RunID] = []
        for row in try rows(ClaimSQL.choose, parameters + [.identifiers(refused)]) {
          let id = try row.identifier(0)
          let isTakenOver = try row.boolean(1)
          if isTakenOver { left.takenOver.insert(id) }
          let flow = try row.text(2)
          guard try isTakenOver || left.admit(hasFlowPlace: row.integer(5) == 1, of: flow) else {
            continue
          }
          let key = try row.integer(4) == 0 ? row.optionalText(3) : nil
          if try isTakenOver || left.admit(key, of: flow, statements: self) {
            given.append(id)
            holders.append(row.optionalText(6))
          } else {
            behind.append(id)
          }
        }
        if !behind.isEmpty {
          try execute(
            """
            UPDATE run SET gate = gate | \(RunGate.limit), waits = 0, \
            wakes_at = CASE WHEN waits = 0 THEN wakes_at ELSE \(RunColumns.place) END \
            WHERE id = ANY ($1) AND quarantine IS NULL
            """, [.identifiers(behind)])
          refused += behind
          if refused.count < 1_000 { continue }
          left.hasMore = true
        }
        admissions = left
        guard !given.isEmpty else { return [] }
        return try rows(
          ClaimSQL.takeChosen, [now, .identifiers(given)] + lease + [.texts(holders)])
      }
    }

    /// The members of a group that pass their limits.
    func admit(_ members: [RunID], _ admissions: inout FlowAdmissions) throws -> [RunID] {
      guard !admissions.isEmpty, !members.isEmpty else { return members }
      var left = admissions
      var given: [RunID] = []
      let sql = """
        SELECT id, state, flow, concurrency, place, flow_place FROM run \
        WHERE id = ANY ($1) ORDER BY id
        """
      for row in try rows(sql, [.identifiers(members)]) {
        let isTakenOver = try row.integer(1) == RunState.running.code
        if isTakenOver { left.takenOver.insert(try row.identifier(0)) }
        let key = try row.integer(4) == 0 ? row.optionalText(3) : nil
        if try isTakenOver
          || left.admit(
            key, hasFlowPlace: row.integer(5) == 1, of: row.text(2), statements: self)
        {
          given.append(try row.identifier(0))
        }
      }
      admissions = left
      return given
    }

    /// Takes tokens for the claimed runs.
    func takeTokens(for runs: [ClaimedRun], _ admissions: FlowAdmissions) throws {
      for (name, admission) in admissions.flows {
        guard var bucket = admission.bucket else { continue }
        let count = runs.count {
          $0.record.flow.utf8.elementsEqual(name) && !admissions.takenOver.contains($0.record.id)
        }
        bucket.tokens -= Double(count)
        // Also if the clock was set back: otherwise the bucket would not fill until the clock
        // catches up.
        try execute(
          """
          UPDATE flow_limit SET tokens = $1, filled_at = $2 \
          WHERE flow = $3 AND ($4 > 0 OR filled_at > $2)
          """,
          [
            .integer(bucket.stored), .date(bucket.filledAt),
            .text(String(decoding: name, as: UTF8.self)), .integer(count),
          ])
      }
    }
  }

  extension FlowAdmissions {
    /// Whether a run to be claimed has or gets its places; places that it gets are counted.
    ///
    /// - Parameter key: nil if the run has no key, or a place of it.
    mutating func admit(
      _ key: String?, hasFlowPlace: Bool, of flow: String, statements: JournalStatements
    ) throws -> Bool {
      var admitted = self
      guard admitted.admit(hasFlowPlace: hasFlowPlace, of: flow),
        try admitted.admit(key, of: flow, statements: statements)
      else { return false }
      self = admitted
      return true
    }

    /// Whether a run has or gets a place of its flow, and a token.
    ///
    /// The statements look up each kind of run by itself, so that together they may exceed a limit.
    mutating func admit(hasFlowPlace: Bool, of flow: String) -> Bool {
      let name = Array(flow.utf8)
      guard var admission = flows[name] else { return true }
      guard admission.room > 0 else { return false }
      if !hasFlowPlace, admission.limits.wholeRuns != nil {
        guard admission.flowPlaces > 0 else { return false }
        admission.flowPlaces -= 1
      }
      admission.admitted += 1
      flows[name] = admission
      return true
    }

    /// Whether a run has or gets a place of its key.
    mutating func admit(
      _ key: String?, of flow: String, statements: JournalStatements
    ) throws -> Bool {
      let name = Array(flow.utf8)
      guard let perKey = flows[name]?.limits.perKey, let key else { return true }
      let bytes = Array(key.utf8)
      let left =
        try flows[name]?.keys[bytes]
        ?? statements.placesLeft(flow, key, maximum: perKey.maximum)
      flows[name]?.keys[bytes] = left - (left > 0 ? 1 : 0)
      return left > 0
    }
  }
#endif
