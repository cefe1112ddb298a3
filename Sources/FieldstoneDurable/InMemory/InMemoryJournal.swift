import FieldstoneCore
public import Foundation

/// A journal in memory: for tests, previews, and flows that need not outlive the process.
///
/// It keeps every guarantee of ``Journal`` while the process lives. It has no transactions for
/// writes: a checkpoint with writes is refused with `JournalError.noTransactions`.
///
/// A claim takes O(n) in the ready and running runs of its flows, and in all runs with a deadline.
/// A page of runs takes O(n) in the runs that it skips; a purge in all runs. Everything else is
/// O(1) or O(n) in the length of its result.
public final class InMemoryJournal: SelfVerifyingJournal, SurveyedJournal, ScheduleIndex {
  /// The limits of keys and payloads.
  public let limits: PayloadLimits
  private let state = Locked(InMemoryRuns())

  /// Makes an empty journal.
  public init(limits: PayloadLimits = PayloadLimits()) {
    self.limits = limits
  }

  /// Adds a new run to the journal.
  public func start(_ start: RunStart, at time: JournalTime) async throws -> RunRecord {
    try limits.checkNames(of: start)
    try limits.check(start.payload)
    return try state.withLock { (runs) throws(JournalError) in
      try runs.checkSlot(of: start.id)
      return runs.start(start, at: time)
    }
  }

  /// Adds many new runs to the journal, some hundred under one lock.
  public func start(
    _ starts: [RunStart], at time: JournalTime
  ) async -> [Result<RunRecord, any Error>] {
    await start(starts, at: time) { batch in
      try state.withLock { (runs) throws(JournalError) in
        for start in batch { try runs.checkSlot(of: start.id) }
        return batch.map { .success(runs.start($0, at: time)) }
      }
    }
  }

  /// Claims runs for a worker.
  public func claim(_ request: ClaimRequest, at time: JournalTime) async throws -> Claim {
    let request = try request.checked()
    return try state.withLock { (runs) throws(JournalError) in
      var claim = try runs.claim(request, at: time)
      claim.schedules = runs.dueSchedules(at: time)
      return claim
    }
  }

  /// Continues a run with its next stage, or completes it; refuses writes with `.noTransactions`.
  @discardableResult
  public func checkpoint(
    _ checkpoint: Checkpoint, at time: JournalTime
  ) async throws -> CheckpointReceipt {
    guard checkpoint.writes.isEmpty else { throw JournalError.noTransactions }
    try limits.checkNames(of: checkpoint)
    try limits.checkPayloads(of: checkpoint)
    return try state.withLock { (runs) throws(JournalError) in
      try runs.checkSlots(of: checkpoint)
      return try runs.checkpoint(checkpoint, within: limits, at: time)
    }
  }

  /// Extends leases, and returns the lost claims.
  public func renew(
    _ claims: [RunClaim], lease: Duration, at time: JournalTime
  ) async throws -> [RunClaim] {
    state.withLock { $0.renew(claims, lease: lease, at: time) }
  }

  /// Gives a run back at its current stage.
  public func park(_ parking: Parking, at time: JournalTime) async throws {
    let report = parking.report.map { [$0] } ?? []
    try limits.check(report)
    let kept = limits.keptLogLines
    try state.withLock { (runs) throws(JournalError) in
      try runs.park(parking, at: time)
      runs.write(report, keeping: kept)
    }
  }

  /// Sends a signal to a run.
  @discardableResult
  public func signal(
    _ id: RunID, _ signal: SignalRecord, at time: JournalTime
  ) async throws -> SignalReceipt {
    try limits.checkNames(of: signal)
    try limits.checkJSON(signal.payload)
    return try state.withLock { (runs) throws(JournalError) in
      try runs.signal(id, signal, at: time)
    }
  }

  /// Applies an operator's change to a run.
  @discardableResult
  public func change(
    _ id: RunID, _ change: RunChange, by actor: String?, at time: JournalTime
  ) async throws -> RunRecord {
    try limits.check(actor: actor)
    if case .edit(let payload, _, _) = change { try limits.checkJSON(payload) }
    return try state.withLock { (runs) throws(JournalError) in
      try runs.change(id, change, by: actor, at: time)
    }
  }

  /// Pauses a flow, a concurrency key or a run.
  public func pause(
    _ target: PauseTarget, until date: Date?, by actor: String?, at time: JournalTime
  ) async throws {
    try limits.check(actor: actor)
    try limits.checkNames(of: target)
    try state.withLock { (runs) throws(JournalError) in
      try runs.pause(target, until: date, by: actor, at: time)
    }
  }

  /// Ends a pause.
  @discardableResult
  public func resume(
    _ target: PauseTarget, by actor: String?, at time: JournalTime
  ) async throws -> Bool {
    try limits.check(actor: actor)
    return state.withLock { $0.resume(target, by: actor, at: time) }
  }

  /// The pauses: those of flows, then of keys, then of runs, each sorted by name.
  public func pauses() async throws -> [JournalPause] {
    state.withLock { $0.pauses.map { JournalPause($0, until: $1) } }
      .sorted(by: JournalPause.precedes)
  }

  /// Sets the limits of a flow.
  @discardableResult
  public func setLimits(
    _ limits: FlowLimits?, of flow: String, replacing: Bool, by actor: String?,
    at time: JournalTime
  ) async throws -> FlowLimits? {
    try self.limits.check(actor: actor)
    try self.limits.checkNames(of: .flow(flow))
    return state.withLock {
      $0.setLimits(limits, of: flow, replacing: replacing, by: actor, at: time)
    }
  }

  /// The limits of all flows that have any.
  public func flowLimits() async throws -> [String: FlowLimits] {
    state.withLock { $0.limits.mapValues(\.limits) }
  }

  package func schedule(named name: String) async throws -> ScheduleRecord? {
    state.withLock { $0.schedules[Array(name.utf8)] }
  }

  /// The schedules, sorted by the bytes of their names.
  public func schedules() async throws -> [ScheduleRecord] {
    state.withLock { $0.schedulesInOrder }
  }

  /// Sets, changes or removes a schedule, and starts runs with it.
  public func setSchedule(
    _ name: String, from old: ScheduleRecord?, to new: ScheduleRecord?, starting starts: [RunStart],
    by actor: String?, at time: JournalTime
  ) async throws -> Bool {
    try limits.check(actor: actor)
    try limits.check(name, new, starts)
    return try state.withLock { (runs) throws(JournalError) in
      for start in starts { try runs.checkSlot(of: start.id) }
      return runs.setSchedule(name, from: old, to: new, starting: starts, by: actor, at: time)
    }
  }

  /// A page of the changes by persons and programs, newest first; O(n) in their number.
  public func audit(_ query: AuditQuery) async throws -> AuditPage {
    state.withLock { $0.page(query) }
  }

  /// The slots of runs that the journal owns; nil for all.
  public func slots() async throws -> JournalSlots? { state.withLock { $0.slots } }

  /// Sets the slots that the journal owns.
  public func setSlots(from old: JournalSlots?, to new: JournalSlots) async throws -> Bool {
    try state.withLock { (runs) throws(JournalError) in try runs.setSlots(from: old, to: new) }
  }

  /// The run's current record; nil if there is none.
  public func run(_ id: RunID) async throws -> RunRecord? {
    state.withLock { $0.record(id) }
  }

  /// The run with further data that explains why it waits.
  public func standing(of id: RunID) async throws -> RunStanding? {
    state.withLock { $0.standing(of: id) }
  }

  /// The violations in the counts.
  package func findingsInTables() async throws -> [JournalFinding] {
    state.withLock { $0.limitFindings() }
  }

  /// Names for completion; O(n) in the number of all runs.
  package func names(of kind: SurveyedName, atMost limit: Int) async throws -> [String]? {
    state.withLock { $0.names(of: kind, atMost: limit) }
  }

  /// The runs that have been due longest; O(n log n) in the ready and running runs.
  package func longestDue(atMost limit: Int, at time: JournalTime) async throws -> [DueRun]? {
    state.withLock { $0.longestDue(atMost: limit, at: time) }
  }

  /// The limits of all flows with their use; O(n) in the ready and running runs.
  package func limitStandings(at time: JournalTime) async throws -> [LimitStanding]? {
    state.withLock { $0.limitStandings(at: time) }
  }

  /// The pauses of flows, of keys and of some runs; O(n) in the number of all pauses.
  package func pauses(of runs: [RunID]) async throws -> [JournalPause]? {
    let wanted = Set(runs)
    return try await pauses().filter { pause in
      if case .run(let id) = pause.target { wanted.contains(id) } else { true }
    }
  }

  /// The first pauses; O(n log n) in the number of all.
  package func firstPauses(atMost limit: Int) async throws -> [JournalPause]? {
    Array(try await pauses().prefix(limit))
  }

  /// A page of runs, in the order of the query.
  public func runs(_ query: RunQuery) async throws -> RunPage {
    state.withLock { $0.page(query) }
  }

  /// Counts the runs that match a query; O(n) in the number of all runs.
  public func count(_ query: RunQuery, atMost limit: Int) async throws -> RunCount {
    state.withLock { $0.count(query, atMost: max(limit, 0)) }
  }

  /// Groups dead and blocked runs by their errors; O(n) in the number of all runs.
  public func errorGroups(atMost limit: Int) async throws -> [ErrorGroup] {
    state.withLock { $0.errorGroups(atMost: limit) }
  }

  /// A page of a run's past steps, oldest first.
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

  /// Stores the reports of runs' stages.
  public func write(_ reports: [RunReportWrite], at time: JournalTime) async throws {
    try limits.check(reports)
    let kept = limits.keptLogLines
    state.withLock { $0.write(reports, keeping: kept) }
  }

  /// The reports of a run's stages; O(n) in the number of its lines.
  public func report(of id: RunID, after place: RunLogLine.Place?) async throws -> RunReport {
    state.withLock { $0.report(of: id, after: place) }
  }

  /// Stores a worker's announcement, or removes its record.
  public func setWorker(
    _ name: String, to record: WorkerRecord?, at time: JournalTime
  ) async throws {
    try limits.checkName(ofWorker: name)
    state.withLock { $0.setWorker(name, to: record, at: time) }
  }

  /// The announced workers, sorted by the bytes of their names.
  public func workers() async throws -> [WorkerRecord] {
    state.withLock { $0.workersInOrder }
  }

  /// Deletes finished runs that are older than the retention.
  @discardableResult
  public func purge(_ retention: JournalRetention, at time: JournalTime) async throws -> Int {
    state.withLock { $0.purge(retention, at: time) }
  }

  /// Deletes a run that is over.
  public func purge(_ id: RunID, by actor: String?, at time: JournalTime) async throws {
    try limits.check(actor: actor)
    try state.withLock { (runs) throws(JournalError) in
      try runs.purge(id, by: actor, at: time)
    }
  }
}
