#if PostgreSQL
  import FieldstoneCore
  public import FieldstoneDurable
  public import Foundation

  extension PostgresJournal: Journal {
    /// How long keys and how large payloads may be; a key has 2,000 bytes at most, as an index holds
    /// no longer ones.
    public var limits: PayloadLimits {
      var limits = options.limits
      limits.key = min(limits.key, 2_000)
      return limits
    }

    /// The server's: it decides what is due, which leases are over, and what is old.
    public var clock: JournalClock { .server }

    /// Puts a new run into the journal.
    public func start(_ start: RunStart, at time: JournalTime) async throws -> RunRecord {
      try limits.checkNames(of: start)
      try limits.check(start.payload)
      defer { wakeUps.tell() }
      return try await submit(isRepeatable: true) { session in
        let statements = JournalStatements(session: session)
        let isPlain = start.key == nil || start.ifTaken == .existing
        guard !isPlain || start.concurrencyKey != nil else {
          return try statements.start(start)
        }
        return try session.transaction {
          if start.concurrencyKey != nil { try statements.lockPauses(asReader: true) }
          return try statements.start(start)
        }
      }
    }

    /// Puts many new runs into the journal, some hundred with one statement.
    ///
    /// A start whose identifier or key is taken comes after the others of its batch, by itself.
    public func start(
      _ starts: [RunStart], at time: JournalTime
    ) async -> [Result<RunRecord, any Error>] {
      await start(starts, at: time) { batch in
        let inserted = try await submit(isRepeatable: true) {
          try JournalStatements(session: $0).insert(batch)
        }
        wakeUps.tell()
        var answers: [Result<RunRecord, any Error>] = []
        for (place, start) in batch.enumerated() {
          if let record = inserted[place] {
            answers.append(.success(record))
          } else {
            do { answers.append(.success(try await self.start(start, at: time))) } catch {
              answers.append(.failure(error))
            }
          }
        }
        return answers
      }
    }

    /// Gives runs to a worker.
    ///
    /// O(n) in the number of runs that are asked for and of flows that have open runs, and not of the
    /// runs that are there. What another claim takes at the same moment is passed over.
    ///
    /// - Throws: `JournalError.newerSchema` once newer code has changed the tables.
    public func claim(_ request: ClaimRequest, at time: JournalTime) async throws -> Claim {
      try await giveBackUnansweredClaims(at: time)
      let claimed = Locked<[RunClaim]>([])
      do {
        return try await submit { session in
          try JournalStatements(session: session).claim(request, at: time) { claims in
            claimed.withLock { $0 = claims }
          }
        }
      } catch {
        unansweredClaims.withLock { $0 += claimed.withLock { $0 } }
        throw error
      }
    }

    /// Gives back what a claim has taken if it was committed: its answer was lost.
    private func giveBackUnansweredClaims(at time: JournalTime) async throws {
      while let claim = unansweredClaims.withLock({ $0.popLast() }) {
        do {
          try await submit(isRepeatable: true) {
            try JournalStatements(session: $0).park(
              Parking(claim: claim, reason: .shutdown), at: time)
          }
        } catch JournalError.claimLost {
          // It was not committed, or its lease is over.
        } catch {
          unansweredClaims.withLock { $0.append(claim) }
          throw error
        }
      }
    }

    /// Goes on to the next stage, or to the completion.
    @discardableResult
    public func checkpoint(
      _ checkpoint: Checkpoint, at time: JournalTime
    ) async throws -> CheckpointReceipt {
      try limits.checkNames(of: checkpoint)
      try limits.checkPayloads(of: checkpoint)
      let receipt = try await commit(TimedCheckpoint(checkpoint: checkpoint, time: time))
      // A run that goes on to its next stage here concerns no other process.
      if checkpoint.concernsOthers { wakeUps.tell() }
      return receipt
    }

    /// Prolongs leases, on a connection of its own.
    public func renew(
      _ claims: [RunClaim], lease: Duration, at time: JournalTime
    ) async throws -> [RunClaim] {
      guard !claims.isEmpty else { return [] }
      return try await submit(asRenewal: true, isRepeatable: true) {
        try JournalStatements(session: $0).renew(claims, lease: lease)
      }
    }

    /// Gives a run back without a step forward.
    public func park(_ parking: Parking, at time: JournalTime) async throws {
      defer { wakeUps.tell() }
      guard parking.reason.endsRun else {
        return try await submit { try JournalStatements(session: $0).park(parking, at: time) }
      }
      // One that becomes dead loses its own pause, too, and counts for its parent.
      try await transact { try $0.park(parking, at: time) }
    }

    /// Sends a signal to a run.
    @discardableResult
    public func signal(
      _ id: RunID, _ signal: SignalRecord, at time: JournalTime
    ) async throws -> SignalReceipt {
      try limits.checkNames(of: signal)
      try limits.checkJSON(signal.payload)
      defer { wakeUps.tell() }
      return try await transact(isRepeatable: true) { try $0.signal(id, signal) }
    }

    /// Does to a run what a person wants.
    @discardableResult
    public func change(
      _ id: RunID, _ change: RunChange, at time: JournalTime
    ) async throws -> RunRecord {
      if case .edit(let payload, _) = change { try limits.checkJSON(payload) }
      defer { wakeUps.tell() }
      return try await transact { try $0.change(id, change) }
    }

    /// Pauses a flow, a concurrency key or a run.
    ///
    /// O(n) in the number of runs with the key that are not over, and of a flow's runs that workers
    /// have. Claims wait for it, and it for claims that are under way.
    public func pause(
      _ target: PauseTarget, until date: Date?, at time: JournalTime
    ) async throws {
      try limits.checkNames(of: target)
      try await transact(isRepeatable: true) { try $0.pause(target, until: date) }
    }

    /// Ends a pause.
    @discardableResult
    public func resume(_ target: PauseTarget, at time: JournalTime) async throws -> Bool {
      try limits.checkNames(of: target)
      defer { wakeUps.tell() }
      return try await transact { statements in
        try statements.lockPauses()
        return try statements.resume(target)
      }
    }

    /// The pauses: those of flows, then those of keys and of runs, each by their names.
    public func pauses() async throws -> [JournalPause] {
      try await submit(isRepeatable: true) { try JournalStatements(session: $0).pauses() }
    }

    /// Sets the limits of a flow; O(n) in the number of its runs with a concurrency key.
    @discardableResult
    public func setLimits(
      _ limits: FlowLimits?, of flow: String, replacing: Bool, at time: JournalTime
    ) async throws -> FlowLimits? {
      try self.limits.checkNames(of: .flow(flow))
      defer { wakeUps.tell() }
      return try await transact(isRepeatable: true) {
        try $0.setLimits(limits, of: flow, replacing: replacing)
      }
    }

    /// The limits of all flows that have some.
    public func flowLimits() async throws -> [String: FlowLimits] {
      try await submit(isRepeatable: true) { try JournalStatements(session: $0).flowLimits() }
    }

    /// The schedules, by the bytes of their names; O(n) in their number.
    public func schedules() async throws -> [ScheduleRecord] {
      try await submit(isRepeatable: true) { try JournalStatements(session: $0).schedules() }
    }

    /// Sets, changes or removes a schedule, and starts runs with it.
    ///
    /// Where its answer was lost it is asked again, and may answer false though it was made by then.
    public func setSchedule(
      _ name: String, from old: ScheduleRecord?, to new: ScheduleRecord?,
      starting starts: [RunStart], at time: JournalTime
    ) async throws -> Bool {
      try limits.check(name, new, starts)
      defer { wakeUps.tell() }
      return try await transact(isRepeatable: true) {
        try $0.setSchedule(name, from: old, to: new, starting: starts)
      }
    }

    /// The run as it stands; nil when there is none.
    public func run(_ id: RunID) async throws -> RunRecord? {
      try await submit(isRepeatable: true) { try JournalStatements(session: $0).run(id) }
    }

    /// A page of runs, the youngest first.
    ///
    /// O(limit) in the number of runs asked for; with `RunQuery.since` the last page is O(n).
    public func runs(_ query: RunQuery) async throws -> RunPage {
      try await submit(isRepeatable: true) { try JournalStatements(session: $0).runs(query) }
    }

    /// A page of the steps behind a run, the oldest first.
    public func steps(of id: RunID, after sequence: Int?, limit: Int) async throws -> StepPage {
      let limit = min(max(limit, 1), 1_000)
      return try await submit(isRepeatable: true) {
        try JournalStatements(session: $0).steps(of: id, after: sequence, limit: limit)
      }
    }

    /// A page of the children of a run, in the order of their places; O(limit).
    public func children(
      of id: RunID, at sequence: Int?, after place: ChildPlace?, limit: Int
    ) async throws -> ChildPage {
      let limit = min(max(limit, 1), 1_000)
      return try await submit(isRepeatable: true) {
        try JournalStatements(session: $0).children(
          of: id, at: sequence, after: place, limit: limit)
      }
    }

    /// The runs that have changed since a mark; O(n) in the number of their changes, up to ten
    /// thousand.
    public func changes(since mark: JournalMark?) async throws -> JournalChanges {
      try await submit(isRepeatable: true) {
        try JournalStatements(session: $0).changes(since: mark)
      }
    }

    /// Lets go of what is over and older than the retention.
    ///
    /// It does so in many short transactions, of some hundred rows each; stopped halfway it leaves the
    /// rest for the next time. Runs that another purge removes meanwhile are passed over. O(n) in the
    /// number of runs.
    @discardableResult
    public func purge(_ retention: JournalRetention, at time: JournalTime) async throws -> Int {
      var count = 0
      while true {
        let gone = try await transact {
          try $0.removeRuns(overFor: retention.runs, rows: Self.purgedRows)
        }
        count += gone.count
        if gone.isDone { break }
      }
      let kept = max(0, retention.stepsPerRun)
      var last: RunID?
      while true {
        let long = try await submit { [last] session in
          try JournalStatements(session: session).runsWithMoreSteps(
            than: kept, after: last, limit: 100)
        }
        for id in long {
          while try await !transact({
            try $0.removeSteps(of: id, keeping: kept, rows: Self.purgedRows)
          }) {}
        }
        guard let end = long.last, long.count == 100 else { return count }
        last = end
      }
    }

    /// How much goes in one transaction.
    private static let purgedRows = 500
  }
#endif
