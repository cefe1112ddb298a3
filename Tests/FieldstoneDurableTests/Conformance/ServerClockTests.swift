import FieldstoneCore
import FieldstoneDurable
import FieldstoneDurableTesting
import FieldstoneTesting
import Foundation
import Testing

/// What the suite finds in journals that keep the clock of a server, each damaged in one way.
@Suite("Journals with the clock of a server", .timeLimit(.minutes(20)))
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
      #expect(damage != .none, "\(error.message)")
      #expect(damage.broken.isSubset(of: error.failures.map(\.promise)), "\(error.message)")
    }
  }

  @Test("One of another package, which can't tell its server's time, is accepted")
  func outside() async throws {
    var suite = JournalConformance { OutsideJournal(base: ServerJournal()) }
    suite.setClock = { $0.base.setNow($1) }
    try await suite.check()
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

  @Test(
    "Schedules and reasons for waiting go by the server, whatever the caller's clock says",
    arguments: [-3_600, 3_600])
  func schedules(clockOff offset: TimeInterval) async throws {
    let noon = Date(timeIntervalSince1970: 1_800_000_000)
    let journal = ServerJournal()
    journal.setNow(noon)
    let runner = try DurableRunner(
      journal: journal, flows: [DurableFlow(CountingDown.self)],
      options: DurableRunnerOptions(worker: "a"), time: ManualTime(now: noon + offset).source)
    let timing = ScheduleTiming.every(.seconds(600), from: noon)
    let set = try await runner.setSchedule(
      "ten", of: CountingDown.at(1), timing, options: ScheduleOptions(deadline: .seconds(60)))
    #expect(set.progress.nextTick == noon + 600)
    journal.setNow(noon + 700)
    // Another timing begins after now, and an unchanged one goes on where it was.
    let kept = try await runner.setSchedule(
      "ten", of: CountingDown.at(1), timing, options: ScheduleOptions(deadline: .seconds(60)))
    #expect(kept.progress.nextTick == noon + 600)
    let id = try await runner.runNow(schedule: "ten")
    let run = try #require(try await journal.run(id))
    #expect(run.deadline == noon + 760)
    #expect(run.attributes[ScheduleOptions.tickAttribute] == .date(noon + 700))
    try await runner.pauseSchedule("ten")
    #expect(try await runner.resumeSchedule("ten"))
    #expect(try await runner.schedules().map(\.progress.nextTick) == [noon + 1_200])
    let wait = try await runner.start(
      CountingDown.at(1), options: RunOptions(notBefore: noon + 800))
    func reason() async throws -> RunWaitReason {
      try await journal.waitReason(of: wait.id, at: noon + offset)
    }
    #expect(try await reason() == .time(noon + 800))
    journal.setNow(noon + 801)
    #expect(try await reason() == .due)
  }
}

/// A journal in memory that goes by one clock, whatever its callers' clocks say.
private struct ServerJournal: JournalDecorator {
  let decorated: any Journal = InMemoryJournal()
  let now = Locked(Date.distantPast)
  var damage = ServerClockTests.Damage.none

  var clock: JournalClock { .server }

  func setNow(_ date: Date) { now.withLock { $0 = date } }

  // Asynchronous as the requirement is: a synchronous one loses against the default in asynchronous code.
  func decoratedTime(_ time: JournalTime) async throws -> JournalTime { serverTime(time) }

  private func serverTime(_ time: JournalTime) -> JournalTime {
    if damage == .goesByCallers { return time }
    let date = now.withLock { $0 }
    return JournalTime(
      date: date, uptime: .seconds(date.timeIntervalSinceReferenceDate),
      boot: damage == .comparesBoots ? time.boot : "server")
  }

  /// How far the caller's clock is ahead.
  private func skew(_ time: JournalTime) -> TimeInterval {
    time.date.timeIntervalSince(serverTime(time).date)
  }

  func claim(_ request: ClaimRequest, at time: JournalTime) async throws -> Claim {
    var claim = try await decorated.claim(request, at: decoratedTime(time))
    if damage != .tellsServersTimes { claim.nextDueAt = claim.nextDueAt.map { $0 + skew(time) } }
    return claim
  }

  func checkpoint(
    _ checkpoint: Checkpoint, at time: JournalTime
  ) async throws -> CheckpointReceipt {
    var checkpoint = checkpoint
    if damage != .beginsByCaller { checkpoint.beganAt -= skew(time) }
    return try await decorated.checkpoint(checkpoint, at: decoratedTime(time))
  }

  func park(_ parking: Parking, at time: JournalTime) async throws {
    var parking = parking
    if case .retry(let date, let error) = parking.reason, damage != .retriesByServer {
      parking.reason = .retry(at: date - skew(time), error: error)
    }
    if damage != .beginsByCaller { parking.line?.loggedAt -= skew(time) }
    try await decorated.park(parking, at: decoratedTime(time))
  }

  func write(_ reports: [RunReportWrite], at time: JournalTime) async throws {
    var reports = reports
    for index in reports.indices where damage != .beginsByCaller {
      reports[index].progress?.reportedAt -= skew(time)
      for line in reports[index].lines.indices {
        reports[index].lines[line].loggedAt -= skew(time)
      }
    }
    try await decorated.write(reports, at: decoratedTime(time))
  }

  func setWorker(_ name: String, to record: WorkerRecord?, at time: JournalTime) async throws {
    var record = record
    record?.startedAt -= skew(time)
    try await decorated.setWorker(name, to: record, at: decoratedTime(time))
  }
}
