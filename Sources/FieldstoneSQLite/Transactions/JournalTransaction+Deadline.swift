#if SQLite
  import FieldstoneDurable
  import Foundation
  import GRDB

  extension JournalTransaction {
    /// The condition of the index of unfinished runs with a deadline.
    private static let open = "deadline IS NOT NULL AND (state < 2 OR state = 4)"

    /// Cancels runs whose deadlines have passed, parents before their children, up to several
    /// hundred.
    func cancelLate(at time: JournalTime) throws {
      let late = try rows(
        """
        SELECT number FROM (SELECT number, depth, id FROM fieldstone_run \
        WHERE \(Self.open) AND deadline <= ? ORDER BY deadline LIMIT \(cancelledAtOnce)) \
        ORDER BY depth, id
        """, [time.date.stored])
      for row in late { _ = try cancel(row.whole(0), at: time) }
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
