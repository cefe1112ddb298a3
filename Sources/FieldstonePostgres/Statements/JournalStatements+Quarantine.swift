#if PostgreSQL
  import FieldstoneDurable
  import Foundation

  extension JournalStatements {
    /// Releases crash-suspected runs of dead workers into quarantine, in their groups.
    ///
    /// - Returns: how many there were.
    func settleCrashes(_ parameters: [PostgresParameter]) throws -> Int {
      var dead: [String: [CrashSuspectedRun]] = [:]
      for row in try rows(ClaimSQL.crashed, parameters) {
        dead[row.optionalText(5) ?? "", default: []].append(
          CrashSuspectedRun(
            id: try row.identifier(0), flow: try row.text(1), version: try row.integer(2),
            crashes: try row.integer(3), group: row.optionalInteger(4)))
      }
      guard !dead.isEmpty else { return 0 }
      let last = try row("SELECT max(quarantine) FROM run WHERE quarantine IS NOT NULL", [])
      var group = last?.optionalInteger(0) ?? 0
      var members: [RunID] = []
      var groups: [Int] = []
      for (_, runs) in dead.sorted(by: { $0.key < $1.key }) {
        for itsMembers in CrashSuspectedRun.groups(ofDeadWorker: runs) {
          group += 1
          members += itsMembers.map(\.id)
          groups += itsMembers.map { _ in group }
        }
      }
      return try execute(
        """
        \(ClockSQL.with(3)) UPDATE run r SET state = 0, attempts = GREATEST(0, attempts - 1), crashes = crashes + 1, \
        lone_crashes = lone_crashes + is_alone::int, is_alone = false, quarantine = c.number, \
        changed_at = \(ClockSQL.now), \
        \(RunColumns.waiting(for: "NULL::timestamptz", now: ClockSQL.now)), due_at = NULL, \
        worker = NULL, lease_end = NULL, check_at = NULL \
        FROM unnest($1::uuid[], $2::int8[]) AS c(id, number) WHERE r.id = c.id \
        AND r.\(RunColumns.unindexedState) = 1
        """, [.identifiers(members), .integers(groups), now])
    }

    /// The next group for a worker.
    func nextGroup(
      for request: ClaimRequest, _ limits: FlowAdmissions
    ) throws -> (members: [RunID], isLone: Bool, left: Claim.Quarantined) {
      let sql = """
        \(ClockSQL.with(1)) SELECT r.id, r.flow, r.version, r.crashes, r.quarantine, \
        r.state = 1 AND NOT COALESCE(r.lease_end <= \(ClockSQL.now), true), r.gate > 0, \
        r.concurrency, r.place, r.state, r.flow_place \
        FROM run r WHERE r.quarantine IS NOT NULL
        """
      let all = try rows(sql, [now]).map { row in
        // A run whose key or flow is full waits; a reclaimed run keeps its places.
        var left = limits
        let isBehind =
          try row.integer(9) == 0
          && !left.admit(
            row.integer(8) == 0 ? row.optionalText(7) : nil, hasFlowPlace: row.integer(10) == 1,
            of: row.text(1), statements: self)
        return CrashSuspectedRun(
          id: try row.identifier(0), flow: try row.text(1), version: try row.integer(2),
          crashes: try row.integer(3), group: row.optionalInteger(4), isHeld: try row.boolean(5),
          isPaused: try row.boolean(6) || isBehind)
      }
      let (members, left) = CrashSuspectedRun.next(of: all, for: request)
      let group = all.first { $0.id == members.first?.id }?.group
      var isLone = false
      if case .alone = request.quarantine, !members.isEmpty {
        isLone = all.count { $0.group == group } == 1
      }
      return (members.map(\.id), isLone, left)
    }

    /// Locks the runs that a worker tries alone; it may get further runs only then.
    ///
    /// The claim does not wait for them, because others wait behind it for its locks.
    ///
    /// - Returns: false if another transaction has locked one.
    func lockLoneTrials(of worker: String) throws -> Bool {
      let locked = try rows(
        "SELECT 1 FROM run WHERE \(Self.isLoneTrial) FOR NO KEY UPDATE SKIP LOCKED",
        [.text(worker)])
      let all = try rows("SELECT 1 FROM run WHERE \(Self.isLoneTrial)", [.text(worker)])
      return all.count == locked.count
    }

    /// Marks a worker's trials as no longer alone, because it gets further runs.
    func endLoneTrials(of worker: String) throws {
      try execute("UPDATE run SET is_alone = false WHERE \(Self.isLoneTrial)", [.text(worker)])
    }

    private static let isLoneTrial = "quarantine IS NOT NULL AND worker = $1 AND is_alone"
  }
#endif
