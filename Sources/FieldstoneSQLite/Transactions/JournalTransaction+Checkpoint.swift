#if SQLite
  import FieldstoneDurable
  import Foundation
  import GRDB

  extension JournalTransaction {
    /// The run of a checkpoint, whose claim has been compared.
    private struct HeldRun {
      let number: Int
      let hasKey: Bool
      let isPaused: Bool
      /// The parent's stage that may wait for this run; read for a completion only.
      let stage: EndedChildren.Stage?

      init(_ row: StoredRow, isEnding: Bool) throws {
        number = try row.whole(0)
        hasKey = try row.whole(1) != 0
        isPaused = try row.whole(2) & RunGate.run > 0
        if isEnding, let parent = row.optionalWhole(3) {
          stage = EndedChildren.Stage(parent: parent, sequence: try row.whole(4))
        } else {
          stage = nil
        }
      }
    }

    func checkpoint(
      _ checkpoint: Checkpoint, within limits: PayloadLimits, at time: JournalTime
    ) throws -> CheckpointReceipt {
      let claim = checkpoint.claim
      let now = time.date.stored
      let isEnding = if case .completion = checkpoint.next { true } else { false }
      let found = try row(
        isEnding ? Self.heldToEnd : Self.held,
        [claim.id.description, claim.sequence, claim.fence])
      guard let found else { throw JournalError.claimLost(claim.id) }
      let run = try HeldRun(found, isEnding: isEnding)
      try execute(Self.keep, [checkpoint.beganAt.stored, now, run.number])
      for signal in checkpoint.consumedSignals where signal.isStorable {
        try execute(
          """
          UPDATE fieldstone_signal SET consumed_by = ?, payload = x'' WHERE run = ? AND id = ?
          """, [claim.sequence, run.number, signal])
      }
      var receipt = CheckpointReceipt.made
      switch checkpoint.next {
      case .stage(let payload):
        receipt = try goOn(run, checkpoint, payload, at: time)
      case .waiting(let payload, let date):
        try giveBack(run, checkpoint, payload, wake: date.stored, due: date, at: time)
      case .receiving(let payload, let names, let date):
        let isThere = try hasSignal(names, of: run.number)
        try giveBack(
          run, checkpoint, payload, wake: isThere ? nil : (date ?? .distantFuture).stored,
          due: date ?? .distantFuture, awaiting: names, at: time)
      case .joining(let payload, let join):
        try giveBack(
          run, checkpoint, payload, wake: join.dueAt?.stored, due: join.dueAt, at: time,
          join: join.record(at: claim.sequence))
        try startChildren(of: run.number, checkpoint, within: limits, at: time)
      case .completion(let payload):
        try complete(run, checkpoint, payload, at: time)
      }
      for start in checkpoint.starts { _ = try self.start(start, at: time) }
      for signal in checkpoint.signals {
        _ = try self.signal(signal.run, signal.signal, at: time)
      }
      for write in checkpoint.writes {
        do { try write.perform(in: database) } catch { throw WriteFailure(cause: error) }
      }
      return receipt
    }

    private static let held = """
      SELECT number, concurrency IS NOT NULL, gate \(isHeld)
      """
    private static let heldToEnd = """
      SELECT number, concurrency IS NOT NULL, gate, IIF(joined IS NULL, parent, NULL), \
      parent_sequence \(isHeld)
      """
    private static let isHeld = """
      FROM fieldstone_run WHERE id = ? AND sequence = ? AND fence = ? AND state = 1
      """
    // Without `RETURNING`: see `changed`.
    private static let keep = """
      INSERT INTO fieldstone_step (run, sequence, fence, kind, version, attempts, began_at, \
      ended_at, worker, error, payload) \
      SELECT number, sequence, fence, 0, version, attempts + crashes, ?, ?, worker, error, payload \
      FROM fieldstone_run WHERE number = ?
      """
    private static let steps = """
      sequence = sequence + 1, version = ?1, payload = ?2, attempts = 1, changed_at = ?3, \
      awaited = NULL, lease_end = ?4, error = NULL, crashes = 0, join_sequence = NULL
      """
    private static let goOn = """
      UPDATE fieldstone_run SET \(steps) WHERE number = ?5 AND boot = ?6 AND quarantine IS NULL \
      AND gate = 0
      """
    private static let goOnCleared = """
      UPDATE fieldstone_run SET \(steps), boot = ?6, lone_crashes = 0, quarantine = NULL, \
      is_alone = 0 WHERE number = ?5 AND gate = 0
      """

    /// Advances to the next stage with the same worker.
    ///
    /// The boot and the quarantine are set only if they change. They are indexed, and SQLite writes
    /// index pages even for equal values, so each checkpoint would write those pages.
    private func goOn(
      _ run: HeldRun, _ checkpoint: Checkpoint, _ payload: Data, at time: JournalTime
    ) throws -> CheckpointReceipt {
      let arguments: StatementArguments = [
        checkpoint.version, payload, time.date.stored, (time.uptime + checkpoint.lease).stored,
        run.number, time.boot,
      ]
      if try execute(Self.goOn, arguments) > 0 { return .made }
      if try execute(Self.goOnCleared, arguments) > 0 { return .made }
      try giveBack(run, checkpoint, payload, wake: nil, due: nil, at: time)
      return .paused
    }

    // A completed run has no wait and no position: its columns stay as they are, as do those that most
    // runs never set, and the version. Each column costs, and so does each index that has one of them,
    // in its condition too.
    private static let complete = """
      UPDATE \(orFail) fieldstone_run SET sequence = sequence + 1, payload = ?, \
      state = \(RunState.completed.code), attempts = 0, changed_at = ?, due_at = NULL, \
      awaited = NULL, worker = NULL, boot = NULL, lease_end = NULL, error = NULL, \
      join_sequence = NULL, joined = COALESCE(?, joined) WHERE number = ? AND version = ? \
      AND gate = 0 AND crashes = 0 AND lone_crashes = 0 AND is_alone = 0 AND quarantine IS NULL
      """

    /// Ends a run, and counts it for a parent that waits for it.
    private func complete(
      _ run: HeldRun, _ checkpoint: Checkpoint, _ payload: Data, at time: JournalTime
    ) throws {
      let ended = endedChildren ?? EndedChildren()
      // Without it the triggers count the child, as they do where another statement ends it.
      let stage = try run.stage.flatMap { try ended.isAwaiting($0, in: self) ? $0 : nil }
      let count = try release(
        checkpoint.claim.id, hasKey: run.hasKey, Self.complete,
        [
          payload, time.date.stored, stage.map { _ in RunState.completed.code }, run.number,
          checkpoint.version,
        ], at: time)
      if count == 0 {
        try giveBack(run, checkpoint, payload, state: .completed, wake: nil, due: nil, at: time)
        if run.isPaused { try endPause(of: checkpoint.claim.id) }
      } else if let stage {
        ended.add(stage, endedAt: time.date.stored)
        if endedChildren == nil { try ended.settle(in: self) }
      }
    }

    /// Sets a run's wait, or its position among due runs; binds the time twice, then now.
    static let waiting = """
      waits = CASE WHEN ? IS NULL THEN 0 WHEN priority = 0 THEN 1 ELSE 2 END, \
      wakes_at = COALESCE(?, ? - priority * \(secondsPerPriority))
      """

    /// - Parameters:
    ///   - wake: the time at which the clock makes it claimable; nil for at once.
    ///   - due: the due time in the record.
    private func giveBack(
      _ run: HeldRun, _ checkpoint: Checkpoint, _ payload: Data, state: RunState = .ready,
      wake: Double?, due: Date?, awaiting names: [String] = [], at time: JournalTime,
      join: RunJoin? = nil
    ) throws {
      let now = time.date.stored
      try release(
        checkpoint.claim.id, hasKey: run.hasKey,
        """
        UPDATE fieldstone_run SET sequence = sequence + 1, version = ?, payload = ?, state = ?, \
        gate = IIF(?, 0, gate), \
        attempts = 0, changed_at = ?, \(Self.waiting), due_at = ?, awaited = ?, \
        worker = NULL, boot = NULL, lease_end = NULL, error = NULL, crashes = 0, \
        lone_crashes = 0, quarantine = NULL, is_alone = 0, join_sequence = ?, join_policy = ?, \
        open_children = ? WHERE number = ?
        """,
        [
          checkpoint.version, payload, state.code, state.isOver, now, wake, wake, now,
          due?.stored, AwaitedSignals.text(names), join?.sequence, join?.policy?.code, join?.open,
          run.number,
        ], at: time)
    }

    /// Executes a statement that takes a run from its worker, and admits the next of its key.
    ///
    /// Nothing is read if the run has no key, or if no trigger has changed rows: a released place, a
    /// parent's count, a row for waiters and the key's own state are such changes.
    @discardableResult
    private func release(
      _ id: RunID, hasKey: Bool = true, _ sql: String, _ arguments: StatementArguments,
      at time: JournalTime
    ) throws -> Int {
      let changes = database.totalChangesCount
      let count = try execute(sql, arguments)
      if hasKey, database.totalChangesCount > changes + count {
        try bringInNext(after: id, at: time)
      }
      return count
    }
  }

  extension JournalTransaction {
    func park(_ parking: Parking, at time: JournalTime) throws {
      switch parking.reason {
      case .shutdown:
        try park(parking, .ready, attempts: -1, wake: nil, error: nil, at: time)
      case .retry(let date, let error):
        try park(
          parking, .ready, attempts: 0, wake: date.stored, error: error, isCleared: true,
          at: time)
      case .dead(let error):
        try park(parking, .dead, attempts: 0, wake: nil, error: error, at: time)
      case .exhausted(let error):
        try park(parking, .dead, attempts: -1, wake: nil, error: error, at: time)
      case .blocked(let error):
        try park(
          parking, .blocked, attempts: -1, wake: nil, error: error, isCleared: true, at: time)
      }
    }

    /// - Parameter isCleared: whether the worker has survived an attempt.
    private func park(
      _ parking: Parking, _ state: RunState, attempts: Int, wake: Double?, error: String?,
      isCleared: Bool = false, at time: JournalTime
    ) throws {
      let (claim, now) = (parking.claim, time.date.stored)
      let count = try release(
        claim.id,
        """
        UPDATE fieldstone_run SET state = ?1, attempts = MAX(0, attempts + ?2), changed_at = ?3, \
        gate = IIF(?1 = \(RunState.dead.code), 0, gate), \
        waits = CASE WHEN ?4 IS NULL THEN 0 WHEN priority = 0 THEN 1 ELSE 2 END, \
        wakes_at = COALESCE(?4, ?3 - priority * \(secondsPerPriority)), due_at = ?4, \
        error = COALESCE(?5, error), fingerprint = ?10, \
        worker = NULL, boot = NULL, lease_end = NULL, is_alone = 0, \
        crashes = IIF(?6, 0, crashes), lone_crashes = IIF(?6, 0, lone_crashes), \
        quarantine = IIF(?6 OR ?1 <> 0, NULL, quarantine) \
        WHERE id = ?7 AND sequence = ?8 AND fence = ?9 AND state = 1
        """,
        [
          state.code, attempts, now, wake, error, isCleared,
          claim.id.description, claim.sequence, claim.fence, parking.fingerprint?.code,
        ], at: time)
      if count == 0 { throw JournalError.claimLost(claim.id) }
      if state.isOver { try endPause(of: claim.id) }
    }
  }

  /// Wraps an error of the caller's own write, to distinguish it from errors of the journal's
  /// statements.
  struct WriteFailure: Error {
    let cause: any Error
  }
#endif
