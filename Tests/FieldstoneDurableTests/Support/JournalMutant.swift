import FieldstoneDurable
import Foundation

/// A journal in memory with some of its requirements done otherwise.
struct JournalMutant: JournalDecorator {
  var base = InMemoryJournal()
  /// Changes the clocks for all requirements.
  var readClock: @Sendable (JournalTime) -> JournalTime = { $0 }
  var clock = JournalClock.caller

  var onStart: (@Sendable (InMemoryJournal, RunStart, JournalTime) async throws -> RunRecord)?
  var onStarts:
    (
      @Sendable (InMemoryJournal, [RunStart], JournalTime) async -> [Result<
        RunRecord, any Error
      >]
    )?
  var onClaim: (@Sendable (InMemoryJournal, ClaimRequest, JournalTime) async throws -> Claim)?
  var onCheckpoint: (@Sendable (InMemoryJournal, Checkpoint, JournalTime) async throws -> Void)?
  var onRenew:
    (@Sendable (InMemoryJournal, [RunClaim], Duration, JournalTime) async throws -> [RunClaim])?
  var onPark: (@Sendable (InMemoryJournal, Parking, JournalTime) async throws -> Void)?
  var onSignal:
    (@Sendable (InMemoryJournal, RunID, SignalRecord, JournalTime) async throws -> SignalReceipt)?
  var onChange:
    (@Sendable (InMemoryJournal, RunID, RunChange, JournalTime) async throws -> RunRecord)?
  var onReceipt: @Sendable (CheckpointReceipt) -> CheckpointReceipt = { $0 }
  var onPause: (@Sendable (InMemoryJournal, PauseTarget, Date?, JournalTime) async throws -> Void)?
  var onResume: (@Sendable (InMemoryJournal, PauseTarget, JournalTime) async throws -> Bool)?
  var onPauses: (@Sendable (InMemoryJournal) async throws -> [JournalPause])?
  var onSetLimits:
    (
      @Sendable (InMemoryJournal, FlowLimits?, String, Bool, JournalTime) async throws ->
        FlowLimits?
    )?
  var onSchedules: (@Sendable (InMemoryJournal) async throws -> [ScheduleRecord])?
  var onSetSchedule:
    (
      @Sendable (
        InMemoryJournal, String, ScheduleRecord?, ScheduleRecord?, [RunStart], JournalTime
      ) async throws -> Bool
    )?
  var onSlots: (@Sendable (InMemoryJournal) async throws -> JournalSlots?)?
  var onSetSlots: (@Sendable (InMemoryJournal, JournalSlots?, JournalSlots) async throws -> Bool)?
  var onRun: (@Sendable (InMemoryJournal, RunID) async throws -> RunRecord?)?
  var onStanding: (@Sendable (InMemoryJournal, RunID) async throws -> RunStanding?)?
  var onRuns: (@Sendable (InMemoryJournal, RunQuery) async throws -> RunPage)?
  var onCount: (@Sendable (InMemoryJournal, RunQuery, Int) async throws -> RunCount)?
  var onErrorGroups: (@Sendable (InMemoryJournal, Int) async throws -> [ErrorGroup])?
  var onSteps: (@Sendable (InMemoryJournal, RunID, Int?, Int) async throws -> StepPage)?
  var onChildren:
    (@Sendable (InMemoryJournal, RunID, Int?, ChildPlace?, Int) async throws -> ChildPage)?
  var onChanges: (@Sendable (InMemoryJournal, JournalMark?) async throws -> JournalChanges)?
  var onWriteReports:
    (@Sendable (InMemoryJournal, [RunReportWrite], JournalTime) async throws -> Void)?
  var onReport:
    (
      @Sendable (InMemoryJournal, RunID, RunLogLine.Place?, RunReport) async throws -> RunReport
    )?
  var onSetWorker:
    (@Sendable (InMemoryJournal, String, WorkerRecord?, JournalTime) async throws -> Void)?
  var onWorkers: @Sendable ([WorkerRecord]) -> [WorkerRecord] = { $0 }
  var onAudit: (@Sendable (InMemoryJournal, AuditQuery) async throws -> AuditPage)?
  var onPurgeRun: (@Sendable (InMemoryJournal, RunID, String?, JournalTime) async throws -> Void)?
  var onPurge: (@Sendable (InMemoryJournal, JournalRetention, JournalTime) async throws -> Int)?

  var decorated: any Journal { base }

  func decoratedTime(_ time: JournalTime) -> JournalTime { readClock(time) }

  func start(_ start: RunStart, at time: JournalTime) async throws -> RunRecord {
    guard let onStart else { return try await base.start(start, at: readClock(time)) }
    return try await onStart(base, start, readClock(time))
  }

  func start(
    _ starts: [RunStart], at time: JournalTime
  ) async -> [Result<RunRecord, any Error>] {
    if let onStarts { return await onStarts(base, starts, readClock(time)) }
    guard onStart != nil else { return await base.start(starts, at: readClock(time)) }
    var answers: [Result<RunRecord, any Error>] = []
    for start in starts {
      do { answers.append(.success(try await self.start(start, at: time))) } catch {
        answers.append(.failure(error))
      }
    }
    return answers
  }

  func claim(_ request: ClaimRequest, at time: JournalTime) async throws -> Claim {
    guard let onClaim else { return try await base.claim(request, at: readClock(time)) }
    return try await onClaim(base, request, readClock(time))
  }

  func checkpoint(
    _ checkpoint: Checkpoint, at time: JournalTime
  ) async throws -> CheckpointReceipt {
    guard let onCheckpoint else {
      return onReceipt(try await base.checkpoint(checkpoint, at: readClock(time)))
    }
    try await onCheckpoint(base, checkpoint, readClock(time))
    guard case .stage = checkpoint.next else { return .made }
    let isHeld = try await base.run(checkpoint.claim.id)?.state == .running
    return onReceipt(isHeld ? .made : .paused)
  }

  func renew(
    _ claims: [RunClaim], lease: Duration, at time: JournalTime
  ) async throws -> [RunClaim] {
    guard let onRenew else {
      return try await base.renew(claims, lease: lease, at: readClock(time))
    }
    return try await onRenew(base, claims, lease, readClock(time))
  }

  func park(_ parking: Parking, at time: JournalTime) async throws {
    guard let onPark else { return try await base.park(parking, at: readClock(time)) }
    try await onPark(base, parking, readClock(time))
  }

  func signal(
    _ id: RunID, _ signal: SignalRecord, at time: JournalTime
  ) async throws -> SignalReceipt {
    guard let onSignal else { return try await base.signal(id, signal, at: readClock(time)) }
    return try await onSignal(base, id, signal, readClock(time))
  }

  func change(
    _ id: RunID, _ change: RunChange, by actor: String?, at time: JournalTime
  ) async throws -> RunRecord {
    guard let onChange else {
      return try await base.change(id, change, by: actor, at: readClock(time))
    }
    return try await onChange(base, id, change, readClock(time))
  }

  func pause(
    _ target: PauseTarget, until date: Date?, by actor: String?, at time: JournalTime
  ) async throws {
    guard let onPause else {
      return try await base.pause(target, until: date, by: actor, at: readClock(time))
    }
    try await onPause(base, target, date, readClock(time))
  }

  func resume(
    _ target: PauseTarget, by actor: String?, at time: JournalTime
  ) async throws -> Bool {
    guard let onResume else { return try await base.resume(target, by: actor, at: readClock(time)) }
    return try await onResume(base, target, readClock(time))
  }

  func pauses() async throws -> [JournalPause] {
    guard let onPauses else { return try await base.pauses() }
    return try await onPauses(base)
  }

  func setLimits(
    _ limits: FlowLimits?, of flow: String, replacing: Bool, by actor: String?,
    at time: JournalTime
  ) async throws -> FlowLimits? {
    guard let onSetLimits else {
      return try await base.setLimits(
        limits, of: flow, replacing: replacing, by: actor, at: readClock(time))
    }
    return try await onSetLimits(base, limits, flow, replacing, readClock(time))
  }

  func schedules() async throws -> [ScheduleRecord] {
    guard let onSchedules else { return try await base.schedules() }
    return try await onSchedules(base)
  }

  func setSchedule(
    _ name: String, from old: ScheduleRecord?, to new: ScheduleRecord?, starting starts: [RunStart],
    by actor: String?, at time: JournalTime
  ) async throws -> Bool {
    guard let onSetSchedule else {
      return try await base.setSchedule(
        name, from: old, to: new, starting: starts, by: actor, at: readClock(time))
    }
    return try await onSetSchedule(base, name, old, new, starts, readClock(time))
  }

  func slots() async throws -> JournalSlots? {
    guard let onSlots else { return try await base.slots() }
    return try await onSlots(base)
  }

  func setSlots(from old: JournalSlots?, to new: JournalSlots) async throws -> Bool {
    guard let onSetSlots else { return try await base.setSlots(from: old, to: new) }
    return try await onSetSlots(base, old, new)
  }

  func run(_ id: RunID) async throws -> RunRecord? {
    guard let onRun else { return try await base.run(id) }
    return try await onRun(base, id)
  }

  func standing(of id: RunID) async throws -> RunStanding? {
    if let onStanding { return try await onStanding(base, id) }
    guard var standing = try await base.standing(of: id) else { return nil }
    if onRun != nil, let record = try await run(id) { standing.record = record }
    return standing
  }

  func runs(_ query: RunQuery) async throws -> RunPage {
    guard let onRuns else { return try await base.runs(query) }
    return try await onRuns(base, query)
  }

  func count(_ query: RunQuery, atMost limit: Int) async throws -> RunCount {
    guard let onCount else { return try await base.count(query, atMost: limit) }
    return try await onCount(base, query, limit)
  }

  func errorGroups(atMost limit: Int) async throws -> [ErrorGroup] {
    guard let onErrorGroups else { return try await base.errorGroups(atMost: limit) }
    return try await onErrorGroups(base, limit)
  }

  func steps(of id: RunID, after sequence: Int?, limit: Int) async throws -> StepPage {
    guard let onSteps else { return try await base.steps(of: id, after: sequence, limit: limit) }
    return try await onSteps(base, id, sequence, limit)
  }

  func children(
    of id: RunID, at sequence: Int?, after place: ChildPlace?, limit: Int
  ) async throws -> ChildPage {
    guard let onChildren else {
      return try await base.children(of: id, at: sequence, after: place, limit: limit)
    }
    return try await onChildren(base, id, sequence, place, limit)
  }

  func audit(_ query: AuditQuery) async throws -> AuditPage {
    guard let onAudit else { return try await base.audit(query) }
    return try await onAudit(base, query)
  }

  func changes(since mark: JournalMark?) async throws -> JournalChanges {
    guard let onChanges else { return try await base.changes(since: mark) }
    return try await onChanges(base, mark)
  }

  func write(_ reports: [RunReportWrite], at time: JournalTime) async throws {
    guard let onWriteReports else { return try await base.write(reports, at: readClock(time)) }
    try await onWriteReports(base, reports, readClock(time))
  }

  func report(of id: RunID, after place: RunLogLine.Place?) async throws -> RunReport {
    let report = try await base.report(of: id, after: place)
    return try await onReport?(base, id, place, report) ?? report
  }

  func setWorker(
    _ name: String, to record: WorkerRecord?, at time: JournalTime
  ) async throws {
    guard let onSetWorker else {
      return try await base.setWorker(name, to: record, at: readClock(time))
    }
    try await onSetWorker(base, name, record, readClock(time))
  }

  func workers() async throws -> [WorkerRecord] {
    onWorkers(try await base.workers())
  }

  func purge(_ id: RunID, by actor: String?, at time: JournalTime) async throws {
    guard let onPurgeRun else { return try await base.purge(id, by: actor, at: readClock(time)) }
    try await onPurgeRun(base, id, actor, readClock(time))
  }

  func purge(_ retention: JournalRetention, at time: JournalTime) async throws -> Int {
    guard let onPurge else { return try await base.purge(retention, at: readClock(time)) }
    return try await onPurge(base, retention, readClock(time))
  }
}
