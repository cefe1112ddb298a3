import FieldstoneDurable
import Foundation

/// A journal as another package would make it: it has the public requirements alone.
struct OutsideJournal<Base: Journal>: Journal {
  let base: Base

  var limits: PayloadLimits { base.limits }
  var clock: JournalClock { base.clock }

  func start(_ start: RunStart, at time: JournalTime) async throws -> RunRecord {
    try await base.start(start, at: time)
  }

  func start(
    _ starts: [RunStart], at time: JournalTime
  ) async -> [Result<RunRecord, any Error>] {
    await base.start(starts, at: time)
  }

  func claim(_ request: ClaimRequest, at time: JournalTime) async throws -> Claim {
    try await base.claim(request, at: time)
  }

  func checkpoint(
    _ checkpoint: Checkpoint, at time: JournalTime
  ) async throws -> CheckpointReceipt {
    try await base.checkpoint(checkpoint, at: time)
  }

  func renew(
    _ claims: [RunClaim], lease: Duration, at time: JournalTime
  ) async throws -> [RunClaim] {
    try await base.renew(claims, lease: lease, at: time)
  }

  func park(_ parking: Parking, at time: JournalTime) async throws {
    try await base.park(parking, at: time)
  }

  func signal(
    _ id: RunID, _ signal: SignalRecord, at time: JournalTime
  ) async throws -> SignalReceipt {
    try await base.signal(id, signal, at: time)
  }

  func change(
    _ id: RunID, _ change: RunChange, by actor: String?, at time: JournalTime
  ) async throws -> RunRecord {
    try await base.change(id, change, by: actor, at: time)
  }

  func pause(
    _ target: PauseTarget, until date: Date?, by actor: String?, at time: JournalTime
  ) async throws {
    try await base.pause(target, until: date, by: actor, at: time)
  }

  func resume(
    _ target: PauseTarget, by actor: String?, at time: JournalTime
  ) async throws -> Bool {
    try await base.resume(target, by: actor, at: time)
  }

  func pauses() async throws -> [JournalPause] {
    try await base.pauses()
  }

  func setLimits(
    _ limits: FlowLimits?, of flow: String, replacing: Bool, by actor: String?,
    at time: JournalTime
  ) async throws -> FlowLimits? {
    try await base.setLimits(limits, of: flow, replacing: replacing, by: actor, at: time)
  }

  func flowLimits() async throws -> [String: FlowLimits] {
    try await base.flowLimits()
  }

  func schedules() async throws -> [ScheduleRecord] {
    try await base.schedules()
  }

  func setSchedule(
    _ name: String, from old: ScheduleRecord?, to new: ScheduleRecord?, starting starts: [RunStart],
    by actor: String?, at time: JournalTime
  ) async throws -> Bool {
    try await base.setSchedule(name, from: old, to: new, starting: starts, by: actor, at: time)
  }

  func audit(_ query: AuditQuery) async throws -> AuditPage {
    try await base.audit(query)
  }

  func slots() async throws -> JournalSlots? {
    try await base.slots()
  }

  func setSlots(from old: JournalSlots?, to new: JournalSlots) async throws -> Bool {
    try await base.setSlots(from: old, to: new)
  }

  func run(_ id: RunID) async throws -> RunRecord? {
    try await base.run(id)
  }

  func standing(of id: RunID) async throws -> RunStanding? {
    try await base.standing(of: id)
  }

  func runs(_ query: RunQuery) async throws -> RunPage {
    try await base.runs(query)
  }

  func count(_ query: RunQuery, atMost limit: Int) async throws -> RunCount {
    try await base.count(query, atMost: limit)
  }

  func errorGroups(atMost limit: Int) async throws -> [ErrorGroup] {
    try await base.errorGroups(atMost: limit)
  }

  func steps(of id: RunID, after sequence: Int?, limit: Int) async throws -> StepPage {
    try await base.steps(of: id, after: sequence, limit: limit)
  }

  func children(
    of id: RunID, at sequence: Int?, after place: ChildPlace?, limit: Int
  ) async throws -> ChildPage {
    try await base.children(of: id, at: sequence, after: place, limit: limit)
  }

  func changes(since mark: JournalMark?) async throws -> JournalChanges {
    try await base.changes(since: mark)
  }

  func write(_ reports: [RunReportWrite], at time: JournalTime) async throws {
    try await base.write(reports, at: time)
  }

  func report(of id: RunID, after place: RunLogLine.Place?) async throws -> RunReport {
    try await base.report(of: id, after: place)
  }

  func setWorker(
    _ name: String, to record: WorkerRecord?, at time: JournalTime
  ) async throws {
    try await base.setWorker(name, to: record, at: time)
  }

  func workers() async throws -> [WorkerRecord] {
    try await base.workers()
  }

  func purge(_ retention: JournalRetention, at time: JournalTime) async throws -> Int {
    try await base.purge(retention, at: time)
  }

  func purge(_ id: RunID, by actor: String?, at time: JournalTime) async throws {
    try await base.purge(id, by: actor, at: time)
  }
}
