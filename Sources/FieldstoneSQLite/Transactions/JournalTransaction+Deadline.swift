#if SQLite
  import FieldstoneDurable
  import Foundation
  import GRDB

  extension JournalTransaction {
    /// The condition of the index of unfinished runs with a deadline.
    private static let open = "deadline IS NOT NULL AND (state < 2 OR state = 4)"

    /// Cancels runs whose deadlines have passed, parents before their children, up to several
    /// hundred.
    ///
    /// - Returns: whether there may be more.
    func cancelLate(at time: JournalTime) throws -> Bool {
      let late = try rows(
        """
        SELECT number FROM (SELECT number, depth, id FROM fieldstone_run \
        WHERE \(Self.open) AND deadline <= ? ORDER BY deadline LIMIT \(cancelledAtOnce)) \
        ORDER BY depth, id
        """, [time.date.stored])
      for row in late { _ = try cancel(row.whole(0), at: time) }
      return late.count == cancelledAtOnce
    }

    /// Cancels those of the runs whose turn to be cancelled has not come yet: late runs, and
    /// children of cancelled parents.
    ///
    /// - Returns: the other runs.
    func withoutCancelled(_ numbers: [Int], at time: JournalTime) throws -> [Int] {
      try numbers.filter { number in
        guard try isToBeCancelled(number, at: time) else { return true }
        _ = try cancel(number, at: time)
        return false
      }
    }

    /// Whether a run or one of its ancestors waits for its cancellation.
    private func isToBeCancelled(_ number: Int, at time: JournalTime) throws -> Bool {
      let sql = """
        SELECT \(Self.open) AND deadline <= ?2, NOT is_detached AND EXISTS (\
        SELECT 1 FROM fieldstone_cancellation AS c WHERE c.parent = r.parent \
        AND c.sequence = r.parent_sequence AND c.ordinal <= r.ordinal), \
        CASE WHEN NOT is_detached THEN parent END FROM fieldstone_run AS r WHERE number = ?1
        """
      var next: Int? = number
      while let number = next {
        guard let row = try row(sql, [number, time.date.stored]) else { return false }
        if row.optionalWhole(0) == 1 || row.optionalWhole(1) == 1 { return true }
        next = row.optionalWhole(2)
      }
      return false
    }

    /// Cancels the given runs whose deadlines have passed, parents before their children.
    func cancelLate(among ids: [RunID], at time: JournalTime) throws {
      let sql = """
        SELECT number, depth, id FROM fieldstone_run WHERE id = ? AND \(Self.open) AND deadline <= ?
        """
      let late = try Set(ids).compactMap { id in
        try row(sql, [id.description, time.date.stored]).map { row in
          (number: try row.whole(0), depth: try row.whole(1), id: try row.text(2))
        }
      }
      for run in late.sorted(by: { ($0.depth, $0.id) < ($1.depth, $1.id) }) {
        _ = try cancel(run.number, at: time)
      }
    }

    /// The earliest deadline of all unfinished runs; one index seek.
    func nextDeadline() throws -> Date? {
      try row("SELECT deadline FROM fieldstone_run WHERE \(Self.open) ORDER BY deadline LIMIT 1")?
        .date(0)
    }
  }
#endif
