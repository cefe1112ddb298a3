#if SQLite
  import FieldstoneDurable
  import Foundation
  import GRDB

  /// A run that is in quarantine or enters it.
  struct QuarantinedRun {
    static let columns = "number, wakes_at, id, flow, version, crashes, quarantine, gate"

    var number: Int
    var wakesAt: Double
    var run: CrashSuspectedRun

    init(_ row: StoredRow, isHeld: Bool = false) throws {
      number = try row.whole(0)
      wakesAt = try row.date(1).timeIntervalSinceReferenceDate
      run = CrashSuspectedRun(
        id: try RunColumns.id(row.text(2)), flow: try row.text(3), version: try row.whole(4),
        crashes: try row.whole(5), group: row.optionalWhole(6), isHeld: isHeld,
        isPaused: try row.whole(7) > 0)
    }
  }

  extension JournalTransaction {
    /// Releases the runs of a dead worker into their quarantine groups.
    func quarantine(_ runs: [QuarantinedRun], at time: JournalTime) throws {
      guard !runs.isEmpty else { return }
      let last = try row("SELECT MAX(quarantine) FROM fieldstone_run WHERE quarantine IS NOT NULL")
      var group = last?.optionalWhole(0) ?? 0
      let numbers = Dictionary(runs.map { ($0.run.id, $0.number) }, uniquingKeysWith: { $1 })
      let now = time.date.stored
      for members in CrashSuspectedRun.groups(ofDeadWorker: runs.map(\.run)) {
        group += 1
        for member in members {
          try execute(
            """
            UPDATE fieldstone_run SET state = 0, attempts = MAX(0, attempts - 1), \
            crashes = crashes + 1, lone_crashes = lone_crashes + is_alone, is_alone = 0, \
            quarantine = ?, changed_at = ?, waits = 0, \
            wakes_at = ? - priority * \(secondsPerPriority), due_at = NULL, \
            worker = NULL, boot = NULL, lease_end = NULL WHERE number = ? AND state = 1
            """, [group, now, now, numbers[member.id]])
        }
      }
    }

    /// The next group for a worker, as its members' numbers.
    func nextGroup(
      for request: ClaimRequest, _ admissions: [[UInt8]: FlowAdmission], at time: JournalTime,
      isDead: (String) -> Bool
    ) throws -> (members: [Int], isLone: Bool, left: Claim.Quarantined) {
      guard request.quarantine != .disregarded else { return ([], false, .none) }
      let sql = """
        SELECT \(QuarantinedRun.columns), state, worker, boot, lease_end FROM fieldstone_run \
        WHERE quarantine IS NOT NULL
        """
      let all = try rows(sql).map { row in
        let isOver =
          row.optionalText(10) != time.boot
          || Int64(row.optionalWhole(11) ?? 0) <= time.uptime.stored
          || isDead(row.optionalText(9) ?? "")
        var run = try QuarantinedRun(row, isHeld: row.whole(8) == 1 && !isOver)
        if var admission = admissions[Array(try row.text(3).utf8)], try row.whole(8) == 0,
          try !admit(run.number, &admission)
        {
          run.run.isPaused = true
        }
        return run
      }
      let (members, left) = CrashSuspectedRun.next(of: all.map(\.run), for: request)
      guard let first = members.first else { return ([], false, left) }
      let numbers = Dictionary(all.map { ($0.run.id, $0.number) }, uniquingKeysWith: { $1 })
      var isAlone = false
      if case .alone = request.quarantine {
        isAlone = all.count { $0.run.group == first.group } == 1
      }
      return (members.compactMap { numbers[$0.id] }, isAlone, left)
    }

    /// The ready runs in quarantine, for a worker that disregards quarantine.
    func quarantined(_ room: ClaimRequest.FlowRoom) throws -> [QuarantinedRun] {
      // The unary plus keeps SQLite from the index of the flow's ready runs, which may contain a
      // million.
      let sql = """
        SELECT \(QuarantinedRun.columns) FROM fieldstone_run \
        WHERE quarantine IS NOT NULL AND gate = 0 AND +state = 0 AND +flow = ? AND version <= ?
        """
      return try rows(sql, [room.flow, room.version]).map { try QuarantinedRun($0) }
    }

    /// The worker that has a run; nil if none has.
    func holder(of number: Int) throws -> String? {
      try row("SELECT worker FROM fieldstone_run WHERE number = ? AND state = 1", [number])?
        .text(0)
    }

    /// Marks a worker's trials as no longer alone, because it gets further runs.
    func endLoneTrials(of worker: String) throws {
      try execute(
        """
        UPDATE fieldstone_run SET is_alone = 0 \
        WHERE quarantine IS NOT NULL AND worker = ? AND is_alone = 1
        """, [worker])
    }
  }
#endif
