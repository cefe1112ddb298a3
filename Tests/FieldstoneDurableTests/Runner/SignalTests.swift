import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

@Suite("Signals to a durable run", .timeLimit(.minutes(30)))
struct SignalTests {
  let shop = Workshop()

  private func approval(until date: Date? = nil) throws -> DurableRunner {
    try shop.runner { stage, context in
      switch stage.name {
      case "ask": return .receive("approval", until: date, then: "decided")
      default: return .complete(try context.signal(as: String.self) ?? "nobody")
      }
    }
  }

  @Test("A run waits for its signal, and the stage that follows finds it")
  func received() async throws {
    let runner = try approval()
    try await working(runner) {
      let run = try await runner.start(Scripted("ask"))
      await shop.event { $0.kind == .stageFinished(attempt: 1, duration: .zero) }
      #expect(try await run.record.awaitedSignal == "approval")
      try await run.signal("other", "no")
      try await run.signal("approval", "Ada")
      #expect(try await run.value == "Ada")
    }
  }

  @Test("A signal that comes early waits for the run")
  func early() async throws {
    let runner = try approval()
    let run = try await runner.start(Scripted("ask"))
    try await run.signal("approval", "Ada", id: "1")
    try await run.signal("approval", "Bob", id: "2")
    #expect(try await working(runner) { try await run.value } == "Ada")
  }

  @Test("Without a signal it goes on at its time")
  func timeOut() async throws {
    let runner = try approval(until: shop.time.now + 60)
    try await working(runner) {
      let run = try await runner.start(Scripted("ask"))
      await shop.event { $0.kind == .stageFinished(attempt: 1, duration: .zero) }
      let value = Task { try await run.value }
      await shop.time.sleepers(atLeast: 2)
      shop.time.advance(by: .seconds(60))
      #expect(try await value.value == "nobody")
    }
  }

  @Test("The same signal twice is one; each is consumed by one stage, also after a failed attempt")
  func consumedOnce() async throws {
    let heard = Recorder<String>()
    let policy = StageRetryPolicy(maximumAttempts: 3, baseDelay: .zero)
    let runner = try shop.runner(flow: .init(retryPolicy: { _ in policy })) { stage, context in
      let word = try context.signal(as: String.self)
      heard.record("\(stage.name) \(context.attempt) \(word ?? "-")")
      switch stage.name {
      case "ask": return .receive("word", then: "first")
      case "first":
        if context.attempt == 1 { throw RetryTests.Trouble() }
        return .receive("word", then: "second")
      case "second": return .advance(to: "last")
      default: return .complete(word ?? "none left")
      }
    }
    let run = try await runner.start(Scripted("ask"))
    for (word, id) in [("one", "1"), ("one", "1"), ("two", "2"), ("one", "1")] {
      try await run.signal("word", word, id: id)
    }
    #expect(try await working(runner) { try await run.value } == "none left")
    #expect(
      heard.elements == ["ask 1 -", "first 1 one", "first 2 one", "second 1 two", "last 1 -"])
  }

  @Test("A signal to a run that is over is refused")
  func over() async throws {
    let runner = try shop.runner { _, _ in .complete("done") }
    try await working(runner) {
      let run = try await runner.start(Scripted("a"))
      _ = try await run.value
      await #expect(throws: JournalError.self) { try await run.signal("word", 1) }
    }
  }
}
