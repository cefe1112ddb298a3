import FieldstoneCore
import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

@Suite("Stages that block the threads of a durable runner", .timeLimit(.minutes(20)))
struct StarvationTests {
  /// One thread, on which everything runs but the renewals.
  let executor = QueueExecutor("stages")
  let renewals = Recorder<JournalProxy.Call>()
  let shop: Workshop

  init() {
    shop = Workshop(after: { [renewals] in if $0 == .renew { renewals.record($0) } })
  }

  private var options: DurableRunnerOptions {
    var options = shop.options()
    options.executor = executor
    return options
  }

  @Test("They keep their leases, and so do the runs that wait for a thread")
  func blocked() async throws {
    let goesOn = DispatchSemaphore(value: 0)
    let begun = Recorder<String>()
    let runner = try shop.runner(options: options, flow: .init(maxConcurrent: 3)) { stage, _ in
      begun.record(stage.name)
      block(on: goesOn)
      return .complete(stage.name)
    }
    try await working(runner) {
      // Whatever fails here, the threads must not stay blocked.
      defer { for _ in 1...3 { goesOn.signal() } }
      let runs = [
        try await runner.start(Scripted("a")), try await runner.start(Scripted("b")),
        try await runner.start(Scripted("c")),
      ]
      await begun.elements(atLeast: 1)
      // Ten leases, without the runner having had a thread.
      for number in 1...30 {
        shop.time.advance(by: .seconds(10))
        await renewals.elements(atLeast: number)
      }
      let room = ClaimRequest.FlowRoom(flow: "scripted", version: 1, limit: 3)
      let claim = try await shop.memory.claim(
        ClaimRequest(worker: "b", flows: [room], lease: .seconds(30)),
        at: JournalTime(shop.time.source, boot: "boot"))
      #expect(claim.runs.isEmpty)
      for _ in 1...3 { goesOn.signal() }
      for run in runs { _ = try await run.value }
      #expect(begun.elements.sorted() == ["a", "b", "c"])
      for run in runs { #expect(try await shop.links(of: run.id).map(\.fence) == [1]) }
    }
  }

  @Test("Leases of a process that hangs for too long are renewed no more, and that is told")
  func hung() async throws {
    let goesOn = DispatchSemaphore(value: 0)
    let begun = Recorder<String>()
    let ends = Recorder<String>()
    var options = options
    options.maximumHeldUpLeases = 2
    let runner = try shop.runner(options: options, flow: .init(maxConcurrent: 1)) { _, context in
      begun.record("\(context.attempt)")
      if context.attempt == 1 {
        await withTaskCancellationHandler {
          block(on: goesOn)
        } onCancel: {
          ends.record("lost")
        }
      }
      return .complete("done")
    }
    try await working(runner) {
      // Whatever fails here, the thread must not stay blocked.
      defer { goesOn.signal() }
      let run = try await runner.start(Scripted("a"))
      await begun.elements(atLeast: 1)
      for number in 1...6 {
        shop.time.advance(by: .seconds(10))
        await renewals.elements(atLeast: number)
      }
      await shop.event { $0.kind == .executorHeldUp(for: .seconds(10), isOver: false) }
      shop.time.advance(by: .seconds(10))
      await shop.event { $0.kind == .renewalStopped(heldUpFor: .seconds(60)) }
      // Ten seconds of the last renewal are over, and the lease with twenty more.
      shop.time.advance(by: .seconds(20))
      #expect(renewals.count == 6)
      // It has seen the lease end; work that returned before would be in time.
      await ends.elements(atLeast: 1)
      goesOn.signal()
      await shop.event { $0.kind == .executorHeldUp(for: .seconds(80), isOver: true) }
      await shop.event { $0.kind == .lost(.leaseEnded) && $0.run == run.id }
      // The runner that is alive again takes it up itself.
      #expect(try await run.value == "done")
      #expect(try await shop.links(of: run.id).map(\.fence) == [2])
    }
  }

  @Test("A cancellation handler that blocks keeps no lease from being renewed")
  func handlerBlocks() async throws {
    let goesOn = DispatchSemaphore(value: 0)
    let gates = ["a": Gate(), "b": Gate()]
    let handler = Gate()
    let runner = try shop.runner(flow: .init(maxConcurrent: 2)) { stage, _ in
      await withTaskCancellationHandler {
        await gates[stage.name]?.wait()
      } onCancel: {
        guard stage.name == "a" else { return }
        handler.open()
        goesOn.wait()
      }
      return .complete("done")
    }
    try await working(runner) {
      // Whatever fails here, the thread must not stay blocked.
      defer {
        goesOn.signal()
        for gate in gates.values { gate.open() }
      }
      let runs = [try await runner.start(Scripted("a")), try await runner.start(Scripted("b"))]
      for gate in gates.values { await gate.arrivals(atLeast: 1) }
      try await shop.memory.change(
        runs[0].id, .cancel, at: JournalTime(shop.time.source, boot: "boot"))
      shop.time.advance(by: .seconds(10))
      await handler.wait()
      for number in 2...4 {
        shop.time.advance(by: .seconds(10))
        await renewals.elements(atLeast: number)
      }
      goesOn.signal()
      for gate in gates.values { gate.open() }
      #expect(try await runs[1].value == "done")
    }
  }
}

/// Blocks the thread, as a stage must not.
private func block(on semaphore: DispatchSemaphore) { semaphore.wait() }
