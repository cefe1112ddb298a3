#if SQLite
  import FieldstoneDurable
  import Foundation
  import GRDB

  /// The limits of a flow, and the number of its runs that a claim may still take.
  struct FlowAdmission {
    var limits: FlowLimits
    var bucket: TokenBucket?
    /// The number of further runs of the flow that may be running.
    var runs = Int.max
    /// The number of free places of the flow.
    var flowPlaces = Int.max
    /// The number of free places of each key that was looked up.
    var keys: [[UInt8]: Int] = [:]

    static let columns = """
      flow, runs, key_maximum, key_whole, key_holds, rate_count, rate_period, tokens, filled_at, \
      runs_whole, runs_hold
      """

    init(_ row: StoredRow) throws {
      limits = FlowLimits(
        runs: row.optionalWhole(1), counting: try row.whole(9) == 1 ? .wholeRun : .executing,
        whenStuck: try row.whole(10) == 1 ? .holds : .releases)
      if let maximum = row.optionalWhole(2) {
        limits.perKey = FlowLimits.PerKey(
          maximum, counting: try row.whole(3) == 1 ? .wholeRun : .executing,
          whenStuck: try row.whole(4) == 1 ? .holds : .releases)
      }
      if let count = row.optionalWhole(5) {
        limits.rate = FlowLimits.Rate(count, each: .nanoseconds(try row.whole(6)))
        bucket = TokenBucket(
          tokens: try row.date(7).timeIntervalSinceReferenceDate, filledAt: try row.date(8))
      }
    }

    /// The number of ready runs that a claim may take.
    var room: Int { min(runs, bucket?.available ?? .max) }
    /// Whether a run needs a place of its flow or of its key.
    var hasPlaces: Bool { limits.wholeRuns != nil || limits.perKey != nil }

    /// Whether a run has or gets a place of its flow; a place that it gets is counted.
    mutating func admit(hasFlowPlace: Bool) -> Bool {
      if hasFlowPlace || limits.wholeRuns == nil { return true }
      guard flowPlaces > 0 else { return false }
      flowPlaces -= 1
      return true
    }
  }

  extension JournalTransaction {
    func setLimits(
      _ limits: FlowLimits?, of flow: String, replacing: Bool, at time: JournalTime
    ) throws -> FlowLimits? {
      let kept = try flowLimits(of: flow)
      if let kept, !replacing { return kept.limits }
      try execute("DELETE FROM fieldstone_limit WHERE flow = ?", [flow])
      try execute("DELETE FROM fieldstone_freed WHERE flow = ?", [flow])
      // Without a limit, the triggers ignore the runs.
      try execute(
        "UPDATE fieldstone_run SET place = 0 WHERE flow = ? AND place = 1", [flow])
      try execute(
        "UPDATE fieldstone_run SET flow_place = 0 WHERE flow = ? AND flow_place = 1", [flow])
      try execute(
        """
        UPDATE fieldstone_run SET gate = gate & ~\(RunGate.limit) \
        WHERE flow = ? AND gate <> 0 AND gate & \(RunGate.limit)
        """, [flow])
      guard let limits = limits?.effective else { return nil }
      try demandProtocol(2)
      if limits.wholeRuns != nil {
        for states in Self.states(where: limits.isPlaceKept) {
          try execute(
            "UPDATE fieldstone_run SET flow_place = 1 WHERE flow = ? AND fence > 0 AND \(states)",
            [flow])
        }
      }
      if let perKey = limits.perKey {
        for states in Self.states(where: perKey.isPlaceKept) {
          try execute(
            """
            UPDATE fieldstone_run SET place = 1 WHERE flow = ? AND +concurrency IS NOT NULL \
            AND fence > 0 AND \(states)
            """, [flow])
        }
        try execute(
          """
          UPDATE fieldstone_run SET gate = gate | \(RunGate.limit) WHERE flow = ? \
          AND +concurrency IS NOT NULL AND state = 0 AND \(JournalSchema.isListed) AND place = 0 \
          AND waits = 0 AND quarantine IS NULL
          """, [flow])
        try execute(
          """
          INSERT OR IGNORE INTO fieldstone_freed SELECT DISTINCT flow, concurrency \
          FROM fieldstone_run WHERE flow = ? AND +concurrency IS NOT NULL AND state = 0 \
          AND \(JournalSchema.isListed)
          """, [flow])
      }
      // An existing bucket keeps its fill level.
      let bucket = limits.rate.map { kept?.bucket ?? TokenBucket($0, at: time.date) }
      try execute(
        """
        INSERT INTO fieldstone_limit (\(FlowAdmission.columns)) \
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [
          flow, limits.runs, limits.perKey?.maximum, limits.perKey?.counting == .wholeRun,
          limits.perKey?.whenStuck == .holds, limits.rate?.count, limits.rate?.period.stored,
          bucket?.tokens, bucket?.filledAt.stored, limits.wholeRuns != nil,
          limits.whenStuck == .holds,
        ])
      return limits
    }

    /// The limits of all flows that have limits.
    func flowLimits() throws -> [String: FlowLimits] {
      let all = try rows("SELECT \(FlowAdmission.columns) FROM fieldstone_limit").map { row in
        (try row.text(0), try FlowAdmission(row).limits)
      }
      return Dictionary(all, uniquingKeysWith: { $1 })
    }

    /// Conditions for the runs in some states, for each of which there is an index of a flow's runs.
    private static func states(where isMeant: (RunState) -> Bool) -> [String] {
      let listed = RunState.codes { $0 != .running && isMeant($0) }
      return (isMeant(.running) ? ["state = 1"] : [])
        + (listed.isEmpty ? [] : ["\(JournalSchema.isListed) AND state IN (\(listed))"])
    }

    private func flowLimits(of flow: String) throws -> FlowAdmission? {
      try row("SELECT \(FlowAdmission.columns) FROM fieldstone_limit WHERE flow = ?", [flow])
        .map { try FlowAdmission($0) }
    }

    /// The admission of a flow for a claim; nil if the flow has no limits.
    func admission(of flow: String, at time: JournalTime) throws -> FlowAdmission? {
      guard var admission = try flowLimits(of: flow) else { return nil }
      if let runs = admission.limits.runs {
        let counts = admission.limits.wholeRuns == nil ? "state = 1" : "flow_place = 1"
        let sql = """
          SELECT COUNT(*) FROM \
          (SELECT 1 FROM fieldstone_run WHERE \(counts) AND flow = ? LIMIT ?)
          """
        let left = max(0, runs - (try row(sql, [flow, runs])?.whole(0) ?? 0))
        if admission.limits.wholeRuns == nil {
          admission.runs = left
        } else {
          admission.flowPlaces = left
        }
      }
      if let rate = admission.limits.rate { admission.bucket?.fill(by: rate, at: time.date) }
      return admission
    }

    /// Admits runs of the claimed flows to the index as far as their keys have places, for at most
    /// 1,000 changed keys per claim.
    ///
    /// - Returns: whether there may be more.
    func bringInFreed(of rooms: [ClaimRequest.FlowRoom], at time: JournalTime) throws -> Bool {
      let first = "SELECT flow FROM fieldstone_freed ORDER BY flow LIMIT 1"
      let next = "SELECT flow FROM fieldstone_freed WHERE flow > ? ORDER BY flow LIMIT 1"
      var found = try row(first)
      guard found != nil else { return false }
      let claimed = Set(rooms.map { Array($0.flow.utf8) })
      var left = 1_000
      while left > 0, let flow = try found?.text(0) {
        if claimed.contains(Array(flow.utf8)) {
          left -= try bringInFreed(of: flow, upTo: left, at: time)
        }
        found = try row(next, [flow])
      }
      return left == 0
    }

    private func bringInFreed(
      of flow: String, upTo limit: Int, at time: JournalTime
    ) throws -> Int {
      let freed = try rows(
        """
        SELECT f.concurrency, l.key_maximum, l.runs_whole FROM fieldstone_freed f \
        LEFT JOIN fieldstone_limit l ON l.flow = f.flow WHERE f.flow = ? \
        ORDER BY f.concurrency LIMIT ?
        """, [flow, limit])
      guard let last = freed.last else { return 0 }
      for row in freed {
        guard let maximum = row.optionalWhole(1) else { continue }
        try bringIn(
          flow, row.text(0), maximum: maximum, hasFlowPlaces: row.whole(2) == 1, at: time)
      }
      // Deleted last: the triggers also record the runs that were just admitted, which need no
      // second look.
      try execute(
        "DELETE FROM fieldstone_freed WHERE flow = ? AND concurrency <= ?", [flow, last.text(0)])
      return freed.count
    }

    /// Admits the next runs of the key that a run has released, if it has one with a limit.
    ///
    /// Otherwise the next claim would do it, for all the releases since the previous claim.
    func bringInNext(after id: RunID, at time: JournalTime) throws {
      let sql = """
        SELECT l.flow, concurrency, key_maximum, runs_whole FROM fieldstone_run AS r \
        JOIN fieldstone_limit AS l ON l.flow = r.flow \
        WHERE id = ? AND concurrency IS NOT NULL AND key_maximum IS NOT NULL
        """
      guard let row = try row(sql, [id.description]) else { return }
      let (flow, key) = (try row.text(0), try row.text(1))
      try bringIn(
        flow, key, maximum: row.whole(2), hasFlowPlaces: row.whole(3) == 1, at: time)
      try execute("DELETE FROM fieldstone_freed WHERE flow = ? AND concurrency = ?", [flow, key])
    }

    /// The number of free places of a key.
    private func placesLeft(_ flow: String, _ key: String, maximum: Int) throws -> Int {
      let sql = """
        SELECT COUNT(*) FROM (SELECT 1 FROM fieldstone_run \
        WHERE place = 1 AND flow = ? AND concurrency = ? LIMIT ?)
        """
      return maximum - (try row(sql, [flow, key, maximum])?.whole(0) ?? 0)
    }

    /// Admits runs of a key, as many as it has places that no other indexed run will take before.
    ///
    /// Of each version as many as there are places, those that have been due longest: a worker does
    /// not know which of them others will take. Runs with a place of their flow come first, however
    /// many others are in the index: those may not get one before these have ended.
    private func bringIn(
      _ flow: String, _ key: String, maximum: Int, hasFlowPlaces: Bool, at time: JournalTime
    ) throws {
      for behind in hasFlowPlaces ? [Self.begun, Self.others] : [Self.others] {
        var version = Int.min
        while let found = try row(behind.nextVersion, [flow, key, version]) {
          version = try found.whole(0)
          try execute(behind.admission, [flow, key, maximum, time.date.stored, version])
        }
      }
    }

    private static let begun = Behind(flowPlace: 1, flowPlaces: "1")
    private static let others = Behind(flowPlace: 0, flowPlaces: "0, 1")

    /// The statements about the runs behind a key: the next version of theirs, and their admission.
    private struct Behind {
      let nextVersion: String
      let admission: String

      init(flowPlace: Int, flowPlaces: String) {
        let gated = """
          gate = 1 AND state = 0 AND flow = ?1 AND concurrency = ?2 AND flow_place = \(flowPlace)
          """
        func ready(_ place: String, _ wait: String) -> String {
          """
          SELECT * FROM (SELECT number, \(place) AS place, 0 AS is_behind FROM fieldstone_run \
          WHERE flow = ?1 AND concurrency = ?2 AND key_state = 0 AND +state = 0 AND gate = 0 \
          AND flow_place IN (\(flowPlaces)) AND place = 0 AND quarantine IS NULL AND version = ?5 \
          AND \(wait) ORDER BY wakes_at LIMIT ?3)
          """
        }
        admission = """
          UPDATE fieldstone_run SET gate = 0 WHERE number IN (SELECT number FROM (\
          SELECT number, is_behind FROM (SELECT * FROM (\
          SELECT number, wakes_at AS place, 1 AS is_behind FROM fieldstone_run \
          WHERE \(gated) AND version = ?5 ORDER BY wakes_at, number LIMIT ?3) \
          UNION ALL \(ready("wakes_at", "waits = 0")) \
          UNION ALL \(ready("wakes_at", "waits = 1 AND wakes_at <= ?4")) \
          UNION ALL \(ready("wakes_at - priority * \(secondsPerPriority)", "waits = 2 AND wakes_at <= ?4"))) \
          ORDER BY place, number LIMIT MAX(0, ?3 - (SELECT COUNT(*) FROM (SELECT 1 FROM fieldstone_run \
          WHERE place = 1 AND flow = ?1 AND concurrency = ?2 LIMIT ?3)))) WHERE is_behind)
          """
        nextVersion = """
          SELECT version FROM fieldstone_run WHERE \(gated) AND version > ?3 \
          ORDER BY version LIMIT 1
          """
      }
    }

    /// The runs and tokens that use up the limits of a run's flow; O(n log n) in the limits'
    /// numbers.
    func limitUse(of record: RunRecord) throws -> LimitUse? {
      guard let kept = try flowLimits(of: record.flow) else { return nil }
      var use = LimitUse(limits: kept.limits)
      func has(_ place: String) throws -> Bool {
        let sql = "SELECT 1 FROM fieldstone_run WHERE \(place) = 1 AND id = ?"
        return try row(sql, [record.id.description]) != nil
      }
      if let maximum = kept.limits.runningRuns {
        let sql = "SELECT id FROM fieldstone_run WHERE state = 1 AND flow = ? ORDER BY id LIMIT ?"
        use.flowHolders = try ids(sql, [record.flow, maximum])
      }
      if let maximum = kept.limits.wholeRuns, try !has("flow_place") {
        let sql = """
          SELECT id FROM fieldstone_run WHERE flow_place = 1 AND flow = ? ORDER BY id LIMIT ?
          """
        use.flowHolders = try ids(sql, [record.flow, maximum])
      }
      if let maximum = kept.limits.perKey?.maximum, let key = record.concurrencyKey {
        if try !has("place") {
          let sql = """
            SELECT id FROM fieldstone_run WHERE place = 1 AND flow = ? AND concurrency = ? \
            ORDER BY id LIMIT ?
            """
          use.keyHolders = try ids(sql, [record.flow, key, maximum])
        }
      }
      if let rate = kept.limits.rate { use.nextToken = kept.bucket?.nextToken(by: rate) }
      return use
    }

    private func ids(_ sql: String, _ arguments: StatementArguments) throws -> [RunID] {
      try rows(sql, arguments).map { try RunColumns.id($0.text(0)) }
    }

    /// Whether a run to be claimed has or gets its places; places that it gets are counted.
    func admit(_ number: Int, _ admission: inout FlowAdmission) throws -> Bool {
      guard admission.hasPlaces else { return true }
      let sql = """
        SELECT flow, IIF(place = 0, concurrency, NULL), flow_place FROM fieldstone_run \
        WHERE number = ?
        """
      guard let row = try row(sql, [number]) else { return true }
      var admitted = admission
      guard admitted.admit(hasFlowPlace: try row.whole(2) == 1),
        try admit(row.optionalText(1), of: row.text(0), &admitted)
      else { return false }
      admission = admitted
      return true
    }

    /// Whether a run has or gets a place of its key.
    ///
    /// - Parameters:
    ///   - key: nil if the run has no key, or a place of it.
    ///   - taken: the number of the key's places that are taken, if it was read before.
    func admit(
      _ key: String?, of flow: String, taken: Int? = nil, _ admission: inout FlowAdmission
    ) throws -> Bool {
      guard let maximum = admission.limits.perKey?.maximum, let key else { return true }
      let left =
        try admission.keys[Array(key.utf8)] ?? taken.map { maximum - $0 }
        ?? placesLeft(flow, key, maximum: maximum)
      admission.keys[Array(key.utf8)] = left - (left > 0 ? 1 : 0)
      return left > 0
    }

    /// Takes a run whose key is full out of the index.
    func putBehind(_ number: Int) throws {
      try execute(
        """
        UPDATE fieldstone_run SET gate = gate | \(RunGate.limit), waits = 0, \
        wakes_at = CASE WHEN waits = 0 THEN wakes_at \
        ELSE wakes_at - priority * \(secondsPerPriority) END WHERE number = ?
        """, [number])
    }

    /// Takes tokens for the claimed runs of a flow.
    func takeTokens(
      _ count: Int, of flow: String, _ admission: FlowAdmission, at time: JournalTime
    ) throws {
      guard var bucket = admission.bucket else { return }
      bucket.tokens -= Double(count)
      // Also if the clock was set back: otherwise the bucket would not fill until the clock catches
      // up.
      try execute(
        """
        UPDATE fieldstone_limit SET tokens = ?1, filled_at = ?2 \
        WHERE flow = ?3 AND (?4 > 0 OR filled_at > ?2)
        """, [bucket.tokens, bucket.filledAt.stored, flow, count])
    }
  }

  extension JournalTransaction {
    /// The flows with running runs, or with ready runs outside quarantine.
    ///
    /// It seeks in an index from one such flow to the next. So a worker with 1,000 idle flows costs as
    /// much as one with a single flow.
    func openFlows(among rooms: [ClaimRequest.FlowRoom]) throws -> [ClaimRequest.FlowRoom] {
      guard rooms.count > 2 else { return rooms }
      let ready = """
        SELECT MIN(flow) FROM fieldstone_run WHERE \(RunGate.open) AND flow >= ?
        """
      let running = "SELECT MIN(flow) FROM fieldstone_run WHERE state = 1 AND flow >= ?"
      // Usually no flow is open; then 1,000 names need no sorting.
      let isAnyOpen = try [ready, running].contains { try row($0, [""])?.optionalText(0) != nil }
      guard isAnyOpen else { return [] }
      // Sorted by bytes, as in the index.
      let sorted = rooms.map(\.flow).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      let open = try openFlows(among: sorted, ready).union(openFlows(among: sorted, running))
      return rooms.filter { open.contains(Array($0.flow.utf8)) }
    }

    private func openFlows(among sorted: [String], _ next: String) throws -> Set<[UInt8]> {
      var open: Set<[UInt8]> = []
      var rest = sorted[...]
      while let wanted = rest.first, let found = try row(next, [wanted])?.optionalText(0) {
        let left = rest.drop { $0.utf8.lexicographicallyPrecedes(found.utf8) }
        if let first = left.first, first.utf8.elementsEqual(found.utf8) {
          open.insert(Array(found.utf8))
          rest = left.dropFirst()
        } else {
          // However the database compares, each turn takes a name: a claim that asks for ever keeps
          // all processes from writing.
          rest = left.count < rest.count ? left : rest.dropFirst()
        }
      }
      return open
    }
  }
#endif
