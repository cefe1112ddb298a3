import FieldstoneCore
import FieldstoneDurable
import FieldstoneDurableTesting
import FieldstoneTesting
import Foundation
import Testing

/// What the suite finds in journals that keep the clock of a server, each damaged in one way.
@Suite("Journals with the clock of a server", .timeLimit(.minutes(10)))
struct ServerClockTests {
  enum Damage: CaseIterable {
    case none, goesByCallers, comparesBoots, tellsServersTimes, retriesByServer, beginsByCaller

    var broken: Set<JournalConformanceError.Promise> {
      switch self {
      case .none: []
      case .goesByCallers: [.clock, .start, .wait]
      case .comparesBoots: [.lease]
      case .tellsServersTimes: [.clock, .nextDue]
      case .retriesByServer: [.clock, .parking]
      case .beginsByCaller: [.clock, .chain]
      }
    }
  }

  @Test("One that keeps its promises is accepted; others are refused", arguments: Damage.allCases)
  func examined(damage: Damage) async throws {
    var suite = JournalConformance { ServerJournal(damage: damage) }
    suite.setClock = { $0.setNow($1) }
    do {
      try await suite.check()
      #expect(damage == .none)
    } catch let error as JournalConformanceError {
      #expect(damage != .none)
      #expect(damage.broken.isSubset(of: error.failures.map(\.promise)), "\(error.message)")
    }
  }

  @Test(
    "A runner's lease is a minute there, and half of one elsewhere; options override both",
    arguments: zip(
      [JournalClock.caller, .server, .server], [(nil, 30), (nil, 60), (5, 5)] as [(Int?, Int)]))
  func leases(clock: JournalClock, seconds: (given: Int?, wanted: Int)) async throws {
    let leases = Recorder<Duration>()
    var journal = JournalMutant()
    journal.clock = clock
    journal.onClaim = { base, request, time in
      leases.record(request.lease)
      return try await base.claim(request, at: time)
    }
    let runner = try DurableRunner(
      journal: journal,
      flows: [DurableFlow(CountingDown.self)],
      options: DurableRunnerOptions(worker: "a", lease: seconds.given.map { .seconds($0) }),
      time: ManualTime().source)
    let work = Task { try await runner.run() }
    let found = await leases.elements(atLeast: 1)
    #expect(found.first == .seconds(seconds.wanted))
    await runner.shutdown()
    try await work.value
  }
}

/// A journal in memory that goes by one clock, whatever its callers' clocks say.
private struct ServerJournal: Journal {
  let base = InMemoryJournal()
  let now = Locked(Date.distantPast)
  var damage = ServerClockTests.Damage.none

  var clock: JournalClock { .server }
  var limits: PayloadLimits { base.limits }

  func setNow(_ date: Date) { now.withLock { $0 = date } }

  private func read(_ time: JournalTime) -> JournalTime {
    if damage == .goesByCallers { return time }
    let date = now.withLock { $0 }
    return JournalTime(
      date: date, uptime: .seconds(date.timeIntervalSinceReferenceDate),
      boot: damage == .comparesBoots ? time.boot : "server")
  }

  /// How far the caller's clock is ahead.
  private func skew(_ time: JournalTime) -> TimeInterval {
    time.date.timeIntervalSince(read(time).date)
  }

  func start(_ start: RunStart, at time: JournalTime) async throws -> RunRecord {
    try await base.start(start, at: read(time))
  }
  func claim(_ request: ClaimRequest, at time: JournalTime) async throws -> Claim {
    var claim = try await base.claim(request, at: read(time))
    if damage != .tellsServersTimes { claim.nextDueAt = claim.nextDueAt.map { $0 + skew(time) } }
    return claim
  }
  func checkpoint(
    _ checkpoint: Checkpoint, at time: JournalTime
  ) async throws -> CheckpointReceipt {
    var checkpoint = checkpoint
    if damage != .beginsByCaller { checkpoint.beganAt -= skew(time) }
    return try await base.checkpoint(checkpoint, at: read(time))
  }
  func renew(
    _ claims: [RunClaim], lease: Duration, at time: JournalTime
  ) async throws -> [RunClaim] {
    try await base.renew(claims, lease: lease, at: read(time))
  }
  func park(_ parking: Parking, at time: JournalTime) async throws {
    var parking = parking
    if case .retry(let date, let error) = parking.reason, damage != .retriesByServer {
      parking.reason = .retry(at: date - skew(time), error: error)
    }
    try await base.park(parking, at: read(time))
  }
  func signal(
    _ id: RunID, _ signal: SignalRecord, at time: JournalTime
  ) async throws -> SignalReceipt {
    try await base.signal(id, signal, at: read(time))
  }
  func change(_ id: RunID, _ change: RunChange, at time: JournalTime) async throws -> RunRecord {
    try await base.change(id, change, at: read(time))
  }
  func pause(_ target: PauseTarget, until date: Date?, at time: JournalTime) async throws {
    try await base.pause(target, until: date, at: read(time))
  }
  func resume(_ target: PauseTarget, at time: JournalTime) async throws -> Bool {
    try await base.resume(target, at: read(time))
  }
  func pauses() async throws -> [JournalPause] { try await base.pauses() }
  func setLimits(
    _ limits: FlowLimits?, of flow: String, replacing: Bool, at time: JournalTime
  ) async throws -> FlowLimits? {
    try await base.setLimits(limits, of: flow, replacing: replacing, at: read(time))
  }
  func flowLimits() async throws -> [String: FlowLimits] { try await base.flowLimits() }
  func schedules() async throws -> [ScheduleRecord] { try await base.schedules() }

  func setSchedule(
    _ name: String, from old: ScheduleRecord?, to new: ScheduleRecord?, starting starts: [RunStart],
    at time: JournalTime
  ) async throws -> Bool {
    try await base.setSchedule(name, from: old, to: new, starting: starts, at: read(time))
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
    try await base.purge(retention, at: read(time))
  }
}
