import FieldstoneCore
import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

@Suite("A durable runner", .timeLimit(.minutes(20)))
struct RunnerTests {
  let shop = Workshop()

  @Test("A plain Codable stage runs as it is, and its chain is 0…n")
  func plainStage() async throws {
    let runner = try shop.runner(DurableFlow(CountingDown.self))
    let run = try await working(runner) {
      let run = try await runner.start(CountingDown.at(3))
      #expect(try await run.value == "lift-off")
      return run
    }
    let links = try await shop.links(of: run.id)
    #expect(links.map(\.sequence) == [0, 1, 2, 3])
    #expect(try links.map { try $0.stage(as: CountingDown.self) } == [3, 2, 1, 0].map { .at($0) })
    #expect(links.allSatisfy { $0.fence == 1 && $0.attempts == 1 && $0.worker == "a" })
    let record = try await run.record
    #expect(record.state == .completed && record.sequence == 4 && record.worker == nil)
    #expect(record.flow == "counting-down" && record.version == 1)
  }

  @Test("A contextual stage gets its services")
  func services() async throws {
    let runner = try shop.runner(DurableFlow(Adding.self, name: "adding", services: { $0 + $1 }))
    let total = try await working(runner) {
      try await runner.start(Adding.add([1, 2, 3], to: 0)).value
    }
    #expect(total == 6)
  }

  @Test("A durable stage knows its run, its place in the chain and its key")
  func context() async throws {
    let keys = Recorder<String>()
    let runner = try shop.runner { stage, context in
      keys.record(context.idempotencyKey)
      #expect(context.attempt == 1 && context.now == self.shop.time.now && context.signal == nil)
      return stage.name == "a" ? .advance(to: "b") : .complete("\(context.run)")
    }
    let run = try await working(runner) {
      let run = try await runner.start(Scripted("a"))
      #expect(try await run.value == run.id.description)
      return run
    }
    #expect(keys.elements == ["\(run.id)-0", "\(run.id)-1"])
  }

  @Test("Work that cancels its own task gets its checkpoint; the next stage is not cancelled")
  func cancelsItself() async throws {
    let runner = try shop.runner { stage, _ in
      guard stage.name == "a" else { return .complete(Task.isCancelled ? "cancelled" : "free") }
      withUnsafeCurrentTask { $0?.cancel() }
      return .advance(to: "b")
    }
    let state = try await working(runner) { try await runner.start(Scripted("a")).value }
    #expect(state == "free")
  }

  @Test("A wait is in the journal, holds no lease, and ends at its time")
  func waits() async throws {
    let date = shop.time.now + 60
    let runner = try shop.runner { stage, _ in
      stage.name == "a" ? .wait(until: date, then: "b") : .complete("awake")
    }
    try await working(runner) {
      let run = try await runner.start(Scripted("a"))
      await shop.event { $0.kind == .stageFinished(attempt: 1, duration: .zero) }
      let record = try await run.record
      #expect(record.state == .ready && record.dueAt == date && record.worker == nil)
      let value = Task { try await run.value }
      await shop.time.sleepers(atLeast: 2)
      #expect(try await run.record.state == .ready)
      shop.time.advance(by: .seconds(60))
      #expect(try await value.value == "awake")
    }
  }

  @Test("What is due sooner than the next poll is claimed at its time")
  func dueBeforePoll() async throws {
    let date = shop.time.now + 0.125
    let runner = try shop.runner { stage, _ in
      stage.name == "a" ? .wait(until: date, then: "b") : .complete("awake")
    }
    try await working(runner) {
      let run = try await runner.start(Scripted("a"))
      await shop.event { $0.kind == .stageFinished(attempt: 1, duration: .zero) }
      await shop.deadline(at: 1_000.125_001)
      shop.time.advance(by: .milliseconds(126))
      await shop.event { $0.kind == .completed }
      #expect(try await run.value == "awake")
    }
  }

  @Test("A wall clock that is set back while it waits does not keep it from other runs")
  func clockSetBack() async throws {
    let date = shop.time.now + 0.125
    let runner = try shop.runner { stage, _ in
      stage.name == "a" ? .wait(until: date, then: "b") : .complete("awake")
    }
    let elsewhere = try shop.runner(options: shop.options(worker: "b")) { _, _ in .complete("") }
    try await working(runner) {
      _ = try await runner.start(Scripted("a"))
      await shop.event { $0.kind == .stageFinished(attempt: 1, duration: .zero) }
      await shop.deadline(at: 1_000.125_001)
      shop.time.setWallClock(to: date - 86_400)
      let other = try await elsewhere.start(Scripted("b"))
      shop.time.advance(by: .milliseconds(126))
      await shop.event { $0.kind == .completed && $0.run == other.id }
    }
  }

  @Test("A key starts a run once, and finds it ever after")
  func key() async throws {
    let runner = try shop.runner(DurableFlow(CountingDown.self))
    try await working(runner) {
      let first = try await runner.start(CountingDown.at(1), key: "k")
      _ = try await first.value
      let second = try await runner.start(CountingDown.at(9), key: "k")
      #expect(second.id == first.id)
      #expect(try await second.value == "lift-off")
      #expect(try await runner.start(CountingDown.at(1), key: "l").id != first.id)
    }
  }

  @Test("A handle by id waits for a run that another runner works on")
  func handleElsewhere() async throws {
    let gate = Gate()
    let worker = try shop.runner { _, _ in
      await gate.wait()
      return .complete("done")
    }
    let watcher = try shop.runner(options: shop.options(worker: "watcher"))
    try await working(worker) {
      let run = try await worker.start(Scripted("a"))
      let elsewhere = watcher.handle(run.id, completion: String.self)
      await gate.arrivals(atLeast: 1)
      let value = Task { try await elsewhere.value }
      // The two sleep for the watcher's poll and for the lease, besides the worker's own poll.
      await shop.time.sleepers(atLeast: 3)
      gate.open()
      _ = try await run.value
      shop.time.advance(by: .milliseconds(250))
      #expect(try await value.value == "done")
    }
  }

  @Test("The stages come as they are left, also to one who comes late")
  func stages() async throws {
    let gate = Gate()
    let runner = try shop.runner { stage, _ in
      switch stage.name {
      case "a": return .advance(to: "b")
      case "b":
        await gate.wait()
        return .advance(to: "c")
      default: return .complete("done")
      }
    }
    try await working(runner) {
      let run = try await runner.start(Scripted("a"))
      var stages = run.stages.makeAsyncIterator()
      #expect(try await stages.next()?.stage(as: Scripted.self) == "a")
      gate.open()
      #expect(try await stages.next()?.stage(as: Scripted.self) == "b")
      #expect(try await stages.next()?.stage(as: Scripted.self) == "c")
      #expect(try await stages.next() == nil)
      var late: [Int] = []
      for try await step in run.stages { late.append(step.sequence) }
      #expect(late == [0, 1, 2])
    }
  }

  @Test("Copies of a position wait for the next stage side by side")
  @MainActor func copiedPositions() async throws {
    let gate = Gate()
    let runner = try shop.runner { _, _ in
      await gate.wait()
      return .complete("done")
    }
    try await working(runner) {
      let run = try await runner.start(Scripted("a"))
      await gate.arrivals(atLeast: 1)
      let position = run.stages.makeAsyncIterator()
      let copies = (0..<2).map { _ in
        Task { @MainActor in
          var copy = position
          return try await copy.next(isolation: MainActor.shared)?.sequence
        }
      }
      for _ in 0..<100 { await Task.yield() }
      gate.open()
      for copy in copies { #expect(try await copy.value == 0) }
    }
  }

  @Test("Cancelling a run cancels its work at once, and nothing more is written")
  func cancel() async throws {
    let gate = Gate()
    let runner = try shop.runner { _, _ in
      try await gate.waitUnlessCancelled()
      return .complete("done")
    }
    try await working(runner) {
      let run = try await runner.start(Scripted("a"))
      await gate.arrivals(atLeast: 1)
      try await run.cancel()
      #expect(await run.outcome.cancellation == .caller)
      await #expect(throws: CallCancelled(.caller)) { try await run.value }
      await shop.event { $0.kind == .lost(.claimLost) }
      try await run.cancel()
      #expect(try await shop.links(of: run.id).isEmpty)
      #expect(try await run.record.state == .cancelled)
    }
  }

  @Test("Cancelling a run leaves alone who claimed it after a retry that came in between")
  func cancelAndRetry() async throws {
    let answer = Gate()
    let shop = Workshop(after: { if $0 == .change { await answer.wait() } })
    let begun = Recorder<Int>()
    let cancelled = Recorder<Int>()
    let gate = Gate()
    let runner = try shop.runner { _, _ in
      let number = begun.count
      begun.record(number)
      try await withTaskCancellationHandler {
        try await gate.waitUnlessCancelled()
      } onCancel: {
        cancelled.record(number)
      }
      return .complete("done")
    }
    try await working(runner) {
      let run = try await runner.start(Scripted("a"))
      await gate.arrivals(atLeast: 1)
      let cancelling = Task { try await run.cancel() }
      await answer.arrivals(atLeast: 1)
      // Another person retries it before the answer is here, and it is claimed again.
      try await shop.memory.change(run.id, .retry, at: JournalTime(shop.source, boot: "boot"))
      _ = try await runner.start(Scripted("b"))
      await gate.arrivals(atLeast: 3)
      answer.open()
      try await cancelling.value
      try #require(cancelled.elements == [0])
      gate.open()
      #expect(try await run.value == "done")
    }
  }

  @Test("Who waits hears at once of a run that nobody works on being called off")
  func cancelUnclaimed() async throws {
    let runner = try shop.runner(DurableFlow(CountingDown.self))
    let run = try await runner.start(CountingDown.at(1))
    let value = Task { try await run.value }
    await shop.time.sleepers(atLeast: 1)
    try await run.cancel()
    await #expect(throws: CallCancelled(.caller)) { try await value.value }
  }

  @Test("Called off just after a checkpoint, the next stage is cancelled as it begins")
  func cancelBetweenStages() async throws {
    let answer = Gate()
    let shop = Workshop(after: { if $0 == .checkpoint { await answer.wait() } })
    let cancelled = Gate()
    let runner = try shop.runner { stage, _ in
      if stage.name == "a" { return .advance(to: "b") }
      await cancelled.wait(cancellationOpens: cancelled)
      return .complete("done")
    }
    try await working(runner) {
      let run = try await runner.start(Scripted("a"))
      await answer.arrivals(atLeast: 1)
      try await run.cancel()
      answer.open()
      await shop.event { $0.kind == .lost(.claimLost) && $0.sequence == 1 }
      #expect(try await shop.links(of: run.id).count == 1)
    }
  }

  @Test("What is started while a claim is under way is claimed at once")
  func startedDuringClaim() async throws {
    let answer = Gate()
    let shop = Workshop(after: { if $0 == .claim { await answer.wait() } })
    let runner = try shop.runner(DurableFlow(CountingDown.self))
    try await working(runner) {
      await answer.arrivals(atLeast: 1)
      _ = try await runner.start(CountingDown.at(1))
      answer.open()
      await shop.event { $0.kind == .completed }
    }
  }

  @Test("Whoever stops waiting leaves at once; the run goes on")
  func waiterLeaves() async throws {
    let gate = Gate()
    let runner = try shop.runner { _, _ in
      await gate.wait()
      return .complete("done")
    }
    try await working(runner) {
      let run = try await runner.start(Scripted("a"))
      await gate.arrivals(atLeast: 1)
      let waiter = Task { try await run.value }
      let watcher = Task { for try await _ in run.stages {} }
      waiter.cancel()
      watcher.cancel()
      await #expect(throws: CancellationError.self) { try await waiter.value }
      await #expect(throws: CancellationError.self) { try await watcher.value }
      gate.open()
      #expect(try await run.value == "done")
    }
  }

  @Test("Runs of a flow share its bound, and each flow has its own")
  func bounded() async throws {
    let gate = Gate()
    let wide = FlowOptions<Scripted>(maxConcurrent: 3)
    let script = Script { _, _ in
      await gate.wait()
      return .complete("done")
    }
    let runner = try shop.runner(
      DurableFlow(Scripted.self, name: "wide", services: script, options: wide),
      DurableFlow(Scripted.self, name: "narrow", services: script, options: .init(maxConcurrent: 1))
    )
    try await working(runner) {
      var runs: [RunHandle<String>] = []
      for _ in 0..<5 {
        runs.append(try await runner.start(Scripted("a"), flow: "wide"))
        runs.append(try await runner.start(Scripted("a"), flow: "narrow"))
      }
      await gate.arrivals(atLeast: 4)
      await shop.time.sleepers(atLeast: 1)  // leases
      let running = try await shop.memory.runs(RunQuery(states: [.running])).runs.map(\.flow)
      #expect(running.sorted() == ["narrow", "wide", "wide", "wide"])
      #expect(gate.arrivalCount == 4)
      gate.open()
      for run in runs { #expect(try await run.value == "done") }
    }
  }

  @Test("It lets go of what is over and old, by its own clock")
  func purge() async throws {
    let runner = try shop.runner(DurableFlow(CountingDown.self))
    let run = try await working(runner) {
      let run = try await runner.start(CountingDown.at(1), key: "k")
      _ = try await run.value
      return run
    }
    let later = try await runner.start(CountingDown.at(1), key: "l")
    shop.time.advance(by: .seconds(86_400))
    #expect(try await runner.purge() == 0)
    #expect(try await runner.purge(JournalRetention(runs: .seconds(86_399))) == 1)
    await #expect(throws: JournalError.noRun(run.id)) { try await run.record }
    #expect(try await later.record.state == .ready)
  }

  @Test("What a runner can't do is a typed error")
  func refused() async throws {
    #expect(throws: DurableRunnerError.duplicateFlow("counting-down")) {
      try shop.runner(DurableFlow(CountingDown.self), DurableFlow(CountingDown.self))
    }
    let runner = try shop.runner(DurableFlow(CountingDown.self))
    await #expect(throws: DurableRunnerError.notRegistered(stage: "Scripted")) {
      try await runner.start(Scripted("a"))
    }
    let text = "CountingDown as “other”, but as “counting-down”"
    await #expect(throws: DurableRunnerError.notRegistered(stage: text)) {
      try await runner.start(CountingDown.at(1), flow: "other")
    }
    let unknown = try #require(RunID("00000000000000000000000000"))
    await #expect(throws: JournalError.noRun(unknown)) {
      try await runner.handle(unknown, completion: String.self).value
    }
    try await working(runner) {
      _ = try await runner.start(CountingDown.at(1)).value
      await #expect(throws: DurableRunnerError.runsAlready) { try await runner.run() }
    }
    for error in [
      DurableRunnerError.duplicateFlow("x"), .notRegistered(stage: "x"), .runsAlready,
    ] {
      #expect(error.message.hasSuffix(".") && error.message.contains(";"))
    }
  }
}
