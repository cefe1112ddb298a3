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

    /// Cancels those of the claimed runs whose turn to be cancelled has not come yet: late runs, and
    /// children of cancelled parents.
    ///
    /// - Returns: the other runs.
    func withoutCancelled(_ runs: [ClaimedRun]) throws -> [ClaimedRun] {
      let found = try rows(
        """
        WITH RECURSIVE \(ClockSQL.table(1)), a AS (\
        SELECT id AS claimed, parent, parent_sequence, ordinal, is_detached, deadline, state \
        FROM run WHERE id = ANY ($2) UNION ALL \
        SELECT a.claimed, p.parent, p.parent_sequence, p.ordinal, p.is_detached, p.deadline, p.state \
        FROM a JOIN run p ON p.id = a.parent WHERE NOT a.is_detached) \
        SELECT DISTINCT claimed FROM a WHERE \(Self.hasDeadline) AND deadline <= \(ClockSQL.now) \
        OR NOT is_detached AND EXISTS (SELECT 1 FROM cancellation c WHERE c.parent = a.parent \
        AND c.sequence = a.parent_sequence AND c.ordinal <= a.ordinal) ORDER BY claimed
        """, [now, .identifiers(runs.map(\.record.id))]
      ).map { try $0.identifier(0) }
      for id in found {
        try cancel([id])
        try endJoins(of: [id])
      }
      let cancelled = Set(found)
      return runs.filter { !cancelled.contains($0.record.id) }
    }
  }
#endif
