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
        try park(parking.claim, .ready, attempts: 0, wake: date.stored, error: error, at: now)
      case .dead(let error):
        try park(parking.claim, .dead, attempts: 0, wake: nil, error: error, at: now)
      case .blocked(let error):
        try park(parking.claim, .blocked, attempts: -1, wake: nil, error: error, at: now)
      }
    }

    private func park(
      _ claim: RunClaim, _ state: RunState, attempts: Int, wake: Double?, error: String?,
      at now: Double
    ) throws {
      let count = try execute(
        """
        UPDATE fieldstone_run SET state = ?, attempts = MAX(0, attempts + ?), changed_at = ?, \
        waits = ?, wakes_at = ?, due_at = ?, error = COALESCE(?, error), \
        worker = NULL, boot = NULL, lease_end = NULL \
        WHERE id = ? AND sequence = ? AND fence = ? AND state = 1
        """,
        [
          state.code, attempts, now, wake == nil ? 0 : 1, wake ?? now, wake, error,
          claim.id.description, claim.sequence, claim.fence,
        ])
      if count == 0 { throw JournalError.claimLost(claim.id) }
    }
  }
#endif
