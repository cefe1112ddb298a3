import FieldstoneCore
import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

@Suite("Attempts at a durable stage", .timeLimit(.minutes(20)))
struct RetryTests {
  struct Trouble: DescribedError, Hashable {
    var message = "It went wrong; try again."
  }

  let shop = Workshop()

  private func options(random: UInt64) -> DurableRunnerOptions {
    var options = shop.options()
    options.random = { random }
    return options
  }

  @Test("A failed stage is attempted again after its wait, with the same key, then goes on")
  func retries() async throws {
    let keys = Recorder<String>()
    let runner = try shop.runner(options: options(random: .max)) { stage, context in
      keys.record("\(stage.name) \(context.sequence) \(context.attempt)")
      if stage.name == "a" { return .advance(to: "b") }
      if stage.name == "b", context.attempt < 3 { throw Trouble() }
      return stage.name == "b" ? .advance(to: "c") : .complete(context.idempotencyKey)
    }
    try await working(runner) {
      let run = try await runner.start(Scripted("a"))
      for wait in [1.0, 2.0] {
        let date = shop.time.now + wait
        await shop.event {
          $0.kind == .retry(attempt: Int(wait), at: date, error: Trouble().message)
        }
        let record = try await run.record
        #expect(record.state == .ready && record.dueAt == date && record.worker == nil)
        #expect(record.error == Trouble().message)
        await shop.time.sleepers(atLeast: 1)
        shop.time.advance(by: .seconds(wait))
      }
      #expect(try await run.value == "\(run.id)-2")
      #expect(keys.elements == ["a 0 1", "b 1 1", "b 1 2", "b 1 3", "c 2 1"])
      await shop.event { $0.kind == .completed }
      let finished = shop.events.elements.compactMap { event -> Int? in
        if case .stageFinished(let attempt, duration: _) = event.kind { attempt } else { nil }
      }
      #expect(finished == [1, 3, 1])
      let last = try await shop.links(of: run.id)[1]
      #expect(last.sequence == 1 && last.attempts == 3 && last.error == Trouble().message)
    }
  }

  @Test("The wait is anything from zero to a ceiling that doubles, up to its maximum")
  func fullJitter() async throws {
    let policy = StageRetryPolicy(
      maximumAttempts: 9, baseDelay: .seconds(2), maximumDelay: .seconds(7))
    for (random, waits) in [(UInt64.max, [2.0, 4, 7, 7]), (0, [0, 0, 0, 0])] {
      let shop = Workshop()
      var options = shop.options()
      options.random = { random }
      let runner = try shop.runner(options: options, flow: .init(retryPolicy: { _ in policy })) {
        _, context in
        if context.attempt <= waits.count { throw Trouble() }
        return .complete("done")
      }
      try await working(runner) {
        let run = try await runner.start(Scripted("a"))
        for (index, wait) in waits.enumerated() {
          let date = shop.time.now + wait
          await shop.event {
            $0.kind == .retry(attempt: index + 1, at: date, error: Trouble().message)
          }
          shop.time.advance(by: .seconds(wait))
        }
        #expect(try await run.value == "done")
      }
    }
  }

  @Test("When the attempts are used up it is dead, with its stage; by hand it begins anew")
  func dead() async throws {
    let isMended = Gate()
    let policy = StageRetryPolicy(maximumAttempts: 2, baseDelay: .zero)
    let runner = try shop.runner(flow: .init(retryPolicy: { _ in policy })) { stage, context in
      if stage.name == "a" { return .advance(to: "b") }
      guard isMended.isOpen else { throw Trouble() }
      return .complete("after \(context.attempt)")
    }
    try await working(runner) {
      let run = try await runner.start(Scripted("a"))
      await #expect(throws: DurableRunError.dead(run.id, error: Trouble().message)) {
        try await run.value
      }
      await shop.event { $0.kind == .dead(attempts: 2, error: Trouble().message) }
      let record = try await run.record
      #expect(record.state == .dead && record.attempts == 2 && record.sequence == 1)
      #expect(try StageJSON.value(Scripted.self, from: record.payload) == "b")
      isMended.open()
      try await run.retry()
      #expect(try await run.value == "after 1")
    }
  }

  @Test("Each stage has its own policy")
  func perStage() async throws {
    let runner = try shop.runner(
      flow: .init(retryPolicy: {
        StageRetryPolicy(maximumAttempts: $0 == "once" ? 1 : 3, baseDelay: .zero)
      })
    ) { _, _ in throw Trouble() }
    try await working(runner) {
      for (name, attempts) in [("once", 1), ("thrice", 3)] {
        let run = try await runner.start(Scripted(name))
        _ = await run.outcome
        #expect(try await run.record.attempts == attempts)
      }
    }
  }

  @Test("Only what the same work would meet again is not worth another attempt")
  func worthRetrying() throws {
    let id = try #require(RunID("00000000000000000000000000"))
    let again: [any Error] = [
      JournalError.tooLarge(bytes: 2, limit: 1), JournalError.notJSON, JournalError.noTransactions,
      JournalError.keyTooLong(bytes: 2, limit: 1), JournalError.childTaken(id),
      EncodingError.invalidValue(0, .init(codingPath: [], debugDescription: "")),
    ]
    let other: [any Error] = [
      JournalError.noRun(id), JournalError.unavailable("full"), JournalError.claimLost(id),
      JournalError.notAllowed(id, state: .dead, action: "signalled"), Trouble(),
      CancellationError(),
    ]
    #expect(again.allSatisfy { !StageRetryPolicy.isWorthRetrying($0) })
    #expect(other.allSatisfy { StageRetryPolicy.isWorthRetrying($0) })
  }

  @Test("An error that its policy gives up on is the end")
  func givenUp() async throws {
    let policy = StageRetryPolicy(shouldRetry: { !($0 is Trouble) })
    let runner = try shop.runner(flow: .init(retryPolicy: { _ in policy })) { _, _ in
      throw Trouble()
    }
    try await working(runner) {
      let run = try await runner.start(Scripted("a"))
      #expect(
        await run.outcome.error as? DurableRunError == .dead(run.id, error: Trouble().message))
      #expect(try await run.record.attempts == 1)
    }
  }

  @Test("CancellationError that nobody's cancellation explains is a failed attempt")
  func unexplainedCancellation() async throws {
    let runner = try shop.runner(options: options(random: 0)) { _, context in
      if context.attempt == 1 { throw CancellationError() }
      return .complete("done")
    }
    #expect(try await working(runner) { try await runner.start(Scripted("a")).value } == "done")
  }

  @Test("Attempts that ended with a crash use up no budget; they are told apart and counted in")
  func crashes() async throws {
    let policy = StageRetryPolicy(maximumAttempts: 1)
    let begun = Recorder<Int>()
    let runner = try shop.runner(flow: .init(retryPolicy: { _ in policy })) { _, context in
      begun.record(context.attempt)
      throw Trouble()
    }
    let run = try await runner.start(Scripted("a"))
    try await crash(times: 5)
    try await working(runner) { _ = await run.outcome }
    let record = try await run.record
    #expect(record.state == .dead && record.attempts == 1 && record.crashes == 5)
    #expect(begun.elements == [6])
  }

  /// Lets so many workers die that have the only run.
  private func crash(times: Int) async throws {
    let room = ClaimRequest.FlowRoom(flow: "scripted", version: 1, limit: 1)
    for number in 0..<times {
      // Each on a boot of its own: the machine goes down with it.
      let time = JournalTime(date: shop.time.now, uptime: .zero, boot: "\(number)")
      let claim = try await shop.memory.claim(
        ClaimRequest(worker: "\(number)", flows: [room], lease: .seconds(30)), at: time)
      #expect(claim.runs.map(\.record.attempts) == [1])
      #expect(claim.runs.map(\.record.crashes) == [number])
    }
  }

  @Test("A dead run shows the attempts that were made, also where its budget has become smaller")
  func smallerBudget() async throws {
    let isSmaller = Gate()
    var options = shop.options()
    options.random = { .max }
    let runner = try shop.runner(
      options: options,
      flow: .init(retryPolicy: { _ in
        StageRetryPolicy(
          maximumAttempts: isSmaller.isOpen ? 2 : 9, baseDelay: .seconds(4),
          maximumDelay: .seconds(4))
      })
    ) { _, _ in throw Trouble() }
    try await working(runner) {
      let run = try await runner.start(Scripted("a"))
      for attempt in 1...3 {
        let date = shop.time.now + 4
        await shop.event { $0.kind == .retry(attempt: attempt, at: date, error: Trouble().message) }
        if attempt == 3 { isSmaller.open() }
        shop.time.advance(by: .seconds(4))
      }
      _ = await run.outcome
      let record = try await run.record
      #expect(record.state == .dead && record.attempts == 3)
    }
    await shop.event {
      $0.kind == .dead(attempts: 3, error: "2 attempts are used up: \(Trouble().message)")
    }
  }

  @Test("A clock that is set back does not prolong a pause")
  func setBack() async throws {
    let policy = StageRetryPolicy(baseDelay: .seconds(4), maximumDelay: .seconds(4))
    var options = shop.options()
    options.random = { .max }
    options.onEvent = { [events = shop.events, time = shop.time] event in
      events.record(event)
      // It has been given back, and nothing has been claimed since.
      if case .retry = event.kind { time.setWallClock(to: time.now - 86_400) }
    }
    let runner = try shop.runner(options: options, flow: .init(retryPolicy: { _ in policy })) {
      _, context in
      if context.attempt == 1 { throw Trouble() }
      return .complete("done")
    }
    try await working(runner) {
      let run = try await runner.start(Scripted("a"))
      #expect(try await run.value == "done")
    }
  }

  @Test("An error's text is bounded in bytes, and has no NUL, at which a database would cut it")
  func errorText() async throws {
    let texts = ["one\0two", "e" + String(repeating: "\u{301}", count: 400_000)]
    let runner = try shop.runner(flow: .init(retryPolicy: { _ in .never })) { stage, _ in
      throw Trouble(message: texts[stage.name == "a" ? 0 : 1])
    }
    try await working(runner) {
      let runs = [try await runner.start(Scripted("a")), try await runner.start(Scripted("b"))]
      for run in runs { _ = await run.outcome }
      #expect(try await runs[0].record.error == "one␀two")
      let long = try #require(try await runs[1].record.error)
      #expect((4_000...4_096).contains(long.utf8.count) && long.hasSuffix("…"))
    }
  }

  @Test("A policy that allows less than one attempt allows one; odd delays are no wait")
  func oddPolicies() async throws {
    let policy = StageRetryPolicy(
      maximumAttempts: -4, baseDelay: .seconds(-1), maximumDelay: .seconds(-1))
    let runner = try shop.runner(flow: .init(retryPolicy: { _ in policy })) { _, _ in
      .complete("done")
    }
    #expect(try await working(runner) { try await runner.start(Scripted("a")).value } == "done")
  }
}
