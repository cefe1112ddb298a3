#if PostgreSQL
  import FieldstoneDurable
  import Foundation

  extension JournalStatements {
    /// Locks a run if a worker holds it.
    func isHeld(_ id: RunID, by worker: String) throws -> Bool {
      let sql = "SELECT 1 FROM run WHERE id = $1 AND worker = $2 FOR UPDATE"
      return try row(sql, [.identifier(id), .text(worker)]) != nil
    }

    func park(_ parking: Parking, at time: JournalTime) throws {
      switch parking.reason {
      case .shutdown: try park(parking, .ready, at: time)
      case .retry(let date, let error):
        try park(
          parking, .ready, counts: true, wake: date, error: error, isCleared: true, at: time)
      case .dead(let error): try park(parking, .dead, counts: true, error: error, at: time)
      case .exhausted(let error): try park(parking, .dead, error: error, at: time)
      case .blocked(let error):
        try park(parking, .blocked, error: error, isCleared: true, at: time)
      }
    }

    /// Takes a run from its worker, into a state.
    ///
    /// - Parameters:
    ///   - counts: whether the attempt counts.
    ///   - wake: the end of its wait; nil without one.
    ///   - isCleared: whether the worker has survived an attempt.
    func park(
      _ parking: Parking, _ state: RunState, counts: Bool = false, wake: Date? = nil,
      error: String? = nil, isCleared: Bool = false, at time: JournalTime
    ) throws {
      let claim = parking.claim
      let now = ClockSQL.now
      // At the same distance as by the caller's clock.
      let due = "(\(now) + \(ClockSQL.microseconds("$4")))"
      let parked = try row(
        """
        \(ClockSQL.with(3)) \
        UPDATE run SET state = $1, attempts = GREATEST(0, attempts + $2), changed_at = \(now), \
        \(RunColumns.waiting(for: due, now: now)), due_at = \(due), \
        paused_at = CASE WHEN $4 IS NOT NULL THEN \(now) END, error = COALESCE($5, error), \
        fingerprint = $10, \
        gate = CASE WHEN $1 = \(RunState.dead.code) THEN 0 ELSE gate END, \
        rested = CASE WHEN $1 = 0 THEN rested ELSE pg_current_xact_id() END, \
        worker = NULL, lease_end = NULL, check_at = NULL, is_alone = false, crashes = CASE WHEN $6 THEN 0 ELSE crashes END, \
        lone_crashes = CASE WHEN $6 THEN 0 ELSE lone_crashes END, \
        quarantine = CASE WHEN NOT $6 AND $1 = 0 THEN quarantine END \
        WHERE id = $7 AND sequence = $8 AND fence = $9 AND \(RunColumns.unindexedState) = 1 \
        RETURNING parent, parent_sequence, joined
        """,
        [
          .integer(state.code), .integer(counts ? 0 : -1), self.now,
          wake.map { Self.distance(of: $0, from: time) } ?? .noInteger,
          .text(error), .boolean(isCleared), .identifier(claim.id), .integer(claim.sequence),
          .integer(claim.fence), parking.fingerprint.map { .integer($0.code) } ?? .noInteger,
        ])
      guard let parked else { throw JournalError.claimLost(claim.id) }
      if state.isOver {
        try endPauses(of: [claim.id])
        if let end = try ChildEnd(claim.id, state, parked) { try report([end], isWritten: false) }
      }
    }

    func signal(_ id: RunID, _ signal: SignalRecord) throws -> SignalReceipt {
      let record = try lock(id)
      let known = try row(
        "SELECT name FROM signal WHERE run = $1 AND id = $2", [.identifier(id), .text(signal.id)])
      if let name = try known?.text(0) {
        guard name.utf8.elementsEqual(signal.name.utf8) else {
          throw JournalError.signalTaken(id: signal.id, name: name)
        }
        return .alreadySent
      }
      if record.state.isOver {
        throw JournalError.notAllowed(id, state: record.state, action: "signalled")
      }
      try execute(
        "INSERT INTO signal (run, id, name, sent_at, payload) VALUES ($1, $2, $3, $4, $5)",
        [
          .identifier(id), .text(signal.id), .text(signal.name), .date(signal.sentAt),
          .bytes(signal.payload),
        ])
      // After a failed attempt the run waits for its next attempt, not for the signal.
      try execute(
        """
        \(ClockSQL.with(1)) \
        UPDATE run SET \(RunColumns.waiting(for: "NULL::timestamptz", now: ClockSQL.now)) \
        WHERE id = $2 AND \(RunColumns.unindexedState) = 0 AND waits > 0 AND paused_at IS NULL \
        AND $3 = ANY (\(SignalSQL.names(in: "awaited")))
        """, [now, .identifier(id), .text(signal.name)])
      try note(AuditEntry(signalling: id, signal))
      return .sent
    }

    func change(_ id: RunID, _ change: RunChange) throws -> RunRecord {
      // Locked before the run: a transaction that pauses a key holds this lock and waits for runs.
      try lockPauses(asReader: true)
      let record = try lock(id)
      try change.check(against: record)
      if change != .cancel { try keepOutcome(id) }
      switch change {
      case .retry: try makeReady(id)
      case .edit(let payload, let version, _):
        try replaceStage(of: id, by: payload, version: version)
        try makeReady(id)
      case .cancel:
        try cancel([id])
      }
      if record.join?.policy != nil { try endJoins(of: [id]) }
      guard let changed = try run(id) else { throw JournalError.noRun(id) }
      return changed
    }

    /// Cancels runs that this transaction has locked; a trigger takes them from their workers.
    func cancel(_ ids: [RunID]) throws {
      let cancelled = try rows(
        """
        \(ClockSQL.with(1)) \
        UPDATE run SET state = 5, gate = 0, changed_at = \(ClockSQL.now), over_at = \(ClockSQL.now), \
        rested = pg_current_xact_id(), waits = 0, due_at = NULL, paused_at = NULL, \
        quarantine = NULL, is_alone = false WHERE id = ANY ($2) \
        RETURNING parent, parent_sequence, joined, id
        """, [now, .identifiers(ids)])
      let ends = try cancelled.compactMap { try ChildEnd($0.identifier(3), .cancelled, $0) }
      try endPauses(of: ids)
      try report(ends, isWritten: false)
    }

    private func makeReady(_ id: RunID) throws {
      try execute(
        """
        \(ClockSQL.with(1)) \
        UPDATE run SET state = 0, attempts = 0, changed_at = \(ClockSQL.now), over_at = NULL, \
        \(RunColumns.waiting(for: "NULL::timestamptz", now: ClockSQL.now)), due_at = NULL, \
        paused_at = NULL, crashes = 0, lone_crashes = 0, quarantine = NULL, is_alone = false, \
        gate = gate & ~\(RunGate.key) \
        | \(RunGate.ofKey(flow: "run.flow", concurrency: "run.concurrency")), \
        deadline = CASE WHEN state IN (2, 3, 5) AND deadline <= \(ClockSQL.now) THEN NULL \
        ELSE deadline END WHERE id = $2
        """, [now, .identifier(id)])
    }

    private func replaceStage(
      of id: RunID, by payload: Data, version: Int?
    ) throws {
      try execute(
        """
        \(ClockSQL.with(2)) \
        INSERT INTO step (run, sequence, version, kind, fence, attempts, began_at, ended_at, worker, \
        error, payload) SELECT id, sequence + 1, COALESCE($1, version), 1, fence, \
        attempts + crashes, \(ClockSQL.now), \(ClockSQL.now), NULL, error, $3 FROM run WHERE id = $4
        """,
        [
          version.map { .integer($0) } ?? .noInteger, now, .bytes(payload), .identifier(id),
        ])
      // A signal that arrives later is not for this stage.
      try execute(
        """
        UPDATE run r SET sequence = sequence + 1, version = COALESCE($1, version), error = NULL, \
        awaited = CASE WHEN \(SignalSQL.isThere(for: "r")) THEN r.awaited END WHERE id = $2
        """, [version.map { .integer($0) } ?? .noInteger, .identifier(id)])
    }
  }
#endif
