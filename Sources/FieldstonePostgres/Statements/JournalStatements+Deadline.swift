#if PostgreSQL
  import FieldstoneDurable
  import Foundation

  extension JournalStatements {
    /// The condition of the index of unfinished runs with a deadline.
    static let hasDeadline = "deadline IS NOT NULL AND state IN (0, 1, 4)"

    /// Cancels runs whose deadlines have passed, parents before their children.
    ///
    /// Runs that another transaction has locked are skipped.
    ///
    /// - Parameter ids: the runs that may be cancelled; nil for several hundred of all.
    func cancelLate(among ids: [RunID]? = nil) throws {
      // Locked before the runs: a transaction that pauses a key holds this lock and waits for runs.
      try lockPauses(asReader: true)
      let late = try rows(
        """
        \(ClockSQL.with(1)), late AS MATERIALIZED (SELECT id, depth FROM run \
        WHERE \(Self.hasDeadline) AND deadline <= \(ClockSQL.now) \
        \(ids == nil ? "" : "AND id = ANY ($2)") \
        ORDER BY deadline LIMIT \(cancelledAtOnce) FOR NO KEY UPDATE SKIP LOCKED) \
        SELECT id, depth FROM late ORDER BY depth, id
        """, [now] + (ids.map { [.identifiers($0)] } ?? [])
      ).map { (id: try $0.identifier(0), isChild: try $0.integer(1) > 0) }
      let roots = late.filter { !$0.isChild }.map(\.id)
      if !roots.isEmpty {
        try cancel(roots)
        try endJoins(of: roots)
      }
      // One by one, because a parent may wait for just one of them.
      for child in late where child.isChild {
        try cancel([child.id])
        try endJoins(of: [child.id])
      }
    }
  }
#endif
