#if SQLite
  import FieldstoneDurable
  import Foundation
  import GRDB

  extension JournalTransaction {
    /// Removes the oldest of the runs that are over, with all that hangs on them.
    ///
    /// - Returns: how many.
    func removeRuns(changedBefore date: Date, limit: Int) throws -> Int {
      let sql = """
        SELECT number FROM fieldstone_run WHERE state IN (2, 5) AND changed_at < ? \
        ORDER BY changed_at LIMIT ?
        """
      let numbers = try rows(sql, [date.stored, limit]).map { try $0.whole(0) }
      for number in numbers {
        try execute("DELETE FROM fieldstone_step WHERE run = ?", [number])
        try execute("DELETE FROM fieldstone_signal WHERE run = ?", [number])
        try execute("DELETE FROM fieldstone_run WHERE number = ?", [number])
      }
      return numbers.count
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

    func removeSteps(of number: Int64, keeping kept: Int) throws {
      let steps = """
        DELETE FROM fieldstone_step WHERE run = ? \
        AND sequence < (SELECT sequence FROM fieldstone_run WHERE number = ?) - ?
        """
      let signals = """
        DELETE FROM fieldstone_signal WHERE run = ? AND consumed_by IS NOT NULL \
        AND consumed_by < (SELECT sequence FROM fieldstone_run WHERE number = ?) - ?
        """
      try execute(steps, [number, number, kept])
      try execute(signals, [number, number, kept])
    }
  }
#endif
