import Fieldstone
import FieldstoneDurable
import FieldstoneDurableTesting
import FieldstoneTesting
import Foundation
import Testing

// What an application would write: stages of each kind, a journal of its own, and each public call
// of FieldstoneDurable. Without `import Foundation`: what users adopt must not need it.

private enum Climb: Stage, Codable, VersionedFlow {
  static let flowName = "climb"

  case at(Int)

  func next() async throws -> Step<Self, Int> {
    guard case .at(let height) = self, height < 3 else { return .complete(3) }
    return .advance(to: .at(height + 1))
  }
}

private struct Greeter: Sendable {
  var word: String
}

private enum Greeting: ContextualStage, Codable, VersionedFlow {
  static let flowName = "greeting"
  static let flowVersion = 2

  case greet(String)

  func next(in greeter: Greeter) async throws -> Step<Self, String> {
    guard case .greet(let name) = self else { return .complete("") }
    return .complete("\(greeter.word), \(name)")
  }
}

private enum Order: DurableStage, VersionedFlow {
  static let flowName = "order"

  case placed
  case asked
  case decided

  func next(in context: DurableContext<Greeter>) async throws -> DurableStep<Self, String> {
    switch self {
    case .placed: return .wait(until: context.now, then: .asked)
    case .asked: return .receive("approval", then: .decided)
    case .decided:
      let isApproved = try context.signal(as: Bool.self) ?? false
      guard isApproved, context.signal?.id == "boss" else { return .complete("no") }
      return .complete("\(context.services.word) \(context.idempotencyKey) \(context.attempt)")
    }
  }
}

private struct Nap: DurableStage, VersionedFlow {
  static let flowName = "nap"

  func next(in context: DurableContext<Void>) async throws -> DurableStep<Self, Int> {
    .complete(context.sequence)
  }
}

/// A journal of one's own: all that it must have.
private struct OwnJournal: Journal {
  private let base = InMemoryJournal(limits: PayloadLimits(warning: 1, error: 2_000, key: 100))

  var limits: PayloadLimits { base.limits }

  func start(_ start: RunStart, at time: JournalTime) async throws -> RunRecord {
    try await base.start(start, at: time)
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

  func audit(_ query: AuditQuery) async throws -> AuditPage {
    try await base.audit(query)
  }

  func changes(since mark: JournalMark?) async throws -> JournalChanges {
    try await base.changes(since: mark)
  }

  func purge(_ id: RunID, by actor: String?, at time: JournalTime) async throws {
    try await base.purge(id, by: actor, at: time)
  }

  func purge(_ retention: JournalRetention, at time: JournalTime) async throws -> Int {
    try await base.purge(retention, at: time)
  }
}

@Suite("The surface of durable stages", .timeLimit(.minutes(20)))
struct DurableSurface {
  private let journal = OwnJournal()

  @Test("Each kind of stage is registered in each way, and runs")
  func kinds() async throws {
    let greeter = Greeter(word: "Hello")
    let policy = StageRetryPolicy(
      maximumAttempts: 2, baseDelay: .seconds(1), maximumDelay: .seconds(2)
    ) { StageRetryPolicy.isWorthRetrying($0) }
    let runner = try DurableRunner(
      journal: journal,
      flows: [
        DurableFlow(Climb.self),
        DurableFlow(Climb.self, name: "other climb", version: 3),
        DurableFlow(Greeting.self, services: greeter),
        DurableFlow(
          Greeting.self, name: "other greeting", services: greeter,
          options: FlowOptions(maxConcurrent: 2, retryPolicy: { _ in policy })),
        DurableFlow(Order.self, services: greeter),
        DurableFlow(
          Order.self, name: "other order", version: 2, services: greeter,
          options: FlowOptions(
            retryPolicy: { _ in .never },
            migration: { _, _, json in try StageJSON.value(from: json) })
        ),
      ])
    #expect(runner.flows.map(\.version) == [1, 3, 2, 1, 1, 2])
    #expect(runner.flows.first?.name == "climb" && runner.flows[3].maxConcurrent == 2)
    let work = Task { try await runner.run() }

    #expect(try await runner.start(Climb.at(0)).value == 3)
    #expect(try await runner.start(Climb.at(0), key: "k", flow: "other climb").value == 3)
    #expect(try await runner.start(Greeting.greet("Ada")).value == "Hello, Ada")
    let order = try await runner.start(Order.placed, key: "order 17")
    try await order.signal("approval", true, id: "boss")
    #expect(try await order.value(from: .thisRunner) == "Hello \(order.id)-2 1")
    let again = runner.handle(order.id, completion: String.self)
    #expect(await again.outcome.value != nil)
    #expect(try await again.record.state == .completed)
    var stages: [String?] = []
    for try await step in again.stages {
      _ = try step.stage(as: Order.self)
      stages.append(StageJSON.caseName(of: step.payload))
    }
    #expect(stages == ["placed", "asked", "decided"])
    await #expect(throws: JournalError.self) { try await again.retry() }
    try await again.cancel()
    #expect(try await runner.purge() == 0)

    await runner.shutdown()
    try await work.value
  }

  @Test("A runner is told how to work, and tells what happens")
  func options() async throws {
    let events = Recorder<String>()
    var options = DurableRunnerOptions(
      worker: "w", lease: .seconds(9), pollInterval: .seconds(1), shutdownGrace: .seconds(3),
      boot: "boot", random: { 7 })
    options.executor = nil
    options.aroundStage = { attempt in
      events.record("\(attempt.flow) \(attempt.sequence) \(attempt.number)")
      return try await attempt.perform()
    }
    options.onEvent = { event in
      switch event.kind {
      case .claimed(let attempt): events.record("claimed \(attempt)")
      case .stageFinished(let attempt, duration: _): events.record("finished \(attempt)")
      case .completed: events.record("completed \(event.flow ?? "") \(event.run != nil)")
      case .started, .retry, .dead, .blocked, .parked, .lost, .journalUnavailable: break
      case .payloadWarning(bytes: let bytes, limit: 1): events.record("\(bytes > 1)")
      case .payloadWarning, .executorHeldUp, .renewalStopped, .paused, .limitsDiffer: break
      case .scheduled, .ticksOverlapped, .ticksMissed, .scheduleFailed: break
      }
    }
    let runner = try DurableRunner(
      journal: journal, flows: [DurableFlow(Climb.self)], options: options,
      time: ManualTime().source)
    let work = Task { try await runner.run() }
    _ = try await runner.start(Climb.at(2)).value
    work.cancel()
    await #expect(throws: CancellationError.self) { try await work.value }
    #expect(
      events.elements == [
        "true", "claimed 1", "climb 0 1", "true", "finished 1", "climb 1 1", "finished 1",
        "completed climb true",
      ])
  }

  @Test("A durable stage without services needs none, and nobody has to look at a start")
  func withoutServices() async throws {
    let options = FlowOptions<Nap>(maximumLoneCrashes: 5)
    let runner = try DurableRunner(
      journal: journal,
      flows: [DurableFlow(Nap.self, options: options), DurableFlow(Nap.self, name: "siesta")],
      options: DurableRunnerOptions(crashesBeforeQuarantine: 3))
    let work = Task { try await runner.run() }
    try await runner.start(Nap(), key: "a", flow: "siesta")
    #expect(try await runner.start(Nap(), flow: "nap").value == 0)
    work.cancel()
    await #expect(throws: CancellationError.self) { try await work.value }
  }

  @Test("A journal is read, and worked on by hand")
  func byHand() async throws {
    let runner = try DurableRunner(journal: journal, flows: [DurableFlow(Climb.self)])
    let id = try await runner.start(Climb.at(0), key: "k").id
    let time = JournalTime(TimeSource.system, boot: runner.options.boot)
    let request = ClaimRequest(
      worker: "w", flows: [.init(flow: "climb", version: 1, limit: 1)], lease: .seconds(9),
      limit: 5, quarantine: .left(after: 2))
    let answer = try await journal.claim(request, at: time)
    let claimed = try #require(answer.runs.first)
    #expect(claimed.record.state == .running && claimed.signal == nil)
    #expect(!claimed.isCrashSuspected && !claimed.isAlone && answer.quarantined == .none)
    let claim = RunClaim(id: id, sequence: 0, fence: claimed.record.fence)
    try await journal.park(Parking(claim: claim, reason: .dead(error: "no")), at: time)
    let error = await #expect(throws: DurableRunError.self) {
      try await runner.handle(id, completion: Int.self).value
    }
    switch error {
    case .dead(id, error: "no")?: break
    case .dead?, .blocked?, .newerVersion?, .unknownFlow?, .noStage?, .unreadable?, .keyTaken?,
      .notEnded?, nil:
      Issue.record("It is dead.")
    }
    let edited = try await journal.change(
      id, .edit(try StageJSON.data(of: Climb.at(2)), version: nil), at: time)
    #expect(edited.sequence == 1 && !edited.state.isOver)
    let page = try await journal.runs(RunQuery(flow: "climb", states: [.ready], key: "k", limit: 5))
    #expect(page.runs.map(\.id) == [id] && page.next == nil)
    let steps = try await journal.steps(of: id, after: nil, limit: 5)
    #expect(steps.steps.map(\.kind) == [.edited])
    #expect(RunID(id.description) == id && RunID("not one") == nil)
    #expect(ExpectedRunner.allCases.count == 2)
    #expect(throws: DurableRunnerError.duplicateFlow("climb")) {
      try DurableRunner(
        journal: journal, flows: [DurableFlow(Climb.self), DurableFlow(Climb.self)])
    }
  }

  @Test("All that a journal takes and gives can be made and read")
  func records() throws {
    var generator = SeededGenerator(seed: 1)
    let time = JournalTime(date: TimeSource.system.now, uptime: .seconds(9), boot: "boot")
    let id = RunID(at: time.date, using: &generator)
    let payload = try StageJSON.data(of: Climb.at(1))
    let start = RunStart(id: id, flow: "climb", version: 1, key: "k", payload: payload)
    var record = RunRecord(
      id: start.id, flow: start.flow, version: start.version, key: start.key,
      payload: start.payload, startedAt: time.date, changedAt: time.date)
    #expect(record.state == .ready && record.sequence == 0 && record.fence == 0)
    #expect(record.attempts == 0 && record.dueAt == nil && record.awaitedSignals.isEmpty)
    #expect(record.worker == nil && record.error == nil && record.startedAt == record.changedAt)
    record.state = .dead
    #expect(record.state.isOver && RunState.allCases.count == 6)
    #expect(try StageJSON.caseValues([String: Int].self, of: record.payload) == ["_0": 1])

    let signal = SignalRecord(id: "boss", name: "go", payload: payload, sentAt: time.date)
    let claim = Claim(runs: [ClaimedRun(record: record, signal: signal)], nextDueAt: time.date)
    #expect(claim.runs.first?.signal?.sentAt == claim.nextDueAt)
    let steps = StepPage(
      steps: [
        StepRecord(
          sequence: 0, fence: 1, kind: .done, version: 1, payload: payload, attempts: 2,
          beganAt: time.date, endedAt: time.date, worker: "w", error: "no")
      ], next: 0)
    #expect(steps.steps.first?.beganAt == steps.steps.first?.endedAt && steps.next == 0)
    #expect(RunPage(runs: [record], next: id).next == id)

    let held = RunClaim(id: id, sequence: 0, fence: 1)
    let next: [Checkpoint.Next] = [
      .stage(payload), .waiting(payload, until: time.date),
      .receiving(payload, signals: ["go"], until: nil), .completion(payload),
    ]
    for next in next {
      let checkpoint = Checkpoint(
        claim: held, version: 1, next: next, consumedSignals: ["boss"], beganAt: time.date,
        lease: .seconds(30), writes: [CheckpointWrite { _ in throw MessageError("no; wait") }])
      #expect(checkpoint.claim.fence == 1 && checkpoint.consumedSignals == ["boss"])
      #expect(throws: MessageError.self) { try checkpoint.writes.first?.perform(in: ()) }
      switch checkpoint.next {
      case .stage, .waiting, .receiving, .joining, .completion: break
      }
    }
    let reasons: [Parking.Reason] = [
      .shutdown, .retry(at: time.date, error: "no"), .dead(error: "no"), .blocked(error: "no"),
      .exhausted(error: "no"),
    ]
    for reason in reasons {
      switch Parking(claim: held, reason: reason).reason {
      case .shutdown, .retry, .dead, .blocked, .exhausted: break
      }
    }
    #expect(RunQuery(since: time.date, before: id, limit: 9_999).effectiveLimit == 1_000)
    #expect(JournalRetention(runs: .seconds(1), stepsPerRun: 5).stepsPerRun == 5)
    #expect(JournalError.unavailable("full").isTransient && !JournalError.notJSON.isTransient)
    #expect(RunnerEvent.Loss.allCases == [.claimLost, .leaseEnded])
  }

  @Test("A journal of one's own passes the suite that every journal passes")
  func conformance() async throws {
    var suite = JournalConformance { OwnJournal() }
    suite.payloadLimit = 2_000
    suite.keepsReports = false
    try await suite.check()
  }
}
