#if PostgreSQL
  import FieldstoneDurable
  import Foundation

  extension JournalStatements {
    func park(_ parking: Parking, at time: JournalTime) throws {
      switch parking.reason {
      case .shutdown: try park(parking.claim, .ready, at: time)
      case .retry(let date, let error):
        try park(
          parking.claim, .ready, counts: true, wake: date, error: error, isCleared: true, at: time)
      case .dead(let error): try park(parking.claim, .dead, counts: true, error: error, at: time)
      case .exhausted(let error): try park(parking.claim, .dead, error: error, at: time)
      case .blocked(let error):
        try park(parking.claim, .blocked, error: error, isCleared: true, at: time)
      }
    }

    /// - Parameters:
    ///   - counts: whether the attempt counts.
    ///   - isCleared: whether the worker has lived through an attempt.
    private func park(
      _ claim: RunClaim, _ state: RunState, counts: Bool = false, wake: Date? = nil,
      error: String? = nil, isCleared: Bool = false, at time: JournalTime
    ) throws {
      let count = try execute(
        """
        UPDATE run SET state = $1, attempts = GREATEST(0, attempts + $2), changed_at = $3, \
        \(RunColumns.waiting(for: "$4", now: "$3")), due_at = $4, \
        paused_at = CASE WHEN $4 IS NOT NULL THEN $3 END, error = COALESCE($5, error), \
        rested = CASE WHEN $1 = 0 THEN rested ELSE pg_current_xact_id() END, \
        worker = NULL, boot = NULL, lease_uptime = NULL, lease_end = NULL, check_uptime = NULL, \
        check_at = NULL, is_alone = false, crashes = CASE WHEN $6 THEN 0 ELSE crashes END, \
        lone_crashes = CASE WHEN $6 THEN 0 ELSE lone_crashes END, \
        quarantine = CASE WHEN NOT $6 AND $1 = 0 THEN quarantine END \
        WHERE id = $7 AND sequence = $8 AND fence = $9 AND state = 1
        """,
        [
          .integer(state.code), .integer(counts ? 0 : -1), .date(time.date), .date(wake),
          .text(error), .boolean(isCleared), .identifier(claim.id), .integer(claim.sequence),
          .integer(claim.fence),
        ])
      if count == 0 { throw JournalError.claimLost(claim.id) }
    }

    func signal(_ id: RunID, _ signal: SignalRecord, at time: JournalTime) throws -> SignalReceipt {
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
      // One that was tried already waits for its next attempt, not for the signal.
      try execute(
        """
        UPDATE run SET \(RunColumns.waiting(for: "NULL::timestamptz", now: "$1")) \
        WHERE id = $2 AND state = 0 AND waits > 0 AND paused_at IS NULL AND awaited = $3
        """, [.date(time.date), .identifier(id), .text(signal.name)])
      return .sent
    }

    func change(_ id: RunID, _ change: RunChange, at time: JournalTime) throws -> RunRecord {
      let record = try lock(id)
      guard change.isAllowed(in: record.state) else {
        throw JournalError.notAllowed(id, state: record.state, action: change.action)
      }
      switch change {
      case .retry: try makeReady(id, at: time)
      case .edit(let payload, let version):
        try replaceStage(of: id, by: payload, version: version, at: time)
        try makeReady(id, at: time)
      case .cancel:
        try execute(
          """
          UPDATE run SET state = 5, changed_at = $1, over_at = $1, rested = pg_current_xact_id(), \
          waits = 0, due_at = NULL, paused_at = NULL, worker = NULL, boot = NULL, \
          lease_uptime = NULL, lease_end = NULL, check_uptime = NULL, check_at = NULL, \
          quarantine = NULL, is_alone = false WHERE id = $2
          """, [.date(time.date), .identifier(id)])
      }
      guard let changed = try run(id) else { throw JournalError.noRun(id) }
      return changed
    }

    private func makeReady(_ id: RunID, at time: JournalTime) throws {
      try execute(
        """
        UPDATE run SET state = 0, attempts = 0, changed_at = $1, over_at = NULL, \
        \(RunColumns.waiting(for: "NULL::timestamptz", now: "$1")), due_at = NULL, paused_at = NULL, crashes = 0, lone_crashes = 0, \
        quarantine = NULL, is_alone = false WHERE id = $2
        """, [.date(time.date), .identifier(id)])
    }

    private func replaceStage(
      of id: RunID, by payload: Data, version: Int?, at time: JournalTime
    ) throws {
      try execute(
        """
        INSERT INTO step (run, sequence, version, kind, fence, attempts, began_at, ended_at, worker, \
        error, payload) SELECT id, sequence + 1, COALESCE($1, version), 1, fence, \
        attempts + crashes, $2, $2, NULL, error, $3 FROM run WHERE id = $4
        """,
        [
          version.map { .integer($0) } ?? .noInteger, .date(time.date), .bytes(payload),
          .identifier(id),
        ])
      // What comes from now on is not for this stage.
      try execute(
        """
        UPDATE run r SET sequence = sequence + 1, version = COALESCE($1, version), error = NULL, \
        awaited = (SELECT g.name FROM signal g \
        WHERE g.run = r.id AND g.name = r.awaited AND g.consumed_by IS NULL LIMIT 1) WHERE id = $2
        """, [version.map { .integer($0) } ?? .noInteger, .identifier(id)])
    }
  }
#endif
