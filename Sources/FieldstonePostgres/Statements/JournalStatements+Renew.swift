#if PostgreSQL
  import FieldstoneDurable

  extension JournalStatements {
    private struct Held: Hashable {
      var id: RunID
      var fence: Int
    }

    /// Renews leases.
    ///
    /// - Returns: the claims that are no longer this worker's.
    func renew(_ claims: [RunClaim], lease: Duration) throws -> [RunClaim] {
      let claimsInOrder = claims.sorted { ($0.id, $0.fence) < ($1.id, $1.fence) }
      let parameters: [PostgresParameter] = [
        .identifiers(claimsInOrder.map(\.id)), .integers(claimsInOrder.map(\.fence)), now,
        Self.lease(lease),
      ]
      let found =
        try unlessLocked { try rows(Self.renewal, parameters) }
        // The other runs are renewed now. The next call renews the locked ones, which nobody can claim
        // until then.
        ?? rows(Self.renewalOfUnlocked, parameters)
      let held = try Set(found.map { Held(id: try $0.identifier(0), fence: try $0.integer(1)) })
      let lost = claims.filter { !held.contains(Held(id: $0.id, fence: $0.fence)) }
      if !lost.isEmpty {
        // The next claim cancels one that is locked.
        try tidyUnlessLocked { try cancelLate(among: lost.map(\.id)) }
      }
      return lost
    }

    // Ignores the sequence: the worker's own checkpoint may have been earlier, with a later lease
    // end. A lease end more than two leases ahead comes from a clock that was set back since.
    private static let isHeld = """
      r.id = c.id AND r.fence = c.fence AND r.\(RunColumns.unindexedState) = 1 \
      AND (r.deadline IS NULL OR r.deadline > \(ClockSQL.now))
      """
    private static let claims = """
      \(ClockSQL.with(3)), c AS MATERIALIZED (SELECT c.id, c.fence, \
      clock.now + \(ClockSQL.microseconds("$4")) AS until, \
      clock.now + \(ClockSQL.microseconds("2 * $4")) AS latest \
      FROM unnest($1::uuid[], $2::int8[]) AS c(id, fence) CROSS JOIN clock)
      """
    private static let update = """
      UPDATE run r SET lease_end = GREATEST(c.until, LEAST(r.lease_end, c.latest)), \
      check_at = LEAST(r.check_at, GREATEST(c.until, LEAST(r.lease_end, c.latest))) FROM c
      """

    /// Returns the claims that are held.
    private static let renewal = "\(claims) \(update) WHERE \(isHeld) RETURNING r.id, r.fence"

    /// The same, where locked runs are read only.
    private static let renewalOfUnlocked = """
      \(claims), free AS MATERIALIZED (SELECT r.id FROM c JOIN run r ON \(isHeld) \
      FOR NO KEY UPDATE OF r SKIP LOCKED), \
      u AS (\(update) JOIN free ON free.id = c.id WHERE \(isHeld)) \
      SELECT r.id, r.fence FROM c JOIN run r ON \(isHeld)
      """
  }
#endif
