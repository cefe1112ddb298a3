import FieldstoneDurable
import Foundation

/// A journal that another is behind, with the test in between.
struct JournalProxy: Journal {
  enum Call: String, Sendable, CaseIterable {
    case start, starts, claim, checkpoint, renew, park, signal, change, run, runs, steps, changes,
      purge, pause, resume, pauses, setLimits, flowLimits, children,
      schedules, setSchedule
  }

  let journal: any Journal
  /// Called before it is done; what it throws is thrown, and then it is not done.
  var before: @Sendable (Call) async throws -> Void = { _ in }
  /// Called after it is done; what it throws is thrown all the same.
  var after: @Sendable (Call) async throws -> Void = { _ in }

  var limits: PayloadLimits { journal.limits }

  private func pass<Value>(_ call: Call, _ body: () async throws -> Value) async throws -> Value {
    try await before(call)
    let value = try await body()
    try await after(call)
    return value
  }

  func start(_ start: RunStart, at time: JournalTime) async throws -> RunRecord {
    try await pass(.start) { try await journal.start(start, at: time) }
  }

  func start(
    _ starts: [RunStart], at time: JournalTime
  ) async -> [Result<RunRecord, any Error>] {
    do {
      return try await pass(.starts) { await journal.start(starts, at: time) }
    } catch {
      return starts.map { _ in .failure(error) }
    }
  }

  func claim(_ request: ClaimRequest, at time: JournalTime) async throws -> Claim {
    try await pass(.claim) { try await journal.claim(request, at: time) }
  }

  func checkpoint(
    _ checkpoint: Checkpoint, at time: JournalTime
  ) async throws -> CheckpointReceipt {
    try await pass(.checkpoint) { try await journal.checkpoint(checkpoint, at: time) }
  }

  func renew(
    _ claims: [RunClaim], lease: Duration, at time: JournalTime
  ) async throws -> [RunClaim] {
    try await pass(.renew) { try await journal.renew(claims, lease: lease, at: time) }
  }

  func park(_ parking: Parking, at time: JournalTime) async throws {
    try await pass(.park) { try await journal.park(parking, at: time) }
  }

  func signal(
    _ id: RunID, _ signal: SignalRecord, at time: JournalTime
  ) async throws -> SignalReceipt {
    try await pass(.signal) { try await journal.signal(id, signal, at: time) }
  }

  func change(_ id: RunID, _ change: RunChange, at time: JournalTime) async throws -> RunRecord {
    try await pass(.change) { try await journal.change(id, change, at: time) }
  }

  func pause(_ target: PauseTarget, until date: Date?, at time: JournalTime) async throws {
    try await pass(.pause) { try await journal.pause(target, until: date, at: time) }
  }

  func resume(_ target: PauseTarget, at time: JournalTime) async throws -> Bool {
    try await pass(.resume) { try await journal.resume(target, at: time) }
  }

  func pauses() async throws -> [JournalPause] {
    try await pass(.pauses) { try await journal.pauses() }
  }

  func setLimits(
    _ limits: FlowLimits?, of flow: String, replacing: Bool, at time: JournalTime
  ) async throws -> FlowLimits? {
    try await pass(.setLimits) {
      try await journal.setLimits(limits, of: flow, replacing: replacing, at: time)
    }
  }

  func flowLimits() async throws -> [String: FlowLimits] {
    try await pass(.flowLimits) { try await journal.flowLimits() }
  }

  func schedules() async throws -> [ScheduleRecord] {
    try await pass(.schedules) { try await journal.schedules() }
  }

  func setSchedule(
    _ name: String, from old: ScheduleRecord?, to new: ScheduleRecord?, starting starts: [RunStart],
    at time: JournalTime
  ) async throws -> Bool {
    try await pass(.setSchedule) {
      try await journal.setSchedule(name, from: old, to: new, starting: starts, at: time)
    }
  }

  func run(_ id: RunID) async throws -> RunRecord? {
    try await pass(.run) { try await journal.run(id) }
  }

  func standing(of id: RunID) async throws -> RunStanding? {
    try await pass(.run) { try await journal.standing(of: id) }
  }

  func runs(_ query: RunQuery) async throws -> RunPage {
    try await pass(.runs) { try await journal.runs(query) }
  }

  func steps(of id: RunID, after sequence: Int?, limit: Int) async throws -> StepPage {
    try await pass(.steps) { try await journal.steps(of: id, after: sequence, limit: limit) }
  }

  func children(
    of id: RunID, at sequence: Int?, after place: ChildPlace?, limit: Int
  ) async throws -> ChildPage {
    try await pass(.children) {
      try await journal.children(of: id, at: sequence, after: place, limit: limit)
    }
  }

  func changes(since mark: JournalMark?) async throws -> JournalChanges {
    try await pass(.changes) { try await journal.changes(since: mark) }
  }

  func purge(_ retention: JournalRetention, at time: JournalTime) async throws -> Int {
    try await pass(.purge) { try await journal.purge(retention, at: time) }
  }
}
