#if PostgreSQL
  import FieldstoneDurable
  import Foundation

  extension JournalStatements {
    /// The claimable work at the time of a claim.
    struct Outlook {
      var nextDueAt: Date?
      /// The server's time.
      var serverTime: Date
      /// The seconds by which the caller's clock is ahead of the server's.
      var ahead: TimeInterval
      /// Whether runs are due that wait for nothing.
      var hasWaitless: Bool
      /// Whether runs are due that have waited.
      var hasWaited: Bool
      /// Whether some leases may have expired.
      var hasOver: Bool
      var hasQuarantine: Bool
      /// Whether a pause has ended.
      var hasEndedPause: Bool
      var hasLimits: Bool
      /// Whether a key may have free places.
      var hasFreed: Bool
      /// Whether there are children to be cancelled.
      var hasCancellations: Bool
      /// Whether a deadline has passed.
      var hasLate: Bool
      /// Whether tokens were counted by a clock that was set back since.
      var hasFutureTokens: Bool
      /// The open versions of flows, as ``ClaimSQL/take`` wants them.
      var open: [PostgresParameter]
      var schedules: DueSchedules?
    }

    /// Claims due runs for a worker; without claimable runs it is one statement without locks.
    ///
    /// - Parameters:
    ///   - mayWait: whether to wait for the lock of the pauses, to end some.
    ///   - willCommit: receives the claimed runs before the commit, whose answer may be lost.
    func claim(
      _ request: ClaimRequest, at time: JournalTime, mayWait: () -> Bool,
      willCommit: ([RunClaim]) -> Void
    ) throws -> Claim {
      var (outlook, now) = try look(request, at: time)
      // Each claim does a bounded amount, and leaves what another transaction has locked: the runs
      // that it gives may be among those left.
      var hasMoreToCancel = false
      if outlook.hasEndedPause || outlook.hasCancellations || outlook.hasLate {
        let first = outlook
        func tidy(_ isDue: Bool, _ body: () throws -> Bool) throws -> Bool? {
          try isDue ? tidyUnlessLocked(body) : false
        }
        let pauses = try tidy(first.hasEndedPause) { try endPauses(mayWait: mayWait) }
        let late = try tidy(first.hasLate) { try cancelLate() }
        // Runs past their deadlines may have children.
        let children = try tidy(first.hasCancellations || first.hasLate, cancelChildren)
        (outlook, now) = try look(request, at: time, since: first.serverTime)
        hasMoreToCancel = outlook.hasCancellations || outlook.hasLate
        if [pauses, late, children].contains(true) { outlook.nextDueAt = time.date }
      }
      let isDisregarded = request.quarantine == .disregarded
      guard
        outlook.hasWaitless || outlook.hasWaited || outlook.hasOver || outlook.hasQuarantine
          || outlook.hasFreed || outlook.hasFutureTokens
      else {
        var claim = Claim(runs: [], nextDueAt: outlook.nextDueAt)
        claim.schedules = outlook.schedules
        return claim
      }
      let lock = Self.pauseLock(asReader: true)
      if !outlook.hasLimits, !outlook.hasOver, !outlook.hasQuarantine, !hasMoreToCancel {
        let sql = outlook.hasWaited ? ClaimSQL.take : ClaimSQL.takeWaitless
        let parameters =
          ClaimSQL.parameters(request, now: now)
          + [.integer(max(request.limit, 0)), .text(request.worker), Self.lease(request.lease)]
        let taken = try session.begin(with: lock, sql, parameters + outlook.open)
        var claim = Claim(
          runs: try commit(taken, willCommit), nextDueAt: outlook.nextDueAt)
        claim.schedules = outlook.schedules
        return claim
      }
      return try session.transaction(beginningWith: lock) { [outlook, now, hasMoreToCancel] in
        var limits = outlook.hasLimits ? try lockLimits(of: request) : FlowAdmissions()
        var parameters = ClaimSQL.parameters(request, now: now, limits)
        let mayHaveGroups = !isDisregarded && (outlook.hasOver || outlook.hasQuarantine)
        if mayHaveGroups {
          // Locked, so that only one worker at a time makes or takes groups.
          try execute(
            "SELECT pg_advisory_xact_lock(hashtextextended($1 || current_schema(), 0))",
            [.text("fieldstone quarantine ")])
        }
        if outlook.hasOver {
          try execute(ClaimSQL.moveBounds, parameters)
          var released = mayHaveGroups ? try settleCrashes(parameters) : 0
          released += try execute(ClaimSQL.settlePaused, parameters)
          // They may have left places of their flows and keys.
          if released > 0, !limits.isEmpty {
            limits = try lockLimits(of: request)
            parameters = ClaimSQL.parameters(request, now: now, limits)
          }
        }
        var group: (members: [RunID], isLone: Bool, left: Claim.Quarantined) = ([], false, .none)
        if mayHaveGroups {
          group = try nextGroup(for: limits.bounded(withoutPaused(request)), limits)
          group.members = try admit(group.members, &limits)
        }
        let isGroup = !group.members.isEmpty
        let lease: [PostgresParameter] = [.text(request.worker), Self.lease(request.lease)]
        let mayTake =
          try !isGroup && !outlook.hasQuarantine || lockLoneTrials(of: request.worker)
        // Before the group is taken, because its run may be alone from then on.
        if isGroup, mayTake { try endLoneTrials(of: request.worker) }
        var taken: [PostgresRow] = []
        if isGroup, mayTake {
          taken = try rows(
            ClaimSQL.takeGroup,
            [now, .identifiers(group.members)] + lease + [.boolean(group.isLone)])
        } else if mayTake {
          let parameters = parameters + [.integer(max(request.limit, 0))]
          taken =
            limits.isEmpty
            ? try rows(ClaimSQL.take, parameters + lease + outlook.open)
            : try takeAdmitted(parameters, lease: lease, &limits)
        }
        if !isGroup, !taken.isEmpty, outlook.hasQuarantine {
          try endLoneTrials(of: request.worker)
        }
        var runs = try withStages(taken, isCrashSuspected: isGroup, isAlone: group.isLone)
        var isAnyGone = false
        if hasMoreToCancel { (runs, isAnyGone) = try withoutCancelled(runs, at: time) }
        try takeTokens(for: runs, limits)
        let nextToken =
          limits.isEmpty
          ? nil : limits.nextToken(except: try pausedFlows()).map { $0 + outlook.ahead }
        willCommit(runs.map { Self.claim(of: $0.record) })
        let next = [outlook.nextDueAt, nextToken].compactMap(\.self).min()
        var claim = Claim(
          runs: runs, nextDueAt: limits.hasMore || isAnyGone ? time.date : next,
          quarantined: group.left)
        claim.schedules = outlook.schedules
        return claim
      }
    }

    /// - Returns: the outlook, with times by the caller's clock; and the clock's parameter, the
    ///   same in all statements of a claim.
    private func look(
      _ request: ClaimRequest, at time: JournalTime, since date: Date? = nil
    ) throws -> (Outlook, PostgresParameter) {
      let now = now
      let answer: PostgresRow?
      let parameters = ClaimSQL.parameters(request, now: now) + [.date(date)]
      do { answer = try row(ClaimSQL.look, parameters) } catch {
        // An incompatible migration by newer code may be the cause.
        if !session.isBroken, !session.isInTransaction { try PostgresSchema.check(session) }
        throw error
      }
      guard let found = answer else { throw JournalError.corrupt("a claim has no answer") }
      try PostgresSchema.check((10..<13).map(found.optionalInteger), for: request)
      if try found.boolean(15) { throw PostgresSchema.readOnly }
      let serverTime = try found.date(4)
      let ahead = time.date.timeIntervalSince(serverTime)
      let outlook = Outlook(
        nextDueAt: found.optionalDate(0).map { $0 + ahead }, serverTime: serverTime, ahead: ahead,
        hasWaitless: try found.boolean(1),
        hasWaited: try found.boolean(17), hasOver: try found.boolean(2),
        hasQuarantine: try found.boolean(3),
        hasEndedPause: try found.boolean(5), hasLimits: try found.boolean(6),
        hasFreed: try found.boolean(7), hasCancellations: try found.boolean(8),
        hasLate: found.optionalDate(9).map { $0 <= serverTime } ?? false,
        hasFutureTokens: try found.boolean(16),
        open: [
          found.array(18, of: .text), found.array(19, of: .integer), found.array(20, of: .date),
        ],
        schedules: try dueSchedules(
          at: serverTime, isAnyDue: found.boolean(13), nextAt: found.optionalDate(14)))
      return (outlook, now)
    }

    static func claim(of record: RunRecord) -> RunClaim {
      RunClaim(id: record.id, sequence: record.sequence, fence: record.fence)
    }

    /// Commits a claim, with the stages of its runs in the same round trip if nothing else is left.
    private func commit(
      _ taken: [PostgresRow], _ willCommit: ([RunClaim]) -> Void
    ) throws -> [ClaimedRun] {
      let records = try taken.map { try RunColumns.record($0, payload: Data()) }
      willCommit(records.map(Self.claim))
      guard !records.isEmpty, records.allSatisfy({ $0.awaitedSignals.isEmpty && $0.join == nil })
      else {
        let runs = try withStages(taken, isCrashSuspected: false, isAlone: false)
        try session.commit()
        return runs
      }
      let found = try session.commit(after: ClaimSQL.stages, Self.stages(of: records))
      guard found.count == records.count else { throw JournalError.corrupt("a run has no stage") }
      let runs = try zip(records, found).map { record, row in
        var record = record
        record.payload = try row.bytes(0)
        return ClaimedRun(record: record, signal: nil, isCrashSuspected: false, isAlone: false)
      }
      return Self.withHolders(runs, taken)
    }

    /// The runs with the workers from which they were taken over.
    private static func withHolders(_ runs: [ClaimedRun], _ taken: [PostgresRow]) -> [ClaimedRun] {
      zip(runs, taken).map { run, row in
        var run = run
        run.takenFrom = row.optionalText(RunColumns.count)
        return run
      }
    }

    private static func stages(of records: [RunRecord]) -> [PostgresParameter] {
      [.identifiers(records.map(\.id)), .integers(records.map(\.sequence))]
    }

    /// The claimed runs with their stages and signals.
    ///
    /// It is a statement after the one that locked the runs, so that it sees everything before the
    /// lock.
    private func withStages(
      _ taken: [PostgresRow], isCrashSuspected: Bool, isAlone: Bool
    ) throws -> [ClaimedRun] {
      guard !taken.isEmpty else { return [] }
      let records = try taken.map { try RunColumns.record($0, payload: Data()) }
      let stages = Self.stages(of: records)
      let found =
        try records.allSatisfy(\.awaitedSignals.isEmpty)
        ? rows(ClaimSQL.stages, stages)
        : rows(
          ClaimSQL.stagesWithSignals,
          stages + [.texts(records.map { AwaitedSignals.text($0.awaitedSignals) })])
      guard found.count == records.count else {
        throw JournalError.corrupt("a run has no stage")
      }
      var late: [RunID] = []
      let runs = try zip(records, found).map { record, row in
        var record = record
        record.payload = try row.bytes(0)
        var signal: SignalRecord?
        if !record.awaitedSignals.isEmpty {
          if let id = row.optionalText(1) {
            signal = SignalRecord(
              id: id, name: try row.text(2), payload: try row.bytes(3), sentAt: try row.date(4))
          } else {
            late.append(record.id)
            record.awaitedSignals = []
          }
        }
        return ClaimedRun(
          record: record, signal: signal, isCrashSuspected: isCrashSuspected, isAlone: isAlone)
      }
      let parents = records.filter { $0.join != nil }.map(\.id)
      if !parents.isEmpty { try endJoins(of: parents) }
      // The wait has timed out, for later attempts as well.
      if !late.isEmpty {
        try execute("UPDATE run SET awaited = NULL WHERE id = ANY ($1)", [.identifiers(late)])
      }
      return Self.withHolders(runs, taken)
    }
  }
#endif
