#if SQLite
  import FieldstoneDurable
  import Foundation
  import GRDB

  extension JournalTransaction {
    /// Removes the oldest of the runs that are over, with all that hangs on them, up to so many rows:
    /// a run that has more loses its oldest steps first.
    ///
    /// - Returns: how many runs went, and whether there are no more.
    func removeRuns(
      changedBefore date: Date, rows limit: Int
    ) throws -> (count: Int, isDone: Bool) {
      let sql = """
        SELECT number FROM fieldstone_run WHERE state IN (2, 5) AND changed_at < ? \
        AND NOT \(Self.isNeeded) \
        ORDER BY changed_at LIMIT ?
        """
      let numbers = try rows(sql, [date.stored, limit]).map { try $0.whole(0) }
      var (count, room) = (0, limit)
      for number in numbers {
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
        guard room > 0 else { return (count, false) }
        room -= try execute(
          """
          DELETE FROM fieldstone_replacement WHERE id IN \
          (SELECT id FROM fieldstone_replacement WHERE run = ? LIMIT ?)
          """, [number, room])
        guard room > 0 else { return (count, false) }
        try removeAttributes(of: number)
        try execute("DELETE FROM fieldstone_run WHERE number = ?", [number])
        (count, room) = (count + 1, room - 1)
        if room == 0 { return (count, false) }
      }
      return (count, numbers.count < limit)
    }

    /// The runs that have more steps than are kept.
    func runsWithMoreSteps(than kept: Int, after number: Int64, limit: Int) throws -> [Int64] {
      let sql = """
        SELECT number FROM fieldstone_run WHERE number > ? AND sequence > ? \
        AND EXISTS (SELECT 1 FROM fieldstone_step \
        WHERE run = number AND fieldstone_step.sequence < fieldstone_run.sequence - ?) \
        ORDER BY number LIMIT ?
        """
      return try rows(sql, [number, kept, kept, limit]).map { Int64(try $0.whole(0)) }
    }

    /// Removes a run's oldest steps, and the signals that they have consumed, up to so many rows.
    ///
    /// - Returns: whether there are no more.
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
