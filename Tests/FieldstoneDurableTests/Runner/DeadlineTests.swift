import FieldstoneCore
import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

@Suite("Deadlines and traces of runs", .timeLimit(.minutes(20)))
struct DeadlineTests {
  let shop = Workshop()

  @Test("A run that waits past its deadline is cancelled, and its handle says so")
  func waits() async throws {
    let runner = try shop.runner { _, context in
      .receive("never", until: context.now + 1_000_000, then: Scripted("late"))
    }
    let end = shop.time.source.now + 60
    let run = try await runner.start(Scripted("first"), options: RunOptions(deadline: end))
    _ = try await working(runner) {
      await shop.event { event in
        if case .stageFinished = event.kind { event.run == run.id } else { false }
      }
    }
    shop.time.advance(by: .seconds(60))
    let request = ClaimRequest(worker: "b", flows: [], lease: .seconds(30))
    let time = JournalTime(shop.time.source, boot: "boot")
    #expect(try await shop.memory.claim(request, at: time).runs.isEmpty)
    await #expect(throws: CallCancelled(.deadline)) { try await run.value }
    #expect(try await run.record.cancellationReason == .deadline)
  }

  @Test("Work under way is cut short by the renewal after its deadline")
  func executing() async throws {
    let gate = Gate()
    let cancelled = Gate()
    let runner = try shop.runner { _, _ in
      await gate.wait(cancellationOpens: cancelled)
      return .complete("late")
    }
    try await working(runner) {
      let end = shop.time.source.now + 9
      let run = try await runner.start(Scripted("a"), options: RunOptions(deadline: end))
      await gate.arrivals(atLeast: 1)
      await shop.time.sleepers(atLeast: 2)
      shop.time.advance(by: .seconds(10))
      await cancelled.wait()
      gate.open()
      await shop.event { $0.kind == .lost(.claimLost) && $0.run == run.id }
      await #expect(throws: CallCancelled(.deadline)) { try await run.value }
      #expect(try await shop.links(of: run.id).isEmpty)
    }
  }

  @Test("Children have the trace of their parent, and its slot; a child's own trace is kept")
  func children() async throws {
    let seen = Recorder<[String: String]>()
    let runner = try shop.runner { stage, context in
      seen.record(context.trace)
      guard stage.name == "split" else { return .complete(stage.name) }
      let own = RunOptions(concurrencyKey: "a", trace: ["traceparent": "b"])
      return .join(
        [try context.child(Scripted("1")), try context.child(Scripted("2"), options: own)],
        then: "done")
    }
    let run = try await runner.start(
      Scripted("split"), key: "17", options: RunOptions(trace: ["traceparent": "a"]))
    _ = try await working(runner) { try await run.value }
    let children = try await shop.memory.children(of: run.id, at: nil, after: nil, limit: 9)
    #expect(children.children.map(\.id.slot) == [run.id.slot, run.id.slot])
    #expect(seen.elements.count == 4)
    #expect(seen.elements.count { $0 == ["traceparent": "b"] } == 1)
    #expect(seen.elements.count { $0 == ["traceparent": "a"] } == 3)
  }

  @Test("A child that needs its parent's key makes the parent dead at once, with what to do")
  func keyOfParent() async throws {
    let flow = FlowOptions<Scripted>(limits: FlowLimits(perKey: .init(1)))
    let runner = try shop.runner(flow: flow) { _, context in
      .join(
        [try context.child(Scripted("part"), options: RunOptions(concurrencyKey: "a"))],
        then: "done")
    }
    let run = try await runner.start(Scripted("a"), options: RunOptions(concurrencyKey: "a"))
    let error = JournalError.placeHeldByParent(
      key: "a", flow: "scripted", holder: run.id
    ).message
    await #expect(throws: DurableRunError.dead(run.id, error: error)) {
      try await working(runner) { try await run.value }
    }
    #expect(try await run.record.attempts == 1)
    #expect(error.contains("give the child another key"))
  }

  @Test("A stage passes its trace on to what it starts, unless another is given")
  func trace() async throws {
    let seen = Recorder<[String: String]>()
    let started = Recorder<RunID>()
    let runner = try shop.runner { stage, context in
      seen.record(context.trace)
      if stage.name == "first" {
        started.record(try context.start(Scripted("second")))
        started.record(
          try context.start(Scripted("third"), options: RunOptions(trace: ["traceparent": "b"])))
      }
      return .complete(stage.name)
    }
    let options = RunOptions(attributes: ["customer": "ada"], trace: ["traceparent": "a"])
    let run = try await runner.start(Scripted("first"), options: options)
    try await working(runner) {
      _ = try await run.value
      for id in started.elements {
        _ = try await runner.handle(id, completion: String.self).value
      }
    }
    #expect(seen.elements.count == 3)
    #expect(Set(seen.elements) == [["traceparent": "a"], ["traceparent": "b"]])
    #expect(try await shop.memory.run(started.elements[0])?.trace == ["traceparent": "a"])
    #expect(try await shop.memory.run(started.elements[0])?.attributes == [:])
    #expect(try await run.record.attributes == ["customer": "ada"])
  }
}
