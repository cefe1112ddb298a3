import FieldstoneCore
import FieldstoneDurable
import Foundation

/// The journal as one worker sees it: it fails, before or after it has done its work, it is slow,
/// and at some time it may be gone for good.
final class FaultyJournal: JournalDecorator {
  let decorated: any Journal
  private let world: SimulatedWorld
  private let worker: String
  private let faults: Int
  private let faultsEndAt: Duration
  private let isCut = Locked(false)

  /// - Parameter faults: how many calls of a hundred fail, and how many are slow.
  init(world: SimulatedWorld, worker: String, faults: Int, until faultsEndAt: Duration) {
    decorated = world.memory
    self.world = world
    self.worker = worker
    self.faults = faults
    self.faultsEndAt = faultsEndAt
  }

  /// From now on this worker is on its own, as if its process had been killed.
  func cut() {
    isCut.withLock { $0 = true }
  }

  private func pass<Value>(_ body: () async throws -> Value) async throws -> Value {
    try await stumble()
    let value = try await body()
    try await stumble()
    return value
  }

  private func stumble() async throws {
    if isCut.withLock({ $0 }) { throw JournalError.unavailable("cut off") }
    guard world.time.uptime < faultsEndAt else { return }
    if world.percent() < faults { try await world.nap(upTo: 45) }
    if isCut.withLock({ $0 }) || world.percent() < faults {
      throw JournalError.unavailable("by chance")
    }
  }

  func claim(_ request: ClaimRequest, at time: JournalTime) async throws -> Claim {
    try await pass {
      let before = try await decorated.runs(RunQuery(limit: 1_000)).runs
      let claim = try await decorated.claim(request, at: time)
      world.claimed(claim.runs, by: worker, at: time.date)
      let after = try await decorated.runs(RunQuery(limit: 1_000)).runs
      world.examineOrder(of: claim.runs, before: before, after: after)
      world.examineRate(of: claim.runs, before: before, at: time.date)
      world.examineLimits(after)
      return claim
    }
  }

  func checkpoint(
    _ checkpoint: Checkpoint, at time: JournalTime
  ) async throws -> CheckpointReceipt {
    try await pass {
      let receipt = try await decorated.checkpoint(checkpoint, at: time)
      world.wrote(checkpoint, by: worker)
      return receipt
    }
  }

  func start(_ start: RunStart, at time: JournalTime) async throws -> RunRecord {
    try await pass {
      world.starting(start)
      return try await decorated.start(start, at: time)
    }
  }

  func change(
    _ id: RunID, _ change: RunChange, by actor: String?, at time: JournalTime
  ) async throws -> RunRecord {
    try await pass {
      if change == .retry { world.retries(id) }
      return try await decorated.change(id, change, by: actor, at: time)
    }
  }

  func pause(
    _ target: PauseTarget, until date: Date?, by actor: String?, at time: JournalTime
  ) async throws {
    try await pass { try await decorated.pause(target, until: date, by: actor, at: time) }
  }

  func purge(_ id: RunID, by actor: String?, at time: JournalTime) async throws {
    try await pass { try await decorated.purge(id, by: actor, at: time) }
  }

  func setSchedule(
    _ name: String, from old: ScheduleRecord?, to new: ScheduleRecord?, starting starts: [RunStart],
    by actor: String?, at time: JournalTime
  ) async throws -> Bool {
    try await pass {
      let isSet = try await decorated.setSchedule(
        name, from: old, to: new, starting: starts, by: actor, at: time)
      if isSet {
        world.started(starts, among: try await decorated.runs(RunQuery(limit: 1_000)).runs)
      }
      return isSet
    }
  }

  func renew(
    _ claims: [RunClaim], lease: Duration, at time: JournalTime
  ) async throws -> [RunClaim] {
    try await pass { try await decorated.renew(claims, lease: lease, at: time) }
  }

  func park(_ parking: Parking, at time: JournalTime) async throws {
    try await pass { try await decorated.park(parking, at: time) }
  }

  func children(
    of id: RunID, at sequence: Int?, after place: ChildPlace?, limit: Int
  ) async throws -> ChildPage {
    try await pass {
      try await decorated.children(of: id, at: sequence, after: place, limit: min(limit, 2))
    }
  }

  /// In pages of two, so that what changes many runs has several.
  func runs(_ query: RunQuery) async throws -> RunPage {
    var query = query
    query.limit = min(query.limit, 2)
    return try await pass { [query] in try await decorated.runs(query) }
  }

  func run(_ id: RunID) async throws -> RunRecord? {
    try await pass { try await decorated.run(id) }
  }
}
