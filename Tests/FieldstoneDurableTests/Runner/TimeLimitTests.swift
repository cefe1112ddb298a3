import FieldstoneCore
import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

@Suite("Time limits of stages", .timeLimit(.minutes(20)))
struct TimeLimitTests {
  let shop = Workshop()
  let gates = ["slow": Gate(), "deaf": Gate()]
  let cancelled = Gate()
  let caught = Recorder<DurableRunnerError>()

  private func runner() throws -> DurableRunner {
    try shop.runner(
      flow: FlowOptions(
        maxConcurrent: 1,
        retryPolicy: { _ in
          StageRetryPolicy(
            maximumAttempts: 2,
            shouldRetry: { [caught] error in
              (error as? DurableRunnerError).map { caught.record($0) }
              return true
            })
        },
        timeLimit: { $0.name == "free" ? nil : .seconds(5) })
    ) { [gates, cancelled] stage, context in
      guard context.attempt == 1 else { return .complete("second") }
      switch stage.name {
      case "deaf":
        await gates["deaf"]?.wait(cancellationOpens: cancelled)
      default: try await gates[stage.name]?.waitUnlessCancelled()
      }
      return .complete(stage.name)
    }
  }

  @Test("After its time an attempt is cancelled, has failed, and is made again")
  func exceeded() async throws {
    let runner = try runner()
    try await working(runner) {
      let run = try await runner.start(Scripted("slow"))
      await gates["slow"]?.arrivals(atLeast: 1)
      await shop.deadline(at: 1_005)
      shop.time.advance(by: .seconds(5))
      await shop.event { if case .retry = $0.kind { true } else { false } }
      #expect(caught.elements == [.timeLimitExceeded(.seconds(5))])
      let record = try await run.record
      #expect(record.attempts == 1)
      #expect(record.error == DurableRunnerError.timeLimitExceeded(.seconds(5)).message)
    }
  }

  @Test("Work that ignores its cancellation keeps its place, and what it comes to is dropped")
  func keepsItsPlace() async throws {
    let runner = try runner()
    try await working(runner) {
      let deaf = try await runner.start(Scripted("deaf"))
      await gates["deaf"]?.arrivals(atLeast: 1)
      let other = try await runner.start(Scripted("other"))
      await shop.deadline(at: 1_005)
      shop.time.advance(by: .seconds(5))
      await cancelled.wait()
      #expect(try await deaf.record.state == .running)
      #expect(try await other.record.fence == 0)
      gates["deaf"]?.open()
      #expect(try await other.value == "other")
      #expect(try await deaf.record.state != .completed)
      #expect(caught.elements == [.timeLimitExceeded(.seconds(5))])
    }
  }

  @Test("Work that returns in time leaves no timer behind, and a stage may have no limit")
  func inTime() async throws {
    let runner = try runner()
    try await working(runner) {
      for name in ["quick", "free"] {
        let run = try await runner.start(Scripted(name))
        #expect(try await run.value == name)
      }
      #expect(caught.elements.isEmpty)
    }
    #expect(shop.time.sleeperCount == 0)
  }

  @Test("A shutdown within the time gives the run back, with no attempt used up")
  func shutdown() async throws {
    let runner = try runner()
    let work = Task { try await runner.run() }
    let run = try await runner.start(Scripted("slow"))
    await gates["slow"]?.arrivals(atLeast: 1)
    await runner.shutdown()
    try await work.value
    let record = try await run.record
    #expect(record.state == .ready && record.attempts == 0 && record.error == nil)
  }
}
