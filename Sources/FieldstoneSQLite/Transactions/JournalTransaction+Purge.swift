#if SQLite
  import FieldstoneDurable
  import Foundation
  import GRDB

  /// A run in the order of a purge: by flow, then by state, the oldest first.
  ///
  /// The next transaction of the purge begins behind it: those that are needed and stay are read once.
  struct PurgePlace {
    var flow: String
    var state: RunState
    var changedAt = -Double.infinity
    var id = ""
    var number = 0

    func isSameList(as other: Self) -> Bool {
      flow.utf8.elementsEqual(other.flow.utf8) && state == other.state
    }

    /// Whether its flow and state come after those of another place.
    func isAfter(_ other: Self) -> Bool {
      if !flow.utf8.elementsEqual(other.flow.utf8) {
        return other.flow.utf8.lexicographicallyPrecedes(flow.utf8)
      }
      return state == .cancelled && other.state == .completed
    }
  }

  extension JournalTransaction {
    /// Deletes finished runs with all their rows, up to a number of rows.
    ///
    /// Runs that are still needed count as a row each, because they are read.
    ///
    /// It deletes the oldest runs of a flow first, and of a run with more rows the oldest steps first.
    ///
    /// - Parameter place: where the previous transaction stopped; nil to begin.
    /// - Returns: the number of deleted runs, and where to go on; nil if none are left.
    func removeRuns(
      changedBefore date: Date, after place: PurgePlace?, rows limit: Int
    ) throws -> (count: Int, next: PurgePlace?) {
      var (count, room) = (0, limit)
      let flows = try rows(Self.stoppedFlows).map { try $0.text(0) }
      for flow in flows {
        for state in [RunState.completed, .cancelled] {
          var done = PurgePlace(flow: flow, state: state)
          if let place {
            if place.isAfter(done) { continue }
            if place.isSameList(as: done) { done = place }
          }
          for run in try stopped(after: done, changedBefore: date, limit: room) {
            if run.isNeeded {
              room -= 1
            } else {
              guard try remove(run.place.number, &room) else { return (count, done) }
              count += 1
            }
            done = run.place
            if room == 0 { return (count, done) }
          }
        }
      }
      return (count, nil)
    }

    /// The flows with runs that have stopped, by one seek in their index for each.
    private static let stoppedFlows = """
      WITH RECURSIVE stopped (flow) AS (SELECT MIN(flow) FROM fieldstone_run WHERE +state >= 2 \
      UNION ALL SELECT (SELECT MIN(r.flow) FROM fieldstone_run AS r \
      WHERE +r.state >= 2 AND r.flow > stopped.flow) FROM stopped WHERE flow IS NOT NULL) \
      SELECT flow FROM stopped WHERE flow IS NOT NULL
      """

    private func stopped(
      after place: PurgePlace, changedBefore date: Date, limit: Int
    ) throws -> [(place: PurgePlace, isNeeded: Bool)] {
      let sql = """
        SELECT changed_at, id, number, \(Self.isNeeded) FROM fieldstone_run \
        WHERE +state >= 2 AND flow = ? AND state = \(place.state.code) AND changed_at < ? \
        AND (changed_at, id) > (?, ?) ORDER BY changed_at, id LIMIT ?
        """
      return try rows(sql, [place.flow, date.stored, place.changedAt, place.id, limit]).map {
        let place = PurgePlace(
          flow: place.flow, state: place.state,
          changedAt: try $0.date(0).timeIntervalSinceReferenceDate, id: try $0.text(1),
          number: try $0.whole(2))
        return (place, try $0.whole(3) == 1)
      }
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
      guard record.state.isOver else {
        throw JournalError.notAllowed(id, state: record.state, action: "purged")
      }
      guard isNeeded == nil else { throw JournalError.stillNeeded(id) }
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
    /// What it needs to go on stays until the run is deleted: somebody may retry it in between.
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
        (SELECT position FROM fieldstone_signal WHERE run = ? AND consumed_by IS NOT NULL LIMIT ?)
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
      room -= try execute("DELETE FROM fieldstone_signal WHERE run = ?", [number])
      try removeAttributes(of: number)
      try execute("DELETE FROM fieldstone_run WHERE number = ?", [number])
      room = max(0, room - 1)
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
