import FieldstoneDurable
import Foundation

/// The journal as one process of a trial sees it: from its kill on it never answers.
struct TrialJournal: Journal {
  let memory: InMemoryJournal
  let process: TrialProcess
  let log: TrialLog
  /// Where the process is killed, if it is.
  let kill: TrialKillPoint?
  /// The transaction that stages write in.
  let transaction: (@Sendable (@escaping @Sendable (Any) throws -> Void) async throws -> Void)?

  var limits: PayloadLimits { memory.limits }
  var clock: JournalClock { memory.clock }

  private func checkAlive() async throws {
    guard await process.goesOn() else { throw JournalError.closed }
  }

  /// Kills the process if it is to die here.
  private func die(at place: FlowTrialStage.Place, _ moment: FlowTrialMoment) async throws {
    guard let kill, kill.moment == moment, kill.stage.place == place else { return }
    log.reachKill()
    process.kill()
    try await checkAlive()
  }

  func checkpoint(
    _ checkpoint: Checkpoint, at time: JournalTime
  ) async throws -> CheckpointReceipt {
    try await checkAlive()
    guard let record = try await memory.run(checkpoint.claim.id) else {
      throw JournalError.noRun(checkpoint.claim.id)
    }
    let place = log.place(of: record.id, checkpoint.claim.sequence)
    try await die(at: place, .beforeCheckpoint)
    var checkpoint = checkpoint
    let writes = checkpoint.writes
    if !writes.isEmpty {
      guard let transaction else {
        log.fail(with: .noTransaction(at: log.stage(of: record)))
        process.kill()
        throw JournalError.noTransactions
      }
      let work = log.beginWriting(at: place, in: process)
      defer { log.endWork(work) }
      try await transaction { database in
        for write in writes { try write.perform(in: database) }
      }
      checkpoint.writes = []
    }
    // Also in a process that was killed meanwhile: both are one transaction.
    let receipt = try await memory.checkpoint(checkpoint, at: time)
    log.add(checkpoint, of: record)
    try await die(at: place, .afterCheckpoint)
    try await checkAlive()
    return receipt
  }

  func start(_ start: RunStart, at time: JournalTime) async throws -> RunRecord {
    try await checkAlive()
    return try await memory.start(start, at: time)
  }

  func claim(_ request: ClaimRequest, at time: JournalTime) async throws -> Claim {
    try await checkAlive()
    return try await memory.claim(request, at: time)
  }

  func renew(
    _ claims: [RunClaim], lease: Duration, at time: JournalTime
  ) async throws -> [RunClaim] {
    try await checkAlive()
    return try await memory.renew(claims, lease: lease, at: time)
  }

  func park(_ parking: Parking, at time: JournalTime) async throws {
    try await checkAlive()
    try await memory.park(parking, at: time)
  }

  func signal(
    _ id: RunID, _ signal: SignalRecord, at time: JournalTime
  ) async throws -> SignalReceipt {
    try await checkAlive()
    return try await memory.signal(id, signal, at: time)
  }

  func change(_ id: RunID, _ change: RunChange, at time: JournalTime) async throws -> RunRecord {
    try await checkAlive()
    return try await memory.change(id, change, at: time)
  }

  func pause(_ target: PauseTarget, until date: Date?, at time: JournalTime) async throws {
    try await checkAlive()
    try await memory.pause(target, until: date, at: time)
  }

  func resume(_ target: PauseTarget, at time: JournalTime) async throws -> Bool {
    try await checkAlive()
    return try await memory.resume(target, at: time)
  }

  func pauses() async throws -> [JournalPause] {
    try await checkAlive()
    return try await memory.pauses()
  }

  func setLimits(
    _ limits: FlowLimits?, of flow: String, replacing: Bool, at time: JournalTime
  ) async throws -> FlowLimits? {
    try await checkAlive()
    return try await memory.setLimits(limits, of: flow, replacing: replacing, at: time)
  }

  func flowLimits() async throws -> [String: FlowLimits] {
    try await checkAlive()
    return try await memory.flowLimits()
  }

  func run(_ id: RunID) async throws -> RunRecord? {
    try await checkAlive()
    return try await memory.run(id)
  }

  func standing(of id: RunID) async throws -> RunStanding? {
    try await checkAlive()
    return try await memory.standing(of: id)
  }

  func runs(_ query: RunQuery) async throws -> RunPage {
    try await checkAlive()
    return try await memory.runs(query)
  }

  func steps(of id: RunID, after sequence: Int?, limit: Int) async throws -> StepPage {
    try await checkAlive()
    return try await memory.steps(of: id, after: sequence, limit: limit)
  }

  func children(
    of id: RunID, at sequence: Int?, after place: ChildPlace?, limit: Int
  ) async throws -> ChildPage {
    try await checkAlive()
    return try await memory.children(of: id, at: sequence, after: place, limit: limit)
  }

  func changes(since mark: JournalMark?) async throws -> JournalChanges {
    try await checkAlive()
    return try await memory.changes(since: mark)
  }

  func purge(_ retention: JournalRetention, at time: JournalTime) async throws -> Int {
    try await checkAlive()
    return try await memory.purge(retention, at: time)
  }
}
