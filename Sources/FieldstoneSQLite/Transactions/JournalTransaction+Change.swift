#if SQLite
  import FieldstoneDurable
  import Foundation
  import GRDB

  extension JournalTransaction {
    func signal(
      _ id: RunID, _ signal: SignalRecord, at time: JournalTime
    ) throws -> SignalReceipt {
      guard let (number, record) = try find(id) else { throw JournalError.noRun(id) }
      let known = try row(
        "SELECT name FROM fieldstone_signal WHERE run = ? AND id = ?", [number, signal.id])
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
        """
        INSERT INTO fieldstone_signal (run, id, name, sent_at, payload) VALUES (?, ?, ?, ?, ?)
        """,
        [number, signal.id, signal.name, signal.sentAt.stored, signal.payload])
      // After a failed attempt the run waits for its next attempt, not for the signal.
      try execute(
        """
        UPDATE fieldstone_run SET waits = 0, wakes_at = ? - priority * \(secondsPerPriority) \
        WHERE number = ? AND state = 0 AND waits > 0 AND attempts = 0 AND (awaited = ? \
        OR instr(awaited || char(31), ?) > 0)
        """,
        [
          time.date.stored, number, signal.name,
          AwaitedSignals.separator + signal.name + AwaitedSignals.separator,
        ])
      try note(AuditEntry(signalling: id, signal), at: time)
      return .sent
    }

    func change(_ id: RunID, _ change: RunChange, at time: JournalTime) throws -> RunRecord {
      guard let (number, record) = try find(id) else { throw JournalError.noRun(id) }
      try change.check(against: record)
      if change != .cancel { try keepOutcome(number) }
      switch change {
      case .retry:
        return try makeReady(number, at: time)
      case .edit(let payload, let version, _):
        try keepAsStep(number, at: time)
        try execute(
          """
          UPDATE fieldstone_run SET sequence = sequence + 1, payload = ?, \
          version = COALESCE(?, version), error = NULL, \
          awaited = IIF(?, awaited, NULL) WHERE number = ?
          """, [payload, version, try hasSignal(record.awaitedSignals, of: number), number])
        return try makeReady(number, at: time)
      case .cancel:
        return try cancel(number, at: time)
      }
    }

    private func makeReady(_ number: Int, at time: JournalTime) throws -> RunRecord {
      let now = time.date.stored
      return try changed(
        number,
        """
        UPDATE fieldstone_run SET state = 0, attempts = 0, changed_at = ?, waits = 0, \
        wakes_at = ? - priority * \(secondsPerPriority), due_at = NULL, crashes = 0, \
        lone_crashes = 0, quarantine = NULL, \
        gate = gate & ~\(RunGate.key) \
        | \(RunGate.ofKey(flow: "fieldstone_run.flow", concurrency: "concurrency")), \
        is_alone = 0, deadline = IIF(state IN (2, 3, 5) AND deadline <= ?, NULL, deadline) \
        WHERE number = ?
        """, [now, now, now, number])
    }

    func cancel(_ number: Int, at time: JournalTime) throws -> RunRecord {
      let record = try changed(
        number,
        """
        UPDATE fieldstone_run SET state = 5, gate = 0, changed_at = ?, waits = 0, due_at = NULL, \
        worker = NULL, boot = NULL, lease_end = NULL, quarantine = NULL, is_alone = 0 \
        WHERE number = ?
        """, [time.date.stored, number])
      try endPause(of: record.id)
      return record
    }

    private func keepAsStep(_ number: Int, at time: JournalTime) throws {
      let now = time.date.stored
      try execute(
        """
        INSERT INTO fieldstone_step (run, sequence, fence, kind, version, attempts, began_at, \
        ended_at, worker, error, payload) \
        SELECT number, sequence, fence, 1, version, attempts + crashes, ?, ?, NULL, error, payload \
        FROM fieldstone_run WHERE number = ?
        """, [now, now, number])
    }
  }

  extension JournalTransaction {
    /// The maximum number of steps that are looked up.
    ///
    /// Beyond it each waiter reads its run, so it lies far above the steps between two polls: those
    /// of a busy moment belong to few runs.
    private static let mostSteps: Int64 = 1_000_000
    /// The maximum number of rests that are looked up: a trigger keeps no more.
    private static let mostRests: Int64 = 10_000

    func changes(since mark: JournalMark?) throws -> JournalChanges {
      // A read-only connection may have opened an older schema.
      guard try hasRests() else { return JournalChanges() }
      let step = try last("SELECT MAX(rowid) FROM fieldstone_step")
      let rest = try last("SELECT MAX(position) FROM fieldstone_rest")
      let now = JournalMark(positions: [step, rest])
      guard let mark, mark.positions.count == 2 else { return JournalChanges(mark: now, runs: [:]) }
      let (oldStep, oldRest) = (mark.positions[0], mark.positions[1])
      // Step numbers are reused after the last steps were purged; a row for run 0 then says so,
      // unless it is too old. The signs are compared first: the difference to a mark that is no
      // journal's could overflow.
      guard oldStep >= 0, oldRest >= 0, oldStep <= step, step - oldStep <= Self.mostSteps,
        oldRest <= rest, rest - oldRest <= Self.mostRests
      else { return JournalChanges(mark: now) }
      let isAnew = try row(
        "SELECT 1 FROM fieldstone_rest WHERE position > ? AND run = 0", [oldRest])
      guard isAnew == nil else { return JournalChanges(mark: now) }
      let sql = """
        SELECT id, state FROM fieldstone_run WHERE number IN (\
        SELECT run FROM fieldstone_step WHERE rowid > ? \
        UNION SELECT run FROM fieldstone_rest WHERE position > ?)
        """
      let runs = try rows(sql, [oldStep, oldRest]).map { row in
        (try RunColumns.id(row.text(0)), try RunColumns.state(row.whole(1)))
      }
      return JournalChanges(mark: now, runs: Dictionary(runs, uniquingKeysWith: { $1 }))
    }

    private func hasRests() throws -> Bool {
      try row("SELECT 1 FROM sqlite_schema WHERE name = 'fieldstone_rest'") != nil
    }

    private func last(_ sql: String) throws -> Int64 {
      Int64(try row(sql)?.optionalWhole(0) ?? 0)
    }
  }
#endif
