import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

@Suite("What stands around the stages of a durable runner", .timeLimit(.minutes(20)))
struct AroundStageTests {
  @TaskLocal static var mark: String?

  let shop = Workshop()

  @Test("It is called once for every attempt, and told whose it is")
  func attempts() async throws {
    let seen = Recorder<String>()
    var options = shop.options()
    options.aroundStage = { attempt in
      seen.record("\(attempt.flow) \(attempt.run) \(attempt.sequence) \(attempt.number)")
      return try await attempt.perform()
    }
    let flow = FlowOptions<Scripted>(
      retryPolicy: { _ in StageRetryPolicy(maximumAttempts: 2, baseDelay: .zero) })
    let runner = try shop.runner(options: options, flow: flow) { stage, context in
      if stage.name == "b", context.attempt == 1 { throw RetryTests.Trouble() }
      return stage.name == "a" ? .advance(to: "b") : .complete("done")
    }
    let id = try await working(runner) {
      let run = try await runner.start(Scripted("a"))
      #expect(try await run.value == "done")
      return run.id
    }
    #expect(seen.elements == ["scripted \(id) 0 1", "scripted \(id) 1 1", "scripted \(id) 1 2"])
  }

  @Test("The work sees what it binds, and its checkpoint comes afterwards")
  func taskLocals() async throws {
    let order = Recorder<String>()
    let shop = Workshop(before: { if $0 == .checkpoint { order.record("checkpoint") } })
    var options = shop.options()
    options.aroundStage = { attempt in
      let outcome = try await Self.$mark.withValue("bound") { try await attempt.perform() }
      order.record("after")
      return outcome
    }
    let runner = try shop.runner(options: options) { _, _ in
      order.record(Self.mark ?? "nothing")
      return .complete("done")
    }
    try await working(runner) { _ = try await runner.start(Scripted("a")).value }
    #expect(order.elements == ["bound", "after", "checkpoint"])
  }

  @Test("What it throws counts as thrown by the work, which need not have begun")
  func throwing() async throws {
    var options = shop.options()
    options.aroundStage = { _ in throw RetryTests.Trouble() }
    let flow = FlowOptions<Scripted>(retryPolicy: { _ in .never })
    let runner = try shop.runner(options: options, flow: flow) { _, _ in
      Issue.record("it was begun")
      return .complete("done")
    }
    try await working(runner) {
      let run = try await runner.start(Scripted("a"))
      await #expect(throws: DurableRunError.self) { _ = try await run.value }
      #expect(try await run.record.state == .dead)
    }
  }
}
