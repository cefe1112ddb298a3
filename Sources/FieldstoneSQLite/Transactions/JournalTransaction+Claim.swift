#if SQLite
  import FieldstoneDurable
  import Foundation
  import GRDB

  extension JournalTransaction {
    /// A run that may be claimed.
    private struct Candidate {
      var number: Int
      var wakesAt: Double
      var isTakenOver: Bool
      /// How many attempts it has behind it, if it may have ended its worker.
      var suspectAttempts: Int?

      var isSuspect: Bool { suspectAttempts != nil }

      static func isEarlier(_ left: Self, _ right: Self) -> Bool {
        if left.isTakenOver != right.isTakenOver { return left.isTakenOver }
        return (left.wakesAt, left.number) < (right.wakesAt, right.number)
      }

      static func isLessSuspect(_ left: Self, _ right: Self) -> Bool {
        (left.suspectAttempts ?? 0, left.number) < (right.suspectAttempts ?? 0, right.number)
      }
    }

    func claim(
      _ request: ClaimRequest, at time: JournalTime, isDead: (String) -> Bool
    ) throws -> Claim {
      try checkSchema()
      // Each is asked after once, not by each flow: to ask is to open a file.
      var known: [String: Bool] = [:]
      func isKnownDead(_ worker: String) -> Bool {
        if let known = known[worker] { return known }
        let answer = isDead(worker)
        known[worker] = answer
        return answer
      }
      var candidates: [Candidate] = []
      var suspects: [Candidate] = []
      var nextDueAt: Date?
      for room in try openFlows(among: request.flows) {
        let versions = try readyVersions(of: room.flow, upTo: room.version)
        for version in versions {
          guard let due = try nextDue(room.flow, version, after: time.date) else { continue }
          nextDueAt = min(nextDueAt ?? due, due)
        }
        guard room.limit > 0 else { continue }
        let left = try leftBehind(room, for: request, at: time, isDead: isKnownDead)
        suspects += left.filter(\.isSuspect)
        var found = left.filter { !$0.isSuspect }
        for version in versions where found.count < room.limit {
          found += try ready(room, version, at: time)
        }
        candidates += found.sorted(by: Candidate.isEarlier).prefix(room.limit)
      }
      if case .alone = request.suspects,
        let first = suspects.min(by: Candidate.isLessSuspect)
      {
        let run = try take(first, for: request, at: time)
        return Claim(runs: [run], nextDueAt: nextDueAt, leavesSuspects: suspects.count > 1)
      }
      let runs = try candidates.sorted(by: Candidate.isEarlier).map { candidate in
        try take(candidate, for: request, at: time)
      }
      return Claim(runs: runs, nextDueAt: nextDueAt, leavesSuspects: !suspects.isEmpty)
    }

    /// The workers that have runs, dead or alive.
    func runningWorkers() throws -> [String] {
      try rows("SELECT DISTINCT worker FROM fieldstone_run WHERE state = 1").map { row in
        row.optionalText(0) ?? ""
      }
    }

    /// The versions of which there are ready runs: one seek in the index for each.
    private func readyVersions(of flow: String, upTo newest: Int) throws -> [Int] {
      var versions: [Int] = []
      while true {
        let sql = """
          SELECT MIN(version) FROM fieldstone_run \
          WHERE state = 0 AND flow = ? AND version > ? AND version <= ?
          """
        guard let row = try row(sql, [flow, versions.last ?? Int.min, newest]),
          let version = row.optionalWhole(0)
        else { return versions }
        versions.append(version)
      }
    }

    private func ready(
      _ room: ClaimRequest.FlowRoom, _ version: Int, at time: JournalTime
    ) throws -> [Candidate] {
      // What waits for nothing is ready whatever the wall clock says.
      let sql = """
        SELECT number, wakes_at FROM fieldstone_run \
        WHERE state = 0 AND flow = ? AND version = ? AND waits = 0 \
        ORDER BY wakes_at, number LIMIT ?
        """
      let waited = """
        SELECT number, wakes_at FROM fieldstone_run \
        WHERE state = 0 AND flow = ? AND version = ? AND waits = 1 AND wakes_at <= ? \
        ORDER BY wakes_at, number LIMIT ?
        """
      let found =
        try rows(sql, [room.flow, version, room.limit])
        + rows(waited, [room.flow, version, time.date.stored, room.limit])
      return try found.map { row in
        Candidate(
          number: try row.whole(0), wakesAt: try row.date(1).timeIntervalSinceReferenceDate,
          isTakenOver: false)
      }
    }

    private func nextDue(_ flow: String, _ version: Int, after date: Date) throws -> Date? {
      let sql = """
        SELECT wakes_at FROM fieldstone_run \
        WHERE state = 0 AND flow = ? AND version = ? AND waits = 1 AND wakes_at > ? \
        AND wakes_at < ? ORDER BY wakes_at LIMIT 1
        """
      let never = Date.distantFuture.stored
      return try row(sql, [flow, version, date.stored, never])?.date(0)
    }

    /// The runs whose leases are over, or whose workers are.
    ///
    /// The workers that have runs are few: each is looked up in the index by itself.
    private func leftBehind(
      _ room: ClaimRequest.FlowRoom, for request: ClaimRequest, at time: JournalTime,
      isDead: (String) -> Bool
    ) throws -> [Candidate] {
      var found: [Candidate] = []
      var (last, lastBoot) = ("", "")
      let next = """
        SELECT worker, boot FROM fieldstone_run \
        WHERE state = 1 AND flow = ? AND (worker, boot) > (?, ?) ORDER BY worker, boot LIMIT 1
        """
      // Suspects come first where one would be given, and last where they only need to be seen;
      // one more than there is room for is looked at, so that they are.
      let theirs = """
        SELECT number, wakes_at, attempts FROM fieldstone_run \
        WHERE state = 1 AND flow = ?2 AND worker = ?3 AND boot = ?4 AND version <= ?5 \
        AND lease_end <= ?6 \
        ORDER BY (attempts >= ?1) <> ?7, MAX(attempts, ?1), number LIMIT ?8
        """
      var suspectsComeFirst = false
      if case .alone = request.suspects { suspectsComeFirst = true }
      while let row = try row(next, [room.flow, last, lastBoot]) {
        (last, lastBoot) = (try row.text(0), try row.text(1))
        let isOver = lastBoot != time.boot || (last != request.worker && isDead(last))
        found += try rows(
          theirs,
          [
            request.suspects.attempts, room.flow, last, lastBoot, room.version,
            isOver ? Int64.max : time.uptime.stored, suspectsComeFirst,
            min(room.limit, Int.max - 1) + 1,
          ]
        ).map { row in
          let attempts = try row.whole(2)
          return Candidate(
            number: try row.whole(0), wakesAt: try row.date(1).timeIntervalSinceReferenceDate,
            isTakenOver: true,
            suspectAttempts: attempts >= request.suspects.attempts ? attempts : nil)
        }
      }
      return found
    }

    private func take(
      _ candidate: Candidate, for request: ClaimRequest, at time: JournalTime
    ) throws -> ClaimedRun {
      let number = candidate.number
      let claimed = try row(
        """
        UPDATE fieldstone_run SET state = 1, fence = fence + 1, attempts = attempts + 1, \
        worker = ?, boot = ?, lease_end = ?, changed_at = ?, due_at = NULL \
        WHERE number = ? RETURNING \(RunColumns.list)
        """,
        [
          request.worker, time.boot, (time.uptime + request.lease).stored, time.date.stored, number,
        ])
      var record = try changed(claimed)
      var signal: SignalRecord?
      if let name = record.awaitedSignal {
        signal = try oldestSignal(named: name, of: number)
        if signal == nil {
          // Time is out, and stays so for the attempts that may follow.
          try execute("UPDATE fieldstone_run SET awaited = NULL WHERE number = ?", [number])
          record.awaitedSignal = nil
        }
      }
      return ClaimedRun(record: record, signal: signal, isSuspect: candidate.isSuspect)
    }

    private func oldestSignal(named name: String, of number: Int) throws -> SignalRecord? {
      let sql = """
        SELECT id, payload, sent_at FROM fieldstone_signal \
        WHERE run = ? AND name = ? AND consumed_by IS NULL ORDER BY position LIMIT 1
        """
      return try row(sql, [number, name]).map { row in
        SignalRecord(
          id: try row.text(0), name: name, payload: try row.bytes(1), sentAt: try row.date(2))
      }
    }

    func renew(
      _ claims: [RunClaim], lease: Duration, at time: JournalTime
    ) throws -> [RunClaim] {
      let end = (time.uptime + lease).stored
      // Not by the sequence: the worker's own checkpoint may have come before, with a later end.
      let sql = """
        UPDATE fieldstone_run SET boot = ?1, \
        lease_end = CASE WHEN boot = ?1 THEN MAX(lease_end, ?2) ELSE ?2 END \
        WHERE id = ?3 AND fence = ?4 AND state = 1
        """
      return try claims.filter { claim in
        try execute(sql, [time.boot, end, claim.id.description, claim.fence]) == 0
      }
    }
  }
#endif
