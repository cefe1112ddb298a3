import FieldstoneCore
import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

@Suite("The end of a durable runner", .timeLimit(.minutes(20)))
struct ShutdownTests {
  let shop = Workshop()

  enum End: CaseIterable { case cancelled, shutDown }

  @Test(
    "It cancels what runs, gives it back with the attempt not counted, and returns",
    arguments: End.allCases)
  func parks(end: End) async throws {
    let gate = Gate()
    let runner = try shop.runner { stage, _ in
      if stage.name == "a" { return .advance(to: "b") }
      try await gate.waitUnlessCancelled()
      return .complete("done")
    }
    let work = Task { try await runner.run() }
    let run = try await runner.start(Scripted("a"))
    await gate.arrivals(atLeast: 1)
    switch end {
    case .cancelled:
      work.cancel()
      await #expect(throws: CancellationError.self) { try await work.value }
    case .shutDown:
      await runner.shutdown()
      try await work.value
    }
    let record = try await run.record
    #expect(record.state == .ready && record.attempts == 0 && record.worker == nil)
    #expect(record.sequence == 1 && record.error == nil && record.dueAt == nil)
    #expect(shop.events.elements.last?.kind == .parked)
    gate.open()
    #expect(try await working(runner) { try await run.value } == "done")
    #expect(try await shop.links(of: run.id).map(\.fence) == [1, 2])
  }

  @Test("What cut-short work comes to is dropped, whatever it is", arguments: [true, false])
  func dropped(fails: Bool) async throws {
    let gate = Gate()
    let runner = try shop.runner { _, _ in
      try? await gate.waitUnlessCancelled()
      if fails { throw RetryTests.Trouble() }
      return .complete("half of it")
    }
    let work = Task { try await runner.run() }
    let run = try await runner.start(Scripted("a"))
    await gate.arrivals(atLeast: 1)
    await runner.shutdown()
    try await work.value
    let record = try await run.record
    #expect(record.state == .ready && record.attempts == 0 && record.error == nil)
    #expect(try await shop.links(of: run.id).isEmpty)
  }

  @Test("Within the grace a stage comes to its checkpoint, and the next does not begin")
  func grace() async throws {
    let gate = Gate()
    let begun = Recorder<String>()
    let runner = try shop.runner(
      options: shop.options(grace: .seconds(5)), flow: .init(maxConcurrent: 1)
    ) { stage, _ in
      begun.record(stage.name)
      await gate.wait()
      return .advance(to: Scripted(stage.name + "!"))
    }
    let work = Task { try await runner.run() }
    let run = try await runner.start(Scripted("a"))
    await gate.arrivals(atLeast: 1)
    await shop.time.sleepers(atLeast: 1)
    let shutdown = Task { await runner.shutdown() }
    // The lease's, and the grace's: without room it polls for nothing.
    await shop.time.sleepers(atLeast: 2)
    shop.time.advance(by: .seconds(4))
    gate.open()
    await shutdown.value
    try await work.value
    let record = try await run.record
    #expect(record.state == .ready && record.sequence == 1 && record.attempts == 0)
    #expect(begun.elements == ["a"])
  }

  @Test("Once it is shut down it can run again")
  func runsAgain() async throws {
    let runner = try shop.runner { _, _ in .complete("done") }
    for number in 1...100 {
      let work = Task { try await runner.run() }
      _ = try await runner.start(Scripted("a"))
      await shop.event { $0.kind == .completed }
      shop.events.removeAll()
      await runner.shutdown()
      let again = Task { try await runner.run() }
      again.cancel()
      let result = await again.result
      try #require(throws: CancellationError.self, "at \(number)") { try result.get() }
      try await work.value
    }
  }

  @Test("A shutdown that is slow to begin leaves no timer behind when all has ended before")
  func graceAfterTheEnd() async throws {
    let (works, stops) = (QueueExecutor("works"), QueueExecutor("stops"))
    let goesOn = DispatchSemaphore(value: 0)
    let source = shop.time.source
    let time = TimeSource(
      now: { source.now },
      uptime: {
        // Held up in the middle of the stopping.
        if stops.isCurrent { goesOn.wait() }
        return source.uptime
      },
      sleepUntilUptime: { try await source.sleep(untilUptime: $0) },
      sleepUntilDate: { try await source.sleep(until: $0) })
    var options = shop.options(grace: .seconds(5))
    options.executor = works
    let runner = try DurableRunner(
      journal: shop.journal, flows: [DurableFlow(CountingDown.self)], options: options, time: time)
    let work = Task { try await runner.run() }
    _ = try await runner.start(CountingDown.at(0)).value
    let stopping = Task(executorPreference: stops) { await runner.shutdown() }
    try await work.value
    goesOn.signal()
    await stopping.value
    // One that is woken by the end of its sleep may need another turn to end.
    for _ in 0..<4 { works.drain() }
    #expect(shop.time.sleeperCount == 0)
  }

  @Test(
    "A journal that does not answer holds a shutdown up for a second after the grace, and no longer",
    arguments: [JournalCall.checkpoint, .park])
  func silentJournal(call: JournalCall) async throws {
    let (stage, journal) = (Gate(), Gate())
    let shop = Workshop(before: { if $0 == call { await journal.wait() } })
    let runner = try shop.runner(
      options: shop.options(grace: .seconds(5)), flow: .init(maxConcurrent: 1)
    ) { _, _ in
      if call == .checkpoint { await stage.wait() } else { try await stage.waitUnlessCancelled() }
      return .complete("done")
    }
    let work = Task { try await runner.run() }
    let run = try await runner.start(Scripted("a"))
    await stage.arrivals(atLeast: 1)
    await shop.time.sleepers(atLeast: 1)
    let shutdown = Task { await runner.shutdown() }
    await shop.time.sleepers(atLeast: 2)
    if call == .checkpoint {
      stage.open()
      await journal.arrivals(atLeast: 1)
    }
    shop.time.advance(by: .seconds(5))
    await journal.arrivals(atLeast: 1)
    // The last second has begun.
    var count = 0
    while !shop.deadlines.elements.contains(1_006) {
      count += 1
      _ = await shop.deadlines.elements(atLeast: count)
    }
    shop.time.advance(by: .seconds(1))
    await shutdown.value
    try await work.value
    #expect(shop.events.elements.last?.kind == .lost(.leaseEnded))
    #expect(try await run.record.state == .running)
    journal.open()
  }

  /// Begins work that ignores its cancellation, and shuts its runner down until the grace is over.
  private func outlivesGrace(
    in shop: Workshop, until stage: Gate
  ) async throws -> (runner: DurableRunner, run: RunHandle<String>, end: Task<Void, any Error>) {
    let cancelled = Gate()
    let runner = try shop.runner(
      options: shop.options(grace: .seconds(5)), flow: .init(maxConcurrent: 1)
    ) { _, _ in
      await stage.wait(cancellationOpens: cancelled)
      return .complete("done")
    }
    let work = Task { try await runner.run() }
    let run = try await runner.start(Scripted("a"))
    await stage.arrivals(atLeast: 1)
    let end = Task {
      await runner.shutdown()
      try await work.value
    }
    await shop.deadline(at: 1_005)
    shop.time.advance(by: .seconds(5))
    await cancelled.wait()
    return (runner, run, end)
  }

  /// Waits until a runner has the answer to a renewal that begins now.
  private func hasRenewed(_ runner: DurableRunner) async {
    while runner.standing(atMost: 1).held.first?.leaseLeft != .seconds(30) {
      if Task.isCancelled {
        Issue.record("The lease was not renewed.")
        return
      }
      await Task.yield()
    }
  }

  enum LateAnswer: CaseIterable { case slow, afterOneRefusal, never }

  @Test(
    "Work that returns long after the grace is given back, if the journal answers within a second",
    arguments: LateAnswer.allCases)
  func returnsLate(answer: LateAnswer) async throws {
    let (stage, journal, parkings) = (Gate(), Gate(), Recorder<JournalCall>())
    let shop = Workshop(before: {
      // Nor does it answer what comes after.
      if answer == .never, $0 == .park || parkings.count > 0 {
        parkings.record($0)
        await journal.wait()
      }
      guard $0 == .park else { return }
      parkings.record($0)
      for _ in 0..<100 { await Task.yield() }
      if answer == .afterOneRefusal, parkings.count == 1 {
        throw JournalError.unavailable("no space")
      }
    })
    let (_, run, end) = try await outlivesGrace(in: shop, until: stage)
    shop.time.advance(by: .seconds(2))
    stage.open()
    await parkings.elements(atLeast: 1)
    switch answer {
    case .slow: break
    case .afterOneRefusal:
      await shop.deadline(at: 1_007.01)
      shop.time.advance(by: .milliseconds(10))
    case .never: shop.time.advance(by: .seconds(1))
    }
    try await end.value
    let isGivenBack = answer != .never
    #expect(shop.events.elements.last?.kind == (isGivenBack ? .parked : .lost(.leaseEnded)))
    #expect(try await shop.memory.run(run.id)?.state == (isGivenBack ? .ready : .running))
    journal.open()
  }

  @Test("The lease of work that ignores its cancellation is renewed for as long as that lasts")
  func leaseOfLateWork() async throws {
    let (stage, renewals) = (Gate(), Recorder<JournalCall>())
    let shop = Workshop(before: {
      guard $0 == .renew else { return }
      for _ in 0..<100 { await Task.yield() }
      renewals.record($0)
    })
    let (runner, run, end) = try await outlivesGrace(in: shop, until: stage)
    // Over two leases, by thirds.
    for number in 1...7 {
      shop.time.advance(by: .seconds(number == 1 ? 5 : 10))
      await hasRenewed(runner)
      #expect(renewals.count == number)
    }
    let room = ClaimRequest.FlowRoom(flow: "scripted", version: 1, limit: 1)
    let claim = try await shop.memory.claim(
      ClaimRequest(worker: "b", flows: [room], lease: .seconds(30)),
      at: JournalTime(shop.time.source, boot: "boot"))
    #expect(claim.runs.isEmpty)
    stage.open()
    try await end.value
    #expect(shop.events.elements.last?.kind == .parked)
    #expect(try await run.record.state == .ready)
  }

  @Test("After the grace a renewal without an answer is tried again")
  func renewalWithoutAnswer() async throws {
    let (stage, journal, renewals) = (Gate(), Gate(), Recorder<JournalCall>())
    let shop = Workshop(before: {
      guard $0 == .renew else { return }
      renewals.record($0)
      if renewals.count == 1 { await journal.wait() }
    })
    let (runner, run, end) = try await outlivesGrace(in: shop, until: stage)
    shop.time.advance(by: .seconds(5))
    await renewals.elements(atLeast: 1)
    shop.time.advance(by: .seconds(1))
    // A twelfth of the lease later.
    await shop.deadline(at: 1_013.5)
    shop.time.advance(by: .milliseconds(2_500))
    await hasRenewed(runner)
    #expect(renewals.count == 2)
    journal.open()
    stage.open()
    try await end.value
    #expect(shop.events.elements.last?.kind == .parked)
    #expect(try await run.record.state == .ready)
  }

  @Test("After the grace it is cancelled")
  func graceOver() async throws {
    let gate = Gate()
    let runner = try shop.runner(
      options: shop.options(grace: .seconds(5)), flow: .init(maxConcurrent: 1)
    ) { _, _ in
      try await gate.waitUnlessCancelled()
      return .complete("done")
    }
    let work = Task { try await runner.run() }
    let run = try await runner.start(Scripted("a"))
    await gate.arrivals(atLeast: 1)
    await shop.time.sleepers(atLeast: 1)
    let shutdown = Task { await runner.shutdown() }
    await shop.time.sleepers(atLeast: 2)
    #expect(try await run.record.state == .running)
    shop.time.advance(by: .seconds(5))
    await shutdown.value
    try await work.value
    #expect(try await run.record.state == .ready)
  }

  @Test("What is claimed while it ends is given back unbegun")
  func claimedLate() async throws {
    let gate = Gate()
    let shop = Workshop(after: { if $0 == .claim { await gate.wait() } })
    let runner = try shop.runner { _, _ in
      Issue.record("it was begun")
      return .complete("done")
    }
    let run = try await runner.start(Scripted("a"))
    let work = Task { try await runner.run() }
    await gate.arrivals(atLeast: 1)
    work.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await work.value }
    let record = try await run.record
    #expect(record.state == .ready && record.attempts == 0 && record.worker == nil)
  }

  @Test("A runner whose task was cancelled before does nothing; shutting it down is no error")
  func neverBegun() async throws {
    let runner = try shop.runner { _, _ in .complete("done") }
    let run = try await runner.start(Scripted("a"))
    let gate = Gate()
    let work = Task {
      await gate.wait()
      try await runner.run()
    }
    work.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await work.value }
    await runner.shutdown()
    #expect(try await run.record.fence == 0)
  }

  /// A journal that tells when nobody keeps it any more.
  private final class Kept: JournalDecorator {
    let decorated: any Journal = InMemoryJournal()
    let isGone: Gate

    init(isGone: Gate) { self.isGone = isGone }
    deinit { isGone.open() }
  }

  /// Whether this is the thread that stops the runner.
  @TaskLocal private static var isWhoStops = false

  @Test("Ended before who stops it has set the time of grace, it leaves no timer behind")
  func graceOfTheEnded() async throws {
    let (isStopping, isGone, mayGoOn) = (Gate(), Gate(), DispatchSemaphore(value: 0))
    let source = shop.time.source
    let time = TimeSource(
      now: { source.now },
      uptime: {
        if Self.isWhoStops {
          isStopping.open()
          mayGoOn.wait()
        }
        return source.uptime
      },
      sleepUntilUptime: { try await source.sleep(untilUptime: $0) },
      sleepUntilDate: { try await source.sleep(until: $0) })
    do {
      let runner = try DurableRunner(
        journal: Kept(isGone: isGone),
        flows: [
          DurableFlow(
            Scripted.self, name: "scripted", services: Script { _, _ in .complete("done") })
        ], options: shop.options(grace: .seconds(5)), time: time)
      let work = Task { try await runner.run() }
      await shop.time.sleepers(atLeast: 1)
      Thread { Self.$isWhoStops.withValue(true) { work.cancel() } }.start()
      await isStopping.wait()
      await runner.shutdown()
      mayGoOn.signal()
      _ = await work.result
    }
    await isGone.wait()
    #expect(shop.time.sleeperCount == 0)
  }
}
