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

      static func isEarlier(_ left: Self, _ right: Self) -> Bool {
        if left.isTakenOver != right.isTakenOver { return left.isTakenOver }
        return (left.wakesAt, left.number) < (right.wakesAt, right.number)
      }
    }

    func claim(
      _ request: ClaimRequest, at time: JournalTime, isDead: (String) -> Bool
    ) throws -> Claim {
      var candidates: [Candidate] = []
      var nextDueAt: Date?
      for room in request.flows {
        let versions = try readyVersions(of: room.flow, upTo: room.version)
        for version in versions {
          guard let due = try nextDue(room.flow, version, after: time.date) else { continue }
          nextDueAt = min(nextDueAt ?? due, due)
        }
        guard room.limit > 0 else { continue }
        var found = try leftBehind(room, by: request.worker, at: time, isDead: isDead)
        for version in versions where found.count < room.limit {
          found += try ready(room, version, at: time)
        }
        candidates += found.sorted(by: Candidate.isEarlier).prefix(room.limit)
      }
      let runs = try candidates.sorted(by: Candidate.isEarlier).map { candidate in
        try take(candidate.number, for: request, at: time)
      }
      return Claim(runs: runs, nextDueAt: nextDueAt)
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
      _ room: ClaimRequest.FlowRoom, by worker: String, at time: JournalTime,
      isDead: (String) -> Bool
    ) throws -> [Candidate] {
      var found: [Candidate] = []
      var (last, lastBoot) = ("", "")
      let next = """
        SELECT worker, boot FROM fieldstone_run \
        WHERE state = 1 AND flow = ? AND (worker, boot) > (?, ?) ORDER BY worker, boot LIMIT 1
        """
      let theirs = """
        SELECT number, wakes_at FROM fieldstone_run \
        WHERE state = 1 AND flow = ? AND worker = ? AND boot = ? AND version <= ? \
        AND lease_end <= ? ORDER BY number LIMIT ?
        """
      while let row = try row(next, [room.flow, last, lastBoot]) {
        (last, lastBoot) = (try row.text(0), try row.text(1))
        let isOver = lastBoot != time.boot || (last != worker && isDead(last))
        found += try rows(
          theirs,
          [
            room.flow, last, lastBoot, room.version, isOver ? Int64.max : time.uptime.stored,
            room.limit,
          ]
        ).map { row in
          Candidate(
            number: try row.whole(0), wakesAt: try row.date(1).timeIntervalSinceReferenceDate,
            isTakenOver: true)
        }
      }
      return found
    }

    private func take(
      _ number: Int, for request: ClaimRequest, at time: JournalTime
    ) throws -> ClaimedRun {
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
      guard let name = record.awaitedSignal else { return ClaimedRun(record: record) }
      if let signal = try oldestSignal(named: name, of: number) {
        return ClaimedRun(record: record, signal: signal)
      }
      // Time is out, and stays so for the attempts that may follow.
      try execute("UPDATE fieldstone_run SET awaited = NULL WHERE number = ?", [number])
      record.awaitedSignal = nil
      return ClaimedRun(record: record)
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
