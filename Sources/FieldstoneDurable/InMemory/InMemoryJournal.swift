import FieldstoneCore
public import Foundation

/// A journal in memory: for tests, previews, and flows that need not outlive the process.
///
/// It keeps every promise of ``Journal`` for as long as the process lives. It has no transactions
/// to write in: a checkpoint with writes is refused by `JournalError.noTransactions`.
///
/// A claim takes time in proportion to the runs of its flows that are ready or running, and to all runs
/// that have a deadline; a page of
/// runs to those that it passes over; a purge to all runs; everything else is O(1) or the length of
/// its answer.
public final class InMemoryJournal: SelfVerifyingJournal {
  /// How long keys and how large payloads may be.
  public let limits: PayloadLimits
  private let state = Locked(InMemoryRuns())

  /// Makes an empty journal.
  public init(limits: PayloadLimits = PayloadLimits()) {
    self.limits = limits
  }

  /// Puts a new run into the journal.
  public func start(_ start: RunStart, at time: JournalTime) async throws -> RunRecord {
    try limits.checkNames(of: start)
    try limits.check(start.payload)
    return state.withLock { $0.start(start, at: time) }
  }

  /// Puts many new runs into the journal, some hundred under one lock.
  public func start(
    _ starts: [RunStart], at time: JournalTime
  ) async -> [Result<RunRecord, any Error>] {
    await start(starts, at: time) { batch in
      state.withLock { runs in batch.map { .success(runs.start($0, at: time)) } }
    }
  }

  /// Gives runs to a worker.
  public func claim(_ request: ClaimRequest, at time: JournalTime) async throws -> Claim {
    try state.withLock { (runs) throws(JournalError) in
      var claim = try runs.claim(request, at: time)
      claim.schedules = runs.dueSchedules(at: time)
      return claim
    }
  }

  /// Goes on to the next stage, or to the completion; refuses writes by `.noTransactions`.
  @discardableResult
  public func checkpoint(
    _ checkpoint: Checkpoint, at time: JournalTime
  ) async throws -> CheckpointReceipt {
    guard checkpoint.writes.isEmpty else { throw JournalError.noTransactions }
    try limits.checkNames(of: checkpoint)
    try limits.checkPayloads(of: checkpoint)
    return try state.withLock { (runs) throws(JournalError) in
      try runs.checkpoint(checkpoint, within: limits, at: time)
    }
  }

  /// Prolongs leases, and returns the claims that are lost.
  public func renew(
    _ claims: [RunClaim], lease: Duration, at time: JournalTime
  ) async throws -> [RunClaim] {
    state.withLock { $0.renew(claims, lease: lease, at: time) }
  }

  /// Gives a run back without a step forward.
  public func park(_ parking: Parking, at time: JournalTime) async throws {
    try state.withLock { (runs) throws(JournalError) in try runs.park(parking, at: time) }
  }

  /// Sends a signal to a run.
  @discardableResult
  public func signal(
    _ id: RunID, _ signal: SignalRecord, at time: JournalTime
  ) async throws -> SignalReceipt {
    try limits.checkNames(of: signal)
    try limits.checkJSON(signal.payload)
    return try state.withLock { (runs) throws(JournalError) in try runs.signal(id, signal) }
  }

  /// Does to a run what a person wants.
  @discardableResult
  public func change(
    _ id: RunID, _ change: RunChange, at time: JournalTime
  ) async throws -> RunRecord {
    if case .edit(let payload, version: _) = change { try limits.checkJSON(payload) }
    return try state.withLock { (runs) throws(JournalError) in
      try runs.change(id, change, at: time)
    }
  }

  /// Pauses a flow, a concurrency key or a run.
  public func pause(
    _ target: PauseTarget, until date: Date?, at time: JournalTime
  ) async throws {
    try limits.checkNames(of: target)
    try state.withLock { (runs) throws(JournalError) in try runs.pause(target, until: date) }
  }

  /// Ends a pause.
  @discardableResult
  public func resume(_ target: PauseTarget, at time: JournalTime) async throws -> Bool {
    state.withLock { $0.resume(target) }
  }

  /// The pauses: those of flows, then those of keys and of runs, each by their names.
  public func pauses() async throws -> [JournalPause] {
    state.withLock { $0.pauses.map { JournalPause($0, until: $1) } }
      .sorted(by: JournalPause.precedes)
  }

  /// Sets the limits of a flow.
  @discardableResult
  public func setLimits(
    _ limits: FlowLimits?, of flow: String, replacing: Bool, at time: JournalTime
  ) async throws -> FlowLimits? {
    try self.limits.checkNames(of: .flow(flow))
    return state.withLock { $0.setLimits(limits, of: flow, replacing: replacing, at: time) }
  }

  /// The limits of all flows that have some.
  public func flowLimits() async throws -> [String: FlowLimits] {
    state.withLock { $0.limits.mapValues(\.limits) }
  }

  /// The schedules, by the bytes of their names.
  public func schedules() async throws -> [ScheduleRecord] {
    state.withLock { $0.schedulesInOrder }
  }

  /// Sets, changes or removes a schedule, and starts runs with it.
  public func setSchedule(
    _ name: String, from old: ScheduleRecord?, to new: ScheduleRecord?, starting starts: [RunStart],
    at time: JournalTime
  ) async throws -> Bool {
    try limits.check(name, new, starts)
    return state.withLock { runs in
      runs.setSchedule(name, from: old, to: new, starting: starts, at: time)
    }
  }

  /// The run as it stands; nil when there is none.
  public func run(_ id: RunID) async throws -> RunRecord? {
    state.withLock { $0.record(id) }
  }

  /// The run with what is known of it beside its record.
  public func standing(of id: RunID) async throws -> RunStanding? {
    state.withLock { $0.standing(of: id) }
  }

  /// What is wrong with what is counted.
  package func findingsInTables() async throws -> [JournalFinding] {
    state.withLock { $0.limitFindings() }
  }

  /// A page of runs, the youngest first.
  public func runs(_ query: RunQuery) async throws -> RunPage {
    state.withLock { $0.page(query) }
  }

  /// A page of the steps behind a run, the oldest first.
  public func steps(of id: RunID, after sequence: Int?, limit: Int) async throws -> StepPage {
    state.withLock { $0.steps(of: id, after: sequence, limit: limit) }
  }

  /// A page of the children of a run, in the order of their places.
  public func children(
    of id: RunID, at sequence: Int?, after place: ChildPlace?, limit: Int
  ) async throws -> ChildPage {
    state.withLock { $0.page(ofChildrenOf: id, at: sequence, after: place, limit: limit) }
  }

  /// The runs that have changed since a mark; O(1) in the number of runs.
  public func changes(since mark: JournalMark?) async throws -> JournalChanges {
    state.withLock { $0.changes(since: mark) }
  }

  /// Lets go of what is over and older than the retention.
  @discardableResult
  public func purge(_ retention: JournalRetention, at time: JournalTime) async throws -> Int {
    state.withLock { $0.purge(retention, at: time) }
  }
}
