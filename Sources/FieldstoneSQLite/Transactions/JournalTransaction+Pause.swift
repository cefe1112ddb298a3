#if SQLite
  import FieldstoneDurable
  import Foundation
  import GRDB

  extension JournalTransaction {
    func pause(_ target: PauseTarget, until date: Date?) throws {
      switch target {
      case .flow(let flow):
        // Running runs need the gate, because their checkpoints read only their own row.
        try execute(
          "UPDATE fieldstone_run SET gate = gate | \(RunGate.flow) WHERE flow = ? AND state = 1",
          [flow])
      case .concurrencyKey(let key, let flow):
        try execute(
          """
          UPDATE fieldstone_run SET gate = gate | \(RunGate.key) \
          WHERE flow = ? AND concurrency = ? AND key_state IN (0, 4)
          """, [flow, key])
      case .run(let id):
        guard let (number, record) = try find(id) else { throw JournalError.noRun(id) }
        if record.state.isOver {
          throw JournalError.notAllowed(id, state: record.state, action: "paused")
        }
        try execute(
          "UPDATE fieldstone_run SET gate = gate | \(RunGate.run) WHERE number = ?", [number])
      }
      try execute(
        "INSERT OR REPLACE INTO fieldstone_pause (kind, flow, name, until) VALUES (?, ?, ?, ?)",
        [target.kind, target.flow, target.name, date?.stored])
      try demandProtocol(2)
    }

    func resume(_ target: PauseTarget) throws -> Bool {
      let count = try execute(
        "DELETE FROM fieldstone_pause WHERE kind = ? AND flow = ? AND name = ?",
        [target.kind, target.flow, target.name])
      guard count > 0 else { return false }
      switch target {
      case .flow(let flow):
        try execute(
          """
          UPDATE fieldstone_run SET gate = gate & ~\(RunGate.flow) \
          WHERE flow = ? AND gate <> 0 AND gate & \(RunGate.flow)
          """, [flow])
      case .concurrencyKey(let key, let flow):
        try execute(
          """
          UPDATE fieldstone_run SET gate = gate & ~\(RunGate.key) \
          WHERE flow = ? AND concurrency = ? AND key_state IN (0, 4)
          """, [flow, key])
      case .run(let id):
        try execute(
          "UPDATE fieldstone_run SET gate = gate & ~\(RunGate.run) WHERE id = ?",
          [id.description])
      }
      return true
    }

    func pauses() throws -> [JournalPause] { try firstPauses(atMost: .max) }

    func firstPauses(atMost limit: Int) throws -> [JournalPause] {
      try rows(
        "\(Self.pauseColumns) ORDER BY kind, flow, name LIMIT ?", [limit]
      ).map(pause)
    }

    /// The pauses of flows, of keys and of some runs; an index search per run.
    func pauses(of runs: [RunID]) throws -> [JournalPause] {
      let others = try rows("\(Self.pauseColumns) WHERE kind < 2 ORDER BY kind, flow, name")
      let own = try Set(runs).flatMap { id in
        let target = PauseTarget.run(id)
        return try rows(
          "\(Self.pauseColumns) WHERE kind = ? AND flow = ? AND name = ?",
          [target.kind, target.flow, target.name])
      }
      return try others.map(pause) + own.map(pause).sorted(by: JournalPause.precedes)
    }

    private static let pauseColumns = "SELECT kind, flow, name, until FROM fieldstone_pause"

    private func pause(_ row: StoredRow) throws -> JournalPause {
      JournalPause(try target(row), until: row.optionalDate(3))
    }

    private func target(_ row: StoredRow) throws -> PauseTarget {
      let target = PauseTarget(
        kind: try row.whole(0), flow: try row.text(1), name: try row.text(2))
      guard let target else { throw JournalError.corrupt("a pause is of nothing") }
      return target
    }

    /// Excludes workers whose protocol would ignore the newly stored data.
    func demandProtocol(_ version: Int) throws {
      try execute(
        "UPDATE fieldstone_journal SET minimum_protocol = ?1 WHERE minimum_protocol < ?1",
        [version])
    }

    /// Refuses a worker that would ignore data of the journal.
    func checkProtocol(of request: ClaimRequest) throws {
      guard let row = try row("SELECT minimum_protocol FROM fieldstone_journal") else { return }
      let minimum = try row.whole(0)
      if minimum >= ClaimRequest.sealedProtocolVersion { throw JournalError.sealed }
      if request.protocolVersion < minimum {
        throw JournalError.newerProtocol(minimum: minimum, known: request.protocolVersion)
      }
    }

    /// Ends the pauses whose time has come, several hundred at a time.
    ///
    /// - Returns: the paused flows, and the time at which the next pause ends, which has passed if
    ///   there are more.
    func endPauses(at time: JournalTime) throws -> (flows: Set<[UInt8]>, next: Date?) {
      guard try row("SELECT 1 FROM fieldstone_pause LIMIT 1") != nil else { return ([], nil) }
      let over = try rows(
        """
        SELECT kind, flow, name FROM fieldstone_pause WHERE until <= ? ORDER BY until \
        LIMIT \(cancelledAtOnce)
        """, [time.date.stored])
      for row in over { _ = try resume(target(row)) }
      let flows = try rows(
        "SELECT flow FROM fieldstone_pause WHERE kind = 0 AND (until IS NULL OR until > ?)",
        [time.date.stored])
      let next = try row(
        "SELECT until FROM fieldstone_pause WHERE until IS NOT NULL ORDER BY until LIMIT 1")
      return (Set(try flows.map { Array(try $0.text(0).utf8) }), next?.optionalDate(0))
    }

    /// Releases paused runs of dead workers; they can't be reclaimed while they are paused.
    func settle(_ numbers: [Int], at time: JournalTime) throws {
      let now = time.date.stored
      for number in numbers {
        try execute(
          """
          UPDATE fieldstone_run SET state = 0, attempts = MAX(0, attempts - 1), \
          crashes = crashes + 1, lone_crashes = lone_crashes + is_alone, is_alone = 0, \
          changed_at = ?, waits = 0, wakes_at = ? - priority * \(secondsPerPriority), \
          due_at = NULL, worker = NULL, boot = NULL, lease_end = NULL \
          WHERE number = ? AND state = 1
          """, [now, now, number])
      }
    }

    /// Removes the own pause of a finished run.
    func endPause(of id: RunID) throws {
      try execute(
        "DELETE FROM fieldstone_pause WHERE kind = 2 AND flow = '' AND name = ?", [id.description])
    }
  }
#endif
