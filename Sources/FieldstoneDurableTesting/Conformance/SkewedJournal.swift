import FieldstoneDurable
import Foundation

/// A journal with the clock of a server, as a caller uses it whose own clocks are wrong.
///
/// The trials' time is the server's. What a caller reads off its clock is as much too late as that.
struct SkewedJournal: Journal {
  let base: any Journal
  /// How many seconds the caller's clock is ahead.
  let skew: TimeInterval
  let setClock: @Sendable (Date) async throws -> Void

  var limits: PayloadLimits { base.limits }
  var clock: JournalClock { base.clock }

  /// Sets the server's clock.
  ///
  /// - Returns: what the caller's clocks say then.
  private func set(_ time: JournalTime) async throws -> JournalTime {
    try await setClock(time.date)
    return JournalTime(date: time.date + skew, uptime: time.uptime * 3, boot: time.boot)
  }

  func start(_ start: RunStart, at time: JournalTime) async throws -> RunRecord {
    try await base.start(start, at: set(time))
  }

  func start(
    _ starts: [RunStart], at time: JournalTime
  ) async -> [Result<RunRecord, any Error>] {
    do {
      return await base.start(starts, at: try await set(time))
    } catch {
      return starts.map { _ in .failure(error) }
    }
  }

  func claim(_ request: ClaimRequest, at time: JournalTime) async throws -> Claim {
    var claim = try await base.claim(request, at: set(time))
    claim.nextDueAt = claim.nextDueAt.map { $0 - skew }
    return claim
  }

  func checkpoint(
    _ checkpoint: Checkpoint, at time: JournalTime
  ) async throws -> CheckpointReceipt {
    var checkpoint = checkpoint
    checkpoint.beganAt += skew
    return try await base.checkpoint(checkpoint, at: set(time))
  }

  func renew(
    _ claims: [RunClaim], lease: Duration, at time: JournalTime
  ) async throws -> [RunClaim] {
    try await base.renew(claims, lease: lease, at: set(time))
  }

  func park(_ parking: Parking, at time: JournalTime) async throws {
    var parking = parking
    if case .retry(let date, let error) = parking.reason {
      parking.reason = .retry(at: date + skew, error: error)
    }
    try await base.park(parking, at: set(time))
  }

  func signal(
    _ id: RunID, _ signal: SignalRecord, at time: JournalTime
  ) async throws -> SignalReceipt {
    try await base.signal(id, signal, at: set(time))
  }

  func change(_ id: RunID, _ change: RunChange, at time: JournalTime) async throws -> RunRecord {
    try await base.change(id, change, at: set(time))
  }

  func pause(_ target: PauseTarget, until date: Date?, at time: JournalTime) async throws {
    try await base.pause(target, until: date, at: set(time))
  }

  func resume(_ target: PauseTarget, at time: JournalTime) async throws -> Bool {
    try await base.resume(target, at: set(time))
  }

  func pauses() async throws -> [JournalPause] { try await base.pauses() }

  func setLimits(
    _ limits: FlowLimits?, of flow: String, replacing: Bool, at time: JournalTime
  ) async throws -> FlowLimits? {
    try await base.setLimits(limits, of: flow, replacing: replacing, at: set(time))
  }

  func flowLimits() async throws -> [String: FlowLimits] { try await base.flowLimits() }

  func schedules() async throws -> [ScheduleRecord] { try await base.schedules() }

  func setSchedule(
    _ name: String, from old: ScheduleRecord?, to new: ScheduleRecord?, starting starts: [RunStart],
    at time: JournalTime
  ) async throws -> Bool {
    try await base.setSchedule(name, from: old, to: new, starting: starts, at: set(time))
  }

  func run(_ id: RunID) async throws -> RunRecord? { try await base.run(id) }

  func standing(of id: RunID) async throws -> RunStanding? { try await base.standing(of: id) }

  func runs(_ query: RunQuery) async throws -> RunPage { try await base.runs(query) }

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

  func purge(_ retention: JournalRetention, at time: JournalTime) async throws -> Int {
    try await base.purge(retention, at: set(time))
  }
}
