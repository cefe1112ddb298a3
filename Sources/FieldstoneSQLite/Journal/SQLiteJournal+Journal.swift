#if SQLite
  public import FieldstoneDurable
  public import Foundation

  extension SQLiteJournal: Journal {
    /// The maximum sizes of keys and payloads.
    public var limits: PayloadLimits { options.limits }

    /// Inserts a new run.
    public func start(_ start: RunStart, at time: JournalTime) async throws -> RunRecord {
      try limits.checkNames(of: start)
      try limits.check(start.payload)
      return try await transact { try $0.start(start, at: time) }
    }

    /// Inserts many new runs, several hundred per commit.
    public func start(
      _ starts: [RunStart], at time: JournalTime
    ) async -> [Result<RunRecord, any Error>] {
      await start(starts, at: time) { batch in
        try await transact { transaction in
          try batch.map { .success(try transaction.start($0, at: time)) }
        }
      }
    }

    /// Claims due runs for a worker.
    ///
    /// O(n) in the number of requested runs plus the number of running runs; independent of the
    /// number of runs in the journal.
    ///
    /// - Throws: `JournalError.newerSchema` if newer code has migrated the tables;
    ///   `.containsNUL` for the worker's name.
    public func claim(_ request: ClaimRequest, at time: JournalTime) async throws -> Claim {
      let request = try request.checked()
      let workers = workerLocks
      let isFirst = workers.beginClaim(of: request.worker)
      do {
        return try await transact { transaction in
          // In the transaction, so that no other claim releases the lock before the worker has runs.
          if try workers.hold(request.worker) {
            if !isFirst { workers.remember(request.worker) }
            workers.removeStale(except: try transaction.runningWorkers() + [request.worker])
          }
          if isFirst { try transaction.endLeases(of: request.worker, at: time) }
          var claim = try transaction.claim(request, at: time) { workers.isDead($0) }
          claim.schedules = try transaction.dueSchedules(at: time)
          return claim
        }
      } catch {
        if isFirst { workers.forgetClaim(of: request.worker) }
        throw error
      }
    }

    /// Commits a checkpoint: the run's next stage, or its completion.
    @discardableResult
    public func checkpoint(
      _ checkpoint: Checkpoint, at time: JournalTime
    ) async throws -> CheckpointReceipt {
      try limits.checkNames(of: checkpoint)
      try limits.checkPayloads(of: checkpoint)
      // A refused signal rolls the checkpoint back, as a failed write does.
      let mayFail =
        !checkpoint.writes.isEmpty || !checkpoint.signals.isEmpty
        || !checkpoint.next.children.isEmpty
      return try await transact(as: mayFail ? .any : .checkpoint) { [limits] in
        try $0.checkpoint(checkpoint, within: limits, at: time)
      }
    }

    /// Renews leases.
    public func renew(
      _ claims: [RunClaim], lease: Duration, at time: JournalTime
    ) async throws -> [RunClaim] {
      guard !claims.isEmpty else { return [] }
      return try await transact { try $0.renew(claims, lease: lease, at: time) }
    }

    /// Releases a run without a checkpoint.
    public func park(_ parking: Parking, at time: JournalTime) async throws {
      let report = parking.report.map { [$0] } ?? []
      try limits.check(report)
      let kept = limits.keptLogLines
      try await transact {
        try $0.park(parking, at: time)
        try $0.write(report, keeping: kept)
      }
    }

    /// Sends a signal to a run.
    @discardableResult
    public func signal(
      _ id: RunID, _ signal: SignalRecord, at time: JournalTime
    ) async throws -> SignalReceipt {
      try limits.checkNames(of: signal)
      try limits.checkJSON(signal.payload)
      return try await transact { try $0.signal(id, signal, at: time) }
    }

    /// Applies an operator's change to a run.
    @discardableResult
    public func change(
      _ id: RunID, _ change: RunChange, by actor: String?, at time: JournalTime
    ) async throws -> RunRecord {
      try limits.check(actor: actor)
      if case .edit(let payload, _, _) = change { try limits.checkJSON(payload) }
      return try await transact { try $0.change(id, change, by: actor, at: time) }
    }

    /// Pauses a flow, a concurrency key or a run.
    ///
    /// O(n) in the number of unfinished runs with the key, or of the flow's running runs.
    public func pause(
      _ target: PauseTarget, until date: Date?, by actor: String?, at time: JournalTime
    ) async throws {
      try limits.check(actor: actor)
      try limits.checkNames(of: target)
      try await transact { try $0.pause(target, until: date, by: actor, at: time) }
    }

    /// Ends a pause.
    @discardableResult
    public func resume(
      _ target: PauseTarget, by actor: String?, at time: JournalTime
    ) async throws -> Bool {
      try limits.check(actor: actor)
      // SQLite would cut the name, and mean another target.
      guard target.flow.isStorable, target.name.isStorable else { return false }
      return try await transact { try $0.resume(target, by: actor, at: time) }
    }

    /// The pauses of flows, then those of keys, then those of runs, each sorted by name.
    public func pauses() async throws -> [JournalPause] {
      try await read { try $0.pauses() }
    }

    /// Sets the limits of a flow; O(n) in the number of its runs with a concurrency key.
    @discardableResult
    public func setLimits(
      _ limits: FlowLimits?, of flow: String, replacing: Bool, by actor: String?,
      at time: JournalTime
    ) async throws -> FlowLimits? {
      try self.limits.check(actor: actor)
      try self.limits.checkNames(of: .flow(flow))
      return try await transact {
        try $0.setLimits(limits, of: flow, replacing: replacing, by: actor, at: time)
      }
    }

    /// The limits of all flows that have limits.
    public func flowLimits() async throws -> [String: FlowLimits] {
      try await read { try $0.flowLimits() }
    }

    /// The schedules, sorted by the bytes of their names; O(n) in their number.
    public func schedules() async throws -> [ScheduleRecord] {
      try await read { try $0.schedules() }
    }

    /// Sets, changes or removes a schedule, and starts runs in the same transaction.
    public func setSchedule(
      _ name: String, from old: ScheduleRecord?, to new: ScheduleRecord?,
      starting starts: [RunStart], by actor: String?, at time: JournalTime
    ) async throws -> Bool {
      try limits.check(actor: actor)
      try limits.check(name, new, starts)
      // A failed start rolls the tick back.
      return try await transact(as: starts.isEmpty ? .rows : .any) {
        try $0.setSchedule(name, from: old, to: new, starting: starts, by: actor, at: time)
      }
    }

    /// A page of the audit log, newest first; O(limit).
    public func audit(_ query: AuditQuery) async throws -> AuditPage {
      try await read { try $0.audit(query) }
    }

    /// The slots that the journal owns; nil if it owns all.
    public func slots() async throws -> JournalSlots? { try await read { try $0.slots() } }

    /// Sets which slots the journal owns.
    public func setSlots(from old: JournalSlots?, to new: JournalSlots) async throws -> Bool {
      try await transact(as: .any) { try $0.setSlots(from: old, to: new) }
    }

    /// The current record of a run; nil if there is none.
    public func run(_ id: RunID) async throws -> RunRecord? {
      try await read { try $0.run(id) }
    }

    /// A page of runs, in the order of the query.
    ///
    /// O(log n + limit) if an index covers the query, as `RunQuery` describes; otherwise O(runs
    /// scanned). Of a flow's running runs all are read, because a claim would have to write an index
    /// with their order.
    public func runs(_ query: RunQuery) async throws -> RunPage {
      try await read { try $0.runs(query) }
    }

    /// Counts the runs that match a query; O(limit) if an index covers it, otherwise O(runs
    /// scanned).
    public func count(_ query: RunQuery, atMost limit: Int) async throws -> RunCount {
      try await read { try $0.count(query, atMost: min(max(limit, 0), .max - 1)) }
    }

    /// The dead and blocked runs, grouped by their errors.
    ///
    /// O(f log n + m) for f fingerprints (at most 1,000) and m counted runs (at most 10,000 per
    /// group).
    public func errorGroups(atMost limit: Int) async throws -> [ErrorGroup] {
      try await read { try $0.errorGroups(atMost: limit) }
    }

    /// SQLite's query plans for the statements that fetch a page of a query.
    package func plans(of query: RunQuery) async throws -> [[String]] {
      try await read { try $0.plans(of: query) }
    }

    /// A page of a run's completed steps, oldest first.
    public func steps(of id: RunID, after sequence: Int?, limit: Int) async throws -> StepPage {
      try await read { try $0.steps(of: id, after: sequence, limit: min(max(limit, 1), 1_000)) }
    }

    /// A page of a run's children, in the order of their places; O(limit).
    public func children(
      of id: RunID, at sequence: Int?, after place: ChildPlace?, limit: Int
    ) async throws -> ChildPage {
      try await read {
        try $0.children(of: id, at: sequence, after: place, limit: min(max(limit, 1), 1_000))
      }
    }

    /// The runs that have changed since a mark; O(n) in the number of their changes, up to a
    /// million checkpoints and ten thousand ends and waits.
    public func changes(since mark: JournalMark?) async throws -> JournalChanges {
      try await read { try $0.changes(since: mark) }
    }

    /// Stores the reports of runs' stages; O(n) in the number of lines.
    public func write(_ reports: [RunReportWrite], at time: JournalTime) async throws {
      guard !reports.isEmpty else { return }
      try limits.check(reports)
      let kept = limits.keptLogLines
      try await transact { try $0.write(reports, keeping: kept) }
    }

    /// The reports of a run's stages; O(n) in the number of its lines.
    public func report(of id: RunID, after place: RunLogLine.Place?) async throws -> RunReport {
      try await read { try $0.report(of: id, after: place) }
    }

    /// Stores a worker's announcement, or removes its record; O(n) in the number of workers.
    public func setWorker(
      _ name: String, to record: WorkerRecord?, at time: JournalTime
    ) async throws {
      try limits.checkName(ofWorker: name)
      try await transact { try $0.setWorker(name, to: record, at: time) }
    }

    /// The announced workers, sorted by the bytes of their names; O(n) in their number.
    public func workers() async throws -> [WorkerRecord] {
      try await read { try $0.workers() }
    }

    /// Deletes finished runs that are older than the retention.
    ///
    /// It uses many short transactions of several hundred rows each, so that others can write in
    /// between. If it is stopped halfway, the rest stays for the next purge; one run may have lost
    /// only its oldest steps. Consumed signals older than the kept steps are deleted, too. O(n) in
    /// the number of runs, which are read concurrently with writers.
    @discardableResult
    public func purge(_ retention: JournalRetention, at time: JournalTime) async throws -> Int {
      let oldest = time.date.addingTimeInterval(-(retention.runs / .seconds(1)))
      try await transact { try $0.removeOldWorkers(at: time) }
      var count = 0
      var place: PurgePlace?
      repeat {
        let gone = try await transact { [place] in
          try $0.removeRuns(changedBefore: oldest, after: place, rows: Self.purgedRows)
        }
        count += gone.count
        place = gone.next
      } while place != nil
      let kept = max(0, retention.stepsPerRun)
      var last: Int64 = 0
      while true {
        let long = try await read { [last] in
          try $0.runsWithMoreSteps(than: kept, after: last, limit: 100)
        }
        for number in long {
          while try await !transact({
            try $0.removeSteps(of: number, keeping: kept, rows: Self.purgedRows)
          }) {}
        }
        guard let end = long.last, long.count == 100 else { break }
        last = end
      }
      let oldestAudit = time.date.addingTimeInterval(-(retention.audit / .seconds(1)))
      while try await !transact({
        try $0.removeAudit(before: oldestAudit, rows: Self.purgedRows)
      }) {}
      return count
    }

    /// Deletes a finished run.
    public func purge(_ id: RunID, by actor: String?, at time: JournalTime) async throws {
      try limits.check(actor: actor)
      while try await !transact({
        try $0.purge(id, by: actor, rows: Self.purgedRows, at: time)
      }) {}
    }

    /// The rows deleted per transaction, which blocks all other writers.
    private static let purgedRows = 500
  }
#endif
