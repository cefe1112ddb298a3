#if PostgreSQL
  import FieldstoneCore
  public import FieldstoneDurable
  public import Foundation

  extension PostgresJournal: Journal {
    /// The maximum sizes of keys and payloads; keys have at most 2,000 bytes, a limit of the index.
    public var limits: PayloadLimits {
      var limits = options.limits
      limits.key = min(limits.key, 2_000)
      return limits
    }

    /// The server's clock: it decides due times, lease ends and ages.
    public var clock: JournalClock { .server }

    /// Inserts a new run.
    public func start(_ start: RunStart, at time: JournalTime) async throws -> RunRecord {
      try limits.checkNames(of: start)
      try limits.check(start.payload)
      defer { wakeUps.tell() }
      return try await submit(isRepeatable: true) {
        try JournalStatements(session: $0).startAlone(start)
      }
    }

    /// Inserts many new runs, several hundred per statement.
    ///
    /// A start whose identifier or key exists is inserted separately, after the others of its
    /// batch; last come those that wait for a lock of another transaction.
    public func start(
      _ starts: [RunStart], at time: JournalTime
    ) async -> [Result<RunRecord, any Error>] {
      await start(starts, at: time) { try await start(batch: $0, at: time) }
    }

    /// Claims due runs for a worker.
    ///
    /// O(n) in the number of requested runs plus the number of flows with open runs; independent of
    /// the number of runs in the journal. Runs that another claim takes at the same moment are
    /// skipped.
    ///
    /// - Throws: `JournalError.newerSchema` if newer code has migrated the tables;
    ///   `.containsNUL` for the worker's name; `.duplicateWorker` once another worker has announced
    ///   itself by the same name.
    public func claim(_ request: ClaimRequest, at time: JournalTime) async throws -> Claim {
      let request = try request.checked()
      if announcements.withLock({ $0[request.worker]?.isDuplicate ?? false }) {
        throw JournalError.duplicateWorker(request.worker)
      }
      try await giveBackUnansweredClaims(of: request.worker, at: time)
      let claimed = Locked<[RunClaim]>([])
      do {
        return try await submit { [pauseWaits] session in
          try JournalStatements(session: session).claim(
            request, at: time, mayWait: { pauseWaits.withLock { $0.isTurn(at: time.uptime) } }
          ) { claims in
            claimed.withLock { $0 = claims }
          }
        }
      } catch {
        let claims = claimed.withLock { $0 }
        unansweredClaims.withLock { $0[request.worker, default: []] += claims }
        throw error
      }
    }

    /// Releases the runs of a worker's claim whose answer was lost, if the claim was committed.
    ///
    /// If it was not, another worker's claim may have the same fence by now.
    private func giveBackUnansweredClaims(
      of worker: String, at time: JournalTime
    ) async throws {
      while let claim = unansweredClaims.withLock({ $0[worker]?.popLast() }) {
        do {
          try await submit(isRepeatable: true) { session in
            try session.transaction {
              let statements = JournalStatements(session: session)
              guard try statements.isHeld(claim.id, by: worker) else {
                throw JournalError.claimLost(claim.id)
              }
              try statements.park(Parking(claim: claim, reason: .shutdown), at: time)
            }
          }
        } catch JournalError.claimLost {
          // The claim was not committed, or its lease has expired.
        } catch {
          unansweredClaims.withLock { $0[worker, default: []].append(claim) }
          throw error
        }
      }
    }

    /// Commits a checkpoint: the run's next stage, or its completion.
    @discardableResult
    public func checkpoint(
      _ checkpoint: Checkpoint, at time: JournalTime
    ) async throws -> CheckpointReceipt {
      try limits.checkNames(of: checkpoint)
      try limits.checkPayloads(of: checkpoint)
      let receipt = try await commit(TimedCheckpoint(checkpoint: checkpoint, time: time))
      // A run that continues here with its next stage concerns no other process.
      if checkpoint.concernsOthers { wakeUps.tell() }
      return receipt
    }

    /// Renews leases, on a separate connection.
    public func renew(
      _ claims: [RunClaim], lease: Duration, at time: JournalTime
    ) async throws -> [RunClaim] {
      guard !claims.isEmpty else { return [] }
      return try await submit(asRenewal: true, isRepeatable: true) {
        try JournalStatements(session: $0).renew(claims, lease: lease)
      }
    }

    /// Releases a run without a checkpoint.
    public func park(_ parking: Parking, at time: JournalTime) async throws {
      defer { wakeUps.tell() }
      guard parking.reason.endsRun || parking.line != nil else {
        return try await submit { try JournalStatements(session: $0).park(parking, at: time) }
      }
      let report = parking.report.map { [$0] } ?? []
      try limits.check(report)
      let kept = limits.keptLogLines
      // A run that becomes dead also loses its own pause, and counts as ended for its parent.
      try await transact {
        try $0.park(parking, at: time)
        try $0.write(report, keeping: kept, at: time)
      }
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

    /// Applies an operator's change to a run.
    @discardableResult
    public func change(
      _ id: RunID, _ change: RunChange, by actor: String?, at time: JournalTime
    ) async throws -> RunRecord {
      try limits.check(actor: actor)
      if case .edit(let payload, _, _) = change { try limits.checkJSON(payload) }
      defer { wakeUps.tell() }
      return try await transact { try $0.change(id, change, by: actor) }
    }

    /// Pauses a flow, a concurrency key or a run.
    ///
    /// O(n) in the number of unfinished runs with the key, or of the flow's running runs. The pause
    /// and concurrent claims wait for each other.
    public func pause(
      _ target: PauseTarget, until date: Date?, by actor: String?, at time: JournalTime
    ) async throws {
      try limits.check(actor: actor)
      try limits.checkNames(of: target)
      // Only the commit follows, whose answer may be lost; what fails before has left no row.
      let mayBeCommitted = Locked(false)
      try await transact(isRepeatable: true) { statements in
        try statements.pause(
          target, until: date, by: actor, isRepeat: mayBeCommitted.withLock(\.self))
        mayBeCommitted.withLock { $0 = true }
      }
    }

    /// Ends a pause.
    @discardableResult
    public func resume(
      _ target: PauseTarget, by actor: String?, at time: JournalTime
    ) async throws -> Bool {
      try limits.check(actor: actor)
      try limits.checkNames(of: target)
      defer { wakeUps.tell() }
      return try await transact { try $0.resume(target, by: actor) }
    }

    /// The pauses of flows, then those of keys, then those of runs, each sorted by name.
    public func pauses() async throws -> [JournalPause] {
      try await submit(isRepeatable: true) { try JournalStatements(session: $0).pauses() }
    }

    /// Sets the limits of a flow; O(n) in the number of its runs with a concurrency key.
    @discardableResult
    public func setLimits(
      _ limits: FlowLimits?, of flow: String, replacing: Bool, by actor: String?,
      at time: JournalTime
    ) async throws -> FlowLimits? {
      try self.limits.check(actor: actor)
      try self.limits.checkNames(of: .flow(flow))
      defer { wakeUps.tell() }
      return try await transact(isRepeatable: true) {
        try $0.setLimits(limits, of: flow, replacing: replacing, by: actor)
      }
    }

    /// The limits of all flows that have limits.
    public func flowLimits() async throws -> [String: FlowLimits] {
      try await submit(isRepeatable: true) { try JournalStatements(session: $0).flowLimits() }
    }

    /// The schedules, sorted by the bytes of their names; O(n) in their number.
    public func schedules() async throws -> [ScheduleRecord] {
      try await submit(isRepeatable: true) { try JournalStatements(session: $0).schedules() }
    }

    /// Sets, changes or removes a schedule, and starts runs in the same transaction.
    ///
    /// If the answer is lost, the change is repeated; it may then return false although it was
    /// made.
    public func setSchedule(
      _ name: String, from old: ScheduleRecord?, to new: ScheduleRecord?,
      starting starts: [RunStart], by actor: String?, at time: JournalTime
    ) async throws -> Bool {
      try limits.check(actor: actor)
      try limits.check(name, new, starts)
      defer { wakeUps.tell() }
      return try await transact(isRepeatable: true) {
        try $0.setSchedule(name, from: old, to: new, starting: starts, by: actor)
      }
    }

    /// A page of the audit log, newest first; O(limit).
    public func audit(_ query: AuditQuery) async throws -> AuditPage {
      try await submit(isRepeatable: true) { try JournalStatements(session: $0).audit(query) }
    }

    /// The slots that the journal owns; nil if it owns all.
    public func slots() async throws -> JournalSlots? {
      try await submit(isRepeatable: true) { try JournalStatements(session: $0).slots() }
    }

    /// Sets which slots the journal owns; it changes a trigger, so the user must own the tables.
    ///
    /// Starts wait for it. If the answer is lost, the change is repeated; it may then return false
    /// although it was made.
    public func setSlots(from old: JournalSlots?, to new: JournalSlots) async throws -> Bool {
      try await transact(isRepeatable: true) { try $0.setSlots(from: old, to: new) }
    }

    /// The current record of a run; nil if there is none.
    public func run(_ id: RunID) async throws -> RunRecord? {
      try await submit(isRepeatable: true) { try JournalStatements(session: $0).run(id) }
    }

    /// A page of runs, in the order of the query.
    ///
    /// O(log n + limit) if an index covers the query, as `RunQuery` describes; otherwise O(runs
    /// scanned).
    public func runs(_ query: RunQuery) async throws -> RunPage {
      try await submit(isRepeatable: true) { try JournalStatements(session: $0).runs(query) }
    }

    /// Counts the runs that match a query; O(limit) if an index covers it, otherwise O(runs
    /// scanned).
    public func count(_ query: RunQuery, atMost limit: Int) async throws -> RunCount {
      try await submit(isRepeatable: true) {
        try JournalStatements(session: $0).count(query, atMost: min(max(limit, 0), .max - 1))
      }
    }

    /// The dead and blocked runs, grouped by their errors.
    ///
    /// O(f log n + m) for f fingerprints (at most 1,000) and m counted runs (at most 10,000 per
    /// group).
    public func errorGroups(atMost limit: Int) async throws -> [ErrorGroup] {
      try await submit(isRepeatable: true) {
        try JournalStatements(session: $0).errorGroups(atMost: limit)
      }
    }

    /// PostgreSQL's query plan for a page of a query, one line per element.
    package func plan(of query: RunQuery) async throws -> [String] {
      try await submit(isRepeatable: true) { try JournalStatements(session: $0).plan(of: query) }
    }

    /// A page of a run's completed steps, oldest first.
    public func steps(of id: RunID, after sequence: Int?, limit: Int) async throws -> StepPage {
      let limit = min(max(limit, 1), 1_000)
      return try await submit(isRepeatable: true) {
        try JournalStatements(session: $0).steps(of: id, after: sequence, limit: limit)
      }
    }

    /// A page of a run's children, in the order of their places; O(limit).
    public func children(
      of id: RunID, at sequence: Int?, after place: ChildPlace?, limit: Int
    ) async throws -> ChildPage {
      let limit = min(max(limit, 1), 1_000)
      return try await submit(isRepeatable: true) {
        try JournalStatements(session: $0).children(
          of: id, at: sequence, after: place, limit: limit)
      }
    }

    /// The runs that have changed since a mark; O(n) in the number of their changes, up to a
    /// million.
    public func changes(since mark: JournalMark?) async throws -> JournalChanges {
      try await submit(isRepeatable: true) {
        try JournalStatements(session: $0).changes(since: mark)
      }
    }

    /// Stores the reports of runs' stages; O(n) in the number of lines.
    ///
    /// Other processes are not notified: they find the reports at their next poll.
    public func write(_ reports: [RunReportWrite], at time: JournalTime) async throws {
      guard !reports.isEmpty else { return }
      try limits.check(reports)
      let kept = limits.keptLogLines
      try await transact(isRepeatable: true) { try $0.write(reports, keeping: kept, at: time) }
    }

    /// The reports of a run's stages; O(n) in the number of its lines.
    public func report(of id: RunID, after place: RunLogLine.Place?) async throws -> RunReport {
      try await submit(isRepeatable: true) {
        try JournalStatements(session: $0).report(of: id, after: place)
      }
    }

    /// Stores a worker's announcement, or removes its record; O(n) in the number of workers.
    ///
    /// - Throws: `JournalError.duplicateWorker` if another worker has announced itself by the same
    ///   name since this one did; the next claim throws it, too.
    public func setWorker(
      _ name: String, to record: WorkerRecord?, at time: JournalTime
    ) async throws {
      try limits.checkName(ofWorker: name)
      let last = announcements.withLock { $0[name]?.date }
      do {
        let date = try await transact(isRepeatable: true) {
          try $0.setWorker(name, to: record, after: last, at: time)
        }
        announcements.withLock { $0[name] = date.map { Announcement(date: $0) } }
      } catch JournalError.duplicateWorker(let worker) {
        announcements.withLock { $0[name]?.isDuplicate = true }
        throw JournalError.duplicateWorker(worker)
      }
    }

    /// The announced workers, sorted by the bytes of their names; O(n) in their number.
    public func workers() async throws -> [WorkerRecord] {
      try await submit(isRepeatable: true) { try JournalStatements(session: $0).workers() }
    }

    /// Deletes finished runs that are older than the retention.
    ///
    /// It uses many short transactions of several hundred rows each; if it is stopped halfway, the
    /// rest stays for the next purge. Runs that another purge is deleting are skipped. Audit rows and
    /// old workers stay if the role may not delete them. O(n) in the number of runs.
    @discardableResult
    public func purge(_ retention: JournalRetention, at time: JournalTime) async throws -> Int {
      try await submit(isRepeatable: true) { session in
        let statements = JournalStatements(session: session)
        if try statements.mayDelete(from: "worker") { try statements.removeOldWorkers() }
      }
      var count = 0
      var place: PurgePlace?
      repeat {
        let gone = try await transact { [place] in
          try $0.removeRuns(overFor: retention.runs, from: place, rows: Self.purgedRows)
        }
        count += gone.count
        place = gone.next
      } while place != nil
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
        guard let end = long.last, long.count == 100 else { break }
        last = end
      }
      while try await !transact({
        try $0.removeAudit(olderThan: retention.audit, rows: Self.purgedRows)
      }) {}
      return count
    }

    /// Deletes a finished run.
    public func purge(_ id: RunID, by actor: String?, at time: JournalTime) async throws {
      try limits.check(actor: actor)
      while try await !transact({ try $0.purge(id, by: actor, rows: Self.purgedRows) }) {}
    }

    /// The rows deleted per transaction.
    private static let purgedRows = 500
  }
#endif
