import FieldstoneDurable
import Foundation

/// A journal with another behind it, for those that change single calls.
protocol JournalWrapper: Journal {
  var journal: any Journal { get }
}

extension JournalWrapper {
  var limits: PayloadLimits { journal.limits }

  func start(_ start: RunStart, at time: JournalTime) async throws -> RunRecord {
    try await journal.start(start, at: time)
  }

  func start(
    _ starts: [RunStart], at time: JournalTime
  ) async -> [Result<RunRecord, any Error>] {
    await journal.start(starts, at: time)
  }

  func claim(_ request: ClaimRequest, at time: JournalTime) async throws -> Claim {
    try await journal.claim(request, at: time)
  }

  func checkpoint(
    _ checkpoint: Checkpoint, at time: JournalTime
  ) async throws -> CheckpointReceipt {
    try await journal.checkpoint(checkpoint, at: time)
  }

  func renew(
    _ claims: [RunClaim], lease: Duration, at time: JournalTime
  ) async throws -> [RunClaim] {
    try await journal.renew(claims, lease: lease, at: time)
  }

  func park(_ parking: Parking, at time: JournalTime) async throws {
    try await journal.park(parking, at: time)
  }

  func signal(
    _ id: RunID, _ signal: SignalRecord, at time: JournalTime
  ) async throws -> SignalReceipt {
    try await journal.signal(id, signal, at: time)
  }

  func change(_ id: RunID, _ change: RunChange, at time: JournalTime) async throws -> RunRecord {
    try await journal.change(id, change, at: time)
  }

  func pause(_ target: PauseTarget, until date: Date?, at time: JournalTime) async throws {
    try await journal.pause(target, until: date, at: time)
  }

  func resume(_ target: PauseTarget, at time: JournalTime) async throws -> Bool {
    try await journal.resume(target, at: time)
  }

  func pauses() async throws -> [JournalPause] {
    try await journal.pauses()
  }

  func setLimits(
    _ limits: FlowLimits?, of flow: String, replacing: Bool, at time: JournalTime
  ) async throws -> FlowLimits? {
    try await journal.setLimits(limits, of: flow, replacing: replacing, at: time)
  }

  func flowLimits() async throws -> [String: FlowLimits] {
    try await journal.flowLimits()
  }

  func schedules() async throws -> [ScheduleRecord] { try await journal.schedules() }

  func setSchedule(
    _ name: String, from old: ScheduleRecord?, to new: ScheduleRecord?, starting starts: [RunStart],
    at time: JournalTime
  ) async throws -> Bool {
    try await journal.setSchedule(name, from: old, to: new, starting: starts, at: time)
  }

  func run(_ id: RunID) async throws -> RunRecord? {
    try await journal.run(id)
  }

  func standing(of id: RunID) async throws -> RunStanding? {
    try await journal.standing(of: id)
  }

  func runs(_ query: RunQuery) async throws -> RunPage {
    try await journal.runs(query)
  }

  func steps(of id: RunID, after sequence: Int?, limit: Int) async throws -> StepPage {
    try await journal.steps(of: id, after: sequence, limit: limit)
  }

  func children(
    of id: RunID, at sequence: Int?, after place: ChildPlace?, limit: Int
  ) async throws -> ChildPage {
    try await journal.children(of: id, at: sequence, after: place, limit: limit)
  }

  func changes(since mark: JournalMark?) async throws -> JournalChanges {
    try await journal.changes(since: mark)
  }

  func purge(_ retention: JournalRetention, at time: JournalTime) async throws -> Int {
    try await journal.purge(retention, at: time)
  }
}
