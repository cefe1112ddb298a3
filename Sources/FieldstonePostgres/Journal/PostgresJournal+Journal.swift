#if PostgreSQL
  public import FieldstoneDurable
  import Foundation

  extension PostgresJournal: Journal {
    /// How long keys and how large payloads may be; a key has 2,000 bytes at most, as an index holds
    /// no longer ones.
    public var limits: PayloadLimits {
      var limits = options.limits
      limits.key = min(limits.key, 2_000)
      return limits
    }

    /// Puts a new run into the journal.
    public func start(_ start: RunStart, at time: JournalTime) async throws -> RunRecord {
      try limits.checkNames(of: start)
      try limits.check(start.payload)
      return try await submit(isRepeatable: true) { session in
        let statements = JournalStatements(session: session)
        guard start.key != nil, start.ifTaken != .existing else {
          return try statements.start(start, at: time)
        }
        return try session.transaction { try statements.start(start, at: time) }
      }
    }

    /// Gives runs to a worker.
    ///
    /// O(n) in the number of runs that are asked for and of flows that have open runs, and not of the
    /// runs that are there. What another claim takes at the same moment is passed over.
    ///
    /// - Throws: `JournalError.newerSchema` once newer code has changed the tables.
    public func claim(_ request: ClaimRequest, at time: JournalTime) async throws -> Claim {
      try await submit { try JournalStatements(session: $0).claim(request, at: time) }
    }

    /// Goes on to the next stage, or to the completion.
    public func checkpoint(_ checkpoint: Checkpoint, at time: JournalTime) async throws {
      try limits.checkNames(of: checkpoint)
      try limits.checkPayloads(of: checkpoint)
      try await commit(TimedCheckpoint(checkpoint: checkpoint, time: time))
    }

    /// Prolongs leases, on a connection of its own.
    public func renew(
      _ claims: [RunClaim], lease: Duration, at time: JournalTime
    ) async throws -> [RunClaim] {
      guard !claims.isEmpty else { return [] }
      return try await submit(asRenewal: true, isRepeatable: true) {
        try JournalStatements(session: $0).renew(claims, lease: lease, at: time)
      }
    }

    /// Gives a run back without a step forward.
    public func park(_ parking: Parking, at time: JournalTime) async throws {
      try await submit { try JournalStatements(session: $0).park(parking, at: time) }
    }

    /// Sends a signal to a run.
    @discardableResult
    public func signal(
      _ id: RunID, _ signal: SignalRecord, at time: JournalTime
    ) async throws -> SignalReceipt {
      try limits.checkNames(of: signal)
      try limits.checkJSON(signal.payload)
      return try await transact(isRepeatable: true) { try $0.signal(id, signal, at: time) }
    }

    /// Does to a run what a person wants.
    @discardableResult
    public func change(
      _ id: RunID, _ change: RunChange, at time: JournalTime
    ) async throws -> RunRecord {
      if case .edit(let payload, _) = change { try limits.checkJSON(payload) }
      return try await transact { try $0.change(id, change, at: time) }
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
      let oldest = time.date.addingTimeInterval(-(retention.runs / .seconds(1)))
      var count = 0
      while true {
        let gone = try await transact {
          try $0.removeRuns(overBefore: oldest, rows: Self.purgedRows)
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
