import FieldstoneCore
import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

@Suite("A journal that can't be used for a while", .timeLimit(.minutes(20)))
struct UnavailableTests {
  /// Fails the first calls of a kind, before or after they are done.
  static func failing(
    _ call: JournalProxy.Call, times: Int, error: JournalError = .unavailable("no space")
  ) -> @Sendable (JournalProxy.Call) async throws -> Void {
    let failed = Recorder<Int>()
    return {
      guard $0 == call, failed.count < times else { return }
      failed.record(0)
      throw error
    }
  }

  private func isUnavailable(_ event: RunnerEvent) -> Bool {
    if case .journalUnavailable = event.kind { true } else { false }
  }

  @Test("A checkpoint is tried again while the lease lasts, the work is not")
  func checkpointAgain() async throws {
    let shop = Workshop(before: Self.failing(.checkpoint, times: 2))
    let begun = Recorder<Int>()
    let runner = try shop.runner(flow: .init(maxConcurrent: 1)) { _, context in
      begun.record(context.attempt)
      return .complete("done")
    }
    try await working(runner) {
      let run = try await runner.start(Scripted("a"))
      for pause in [10, 20] {
        await shop.event(where: isUnavailable)
        shop.events.removeAll()
        await shop.time.sleepers(atLeast: 1)
        shop.time.advance(by: .milliseconds(pause))
      }
      #expect(try await run.value == "done")
      #expect(begun.elements == [1])
    }
  }

  @Test("A right that a role lacks for a checkpoint costs no attempt, and may be granted meanwhile")
  func missingRight() async throws {
    let error = JournalError.notPermitted("the journal")
    let shop = Workshop(before: Self.failing(.checkpoint, times: 1, error: error))
    let begun = Recorder<Int>()
    let runner = try shop.runner(flow: .init(maxConcurrent: 1)) { _, context in
      begun.record(context.attempt)
      return .complete("done")
    }
    try await working(runner) {
      let run = try await runner.start(Scripted("a"))
      let event = await shop.event {
        if case .retry = $0.kind { true } else { isUnavailable($0) }
      }
      try #require(isUnavailable(event))
      await shop.time.sleepers(atLeast: 1)
      shop.time.advance(by: .milliseconds(10))
      #expect(try await run.value == "done")
      #expect(begun.elements == [1])
    }
  }

  @Test(
    "A checkpoint of which only the answer was lost is not made twice", arguments: [false, true],
    [0, 1])
  func answerLost(completes: Bool, failedReads: Int) async throws {
    let shop = Workshop(
      before: Self.failing(.run, times: failedReads), after: Self.failing(.checkpoint, times: 1))
    let begun = Recorder<String>()
    let runner = try shop.runner(flow: .init(maxConcurrent: 1)) { stage, _ in
      begun.record(stage.name)
      return stage.name == "a" && !completes ? .advance(to: "b") : .complete("done")
    }
    try await working(runner) {
      let run = try await runner.start(Scripted("a"))
      for pause in [10, 20].prefix(1 + failedReads) {
        await shop.event(where: isUnavailable)
        shop.events.removeAll()
        await shop.time.sleepers(atLeast: 1)
        shop.time.advance(by: .milliseconds(pause))
      }
      await shop.event { $0.kind == .completed }
      #expect(try await run.value == "done")
      let links = try await shop.links(of: run.id)
      #expect(links.map(\.sequence) == (completes ? [0] : [0, 1]))
      #expect(links.allSatisfy { $0.fence == 1 && $0.attempts == 1 })
      #expect(begun.elements == (completes ? ["a"] : ["a", "b"]))
    }
  }

  @Test("A checkpoint without an answer counts as made where another worker has the run since")
  func answerLostAndClaimed() async throws {
    let shop = Workshop(after: Self.failing(.checkpoint, times: 1))
    let runner = try shop.runner(flow: .init(maxConcurrent: 1)) { _, _ in
      .receive("go", until: nil, then: Scripted("b"))
    }
    let run = try await runner.start(Scripted("a"))
    try await run.signal("go", 1)
    try await working(runner) {
      await shop.event(where: isUnavailable)
      let request = ClaimRequest(
        worker: "b", flows: [.init(flow: "scripted", version: 1, limit: 1)], lease: .seconds(30))
      let claim = try await shop.memory.claim(request, at: JournalTime(shop.source, boot: "boot"))
      try #require(claim.runs.map(\.record.id) == [run.id])
      await shop.time.sleepers(atLeast: 1)
      shop.time.advance(by: .milliseconds(10))
      await shop.event {
        switch $0.kind {
        case .stageFinished, .lost: true
        default: false
        }
      }
      #expect(!shop.events.elements.contains { if case .lost = $0.kind { true } else { false } })
    }
    let lines = try await shop.memory.report(of: run.id, after: nil).lines.map(\.text)
    #expect(!lines.contains { $0.contains("refused") })
  }

  @Test("While a run that can't be read is given back, others are claimed")
  func parkHeldUp() async throws {
    let gate = Gate()
    let shop = Workshop(before: { if $0 == .park { await gate.wait() } })
    let runner = try shop.runner(flow: .init(maxConcurrent: 2)) { _, _ in .complete("done") }
    let now = JournalTime(shop.source, boot: "boot")
    _ = try await shop.memory.start(
      RunStart(id: RunID(at: now.date), flow: "scripted", version: 1, payload: Data("1".utf8)),
      at: now)
    try await working(runner) {
      await gate.arrivals(atLeast: 1)
      let run = try await runner.start(Scripted("a"))
      #expect(try await run.value == "done")
      gate.open()
    }
  }

  @Test("A lease counts from the checkpoint that brought it, also when its answer was lost")
  func leaseOfLostAnswer() async throws {
    let shop = Workshop(after: Self.failing(.checkpoint, times: 1))
    let gates = ["a": Gate(), "b": Gate()]
    let runner = try shop.runner(flow: .init(maxConcurrent: 1)) { stage, _ in
      try await gates[stage.name]?.waitUnlessCancelled()
      return stage.name == "a" ? .advance(to: "b") : .complete("done")
    }
    try await working(runner) {
      let run = try await runner.start(Scripted("a"))
      await gates["a"]?.arrivals(atLeast: 1)
      await shop.time.sleepers(atLeast: 1)
      shop.time.advance(by: .seconds(5))
      gates["a"]?.open()
      // The journal has it since 1,005, the runner knows of it at 1,009.
      await shop.event(where: isUnavailable)
      await shop.time.sleepers(atLeast: 2)
      shop.deadlines.removeAll()
      shop.time.advance(by: .seconds(4))
      await gates["b"]?.arrivals(atLeast: 1)
      // A third of the first lease: whoever keeps the leases looks then, and finds the new one.
      shop.time.advance(by: .seconds(1))
      #expect(await shop.deadlines.elements(atLeast: 1) == [1_015])
      gates["b"]?.open()
      #expect(try await run.value == "done")
    }
  }

  @Test("Once the lease is over the run is let go, and done again when the journal is back")
  func checkpointGivenUp() async throws {
    let isDown = Gate()
    let isBack = Gate()
    let shop = Workshop(before: {
      if isDown.isOpen, !isBack.isOpen, $0 != .run { throw JournalError.unavailable("no space") }
    })
    let runner = try shop.runner(flow: .init(maxConcurrent: 1)) { _, context in
      if context.attempt == 1 { isDown.open() }
      return .complete("attempt \(context.attempt)")
    }
    try await working(runner) {
      let run = try await runner.start(Scripted("a"))
      await shop.event(where: isUnavailable)
      await shop.time.sleepers(atLeast: 1)
      shop.time.advance(by: .seconds(30))
      await shop.event { $0.kind == .lost(.leaseEnded) && $0.run == run.id }
      isBack.open()
      await shop.time.sleepers(atLeast: 1)
      shop.time.advance(by: .seconds(5))
      #expect(try await run.value == "attempt 2")
    }
  }

  @Test("A run that can't be given back is tried again, also while it shuts down")
  func parkAgain() async throws {
    let shop = Workshop(before: Self.failing(.park, times: 1))
    let gate = Gate()
    let runner = try shop.runner(flow: .init(maxConcurrent: 1)) { _, _ in
      try await gate.waitUnlessCancelled()
      return .complete("done")
    }
    let run = try await runner.start(Scripted("a"))
    let work = Task { try await runner.run() }
    await gate.arrivals(atLeast: 1)
    work.cancel()
    await shop.event(where: isUnavailable)
    await shop.time.sleepers(atLeast: 1)
    shop.time.advance(by: .milliseconds(10))
    await #expect(throws: CancellationError.self) { try await work.value }
    #expect(try await run.record.state == .ready)
  }

  @Test("A runner ends a second after its grace, also while nothing can be written")
  func endsWithoutJournal() async throws {
    let shop = Workshop(before: {
      if $0 == .checkpoint || $0 == .park { throw JournalError.unavailable("no space") }
    })
    let runner = try shop.runner(flow: .init(maxConcurrent: 1)) { _, _ in .complete("done") }
    let run = try await runner.start(Scripted("a"))
    let work = Task { try await runner.run() }
    await shop.event(where: isUnavailable)
    await shop.deadline(at: 1_000.01)
    work.cancel()
    shop.time.advance(by: .seconds(1))
    await #expect(throws: CancellationError.self) { try await work.value }
    #expect(shop.events.elements.last?.kind == .lost(.leaseEnded))
    let record = try await run.record
    #expect(record.state == .running && record.sequence == 0)
  }

  @Test("Claiming goes on, less and less often, and recovers")
  func claimAgain() async throws {
    let shop = Workshop(before: Self.failing(.claim, times: 3))
    let runner = try shop.runner { _, _ in .complete("done") }
    let run = try await runner.start(Scripted("a"))
    try await working(runner) {
      for pause in [500, 1_000, 2_000] {
        await shop.event(where: isUnavailable)
        shop.events.removeAll()
        await shop.time.sleepers(atLeast: 1)
        shop.time.advance(by: .milliseconds(pause))
      }
      let completion = try await run.value
      #expect(completion == "done")
      #expect(shop.deadlines.elements.prefix(3) == [1_000.5, 1_001.5, 1_003.5])
    }
  }

  @Test("While one run's checkpoint is refused the others go on")
  func othersGoOn() async throws {
    let stuck = Recorder<Int>()
    let shop = Workshop()
    let journal = OneRunDown(decorated: shop.memory, stuck: stuck)
    let flow = DurableFlow(
      Scripted.self, name: "scripted", services: Script { stage, _ in .complete(stage.name) })
    let runner = try DurableRunner(
      journal: journal, flows: [flow], options: shop.options(), time: shop.time.source)
    try await working(runner) {
      let bad = try await runner.start(Scripted("bad"))
      await stuck.elements(atLeast: 1)
      for number in 0..<20 {
        #expect(try await runner.start(Scripted("\(number)")).value == "\(number)")
      }
      #expect(try await bad.record.state == .running)
      shop.time.advance(by: .seconds(30))
    }
  }

  /// Refuses what ends in "bad".
  struct OneRunDown: JournalDecorator {
    let decorated: any Journal
    let stuck: Recorder<Int>

    func checkpoint(
      _ checkpoint: Checkpoint, at time: JournalTime
    ) async throws -> CheckpointReceipt {
      if case .completion(let data) = checkpoint.next, data == Data(#""bad""#.utf8) {
        stuck.record(0)
        throw JournalError.unavailable("no space")
      }
      return try await decorated.checkpoint(checkpoint, at: time)
    }
  }

  @Test(
    "A journal that is of no use any more ends the runner",
    arguments: [
      JournalError.corrupt("bad page"), .newerSchema(found: 3, known: 2), .noJournal("x"),
    ])
  func corrupt(error: JournalError) async throws {
    let shop = Workshop(before: Self.failing(.claim, times: .max, error: error))
    let runner = try shop.runner { _, _ in .complete("done") }
    await #expect(throws: error) { try await runner.run() }
  }

  @Test("A handle waits until the journal is back")
  func handleWaits() async throws {
    let shop = Workshop(before: Self.failing(.run, times: 1))
    let runner = try shop.runner { _, _ in .complete("done") }
    let run = try await runner.start(Scripted("a"))
    let value = Task { try await run.value }
    await shop.time.sleepers(atLeast: 1)
    #expect(try await working(runner) { try await value.value } == "done")
  }
}
