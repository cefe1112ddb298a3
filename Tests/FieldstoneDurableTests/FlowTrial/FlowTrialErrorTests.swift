import FieldstoneCore
import FieldstoneDurable
import FieldstoneDurableTesting
import FieldstoneStages
import FieldstoneTesting
import Foundation
import Testing

@Suite("A trial that can't go on", .timeLimit(.minutes(20)))
struct FlowTrialErrorTests {
  private func trial(
    options: FlowTrialOptions = FlowTrialOptions(),
    _ script:
      @escaping @Sendable (
        Scripted, DurableContext<Script>
      ) async throws -> DurableStep<Scripted, String>
  ) -> FlowTrial<TimeSource> {
    FlowTrial(Scripted("a"), options: options) { _ in
      [DurableFlow(Scripted.self, name: "scripted", services: Script(script))]
    }
  }

  @Test("A signal that nobody sends is named, with the stage")
  func signal() async throws {
    let trial = FlowTrial(Forlorn.beginning) { _ in [DurableFlow(Forlorn.self)] }
    let error = await #expect(throws: FlowTrialError.self) { try await trial.run() }
    guard case .awaitsSignals(["ship"], let stage) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect("\(stage)" == "forlorn 2 over")
    #expect(
      error?.message
        == "forlorn 2 over awaits the signal “ship”, which nobody sends; answer it by "
        + "answering(_:with:), or give the wait a time-out.")
  }

  @Test("One answer is enough for several signals, asked for in the order of the stage")
  func severalSignals() async throws {
    let asked = Recorder<String>()
    let trial = trial { stage, context in
      guard stage.name == "b" else { return .receive("ship", "train", "plane", then: "b") }
      return .complete(context.signal?.name ?? "nothing")
    }
    let report =
      try await trial
      .answering("plane") { wait -> Int? in
        asked.record(wait.signal)
        return 1
      }
      .answering("ship") { wait -> Int? in
        asked.record(wait.signal)
        return nil
      }
      .answering("train") { wait -> Int? in
        asked.record(wait.signal)
        return 2
      }
      .run()
    #expect(try report.outcome.value(as: String.self) == "train")
    #expect(asked.elements.prefix(2) == ["ship", "train"] && !asked.elements.contains("plane"))
    let error = await #expect(throws: FlowTrialError.self) { try await trial.run() }
    #expect(
      error?.message.contains("the signal “ship” or “train” or “plane”, which nobody") == true)
  }

  @Test("A flow without an end is ended after so many stages", arguments: [1, 7, 200])
  func endless(limit: Int) async throws {
    let options = FlowTrialOptions(maximumStages: limit)
    let trial = FlowTrial(Circle.around, options: options) { _ in [DurableFlow(Circle.self)] }
    let error = await #expect(throws: FlowTrialError.self) { try await trial.run() }
    guard case .doesNotEnd(after: limit, let stage) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(stage.sequence == limit)
  }

  @Test("A wait for ever stands still, with the reason", arguments: [60 * 365 * 86_400.0, 1e12])
  func forEver(seconds: Double) async throws {
    let trial = trial { stage, context in
      stage == "a"
        ? .wait(until: context.now.addingTimeInterval(seconds), then: "b") : .complete("late")
    }
    let error = await #expect(throws: FlowTrialError.self) { try await trial.run() }
    guard case .standsStill(let stage, let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(stage.sequence == 1 && reason.hasPrefix("It waits until "))
  }

  @Test("Work that never returns is named when the trial is cancelled")
  func stillAtWork() async throws {
    let gate = Gate()
    let trial = trial { _, _ in
      await gate.wait()
      return .complete("late")
    }
    let run = Task { try await trial.run() }
    await gate.arrivals(atLeast: 1)
    run.cancel()
    let error = await #expect(throws: FlowTrialError.self) { try await run.value }
    guard case .stillAtWork(let stage) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(stage.sequence == 0)
    gate.open()
  }

  @Test("A trial whose task is cancelled before it begins throws that it was")
  func cancelled() async throws {
    let trial = trial { _, _ in .complete("done") }
    let begin = Gate()
    let run = Task {
      await begin.wait()
      return try await trial.run()
    }
    run.cancel()
    begin.open()
    await #expect(throws: CancellationError.self) { try await run.value }
  }

  @Test("A trial is cancelled while its flow goes from stage to stage without a suspension")
  func cancelledOnTheWay() async throws {
    let (run, begin) = (Locked<Task<FlowTrialReport, any Error>?>(nil), Gate())
    let stages = Locked(0)
    let trial = trial(options: FlowTrialOptions(maximumStages: 1_000)) { _, _ in
      let count = stages.withLock { stages in
        stages += 1
        return stages
      }
      if count == 6 { run.withLock { $0 }?.cancel() }
      return .advance(to: "a")
    }
    let task = Task {
      await begin.wait()
      return try await trial.run()
    }
    run.withLock { $0 = task }
    begin.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(stages.withLock { $0 } == 6)
    run.withLock { $0 = nil }
  }

  @Test("A flow that takes another way each time is told")
  func notRepeated() async throws {
    let count = Locked(0)
    let trial = trial { stage, _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      return stage == "a" && number == 1 ? .advance(to: "b") : .complete("done")
    }
    let report = try await trial.run()
    // The second stage is never come to again.
    let last = try #require(report.kills.last)
    guard case .unended(.notRepeated(let stage)) = last.outcome else {
      Issue.record("\(last)")
      return
    }
    #expect(stage.sequence == 1)
  }

  @Test("A write at a checkpoint needs a transaction")
  func noTransaction() async throws {
    let trial = trial { _, context in
      context.atCheckpoint(CheckpointWrite { _ in })
      return .complete("done")
    }
    let error = await #expect(throws: FlowTrialError.self) { try await trial.run() }
    guard case .noTransaction = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("In a transaction of the world's own a write is made once, whatever runs again")
  func transaction() async throws {
    let trial = FlowTrial(Scripted("a"), world: { Ledger($0) }) { _ in
      let script = Script { _, context in
        context.atCheckpoint(CheckpointWrite { ledger in (ledger as? Ledger)?.note("row") })
        return .complete("done")
      }
      return [DurableFlow(Scripted.self, name: "scripted", services: script)]
    }
    .writing { ledger, write in try write(ledger) }
    .comparing(\.lines)
    let report = try await trial.run()
    #expect(report.effects == "[\"row\"]")
    #expect(report.endsAlike && report.repeated.count == 1, "\(report)")
  }

  @Test("Time stands still for a transaction that is on another thread")
  func slowTransaction() async throws {
    let trial = FlowTrial(Scripted("a"), world: { Ledger($0) }) { _ in
      let script = Script { stage, context in
        context.atCheckpoint(CheckpointWrite { ledger in (ledger as? Ledger)?.note(stage.name) })
        return stage.name == "a"
          ? .wait(until: context.now.addingTimeInterval(60), then: "b") : .complete("done")
      }
      return [DurableFlow(Scripted.self, name: "scripted", services: script)]
    }
    .writing { ledger, write in
      try await Task.detached {
        for _ in 0..<1_000 { await Task.yield() }
        try await MainActor.run { try write(ledger) }
      }.value
    }
    .comparing(\.lines)
    let report = try await trial.run()
    #expect(report.endsAlike && report.effects == "[\"a\", \"b\"]", "\(report)")
  }

  @Test("A flow that is not registered is an error of the runner")
  func notRegistered() async throws {
    let trial = FlowTrial(Circle.around) { _ in [DurableFlow(Forlorn.self)] }
    await #expect(throws: DurableRunnerError.notRegistered(stage: "Circle")) {
      try await trial.run()
    }
  }

  @Test("An answer that throws ends the trial")
  func answer() async throws {
    let trial = FlowTrial(Forlorn.beginning) { _ in [DurableFlow(Forlorn.self)] }
      .answering("ship") { _ -> Int? in throw MessageError("no ship") }
    let error = await #expect(throws: MessageError.self) { try await trial.run() }
    #expect(error?.message == "no ship")
  }

  @Test(
    "Of many kills some are chosen, the first and the last among them",
    arguments: [(0, []), (1, [0]), (2, [0, 5]), (4, [0, 1, 3, 5]), (6, Array(0...5)), (-1, [])])
  func bounded(maximum: Int, sequences: [Int]) async throws {
    let options = FlowTrialOptions(moments: [.afterCheckpoint], maximumKills: maximum)
    let trial = FlowTrial(CountingDown.at(5), options: options) { _ in
      [DurableFlow(CountingDown.self)]
    }
    let report = try await trial.run()
    #expect(report.kills.map(\.stage.sequence) == sequences)
    #expect(report.killsLeftOut == 6 - sequences.count)
    #expect(report.kills.allSatisfy { $0.moment == .afterCheckpoint && $0.repeated.isEmpty })
  }
}
