package import FieldstoneCore
package import Foundation

/// A call of a journal, named after its requirement of ``Journal``.
package enum JournalCall: String, Sendable, Hashable, CaseIterable {
  case start, starts, claim, checkpoint, renew, park, signal, change, pause, resume, pauses,
    setLimits, flowLimits, schedules, setSchedule, audit, slots, setSlots, run, standing, runs,
    count, errorGroups,
    steps, children, changes, writeReports, report, setWorker, workers, purge, purgeRun
}

/// A journal that wraps another journal and forwards all calls that it does not implement.
///
/// The defaults forward all requirements of ``Journal``, including the optional ones, and those of
/// the other protocols: ``OwnWriteJournal``, ``WakeUpSource``, ``RunRouting``,
/// ``SelfVerifyingJournal``, ``SurveyedJournal``, ``ScheduleIndex``, ``ClockReader``. A copy is made
/// from the wrapped journal itself: a decorator is no ``CopySource``.
package protocol JournalDecorator: OwnWriteJournal, WakeUpSource, RunRouting, SelfVerifyingJournal,
  SurveyedJournal, ScheduleIndex, ClockReader
{
  /// The wrapped journal.
  var decorated: any Journal { get }

  /// Makes a call of the wrapped journal; the defaults of all requirements that can fail use it.
  ///
  /// - Parameters:
  ///   - call: the requirement.
  ///   - body: makes the call.
  func relay<Value: Sendable>(
    _ call: JournalCall, _ body: () async throws -> Value
  ) async throws -> Value

  /// The time to pass to the wrapped journal instead of the caller's.
  func decoratedTime(_ time: JournalTime) async throws -> JournalTime
}

extension JournalDecorator {
  package func relay<Value: Sendable>(
    _ call: JournalCall, _ body: () async throws -> Value
  ) async throws -> Value {
    try await body()
  }

  package func decoratedTime(_ time: JournalTime) async throws -> JournalTime { time }

  private func relay<Value: Sendable>(
    _ call: JournalCall, at time: JournalTime, _ body: (JournalTime) async throws -> Value
  ) async throws -> Value {
    try await relay(call) { try await body(decoratedTime(time)) }
  }
}

// The order is that of `Journal`; a test compares the two. Public, because these are also members
// of public journals.
extension JournalDecorator {
  /// Forwards the call.
  public var limits: PayloadLimits { decorated.limits }

  /// Forwards the call.
  public var clock: JournalClock { decorated.clock }

  /// Forwards the call.
  public func start(_ start: RunStart, at time: JournalTime) async throws -> RunRecord {
    try await relay(.start, at: time) { try await decorated.start(start, at: $0) }
  }

  /// Forwards the call.
  public func start(
    _ starts: [RunStart], at time: JournalTime
  ) async -> [Result<RunRecord, any Error>] {
    do {
      return try await relay(.starts, at: time) { await decorated.start(starts, at: $0) }
    } catch {
      return starts.map { _ in .failure(error) }
    }
  }

  /// Forwards the call.
  public func claim(_ request: ClaimRequest, at time: JournalTime) async throws -> Claim {
    try await relay(.claim, at: time) { try await decorated.claim(request, at: $0) }
  }

  /// Forwards the call.
  @discardableResult
  public func checkpoint(
    _ checkpoint: Checkpoint, at time: JournalTime
  ) async throws -> CheckpointReceipt {
    try await relay(.checkpoint, at: time) { try await decorated.checkpoint(checkpoint, at: $0) }
  }

  /// Forwards the call.
  public func renew(
    _ claims: [RunClaim], lease: Duration, at time: JournalTime
  ) async throws -> [RunClaim] {
    try await relay(.renew, at: time) { try await decorated.renew(claims, lease: lease, at: $0) }
  }

  /// Forwards the call.
  public func park(_ parking: Parking, at time: JournalTime) async throws {
    try await relay(.park, at: time) { try await decorated.park(parking, at: $0) }
  }

  /// Forwards the call.
  @discardableResult
  public func signal(
    _ id: RunID, _ signal: SignalRecord, at time: JournalTime
  ) async throws -> SignalReceipt {
    try await relay(.signal, at: time) { try await decorated.signal(id, signal, at: $0) }
  }

  /// Forwards the call.
  @discardableResult
  public func change(
    _ id: RunID, _ change: RunChange, by actor: String?, at time: JournalTime
  ) async throws -> RunRecord {
    try await relay(.change, at: time) { try await decorated.change(id, change, by: actor, at: $0) }
  }

  /// Forwards the call.
  public func pause(
    _ target: PauseTarget, until date: Date?, by actor: String?, at time: JournalTime
  ) async throws {
    try await relay(.pause, at: time) {
      try await decorated.pause(target, until: date, by: actor, at: $0)
    }
  }

  /// Forwards the call.
  @discardableResult
  public func resume(
    _ target: PauseTarget, by actor: String?, at time: JournalTime
  ) async throws -> Bool {
    try await relay(.resume, at: time) { try await decorated.resume(target, by: actor, at: $0) }
  }

  /// Forwards the call.
  public func pauses() async throws -> [JournalPause] {
    try await relay(.pauses) { try await decorated.pauses() }
  }

  /// Forwards the call.
  @discardableResult
  public func setLimits(
    _ limits: FlowLimits?, of flow: String, replacing: Bool, by actor: String?,
    at time: JournalTime
  ) async throws -> FlowLimits? {
    try await relay(.setLimits, at: time) {
      try await decorated.setLimits(limits, of: flow, replacing: replacing, by: actor, at: $0)
    }
  }

  /// Forwards the call.
  public func flowLimits() async throws -> [String: FlowLimits] {
    try await relay(.flowLimits) { try await decorated.flowLimits() }
  }

  /// Forwards the call.
  public func schedules() async throws -> [ScheduleRecord] {
    try await relay(.schedules) { try await decorated.schedules() }
  }

  /// Forwards the call.
  public func setSchedule(
    _ name: String, from old: ScheduleRecord?, to new: ScheduleRecord?, starting starts: [RunStart],
    by actor: String?, at time: JournalTime
  ) async throws -> Bool {
    try await relay(.setSchedule, at: time) {
      try await decorated.setSchedule(
        name, from: old, to: new, starting: starts, by: actor, at: $0)
    }
  }

  /// Forwards the call.
  public func audit(_ query: AuditQuery) async throws -> AuditPage {
    try await relay(.audit) { try await decorated.audit(query) }
  }

  /// Forwards the call.
  public func slots() async throws -> JournalSlots? {
    try await relay(.slots) { try await decorated.slots() }
  }

  /// Forwards the call.
  public func setSlots(from old: JournalSlots?, to new: JournalSlots) async throws -> Bool {
    try await relay(.setSlots) { try await decorated.setSlots(from: old, to: new) }
  }

  /// Forwards the call.
  public func run(_ id: RunID) async throws -> RunRecord? {
    try await relay(.run) { try await decorated.run(id) }
  }

  /// Forwards the call.
  public func standing(of id: RunID) async throws -> RunStanding? {
    try await relay(.standing) { try await decorated.standing(of: id) }
  }

  /// Forwards the call.
  public func runs(_ query: RunQuery) async throws -> RunPage {
    try await relay(.runs) { try await decorated.runs(query) }
  }

  /// Forwards the call.
  public func count(_ query: RunQuery, atMost limit: Int) async throws -> RunCount {
    try await relay(.count) { try await decorated.count(query, atMost: limit) }
  }

  /// Forwards the call.
  public func errorGroups(atMost limit: Int) async throws -> [ErrorGroup] {
    try await relay(.errorGroups) { try await decorated.errorGroups(atMost: limit) }
  }

  /// Forwards the call.
  public func steps(of id: RunID, after sequence: Int?, limit: Int) async throws -> StepPage {
    try await relay(.steps) {
      try await decorated.steps(of: id, after: sequence, limit: limit)
    }
  }

  /// Forwards the call.
  public func children(
    of id: RunID, at sequence: Int?, after place: ChildPlace?, limit: Int
  ) async throws -> ChildPage {
    try await relay(.children) {
      try await decorated.children(of: id, at: sequence, after: place, limit: limit)
    }
  }

  /// Forwards the call.
  public func changes(since mark: JournalMark?) async throws -> JournalChanges {
    try await relay(.changes) { try await decorated.changes(since: mark) }
  }

  /// Forwards the call.
  public func write(_ reports: [RunReportWrite], at time: JournalTime) async throws {
    try await relay(.writeReports, at: time) { try await decorated.write(reports, at: $0) }
  }

  /// Forwards the call.
  public func report(of id: RunID, after place: RunLogLine.Place?) async throws -> RunReport {
    try await relay(.report) { try await decorated.report(of: id, after: place) }
  }

  /// Forwards the call.
  public func setWorker(
    _ name: String, to record: WorkerRecord?, at time: JournalTime
  ) async throws {
    try await relay(.setWorker, at: time) {
      try await decorated.setWorker(name, to: record, at: $0)
    }
  }

  /// Forwards the call.
  public func workers() async throws -> [WorkerRecord] {
    try await relay(.workers) { try await decorated.workers() }
  }

  /// Forwards the call.
  @discardableResult
  public func purge(_ retention: JournalRetention, at time: JournalTime) async throws -> Int {
    try await relay(.purge, at: time) { try await decorated.purge(retention, at: $0) }
  }

  /// Forwards the call.
  public func purge(_ id: RunID, by actor: String?, at time: JournalTime) async throws {
    try await relay(.purgeRun, at: time) { try await decorated.purge(id, by: actor, at: $0) }
  }
}

// The protocols that callers query by `as?`. A wrapped journal without them does nothing.
extension JournalDecorator {
  package func observeOwnWrites(_ body: @escaping @Sendable ([RunID]) -> Void) -> Registration {
    (decorated as? any OwnWriteJournal)?.observeOwnWrites(body) ?? Registration {}
  }

  package func onWakeUp(_ body: @escaping @Sendable () -> Void) -> Registration {
    (decorated as? any WakeUpSource)?.onWakeUp(body) ?? Registration {}
  }

  package func slotOfRun(in flow: String, key: String?) -> UInt16? {
    decorated.slot(of: flow, key: key)
  }

  package func shard(of id: RunID) -> Int {
    (decorated as? any RunRouting)?.shard(of: id) ?? 0
  }

  package func findingsInTables() async throws -> [JournalFinding] {
    try await (decorated as? any SelfVerifyingJournal)?.findingsInTables() ?? []
  }
}
