import FieldstoneCore
import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

@Suite("Leases of a durable runner", .timeLimit(.minutes(20)))
struct LeaseTests {
  @Test("A lease is renewed at each third of it, so work may last for any time")
  func renewal() async throws {
    let renewals = Recorder<JournalProxy.Call>()
    let shop = Workshop(after: { if $0 == .renew { renewals.record($0) } })
    let gate = Gate()
    let runner = try shop.runner(flow: .init(maxConcurrent: 1)) { _, _ in
      await gate.wait()
      return .complete("done")
    }
    try await working(runner) {
      let run = try await runner.start(Scripted("a"))
      await gate.arrivals(atLeast: 1)
      for number in 1...12 {
        // Only the lease's: the runner has no room to claim more, and polls for nothing.
        await shop.time.sleepers(atLeast: 1)
        shop.time.advance(by: .milliseconds(9_999))
        #expect(renewals.count == number - 1)
        shop.time.advance(by: .milliseconds(1))
        await renewals.elements(atLeast: number)
      }
      // Two minutes on, nobody else gets it.
      let room = ClaimRequest.FlowRoom(flow: "scripted", version: 1, limit: 1)
      let claim = try await shop.memory.claim(
        ClaimRequest(worker: "b", flows: [room], lease: .seconds(30)),
        at: JournalTime(shop.time.source, boot: "boot"))
      #expect(claim.runs.isEmpty)
      gate.open()
      #expect(try await run.value == "done")
    }
    #expect(!shop.events.elements.contains { $0.kind == .lost(.claimLost) })
  }

  @Test("A checkpoint that is made while the former lease ends begins one that is renewed")
  func checkpointAtTheEnd() async throws {
    let commits = Gate()
    let renewals = Recorder<JournalProxy.Call>()
    let shop = Workshop(
      before: { if $0 == .checkpoint { await commits.wait() } },
      after: { if $0 == .renew { renewals.record($0) } })
    let executor = QueueExecutor("renewals")
    var options = shop.options()
    options.renewalExecutor = executor
    let gates = ["a": Gate(), "b": Gate()]
    let runner = try shop.runner(options: options, flow: .init(maxConcurrent: 1)) { stage, _ in
      try await gates[stage.name]?.waitUnlessCancelled()
      return stage.name == "a" ? .advance(to: "b") : .complete("done")
    }
    try await working(runner) {
      defer { commits.open() }
      let run = try await runner.start(Scripted("a"))
      await gates["a"]?.arrivals(atLeast: 1)
      await shop.deadline(at: 1_010)
      shop.time.advance(by: .seconds(9))
      gates["a"]?.open()
      await commits.arrivals(atLeast: 1)
      shop.time.advance(by: .seconds(21))
      // The renewals have seen the end of the former lease. The checkpoint began one at 1,009.
      for _ in 0..<4 { executor.drain() }
      commits.open()
      await renewals.elements(atLeast: 1)
      gates["b"]?.open()
      #expect(try await run.value == "done")
      #expect(try await shop.links(of: run.id).map(\.fence) == [1, 1])
    }
  }

  @Test("A lease and a patience as large as can be are for ever, and nothing overflows")
  func largest() async throws {
    let shop = Workshop()
    var options = shop.options()
    options.maximumHeldUpLeases = .max
    options.lease = .seconds(Int64.max)
    let runner = try shop.runner(options: options) { stage, _ in .complete(stage.name) }
    try await working(runner) {
      let run = try await runner.start(Scripted("a"))
      #expect(try await run.value == "a")
    }
  }

  @Test("A checkpoint begins a lease anew")
  func checkpointRenews() async throws {
    let isDown = Gate()
    let shop = Workshop(before: {
      if isDown.isOpen, $0 == .renew { throw JournalError.unavailable("no space") }
    })
    let gates = ["a": Gate(), "b": Gate()]
    let runner = try shop.runner(flow: .init(maxConcurrent: 1)) { stage, _ in
      try await gates[stage.name]?.waitUnlessCancelled()
      return stage.name == "a" ? .advance(to: "b") : .complete("done")
    }
    try await working(runner) {
      let run = try await runner.start(Scripted("a"))
      await gates["a"]?.arrivals(atLeast: 1)
      isDown.open()
      shop.time.advance(by: .seconds(5))
      gates["a"]?.open()
      await gates["b"]?.arrivals(atLeast: 1)
      // Thirty-four seconds after the claim, twenty-nine after the checkpoint.
      await shop.time.sleepers(atLeast: 1)
      shop.time.advance(by: .seconds(29))
      await shop.event { if case .journalUnavailable = $0.kind { true } else { false } }
      gates["b"]?.open()
      #expect(try await run.value == "done")
    }
  }

  @Test("Work on a claim that was lost is cancelled, and its late checkpoint is dropped")
  func lost() async throws {
    let checkpoints = Recorder<JournalProxy.Call>()
    let shop = Workshop(before: { if $0 == .checkpoint { checkpoints.record($0) } })
    let gate = Gate()
    let cancelled = Gate()
    let runner = try shop.runner { _, _ in
      await gate.wait(cancellationOpens: cancelled)
      return .complete("late")
    }
    try await working(runner) {
      let run = try await runner.start(Scripted("a"))
      await gate.arrivals(atLeast: 1)
      // Called off by another process.
      try await shop.memory.change(
        run.id, .cancel, at: JournalTime(shop.time.source, boot: "boot"))
      await shop.time.sleepers(atLeast: 2)
      shop.time.advance(by: .seconds(10))
      await cancelled.wait()
      gate.open()
      await shop.event { $0.kind == .lost(.claimLost) && $0.run == run.id }
      #expect(checkpoints.count == 0)
      #expect(try await shop.links(of: run.id).isEmpty)
    }
    let id = try #require(try await shop.memory.runs(RunQuery(limit: 1)).runs.first?.id)
    #expect(
      try await shop.memory.report(of: id, after: nil).lines.map(\.text) == [
        "a no longer had the run: its renewal was refused, and its work on this stage is void"
      ])
  }

  @Test("A checkpoint that was overtaken is refused, and the work is void")
  func overtaken() async throws {
    let shop = Workshop()
    let gate = Gate()
    let runner = try shop.runner { _, _ in
      await gate.wait()
      return .complete("stalled")
    }
    try await working(runner) {
      let run = try await runner.start(Scripted("a"))
      await gate.arrivals(atLeast: 1)
      // As if this worker had been stopped past its lease: it has not noticed yet.
      let room = ClaimRequest.FlowRoom(flow: "scripted", version: 1, limit: 1)
      var later = JournalTime(shop.time.source, boot: "boot")
      later.uptime += .seconds(31)
      let claim = try await shop.memory.claim(
        ClaimRequest(worker: "b", flows: [room], lease: .seconds(30)), at: later)
      let other = try #require(claim.runs.first?.record)
      #expect(other.fence == 2)
      gate.open()
      await shop.event { $0.kind == .lost(.claimLost) && $0.run == run.id }
      try await shop.memory.checkpoint(
        Checkpoint(
          claim: RunClaim(id: run.id, sequence: 0, fence: 2), version: 1,
          next: .completion(try StageJSON.data(of: "other")), beganAt: later.date,
          lease: .seconds(30)), at: later)
      #expect(try await shop.links(of: run.id).map(\.fence) == [2])
    }
    let id = try #require(try await shop.memory.runs(RunQuery(limit: 1)).runs.first?.id)
    let lines = try await shop.memory.report(of: id, after: nil).lines
    #expect(lines.map(\.place) == [.init(fence: 1, number: 1)] && lines.first?.isOfRunner == true)
    #expect(
      lines.first?.text == """
        a no longer had the run: its checkpoint was refused, and its work on this stage is void
        """)
  }

  @Test("Work whose lease can't be renewed in time is cancelled by its end")
  func leaseEnds() async throws {
    let isDown = Gate()
    let shop = Workshop(before: {
      if isDown.isOpen, $0 != .run { throw JournalError.unavailable("no space") }
    })
    let gate = Gate()
    let cancelled = Gate()
    let runner = try shop.runner(flow: .init(maxConcurrent: 1)) { _, context in
      guard context.attempt == 1 else { return .complete("again") }
      await gate.wait(cancellationOpens: cancelled)
      return .complete("late")
    }
    let work = Task { try await runner.run() }
    let run = try await runner.start(Scripted("a"))
    await gate.arrivals(atLeast: 1)
    isDown.open()
    await shop.time.sleepers(atLeast: 1)
    shop.time.advance(by: .seconds(10))
    await shop.event { if case .journalUnavailable = $0.kind { true } else { false } }
    #expect(!cancelled.isOpen)
    await shop.time.sleepers(atLeast: 1)
    shop.time.advance(by: .seconds(20))
    await cancelled.wait()
    gate.open()
    await shop.event { $0.kind == .lost(.leaseEnded) && $0.run == run.id }
    #expect(try await shop.links(of: run.id).isEmpty)
    work.cancel()
    await #expect(throws: CancellationError.self) { try await work.value }
  }
}
