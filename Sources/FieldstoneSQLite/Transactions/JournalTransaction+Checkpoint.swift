#if SQLite
  import FieldstoneDurable
  import Foundation
  import GRDB

  extension JournalTransaction {
    func checkpoint(_ checkpoint: Checkpoint, at time: JournalTime) throws {
      let claim = checkpoint.claim
      let now = time.date.stored
      // Compares and keeps what is left behind, both at once.
      let number = try Int.fetchOne(
        database.cachedStatement(sql: Self.keep),
        arguments: [
          checkpoint.beganAt.stored, now, claim.id.description, claim.sequence, claim.fence,
        ])
      guard let number else { throw JournalError.claimLost(claim.id) }
      for signal in checkpoint.consumedSignals {
        try execute(
          """
          UPDATE fieldstone_signal SET consumed_by = ?, payload = x'' WHERE run = ? AND id = ?
          """, [claim.sequence, number, signal])
      }
      switch checkpoint.next {
      case .stage(let payload):
        try goOn(number, checkpoint, payload, at: time)
      case .waiting(let payload, let date):
        try giveBack(number, checkpoint, payload, wake: date.stored, due: date, at: now)
      case .receiving(let payload, let name, let date):
        let isThere = try row(
          """
          SELECT 1 FROM fieldstone_signal WHERE run = ? AND name = ? AND consumed_by IS NULL
          """, [number, name])
        try giveBack(
          number, checkpoint, payload, wake: isThere == nil ? (date ?? .distantFuture).stored : nil,
          due: date ?? .distantFuture, awaiting: name, at: now)
      case .completion(let payload):
        try giveBack(number, checkpoint, payload, state: .completed, wake: nil, due: nil, at: now)
      }
      for start in checkpoint.starts { _ = try self.start(start, at: time) }
      for signal in checkpoint.signals {
        _ = try self.signal(signal.run, signal.signal, at: time)
      }
      for write in checkpoint.writes {
        do { try write.perform(in: database) } catch { throw WriteFailure(cause: error) }
      }
    }

    private static let keep = """
      INSERT INTO fieldstone_step (run, sequence, fence, kind, version, attempts, began_at, \
      ended_at, worker, error, payload) \
      SELECT number, sequence, fence, 0, version, attempts + crashes, ?, ?, worker, error, payload \
      FROM fieldstone_run WHERE id = ? AND sequence = ? AND fence = ? AND state = 1 RETURNING run
      """
    private static let steps = """
      sequence = sequence + 1, version = ?1, payload = ?2, attempts = 1, changed_at = ?3, \
      awaited = NULL, lease_end = ?4, error = NULL, crashes = 0
      """
    private static let goOn =
      "UPDATE fieldstone_run SET \(steps) WHERE number = ?5 AND boot = ?6 AND quarantine IS NULL"
    private static let goOnCleared = """
      UPDATE fieldstone_run SET \(steps), boot = ?6, lone_crashes = 0, quarantine = NULL, \
      is_alone = 0 WHERE number = ?5
      """

    /// Goes on to the next stage with the same worker.
    ///
    /// The boot and the quarantine are set only where they are others: they stand in indices, whose
    /// pages would be written with each checkpoint, as SQLite does not look whether a value is the same.
    private func goOn(
      _ number: Int, _ checkpoint: Checkpoint, _ payload: Data, at time: JournalTime
    ) throws {
      let arguments: StatementArguments = [
        checkpoint.version, payload, time.date.stored, (time.uptime + checkpoint.lease).stored,
        number, time.boot,
      ]
      if try execute(Self.goOn, arguments) > 0 { return }
      try execute(Self.goOnCleared, arguments)
    }

    /// How a run waits for a time, or takes its place among those that are due: the time twice, and now.
    static let waiting = """
      waits = CASE WHEN ? IS NULL THEN 0 WHEN priority = 0 THEN 1 ELSE 2 END, \
      wakes_at = COALESCE(?, ? - priority * \(secondsPerPriority))
      """

    /// - Parameters:
    ///   - wake: when it can be claimed by the clock; nil when it can be at once.
    ///   - due: what the record says about that.
    private func giveBack(
      _ number: Int, _ checkpoint: Checkpoint, _ payload: Data, state: RunState = .ready,
      wake: Double?, due: Date?, awaiting name: String? = nil, at now: Double
    ) throws {
      try execute(
        """
        UPDATE fieldstone_run SET sequence = sequence + 1, version = ?, payload = ?, state = ?, \
        attempts = 0, changed_at = ?, \(Self.waiting), due_at = ?, awaited = ?, \
        worker = NULL, boot = NULL, lease_end = NULL, error = NULL, crashes = 0, \
        lone_crashes = 0, quarantine = NULL, is_alone = 0 WHERE number = ?
        """,
        [
          checkpoint.version, payload, state.code, now, wake, wake, now,
          due?.stored, name, number,
        ])
    }
  }
#endif
