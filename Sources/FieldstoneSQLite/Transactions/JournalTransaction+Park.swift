#if SQLite
  import FieldstoneDurable
  import GRDB

  extension JournalTransaction {
    func park(_ parking: Parking, at time: JournalTime) throws {
      let now = time.date.stored
      switch parking.reason {
      case .shutdown:
        try park(parking.claim, .ready, attempts: -1, wake: nil, error: nil, at: now)
      case .retry(let date, let error):
        try park(
          parking.claim, .ready, attempts: 0, wake: date.stored, error: error, isCleared: true,
          at: now)
      case .dead(let error):
        try park(parking.claim, .dead, attempts: 0, wake: nil, error: error, at: now)
      case .exhausted(let error):
        try park(parking.claim, .dead, attempts: -1, wake: nil, error: error, at: now)
      case .blocked(let error):
        try park(
          parking.claim, .blocked, attempts: -1, wake: nil, error: error, isCleared: true, at: now)
      }
    }

    /// - Parameter isCleared: whether the worker has lived through an attempt.
    private func park(
      _ claim: RunClaim, _ state: RunState, attempts: Int, wake: Double?, error: String?,
      isCleared: Bool = false, at now: Double
    ) throws {
      let count = try execute(
        """
        UPDATE fieldstone_run SET state = ?1, attempts = MAX(0, attempts + ?2), changed_at = ?3, \
        waits = CASE WHEN ?4 IS NULL THEN 0 WHEN priority = 0 THEN 1 ELSE 2 END, \
        wakes_at = COALESCE(?4, ?3 - priority * \(secondsPerPriority)), due_at = ?4, \
        error = COALESCE(?5, error), \
        worker = NULL, boot = NULL, lease_end = NULL, is_alone = 0, \
        crashes = IIF(?6, 0, crashes), lone_crashes = IIF(?6, 0, lone_crashes), \
        quarantine = IIF(?6 OR ?1 <> 0, NULL, quarantine) \
        WHERE id = ?7 AND sequence = ?8 AND fence = ?9 AND state = 1
        """,
        [
          state.code, attempts, now, wake, error, isCleared,
          claim.id.description, claim.sequence, claim.fence,
        ])
      if count == 0 { throw JournalError.claimLost(claim.id) }
    }
  }
#endif
