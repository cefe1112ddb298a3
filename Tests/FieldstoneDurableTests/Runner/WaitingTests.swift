import FieldstoneCore
import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

@Suite("Handles that wait for runs", .timeLimit(.minutes(20)))
struct WaitingTests {
  let calls = Recorder<JournalProxy.Call>()

  private func workshop() -> Workshop {
    Workshop(after: { [calls] in if $0 == .run || $0 == .changes { calls.record($0) } })
  }

  private func count(_ call: JournalProxy.Call) -> Int {
    calls.elements.count { $0 == call }
  }

  @Test("However many wait, the journal is asked once a poll, and only what changed is read")
  func onePoll() async throws {
    let shop = workshop()
    let runner = try shop.runner { _, _ in .complete("done") }
    let handles = 300
    var runs: [RunHandle<String>] = []
    for _ in 0..<handles { runs.append(try await runner.start(Scripted("a"))) }
    let waiting = runs.map { run in Task { await run.outcome } }
    await calls.elements(atLeast: handles)
    // The first answer has a mark and no changes, so each looks again, once.
    await shop.time.sleepers(atLeast: 1)
    shop.time.advance(by: .milliseconds(250))
    await calls.elements(atLeast: 2 * handles + 1)
    for poll in 2...20 {
      await shop.time.sleepers(atLeast: 1)
      shop.time.advance(by: .milliseconds(250))
      await calls.elements(atLeast: 2 * handles + poll)
    }
    #expect(count(.changes) == 20)
    #expect(count(.run) == 2 * handles)
    // Another process calls one of them off.
    try await shop.memory.change(
      runs[7].id, .cancel, at: JournalTime(shop.time.source, boot: "boot"))
    await shop.time.sleepers(atLeast: 1)
    shop.time.advance(by: .milliseconds(250))
    guard case .cancelled = await waiting[7].value else {
      Issue.record("The handle did not hear that its run was cancelled.")
      return
    }
    #expect(count(.run) == 2 * handles + 1)
    for run in runs where run.id != runs[7].id { try await run.cancel() }
    for task in waiting { _ = await task.value }
  }

  @Test("One that waits for the end is not woken by each stage, one that watches is")
  func stages() async throws {
    let shop = workshop()
    let runner = try shop.runner { stage, _ in
      stage.name.count < 50 ? .advance(to: Scripted(stage.name + "a")) : .complete("done")
    }
    let run = try await runner.start(Scripted("a"))
    let value = Task { try await run.value }
    await calls.elements(atLeast: 1)
    let sent = try await working(runner) { try await value.value }
    #expect(sent == "done")
    // At the start; the claim nudges nobody, and the completion is handed over by the runner.
    #expect(count(.run) == 1)
    var links = 0
    for try await _ in run.stages { links += 1 }
    #expect(links == 50)
  }

  @Test("One whose run is over reads it once and polls nothing")
  func over() async throws {
    let shop = workshop()
    let executor = QueueExecutor("polls")
    var options = shop.options()
    options.executor = executor
    let runner = try shop.runner(options: options) { _, _ in .complete("done") }
    let run = try await runner.start(Scripted("a"))
    try await run.cancel()
    await #expect(throws: CallCancelled(.caller)) { try await run.value }
    for _ in 0..<20 { executor.drain() }
    #expect(calls.elements == [.run] && shop.deadlines.elements.isEmpty)
  }

  @Test("All that wait for a run get its completion, each after one read")
  func several() async throws {
    let shop = workshop()
    let runner = try shop.runner { _, _ in .complete("done") }
    let run = try await runner.start(Scripted("a"))
    let waiting = (0..<3).map { _ in Task { try await run.value } }
    await calls.elements(atLeast: 3)
    try await working(runner) {
      for task in waiting {
        let value = try await task.value
        #expect(value == "done")
      }
    }
    #expect(count(.run) == 3)
    // Later ones find nothing kept.
    #expect(try await run.value == "done")
    #expect(count(.run) == 4)
  }

  @Test("One that could not read its run looks again at the next poll")
  func unread() async throws {
    let reads = Recorder<Int>()
    let shop = Workshop(before: {
      guard $0 == .run, reads.count < 2 else { return }
      reads.record(0)
      throw JournalError.unavailable("by chance")
    })
    let runner = try shop.runner { _, _ in .complete("done") }
    let run = try await runner.start(Scripted("a"))
    try await run.cancel()
    let outcome = Task { await run.outcome }
    // The first poll wakes all. In the answer to the second the run has not changed.
    for read in 1...2 {
      await reads.elements(atLeast: read)
      await shop.time.sleepers(atLeast: 1)
      shop.time.advance(by: .milliseconds(250))
    }
    guard case .cancelled = await outcome.value else {
      Issue.record("It did not look again.")
      return
    }
  }

  @Test("A stage that awaits a run throws, with the remedy, instead of keeping its place for ever")
  func awaitedInStage() async throws {
    let shop = workshop()
    let other = try shop.runner { _, _ in .complete("child") }
    let child = try await other.start(Scripted("child"))
    let runner = try shop.runner(
      flow: .init(maxConcurrent: 1, retryPolicy: { _ in .never })
    ) { stage, _ in
      switch stage.name {
      case "value": return .complete(try await child.value)
      case "outcome": return .complete(try await child.outcome.get())
      case "stages":
        for try await _ in child.stages {}
        return .complete("stages")
      // What is only looked at does not wait.
      case "record": return .complete(try await child.record.state.rawValue)
      default: return .complete(stage.name)
      }
    }
    try await working(runner) {
      for name in ["value", "outcome", "stages"] {
        let parent = try await runner.start(Scripted(name))
        let error = DurableRunnerError.awaitedInStage(child.id, of: parent.id)
        await #expect(throws: DurableRunError.dead(parent.id, error: error.message)) {
          try await parent.value
        }
      }
      #expect(try await runner.start(Scripted("record")).value != "")
    }
  }

  @Test("Of a thousand starts at once some hundred hold their stages as JSON, the others wait")
  func startsInTurn() async throws {
    let gate = Gate()
    let executor = QueueExecutor("starts")
    let shop = Workshop(before: { if $0 == .start { await gate.wait() } })
    let runner = try shop.runner { _, _ in .complete("done") }
    let starts = (0..<1_000).map { _ in
      Task(executorPreference: executor) { try await runner.start(Scripted("a")).id }
    }
    for _ in 0..<20 { executor.drain() }
    #expect(gate.arrivalCount == DurableRunner.startsAtOnce)
    gate.open()
    var ids: Set<RunID> = []
    for start in starts { ids.insert(try await start.value) }
    #expect(ids.count == 1_000)
  }

  @Test("A runner whose journal is of no use any more ends, also while it has no room to claim")
  func uselessJournal() async throws {
    let isGone = Gate()
    let shop = Workshop(before: {
      if isGone.isOpen, $0 == .renew { throw JournalError.closed }
    })
    let gate = Gate()
    let runner = try shop.runner(
      options: shop.options(grace: .seconds(1_000)), flow: .init(maxConcurrent: 1)
    ) { _, _ in
      try await gate.waitUnlessCancelled()
      return .complete("done")
    }
    let work = Task { try await runner.run() }
    _ = try await runner.start(Scripted("a"))
    await gate.arrivals(atLeast: 1)
    isGone.open()
    await shop.time.sleepers(atLeast: 1)
    shop.time.advance(by: .seconds(10))
    await #expect(throws: JournalError.closed) { try await work.value }
  }

  @Test("Work has some seconds of grace unless options say otherwise")
  func grace() {
    #expect(DurableRunnerOptions().shutdownGrace == .seconds(10))
  }
}
