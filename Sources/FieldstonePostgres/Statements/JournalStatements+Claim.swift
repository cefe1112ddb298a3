#if PostgreSQL
  import FieldstoneDurable
  import Foundation

  extension JournalStatements {
    /// What there is to be claimed.
    struct Outlook {
      var nextDueAt: Date?
      var hasDue: Bool
      /// Whether there are leases that may be over.
      var hasOver: Bool
      var hasQuarantine: Bool
    }

    /// Gives runs to a worker; with nothing to give it is one statement, and locks nothing.
    func claim(_ request: ClaimRequest, at time: JournalTime) throws -> Claim {
      try PostgresSchema.check(session)
      let outlook = try look(request, at: time)
      let isDisregarded = request.quarantine == .disregarded
      guard outlook.hasDue || outlook.hasOver || outlook.hasQuarantine else {
        return Claim(runs: [], nextDueAt: outlook.nextDueAt)
      }
      return try session.transaction {
        let parameters = ClaimSQL.parameters(request, at: time)
        if outlook.hasOver { try execute(ClaimSQL.moveBounds, parameters) }
        var group: (members: [RunID], isLone: Bool, left: Claim.Quarantined) = ([], false, .none)
        if !isDisregarded, outlook.hasOver || outlook.hasQuarantine {
          // Who makes groups and who takes one does so alone.
          try execute(
            "SELECT pg_advisory_xact_lock(hashtextextended($1 || current_schema(), 0))",
            [.text("fieldstone quarantine ")])
          if outlook.hasOver { try settleCrashes(parameters, at: time) }
          group = try nextGroup(for: request, at: time)
        }
        let isGroup = !group.members.isEmpty
        let lease: [PostgresParameter] = [
          .text(request.worker), .integer(Int((time.uptime + request.lease).stored)),
          .date(time.date + request.lease / .seconds(1)),
        ]
        // Before the group is taken: of that, one may be alone from now on.
        if isGroup { try endLoneTrials(of: request.worker) }
        let taken =
          isGroup
          ? try rows(
            ClaimSQL.takeGroup,
            [
              .date(time.date), .text(time.boot), .integer(Int(time.uptime.stored)),
              .identifiers(group.members),
            ] + lease + [.boolean(group.isLone)])
          : try rows(
            ClaimSQL.take, parameters + [.integer(max(request.limit, 0))] + lease)
        if !isGroup, !taken.isEmpty, outlook.hasQuarantine {
          try endLoneTrials(of: request.worker)
        }
        let runs = try withStages(taken, isCrashSuspected: isGroup, isAlone: group.isLone)
        return Claim(runs: runs, nextDueAt: outlook.nextDueAt, quarantined: group.left)
      }
    }

    private func look(_ request: ClaimRequest, at time: JournalTime) throws -> Outlook {
      guard let row = try row(ClaimSQL.look, ClaimSQL.parameters(request, at: time)) else {
        throw JournalError.corrupt("a claim has no answer")
      }
      return Outlook(
        nextDueAt: row.optionalDate(0), hasDue: try row.boolean(1), hasOver: try row.boolean(2),
        hasQuarantine: try row.boolean(3))
    }

    /// The claimed runs with their stages and signals.
    ///
    /// By a statement after the one that has locked them: it sees all that came before the lock.
    private func withStages(
      _ rows: [PostgresRow], isCrashSuspected: Bool, isAlone: Bool
    ) throws -> [ClaimedRun] {
      guard !rows.isEmpty else { return [] }
      let records = try rows.map { try RunColumns.record($0, payload: Data()) }
      let found = try self.rows(
        """
        SELECT s.payload, g.id, g.payload, g.sent_at \
        FROM unnest($1::uuid[], $2::int8[], $3::text[]) WITH ORDINALITY \
        AS c(id, sequence, awaited, place) \
        JOIN step s ON s.run = c.id AND s.sequence = c.sequence LEFT JOIN LATERAL (\
        SELECT g.id, g.payload, g.sent_at FROM signal g WHERE g.run = c.id AND g.name = c.awaited \
        AND g.consumed_by IS NULL ORDER BY g.position LIMIT 1) g ON true ORDER BY c.place
        """,
        [
          .identifiers(records.map(\.id)), .integers(records.map(\.sequence)),
          .texts(records.map(\.awaitedSignal)),
        ])
      guard found.count == records.count else {
        throw JournalError.corrupt("a run has no stage")
      }
      var late: [RunID] = []
      let runs = try zip(records, found).map { record, row in
        var record = record
        record.payload = try row.bytes(0)
        var signal: SignalRecord?
        if let name = record.awaitedSignal {
          if let id = row.optionalText(1) {
            signal = SignalRecord(
              id: id, name: name, payload: try row.bytes(2), sentAt: try row.date(3))
          } else {
            late.append(record.id)
            record.awaitedSignal = nil
          }
        }
        return ClaimedRun(
          record: record, signal: signal, isCrashSuspected: isCrashSuspected, isAlone: isAlone)
      }
      // Time is out, and stays so for the attempts that may follow.
      if !late.isEmpty {
        try execute("UPDATE run SET awaited = NULL WHERE id = ANY ($1)", [.identifiers(late)])
      }
      return runs
    }

    func renew(
      _ claims: [RunClaim], lease: Duration, at time: JournalTime
    ) throws -> [RunClaim] {
      struct Held: Hashable {
        var id: RunID
        var fence: Int
      }
      let claimsInOrder = claims.sorted { ($0.id, $0.fence) < ($1.id, $1.fence) }
      // Not by the sequence: the worker's own checkpoint may have come before, with a later end.
      let held = try rows(
        """
        UPDATE run r SET boot = $3, \
        lease_uptime = CASE WHEN r.boot = $3 THEN GREATEST(r.lease_uptime, $4) ELSE $4 END, \
        lease_end = CASE WHEN r.boot = $3 AND r.lease_uptime >= $4 THEN r.lease_end ELSE $5 END, \
        check_uptime = CASE WHEN r.boot = $3 THEN r.check_uptime ELSE $4 END, \
        check_at = LEAST(r.check_at, $5) \
        FROM unnest($1::uuid[], $2::int8[]) AS c(id, fence) \
        WHERE r.id = c.id AND r.fence = c.fence AND r.state = 1 RETURNING r.id, r.fence
        """,
        [
          .identifiers(claimsInOrder.map(\.id)), .integers(claimsInOrder.map(\.fence)),
          .text(time.boot), .integer(Int((time.uptime + lease).stored)),
          .date(time.date + lease / .seconds(1)),
        ]
      ).map { Held(id: try $0.identifier(0), fence: try $0.integer(1)) }
      let renewed = Set(held)
      return claims.filter { !renewed.contains(Held(id: $0.id, fence: $0.fence)) }
    }
  }
#endif
