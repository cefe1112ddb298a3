#if SQLite
  import FieldstoneDurable
  import Foundation
  import GRDB

  extension JournalTransaction {
    /// A run that may be claimed.
    private struct Candidate {
      var number: Int
      var wakesAt: Double
      var isTakenOver = false
      var isQuarantined = false
      var hasFlowPlace = false
      /// Its concurrency key and the number of places taken, if both were read with the run.
      var key: (name: String?, taken: Int)?

      static func isEarlier(_ left: Self, _ right: Self) -> Bool {
        if left.isTakenOver != right.isTakenOver { return left.isTakenOver }
        return (left.wakesAt, left.number) < (right.wakesAt, right.number)
      }
    }

    func claim(
      _ request: ClaimRequest, at time: JournalTime, isDead: (String) -> Bool
    ) throws -> Claim {
      try checkSchema()
      try checkProtocol(of: request)
      let hasMoreLate = try cancelLate(at: time)
      let hasMoreChildren = try cancelChildren(at: time)
      let hasMoreToCancel = hasMoreLate || hasMoreChildren
      let pauses = try endPauses(at: time)
      // Whether this claim has left work to the next one, as each does a bounded amount.
      var hasMore = try bringInFreed(of: request.flows, at: time) || hasMoreToCancel
      // Each worker is tested once, not once per flow: a test opens a file.
      var known: [[UInt8]: Bool] = [:]
      func isKnownDead(_ worker: String) -> Bool {
        let name = Array(worker.utf8)
        if let known = known[name] { return known }
        let answer = !worker.utf8.elementsEqual(request.worker.utf8) && isDead(worker)
        known[name] = answer
        return answer
      }
      var candidates: [Candidate] = []
      // Names are keys by their bytes: Swift takes some names for equal that the database does not.
      var crashed: [[UInt8]: [QuarantinedRun]] = [:]
      var paused: [Int] = []
      var admissions: [[UInt8]: FlowAdmission] = [:]
      var nextDueAt = [pauses.next, try nextDeadline()].compactMap(\.self).min()
      let isDisregarded = request.quarantine == .disregarded
      // The flows' indices contain no quarantined runs.
      let rooms = isDisregarded ? request.flows : try openFlows(among: request.flows)
      let takenOver = try rooms.map { room in
        try room.limit <= 0
          ? []
          : leftBehind(
            room, isPaused: pauses.flows.contains(Array(room.flow.utf8)), for: request, at: time,
            isDead: isKnownDead, paused: &paused, crashed: &crashed)
      }
      try settle(paused, at: time)
      for (_, runs) in crashed.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
        try quarantine(runs, at: time)
      }
      // They may have left places of their flows and keys.
      if !paused.isEmpty || crashed.contains(where: { !$0.value.isEmpty }) {
        hasMore = try bringInFreed(of: request.flows, at: time) || hasMore
      }
      for (room, takenOver) in zip(rooms, takenOver) {
        let isPaused = pauses.flows.contains(Array(room.flow.utf8))
        let admission = isPaused ? nil : try admission(of: room.flow, at: time)
        admissions[Array(room.flow.utf8)] = admission
        if let rate = admission?.limits.rate,
          let token = admission?.bucket?.nextToken(by: rate)
        {
          nextDueAt = min(nextDueAt ?? token, token)
        }
        let versions = isPaused ? [] : try readyVersions(of: room.flow, upTo: room.version)
        let flowPlaces = admission?.limits.wholeRuns == nil ? [false] : [true, false]
        for version in versions {
          guard
            let due = try nextDue(room.flow, version, flowPlaces: flowPlaces, after: time.date)
          else { continue }
          nextDueAt = min(nextDueAt ?? due, due)
        }
        guard room.limit > 0 else { continue }
        let found =
          try takenOver
          + admitted(
            isPaused ? [] : versions, room, admission, isDisregarded: isDisregarded && !isPaused,
            hasMore: &hasMore, at: time)
        candidates += found.sorted(by: Candidate.isEarlier).prefix(room.limit)
      }
      var wanted = request
      wanted.flows.removeAll { pauses.flows.contains(Array($0.flow.utf8)) }
      // Quarantined runs may belong to flows without open runs.
      if !isDisregarded,
        try row("SELECT 1 FROM fieldstone_run WHERE quarantine IS NOT NULL LIMIT 1") != nil
      {
        for room in wanted.flows where admissions[Array(room.flow.utf8)] == nil {
          admissions[Array(room.flow.utf8)] = try admission(of: room.flow, at: time)
        }
      }
      for index in wanted.flows.indices where !admissions.isEmpty {
        let room = admissions[Array(wanted.flows[index].flow.utf8)]?.room ?? .max
        wanted.flows[index].limit = min(wanted.flows[index].limit, room)
      }
      var group = try nextGroup(for: wanted, admissions, at: time, isDead: isKnownDead)
      let isGroup = !group.members.isEmpty
      if isGroup { group.members = try group.members.filter { try admits($0, &admissions) } }
      let isTakenOver = Set(candidates.filter(\.isTakenOver).map(\.number))
      var given =
        isGroup
        ? group.members
        : candidates.sorted(by: Candidate.isEarlier).prefix(max(request.limit, 0)).map(\.number)
      if hasMoreToCancel { given = try withoutCancelled(given, at: time) }
      let givesFlowPlace = admissions.values.contains { $0.limits.wholeRuns != nil }
      if !given.isEmpty { try endLoneTrials(of: request.worker) }
      let runs = try given.map { number in
        // Runs in quarantine may be held by a dead worker, too.
        let holder = isGroup || isTakenOver.contains(number) ? try holder(of: number) : nil
        var run = try take(
          number, isCrashSuspected: isGroup, isAlone: group.isLone, givesFlowPlace: givesFlowPlace,
          for: request, at: time)
        run.takenFrom = holder
        return run
      }
      for (flow, admission) in admissions {
        let count = zip(given, runs).count { number, run in
          run.record.flow.utf8.elementsEqual(flow) && !isTakenOver.contains(number)
        }
        try takeTokens(
          count, of: String(decoding: flow, as: UTF8.self), admission, at: time)
      }
      return Claim(
        runs: runs, nextDueAt: hasMore ? time.date : nextDueAt, quarantined: group.left)
    }

    /// The ready runs of a flow that pass its limits.
    ///
    /// A run whose key is full leaves the index, at most 1,000 per claim, and the next runs are
    /// looked up.
    ///
    /// - Parameter hasMore: set to true if the next claim is to look further.
    private func admitted(
      _ versions: [Int], _ room: ClaimRequest.FlowRoom, _ admission: FlowAdmission?,
      isDisregarded: Bool, hasMore: inout Bool, at time: JournalTime
    ) throws -> [Candidate] {
      var room = room
      room.limit = min(room.limit, admission?.room ?? .max)
      guard room.limit > 0 else { return [] }
      var quarantinedOnes: [Candidate] = []
      if isDisregarded {
        quarantinedOnes = try quarantined(room).map {
          Candidate(number: $0.number, wakesAt: $0.wakesAt, isQuarantined: true)
        }
      }
      var moved = 0
      while true {
        var found: [Candidate] = []
        for version in versions { found += try ready(room, version, admission, at: time) }
        found = (found + quarantinedOnes).sorted(by: Candidate.isEarlier)
        guard var left = admission, left.hasPlaces else {
          return Array(found.prefix(room.limit))
        }
        var admitted: [Candidate] = []
        let before = moved
        for candidate in found where admitted.count + moved - before < room.limit {
          if candidate.isQuarantined {
            if try admit(candidate.number, &left) { admitted.append(candidate) }
            continue
          }
          guard left.admit(hasFlowPlace: candidate.hasFlowPlace) else { continue }
          if try admit(candidate, of: room.flow, &left) {
            admitted.append(candidate)
          } else {
            try putBehind(candidate.number)
            moved += 1
          }
        }
        if moved == before { return admitted }
        guard moved < 1_000 else {
          hasMore = true
          return admitted
        }
      }
    }

    /// Whether a ready run has or gets a place of its key.
    private func admit(
      _ candidate: Candidate, of flow: String, _ admission: inout FlowAdmission
    ) throws -> Bool {
      if let (name, taken) = candidate.key {
        return try admit(name, of: flow, taken: taken, &admission)
      }
      guard admission.limits.perKey != nil else { return true }
      let sql = "SELECT concurrency FROM fieldstone_run WHERE number = ? AND place = 0"
      return try admit(row(sql, [candidate.number])?.optionalText(0), of: flow, &admission)
    }

    /// Whether a run of a group passes its limits.
    private func admits(
      _ number: Int, _ admissions: inout [[UInt8]: FlowAdmission]
    ) throws -> Bool {
      let sql = "SELECT flow, state FROM fieldstone_run WHERE number = ?"
      guard let row = try row(sql, [number]) else { return true }
      let flow = Array(try row.text(0).utf8)
      guard var admission = admissions[flow] else { return true }
      // A reclaimed run keeps its place.
      if try row.whole(1) == RunState.running.code { return true }
      defer { admissions[flow] = admission }
      return try admit(number, &admission)
    }

    /// Ends the leases that a worker left behind before it was started again under its name.
    func endLeases(of worker: String, at time: JournalTime) throws {
      try execute(
        """
        UPDATE fieldstone_run SET lease_end = MIN(lease_end, ?1) \
        WHERE state = 1 AND worker = ?2 AND boot = ?3
        """, [time.uptime.stored, worker, time.boot])
    }

    /// The workers that have runs, dead or alive.
    func runningWorkers() throws -> [String] {
      try rows("SELECT DISTINCT worker FROM fieldstone_run WHERE state = 1").map { row in
        row.optionalText(0) ?? ""
      }
    }

    /// The versions with ready runs: one index seek per version.
    private func readyVersions(of flow: String, upTo newest: Int) throws -> [Int] {
      var versions: [Int] = []
      while true {
        let sql = """
          SELECT MIN(version) FROM fieldstone_run \
          WHERE \(RunGate.open) AND flow = ? AND version > ? AND version <= ?
          """
        guard let row = try row(sql, [flow, versions.last ?? Int.min, newest]),
          let version = row.optionalWhole(0)
        else { return versions }
        versions.append(version)
      }
    }

    /// The ready runs of a version, those with a place of their flow apart from the others.
    private func ready(
      _ room: ClaimRequest.FlowRoom, _ version: Int, _ admission: FlowAdmission?,
      at time: JournalTime
    ) throws -> [Candidate] {
      var room = room
      var found: [Candidate] = []
      if admission?.limits.wholeRuns != nil {
        found = try ready(room, version, hasFlowPlace: true, admission, at: time)
        room.limit = min(room.limit, admission?.flowPlaces ?? .max)
      }
      guard room.limit > 0 else { return found }
      return try found + ready(room, version, hasFlowPlace: false, admission, at: time)
    }

    private func ready(
      _ room: ClaimRequest.FlowRoom, _ version: Int, hasFlowPlace: Bool,
      _ admission: FlowAdmission?, at time: JournalTime
    ) throws -> [Candidate] {
      let open = "\(RunGate.open) AND flow = ? AND version = ?"
      let ready = "\(open) AND \(Self.flowPlace(hasFlowPlace))"
      // A run without a wait is ready whatever the wall clock says.
      let waitless = """
        SELECT number, wakes_at FROM fieldstone_run WHERE \(ready) AND waits = 0 \
        ORDER BY wakes_at, number LIMIT ?
        """
      let waited = """
        SELECT number, wakes_at FROM fieldstone_run WHERE \(ready) AND waits = 1 \
        AND wakes_at <= ? \
        ORDER BY wakes_at, number LIMIT ?
        """
      // These are sorted here: the 1,000 runs that have been due longest.
      let preference = "\(ready) AND waits = 2 AND wakes_at <= ?"
      let preferred = """
        SELECT number, place FROM (\
        SELECT number, \(Self.place) AS place FROM fieldstone_run WHERE \(preference) \
        ORDER BY wakes_at LIMIT 1000) ORDER BY place, number LIMIT ?
        """
      // If the clock was set back, a pause that began in the future would last longer by the same
      // time. The unary plus keeps SQLite from the index of all ready runs.
      let future = """
        \(open) AND +\(Self.flowPlace(hasFlowPlace)) AND waits > 0 AND attempts > 0 \
        AND changed_at > ? AND wakes_at > ?
        """
      let setBack = """
        SELECT number, \(Self.place) AS place FROM fieldstone_run WHERE \(future) \
        ORDER BY place, number LIMIT ?
        """
      let now = time.date.stored
      let flow: StatementArguments = [room.flow, version]
      let atOnce =
        if let maximum = admission?.limits.perKey?.maximum {
          try rows(
            Self.readyWithKeys(hasFlowPlace: hasFlowPlace), flow + [room.limit, maximum]
          ).map { row in
            var candidate = try candidate(row)
            candidate.key = (row.optionalText(2), try row.whole(3))
            return candidate
          }
        } else {
          try rows(waitless, flow + [room.limit]).map(candidate)
        }
      var found = try rows(waited, flow + [now, room.limit])
      // For the order SQLite makes a temporary table before it looks for rows; mostly no rows
      // are found.
      if try isThere(preference, flow + [now]) {
        found += try rows(preferred, flow + [now, room.limit])
      }
      if try isThere(future, flow + [now, now]) {
        found += try rows(setBack, flow + [now, now, room.limit])
      }
      return try (atOnce + found.map(candidate)).map { found in
        var candidate = found
        candidate.hasFlowPlace = hasFlowPlace
        return candidate
      }
    }

    private func isThere(_ condition: String, _ arguments: StatementArguments) throws -> Bool {
      try row("SELECT 1 FROM fieldstone_run WHERE \(condition) LIMIT 1", arguments) != nil
    }

    /// The ready runs without a wait, with their keys and the places taken: looking up each key
    /// separately costs as much as the rest of a claim.
    private static func readyWithKeys(hasFlowPlace: Bool) -> String {
      """
      SELECT number, wakes_at, IIF(place = 0, concurrency, NULL), (SELECT COUNT(*) FROM \
      (SELECT 1 FROM fieldstone_run AS p WHERE p.place = 1 AND p.flow = r.flow \
      AND p.concurrency = r.concurrency LIMIT ?4)) FROM fieldstone_run AS r \
      WHERE \(RunGate.open) AND flow = ?1 AND version = ?2 AND \(flowPlace(hasFlowPlace)) \
      AND waits = 0 ORDER BY wakes_at, number LIMIT ?3
      """
    }

    /// A literal: SQLite prepares a statement again at each binding of a value that it compares with
    /// the condition of an index.
    private static func flowPlace(_ hasFlowPlace: Bool) -> String {
      "flow_place = \(hasFlowPlace ? 1 : 0)"
    }

    /// The queue position of a waiting run once its time has come.
    private static let place = "(wakes_at - priority * \(secondsPerPriority))"

    private func candidate(_ row: StoredRow) throws -> Candidate {
      Candidate(
        number: try row.whole(0), wakesAt: try row.date(1).timeIntervalSinceReferenceDate)
    }

    /// - Parameter flowPlaces: whether runs have a place of their flow: without such a limit none
    ///   has.
    private func nextDue(
      _ flow: String, _ version: Int, flowPlaces: [Bool], after date: Date
    ) throws -> Date? {
      let never = Date.distantFuture.stored
      return try flowPlaces.flatMap { hasFlowPlace in
        let sql = """
          SELECT wakes_at FROM fieldstone_run \
          WHERE \(RunGate.open) AND flow = ?1 AND version = ?2 AND \(Self.flowPlace(hasFlowPlace)) \
          AND waits = ?5 AND wakes_at > ?3 AND wakes_at < ?4 \
          AND NOT (attempts > 0 AND changed_at > ?3) ORDER BY wakes_at LIMIT 1
          """
        return try [1, 2].compactMap { waits in
          try row(sql, [flow, version, date.stored, never, waits])?.date(0)
        }
      }.min()
    }

    /// The runs with an expired lease or a dead worker.
    ///
    /// Few workers have runs: each worker is looked up in the index separately.
    ///
    /// - Parameters:
    ///   - isPaused: whether the flow is paused.
    ///   - paused: collects the paused runs.
    ///   - crashed: collects the runs to be quarantined, by their workers.
    private func leftBehind(
      _ room: ClaimRequest.FlowRoom, isPaused: Bool, for request: ClaimRequest,
      at time: JournalTime, isDead: (String) -> Bool, paused: inout [Int],
      crashed: inout [[UInt8]: [QuarantinedRun]]
    ) throws -> [Candidate] {
      var found: [Candidate] = []
      var (last, lastBoot) = ("", "")
      let next = """
        SELECT worker, boot FROM fieldstone_run \
        WHERE state = 1 AND flow = ? AND (worker, boot) > (?, ?) ORDER BY worker, boot LIMIT 1
        """
      let theirs = """
        FROM fieldstone_run WHERE state = 1 AND flow = ?2 AND worker = ?3 AND boot = ?4 \
        AND version <= ?5 AND lease_end <= ?6
        """
      let isCrashSuspected = "(crashes >= ?1 OR quarantine IS NOT NULL)"
      // One more crash makes a run crash-suspected; not if the request disregards quarantine.
      let crashes = request.quarantine.crashes - 1
      let isDisregarded = request.quarantine == .disregarded
      while let row = try row(next, [room.flow, last, lastBoot]) {
        (last, lastBoot) = (try row.text(0), try row.text(1))
        let end = lastBoot != time.boot || isDead(last) ? Int64.max : time.uptime.stored
        let arguments: StatementArguments = [
          crashes, room.flow, last, lastBoot, room.version, end,
        ]
        if !isDisregarded {
          crashed[Array(last.utf8), default: []] += try rows(
            "SELECT \(QuarantinedRun.columns) \(theirs) AND \(isCrashSuspected)", arguments
          ).map { try QuarantinedRun($0) }
        }
        let isGivenAlike = "(?8 OR NOT \(isCrashSuspected))"
        paused += try rows(
          "SELECT number \(theirs) AND (gate > 0 OR ?7) AND \(isGivenAlike)",
          arguments + [isPaused, isDisregarded]
        ).map { try $0.whole(0) }
        if isPaused { continue }
        found += try rows(
          """
          SELECT number, wakes_at \(theirs) AND gate = 0 AND \(isGivenAlike) \
          ORDER BY number LIMIT ?7
          """, arguments + [room.limit, isDisregarded]
        ).map { row in
          var candidate = try candidate(row)
          candidate.isTakenOver = true
          return candidate
        }
      }
      return found
    }

    /// - Parameter givesFlowPlace: whether any flow of the claim has places. Without them, the statement
    ///   sets no such column, and writes no entry of an index with it.
    private func take(
      _ number: Int, isCrashSuspected: Bool = false, isAlone: Bool = false, givesFlowPlace: Bool,
      for request: ClaimRequest, at time: JournalTime
    ) throws -> ClaimedRun {
      // A reclaimed run has one more crash, and its attempt already counts as begun.
      var record = try changed(
        number,
        """
        UPDATE \(Self.orFail) fieldstone_run SET state = 1, fence = fence + 1, \
        place = CASE WHEN concurrency IS NOT NULL AND EXISTS (SELECT 1 FROM fieldstone_limit \
        WHERE fieldstone_limit.flow = fieldstone_run.flow AND key_maximum IS NOT NULL) \
        THEN 1 ELSE 0 END, \
        \(givesFlowPlace ? Self.givenFlowPlace : "") \
        attempts = attempts + 1 - state, crashes = crashes + state, \
        lone_crashes = lone_crashes + is_alone, is_alone = ?, \
        worker = ?, boot = ?, lease_end = ?, changed_at = ?, due_at = NULL \
        WHERE number = ?
        """,
        [
          isAlone, request.worker, time.boot, (time.uptime + request.lease).stored,
          time.date.stored, number,
        ])
      var signal: SignalRecord?
      if !record.awaitedSignals.isEmpty {
        signal = try oldestSignal(record.awaitedSignals, of: number)
        if signal == nil {
          // The wait has timed out, for later attempts as well.
          try execute("UPDATE fieldstone_run SET awaited = NULL WHERE number = ?", [number])
          record.awaitedSignals = []
        }
      }
      return ClaimedRun(
        record: record, signal: signal, isCrashSuspected: isCrashSuspected, isAlone: isAlone)
    }

    private static let givenFlowPlace = """
      flow_place = EXISTS (SELECT 1 FROM fieldstone_limit \
      WHERE fieldstone_limit.flow = fieldstone_run.flow AND runs_whole = 1),
      """

    func renew(
      _ claims: [RunClaim], lease: Duration, at time: JournalTime
    ) throws -> [RunClaim] {
      let end = (time.uptime + lease).stored
      // Ignores the sequence: the worker's own checkpoint may have been earlier, with a later lease
      // end.
      let sql = """
        UPDATE fieldstone_run SET boot = ?1, \
        lease_end = CASE WHEN boot = ?1 THEN MAX(lease_end, ?2) ELSE ?2 END \
        WHERE id = ?3 AND fence = ?4 AND state = 1 AND (deadline IS NULL OR deadline > ?5)
        """
      let lost = try claims.filter { claim in
        let arguments: StatementArguments = [
          time.boot, end, claim.id.description, claim.fence, time.date.stored,
        ]
        return try execute(sql, arguments) == 0
      }
      if !lost.isEmpty { try cancelLate(among: lost.map(\.id), at: time) }
      return lost
    }
  }
#endif
