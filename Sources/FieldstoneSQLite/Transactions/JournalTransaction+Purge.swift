#if SQLite
  import FieldstoneDurable
  import Foundation
  import GRDB

  extension JournalTransaction {
    /// Deletes finished runs with all their rows, up to a number of rows.
    ///
    /// It deletes the oldest runs of a flow first, and of a run with more rows the oldest steps first.
    ///
    /// - Returns: the number of deleted runs, and whether none are left.
    func removeRuns(
      changedBefore date: Date, rows limit: Int
    ) throws -> (count: Int, isDone: Bool) {
      var (count, room) = (0, limit)
      for flow in try rows(Self.stoppedFlows) {
        for state in [RunState.completed, .cancelled] {
          let numbers = try removable(flow.text(0), state, changedBefore: date, limit: room)
          for number in numbers {
            guard try remove(number, &room) else { return (count, false) }
            count += 1
            if room == 0 { return (count, false) }
          }
        }
      }
      return (count, true)
    }

    /// The flows with runs that have stopped, by one seek in their index for each.
    private static let stoppedFlows = """
      WITH RECURSIVE stopped (flow) AS (SELECT MIN(flow) FROM fieldstone_run WHERE +state >= 2 \
      UNION ALL SELECT (SELECT MIN(r.flow) FROM fieldstone_run AS r \
      WHERE +r.state >= 2 AND r.flow > stopped.flow) FROM stopped WHERE flow IS NOT NULL) \
      SELECT flow FROM stopped WHERE flow IS NOT NULL
      """

    private func removable(
      _ flow: String, _ state: RunState, changedBefore date: Date, limit: Int
    ) throws -> [Int] {
      let sql = """
        SELECT number FROM fieldstone_run WHERE +state >= 2 AND flow = ? \
        AND state = \(state.code) AND changed_at < ? AND NOT \(Self.isNeeded) \
        ORDER BY changed_at LIMIT ?
        """
      return try rows(sql, [flow, date.stored, limit]).map { try $0.whole(0) }
    }

    /// Deletes a finished run, or a number of its rows.
    ///
    /// - Returns: true if the run is deleted.
    func purge(
      _ id: RunID, by actor: String?, rows limit: Int, at time: JournalTime
    ) throws -> Bool {
      guard let (number, record) = try find(id) else { throw JournalError.noRun(id) }
      let isNeeded = try row(
        "SELECT 1 FROM fieldstone_run WHERE number = ? AND \(Self.isNeeded)", [number])
      guard record.state.isOver, isNeeded == nil else {
        throw JournalError.notAllowed(id, state: record.state, action: "purged")
      }
      var room = limit
      // A dead run may hold a place of its concurrency key.
      try execute(
        """
        INSERT OR IGNORE INTO fieldstone_freed SELECT flow, concurrency FROM fieldstone_run \
        WHERE number = ? AND place = 1
        """, [number])
      guard try remove(number, &room) else { return false }
      try note(AuditEntry(purging: record, by: actor), at: time)
      return true
    }

    /// Deletes a run, or as many of its rows as the limit allows.
    ///
    /// - Returns: true if the run is deleted.
    private func remove(_ number: Int, _ room: inout Int) throws -> Bool {
      room -= try execute(
        """
        DELETE FROM fieldstone_step WHERE run = ?1 AND sequence < ?2 + \
        (SELECT MIN(sequence) FROM fieldstone_step WHERE run = ?1)
        """, [number, room])
      room -= try execute(
        """
        DELETE FROM fieldstone_signal WHERE position IN \
        (SELECT position FROM fieldstone_signal WHERE run = ? LIMIT ?)
        """, [number, room])
      guard room > 0 else { return false }
      room -= try execute(
        """
        DELETE FROM fieldstone_log WHERE run = ?1 AND (fence, number) IN \
        (SELECT fence, number FROM fieldstone_log WHERE run = ?1 LIMIT ?2)
        """, [number, room])
      guard room > 0 else { return false }
      try execute("DELETE FROM fieldstone_report WHERE run = ?", [number])
      room -= try execute(
        """
        DELETE FROM fieldstone_replacement WHERE id IN \
        (SELECT id FROM fieldstone_replacement WHERE run = ? LIMIT ?)
        """, [number, room])
      guard room > 0 else { return false }
      try removeAttributes(of: number)
      try execute("DELETE FROM fieldstone_run WHERE number = ?", [number])
      room -= 1
      return true
    }

    /// The runs with more steps than are kept.
    func runsWithMoreSteps(than kept: Int, after number: Int64, limit: Int) throws -> [Int64] {
      let sql = """
        SELECT number FROM fieldstone_run WHERE number > ? AND sequence > ? \
        AND EXISTS (SELECT 1 FROM fieldstone_step \
        WHERE run = number AND fieldstone_step.sequence < fieldstone_run.sequence - ?) \
        ORDER BY number LIMIT ?
        """
      return try rows(sql, [number, kept, kept, limit]).map { Int64(try $0.whole(0)) }
    }

    /// Deletes a run's oldest steps and the signals that they consumed, up to a number of rows.
    ///
    /// - Returns: true if none are left.
    func removeSteps(of number: Int64, keeping kept: Int, rows limit: Int) throws -> Bool {
      let steps = try execute(
        """
        DELETE FROM fieldstone_step WHERE run = ?1 AND sequence < \
        MIN((SELECT sequence FROM fieldstone_run WHERE number = ?1) - ?2, \
        (SELECT MIN(sequence) FROM fieldstone_step WHERE run = ?1) + ?3)
        """, [number, kept, limit])
      let signals = try execute(
        """
        DELETE FROM fieldstone_signal WHERE position IN \
        (SELECT position FROM fieldstone_signal WHERE run = ?1 AND consumed_by IS NOT NULL \
        AND consumed_by < (SELECT sequence FROM fieldstone_run WHERE number = ?1) - ?2 LIMIT ?3)
        """, [number, kept, limit])
      return steps < limit && signals < limit
    }
  }
#endif
