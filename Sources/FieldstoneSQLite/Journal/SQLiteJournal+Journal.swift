#if SQLite
  public import FieldstoneDurable
  public import Foundation

  extension SQLiteJournal: Journal {
    /// How long keys and how large payloads may be.
    public var limits: PayloadLimits { options.limits }

    /// Puts a new run into the journal.
    public func start(_ start: RunStart, at time: JournalTime) async throws -> RunRecord {
      try limits.checkNames(of: start)
      try limits.check(start.payload)
      return try await transact { try $0.start(start, at: time) }
    }

    /// Puts many new runs into the journal, some hundred in one commit.
    public func start(
      _ starts: [RunStart], at time: JournalTime
    ) async -> [Result<RunRecord, any Error>] {
      await start(starts, at: time) { batch in
        try await transact { transaction in
          try batch.map { .success(try transaction.start($0, at: time)) }
        }
      }
    }

    /// Gives runs to a worker.
    ///
    /// O(n) in the number of runs that are asked for and of those that workers have, and not of
    /// those that are there.
    ///
    /// - Throws: `JournalError.newerSchema` once newer code has changed the tables.
    public func claim(_ request: ClaimRequest, at time: JournalTime) async throws -> Claim {
      let workers = workerLocks
      return try await transact { transaction in
        // Within the transaction, so that no other claim lets go of the lock before there are runs.
        if try workers.hold(request.worker) {
          workers.removeStale(except: try transaction.runningWorkers() + [request.worker])
        }
        var claim = try transaction.claim(request, at: time) { workers.isDead($0) }
        claim.schedules = try transaction.dueSchedules(at: time)
        return claim
      }
    }

    /// Goes on to the next stage, or to the completion.
    @discardableResult
    public func checkpoint(
      _ checkpoint: Checkpoint, at time: JournalTime
    ) async throws -> CheckpointReceipt {
      try limits.checkNames(of: checkpoint)
      try limits.checkPayloads(of: checkpoint)
      // A signal that is refused undoes the checkpoint, as a write does that fails.
      let mayFail =
        !checkpoint.writes.isEmpty || !checkpoint.signals.isEmpty
        || !checkpoint.next.children.isEmpty
      return try await transact(hasOwnWrites: mayFail) { [limits] in
        try $0.checkpoint(checkpoint, within: limits, at: time)
      }
    }

    /// Prolongs leases.
    public func renew(
      _ claims: [RunClaim], lease: Duration, at time: JournalTime
    ) async throws -> [RunClaim] {
      guard !claims.isEmpty else { return [] }
      return try await transact { try $0.renew(claims, lease: lease, at: time) }
    }

    /// Gives a run back without a step forward.
    public func park(_ parking: Parking, at time: JournalTime) async throws {
      try await transact { try $0.park(parking, at: time) }
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

    /// Does to a run what a person wants.
    @discardableResult
    public func change(
      _ id: RunID, _ change: RunChange, at time: JournalTime
    ) async throws -> RunRecord {
      if case .edit(let payload, _) = change { try limits.checkJSON(payload) }
      return try await transact { try $0.change(id, change, at: time) }
    }

    /// Pauses a flow, a concurrency key or a run.
    ///
    /// O(n) in the number of runs with the key that are not over, and of a flow's runs that workers
    /// have.
    public func pause(
      _ target: PauseTarget, until date: Date?, at time: JournalTime
    ) async throws {
      try limits.checkNames(of: target)
      try await transact { try $0.pause(target, until: date) }
    }

    /// Ends a pause.
    @discardableResult
    public func resume(_ target: PauseTarget, at time: JournalTime) async throws -> Bool {
      try await transact { try $0.resume(target) }
    }

    /// The pauses: those of flows, then those of keys and of runs, each by their names.
    public func pauses() async throws -> [JournalPause] {
      try await read { try $0.pauses() }
    }

    /// Sets the limits of a flow; O(n) in the number of its runs with a concurrency key.
    @discardableResult
    public func setLimits(
      _ limits: FlowLimits?, of flow: String, replacing: Bool, at time: JournalTime
    ) async throws -> FlowLimits? {
      try self.limits.checkNames(of: .flow(flow))
      return try await transact {
        try $0.setLimits(limits, of: flow, replacing: replacing, at: time)
      }
    }

    /// The limits of all flows that have some.
    public func flowLimits() async throws -> [String: FlowLimits] {
      try await read { try $0.flowLimits() }
    }

    /// The schedules, by the bytes of their names; O(n) in their number.
    public func schedules() async throws -> [ScheduleRecord] {
      try await read { try $0.schedules() }
    }

    /// Sets, changes or removes a schedule, and starts runs with it.
    public func setSchedule(
      _ name: String, from old: ScheduleRecord?, to new: ScheduleRecord?,
      starting starts: [RunStart], at time: JournalTime
    ) async throws -> Bool {
      try limits.check(name, new, starts)
      // A start that fails undoes the tick.
      return try await transact(hasOwnWrites: !starts.isEmpty) {
        try $0.setSchedule(name, from: old, to: new, starting: starts, at: time)
      }
    }

    /// The run as it stands; nil when there is none.
    public func run(_ id: RunID) async throws -> RunRecord? {
      try await read { try $0.run(id) }
    }

    /// A page of runs, the youngest first.
    ///
    /// O(limit) in the number of runs asked for; with `RunQuery.since` the last page is O(n).
    public func runs(_ query: RunQuery) async throws -> RunPage {
      try await read { try $0.runs(query) }
    }

    /// A page of the steps behind a run, the oldest first.
    public func steps(of id: RunID, after sequence: Int?, limit: Int) async throws -> StepPage {
      try await read { try $0.steps(of: id, after: sequence, limit: min(max(limit, 1), 1_000)) }
    }

    /// A page of the children of a run, in the order of their places; O(limit).
    public func children(
      of id: RunID, at sequence: Int?, after place: ChildPlace?, limit: Int
    ) async throws -> ChildPage {
      try await read {
        try $0.children(of: id, at: sequence, after: place, limit: min(max(limit, 1), 1_000))
      }
    }

    /// The runs that have changed since a mark; O(n) in the number of their changes, up to some
    /// thousand.
    public func changes(since mark: JournalMark?) async throws -> JournalChanges {
      try await read { try $0.changes(since: mark) }
    }

    /// Lets go of what is over and older than the retention.
    ///
    /// It does so in many short transactions, of some hundred rows each, so that others can write in
    /// between; stopped halfway it leaves the rest for the next time, perhaps a run without its
    /// oldest steps. Consumed signals that are older than the steps that are kept go, too. O(n) in
    /// the number of runs, read beside the writers.
    @discardableResult
    public func purge(_ retention: JournalRetention, at time: JournalTime) async throws -> Int {
      let oldest = time.date.addingTimeInterval(-(retention.runs / .seconds(1)))
      var count = 0
      while true {
        let gone = try await transact {
          try $0.removeRuns(changedBefore: oldest, rows: Self.purgedRows)
        }
        count += gone.count
        if gone.isDone { break }
      }
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
        guard let end = long.last, long.count == 100 else { return count }
        last = end
      }
    }

    /// How much goes in one transaction, for which all others wait.
    private static let purgedRows = 500
  }
#endif
