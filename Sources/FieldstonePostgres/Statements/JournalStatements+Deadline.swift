#if PostgreSQL
  import FieldstoneDurable
  import Foundation

  extension JournalStatements {
    /// The condition of the index of unfinished runs with a deadline.
    static let hasDeadline = "deadline IS NOT NULL AND state IN (0, 1, 4)"

    /// Cancels runs whose deadlines have passed, parents before their children.
    ///
    /// Runs that another transaction has locked, or whose parents it has while they wait for them,
    /// are skipped.
    ///
    /// - Parameter ids: the runs that may be cancelled; nil for several hundred of all.
    /// - Returns: whether there may be more.
    @discardableResult
    func cancelLate(among ids: [RunID]? = nil) throws -> Bool {
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
      let children = late.filter(\.isChild).map(\.id)
      let free = try withFreeParents(children)
      // One by one, because a parent may wait for just one of them.
      for child in children where free.contains(child) {
        try cancel([child])
        try endJoins(of: [child])
      }
      return roots.count + free.count >= cancelledAtOnce
    }

    /// Those of some locked runs whose ends can be reported: no other transaction has locked the
    /// parents that wait for them, which are locked, too.
    ///
    /// A parent begins to wait when it starts its children, so one that does not wait for a run never
    /// will, and its row is not needed.
    private func withFreeParents(_ ids: [RunID]) throws -> Set<RunID> {
      guard !ids.isEmpty else { return [] }
      let sql = """
        WITH p AS MATERIALIZED (SELECT id FROM run WHERE id = ANY (\
        ARRAY(SELECT parent FROM run WHERE id = ANY ($1))) AND join_policy IS NOT NULL \
        FOR NO KEY UPDATE SKIP LOCKED) \
        SELECT r.id FROM run r WHERE r.id = ANY ($1) AND (r.parent IN (SELECT id FROM p) \
        OR NOT EXISTS (SELECT 1 FROM run o WHERE o.id = r.parent \
        AND o.join_sequence = r.parent_sequence AND o.join_policy IS NOT NULL))
        """
      return Set(try rows(sql, [.identifiers(ids)]).map { try $0.identifier(0) })
    }

    /// Cancels those of the claimed runs whose turn to be cancelled has not come yet: late runs, and
    /// children of cancelled parents.
    ///
    /// Those whose parents another transaction has locked are released, and come back after a second;
    /// until then they are in no other run's way. Crash-suspected ones come back with their group.
    ///
    /// - Returns: the other runs, and whether a next claim finds other runs in place of the cancelled or
    ///   released ones.
    func withoutCancelled(
      _ runs: [ClaimedRun], at time: JournalTime
    ) throws -> (runs: [ClaimedRun], isAnyGone: Bool) {
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
      let free = try withFreeParents(found)
      for id in found where free.contains(id) {
        try cancel([id])
        try endJoins(of: [id])
      }
      let cancelled = Set(found)
      var isAnyGone = !free.isEmpty
      for run in runs where cancelled.contains(run.record.id) && !free.contains(run.record.id) {
        let parking = Parking(claim: Self.claim(of: run.record), reason: .shutdown)
        let wake = run.isCrashSuspected ? nil : time.date + 1
        try park(parking, .ready, wake: wake, at: time)
        isAnyGone = isAnyGone || wake != nil
      }
      return (runs.filter { !cancelled.contains($0.record.id) }, isAnyGone)
    }
  }
#endif
