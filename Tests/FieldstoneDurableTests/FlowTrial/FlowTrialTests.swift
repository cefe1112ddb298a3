import FieldstoneCore
import FieldstoneDurable
import FieldstoneDurableTesting
import FieldstoneStages
import FieldstoneTesting
import Foundation
import Testing

@Suite("A trial of a flow", .timeLimit(.minutes(20)))
struct FlowTrialTests {
  private func bill(
    start: RunOptions = RunOptions(), options: FlowTrialOptions = FlowTrialOptions()
  ) -> FlowTrial<Ledger> {
    FlowTrial(Bill.write(cents: 5), start: start, options: options, world: { Ledger($0) }) {
      [DurableFlow(Bill.self, services: $0)]
    }
    .comparing { $0.lines.sorted() }
  }

  private func scripted(
    _ first: Scripted = "a", options: FlowTrialOptions = FlowTrialOptions(),
    flow: FlowOptions<Scripted> = FlowOptions(),
    script:
      @escaping @Sendable (
        Scripted, DurableContext<Script>, Ledger
      ) async throws -> DurableStep<Scripted, String>
  ) -> FlowTrial<Ledger> {
    FlowTrial(first, options: options, world: { Ledger($0) }) { ledger in
      let script = Script { try await script($0, $1, ledger) }
      return [DurableFlow(Scripted.self, name: "scripted", services: script, options: flow)]
    }
  }

  @Test("Waits take no time, and a signal is answered")
  func waits() async throws {
    let report = try await bill().answering("approval") { wait in
      #expect(wait.flow == "bill" && wait.sequence == 3 && wait.until != nil)
      return "yes"
    }
    .run()
    #expect(try report.outcome.value(as: String.self) == "yes 5")
    #expect(report.path.map(\.name) == ["write", "charge", "rest", "decided"])
    #expect(report.checkpoints == 4)
    let days = report.skippedTime / .seconds(86_400)
    #expect(abs(days - 30) < 0.001)
  }

  @Test("A signal that is answered by nil runs into its time-out")
  func timeOut() async throws {
    let asked = Recorder<Int>()
    let report = try await bill(options: FlowTrialOptions(moments: []))
      .answering("approval") { wait -> String? in
        asked.record(wait.sequence)
        return nil
      }
      .run()
    #expect(try report.outcome.value(as: String.self) == "too late")
    #expect(asked.elements == [3])
    #expect(abs(report.skippedTime / .seconds(86_400) - 31) < 0.001)
  }

  @Test("Progress and log lines of the undisturbed run are in the report, also those of its end")
  func reports() async throws {
    let options = FlowTrialOptions(moments: [.beforeCheckpoint])
    let report = try await scripted("a", options: options) { stage, context, _ in
      context.log("\(stage.name) at \(context.now.timeIntervalSinceReferenceDate)")
      switch stage.name {
      case "a":
        context.report(0.5)
        return .wait(until: context.now.addingTimeInterval(60), then: "b")
      // A runner writes at most every quarter of a second: the last report waits beyond the end.
      case "b": return .wait(until: context.now.addingTimeInterval(0.1), then: "c")
      default:
        context.report(1, "all of it")
        return .complete("done")
      }
    }
    .run()
    let began = FlowTrialOptions().beginsAt.timeIntervalSinceReferenceDate
    #expect(report.runReport.lines.map(\.sequence) == [0, 1, 2])
    #expect(report.runReport.lines.first?.text == "a at \(began)")
    #expect(report.runReport.progress?.fraction == 1)
    #expect(report.runReport.progress?.text == "all of it")
    #expect("\(report)".contains("\nprogress: 100 % at stage 2, "))
    #expect("\(report)".contains("\nlog: a at \(began)\nlog: b at "))
    // What is awaited after the end is no time of the run.
    #expect(report.skippedTime < .milliseconds(60_200))
  }

  @Test("Each checkpoint is killed at twice; a stage that was killed before its own runs again")
  func kills() async throws {
    let report = try await bill().answering("approval") { _ in "yes" }.run()
    #expect(report.kills.map(\.stage.sequence) == [0, 0, 1, 1, 2, 2, 3, 3])
    for kill in report.kills {
      let again = kill.moment == .beforeCheckpoint ? [kill.stage.sequence] : []
      #expect(kill.repeated.map(\.sequence) == again, "\(kill)")
      #expect(kill.repeated.allSatisfy { $0.beginnings == 2 }, "\(kill)")
      #expect(try kill.outcome.value(as: String.self) == "yes 5")
    }
  }

  @Test("What a repeated stage does twice shows in what is compared, with its key")
  func doubles() async throws {
    let report = try await bill().answering("approval") { _ in "yes" }.run()
    #expect(!report.endsAlike)
    #expect(
      report.differences.map(\.stage.name) == ["charge", "decided"], "\(report)")
    let run = try #require(report.path.first?.idempotencyKey.dropLast(2))
    #expect(report.effects == "[\"charge 5\", \"yes by \(run)-3\"]")
    #expect(
      report.differences.first?.effects == "[\"charge 5\", \"charge 5\", \"yes by \(run)-3\"]")
    #expect(report.repeated.map(\.idempotencyKey) == (0...3).map { "\(run)-\($0)" })
    #expect("\(report)".contains("runs again: bill 1 charge, begun 2 times by \(run)-1"))
  }

  @Test("A flow that keeps its keys ends alike")
  func keyed() async throws {
    let trial = FlowTrial(KeyedNewsletter.collect(issue: 7), world: { _ in PostOffice() }) {
      [DurableFlow(KeyedNewsletter.self, name: "keyed", services: $0)]
    }
    let report = try await trial.answering("approval") { _ in true }
      .comparing { await $0.letters }.run()
    #expect(report.endsAlike, "\(report)")
    #expect(report.effects == "[\"Dan\", \"Cleo\", \"Bob\", \"Ada\"]")
    #expect("\(report)".contains("every killed run ends alike"))
  }

  @Test("Two trials of a flow are told in the same words")
  func deterministic() async throws {
    let trial = FlowTrial(Family.split([3, 1, 2]), world: { Ledger($0) }, flows: Family.flows)
      .comparing(\.lines)
    let (first, second) = (try await trial.run(), try await trial.run())
    #expect(first.description == second.description)
    #expect(first.kills.map(\.description) == second.kills.map(\.description))
  }

  @Test("Retries take no time, and count only where a kill adds to them")
  func retries() async throws {
    let report = try await scripted { stage, context, ledger in
      guard stage == "b" else { return .advance(to: "b") }
      ledger.note("attempt")
      if ledger.lines.count < 4 { throw MessageError("not yet") }
      return .complete("done")
    }
    .run()
    #expect(report.path.map(\.beginnings) == [1, 4])
    #expect(report.skippedTime > .seconds(3))
    #expect(report.endsAlike)
    // Killed before the checkpoint of b it begins once more; at a it does not.
    #expect(report.kills.map { $0.repeated.map(\.beginnings) } == [[2], [], [5], []])
  }

  @Test("A flow that is dead has ended, too")
  func dead() async throws {
    let policy = StageRetryPolicy(maximumAttempts: 3)
    let options = FlowOptions<Scripted>(retryPolicy: { _ in policy })
    let report = try await scripted(flow: options) { stage, _, _ in
      if stage == "a" { return .advance(to: "b") }
      throw MessageError("broken")
    }
    .run()
    #expect(report.outcome == .dead(error: "broken"))
    #expect(report.path.map(\.beginnings) == [1, 3])
    #expect(report.endsAlike && report.kills.count == 2)
    #expect(throws: FlowTrialError.notCompleted("dead: broken")) {
      try report.outcome.value(as: Int.self)
    }
  }

  @Test("A time limit passes while the work sleeps by the trial's clock")
  func timeLimit() async throws {
    let options = FlowOptions<Scripted>(
      retryPolicy: { _ in .never }, timeLimit: { _ in .seconds(60) })
    let report = try await scripted(flow: options) { _, _, ledger in
      try await ledger.time.sleep(for: .seconds(3_600))
      return .complete("late")
    }
    .run()
    #expect(
      report.outcome
        == .dead(error: DurableRunnerError.timeLimitExceeded(.seconds(60)).message))
    #expect(report.skippedTime >= .seconds(60) && report.skippedTime < .seconds(61))
  }

  @Test("Time stands still for work that is elsewhere")
  func elsewhere() async throws {
    let options = FlowOptions<Scripted>(timeLimit: { _ in .seconds(60) })
    let report = try await scripted(flow: options) { stage, _, _ in
      let work = Task.detached {
        for _ in 0..<100 { await Task.yield() }
        return await MainActor.run { "back" }
      }
      return .complete(await work.value)
    }
    .run()
    #expect(try report.outcome.value(as: String.self) == "back")
    #expect(report.skippedTime == .zero)
  }

  @Test("A run is cancelled at its deadline")
  func deadline() async throws {
    let deadline = FlowTrialOptions().beginsAt.addingTimeInterval(86_400)
    let report = try await bill(start: RunOptions(deadline: deadline)).run()
    #expect(report.outcome == .cancelled(.deadline))
    #expect(abs(report.skippedTime / .seconds(1) - 86_400) < 1)
    #expect(report.endsAlike, "\(report)")
  }

  @Test("Children are told by their places, and are killed with their parent's process")
  func children() async throws {
    let trial = FlowTrial(Family.split([3, 1]), world: { Ledger($0) }, flows: Family.flows)
    let report = try await trial.comparing(\.lines).run()
    #expect(try report.outcome.value(as: Int.self) == 4)
    #expect(report.path.map(\.origin) == ["", "0.0", "0.1", ""])
    #expect(report.path.map(\.flow) == ["family", "child", "child", "family"])
    #expect(report.effects == "[\"3 begins\", \"1 begins\", \"1 ends\", \"3 ends\"]")
    // The shorter one is killed while the longer one sleeps: both run again, and of the dead process
    // nothing wakes.
    let kill = try #require(report.kills.first { $0.stage.origin == "0.1" })
    #expect(kill.repeated.map(\.origin) == ["0.0", "0.1"])
    #expect(
      kill.effects
        == "[\"3 begins\", \"1 begins\", \"1 ends\", \"3 begins\", \"1 begins\", \"1 ends\", \"3 ends\"]"
    )
  }

  @Test("A hundred children are tried with a bound on the kills")
  func manyChildren() async throws {
    let trial = FlowTrial(
      Family.split(Array(1...100)), options: FlowTrialOptions(maximumKills: 2),
      world: { Ledger($0) }, flows: Family.flows)
    let report = try await trial.run()
    #expect(try report.outcome.value(as: Int.self) == 5_050)
    #expect(report.kills.count == 2 && report.killsLeftOut == 202)
    #expect(report.endsAlike, "\(report)")
  }

  @Test("A stage whose JSON leaves something out ends otherwise once it is read from the journal")
  func forgetful() async throws {
    let report = try await FlowTrial(Forgetful()) { _ in [DurableFlow(Forgetful.self)] }.run()
    #expect(report.outcome == .completed(Data("\"kept\"".utf8)))
    #expect(report.differences.map(\.stage.sequence) == [0, 1])
    #expect(report.differences.map(\.moment) == [.afterCheckpoint, .beforeCheckpoint])
    for kill in report.differences {
      #expect(kill.outcome == .completed(Data("\"unset\"".utf8)))
    }
    #expect("\(report)".contains("ends otherwise: killed after the checkpoint of forgetful 0"))
  }

  @Test("A stage that can't be read is a blocked end")
  func illegible() async throws {
    let report = try await FlowTrial(Illegible(number: 0)) { _ in [DurableFlow(Illegible.self)] }
      .run()
    #expect(report.outcome == .completed(Data("7".utf8)))
    #expect(
      report.differences.map(\.outcome) == [
        .blocked(error: "only zero can be read"), .blocked(error: "only zero can be read"),
      ])
  }

  @Test("What is made with the flows dies with the process, what is in the world stays")
  func processes() async throws {
    let trial = FlowTrial(Scripted("a"), world: { Ledger($0) }) { ledger in
      let cache = Locked("cold")
      let script = Script { stage, _ in
        if stage == "b" { return .complete(cache.withLock { $0 }) }
        cache.withLock { $0 = "warm" }
        return .advance(to: "b")
      }
      ledger.note("process")
      return [DurableFlow(Scripted.self, name: "scripted", services: script)]
    }
    let report = try await trial.comparing { $0.lines.count }.run()
    #expect(try report.outcome.value(as: String.self) == "warm")
    #expect(report.effects == "1" && report.kills.allSatisfy { $0.effects == "2" })
    #expect(
      try report.kills.prefix(3).map { try $0.outcome.value(as: String.self) }
        == ["warm", "cold", "cold"])
  }

  @Test("A killed run that comes to no end is told, and the trial goes on")
  func unended() async throws {
    let trial = FlowTrial(Scripted("a"), world: { Ledger($0) }) { ledger in
      ledger.note("process")
      let script = Script { stage, _ in
        if stage == "b" { return .complete("over") }
        if ledger.lines.count > 1 { return .receive("help", then: "b") }
        return .advance(to: "b")
      }
      return [DurableFlow(Scripted.self, name: "scripted", services: script)]
    }
    let report = try await trial.run()
    let first = try #require(report.kills.first)
    guard case .unended(.awaitsSignals(["help"], let stage)) = first.outcome else {
      Issue.record("\(first)")
      return
    }
    #expect(stage.sequence == 1 && !first.endsAlike)
    #expect(report.kills.dropFirst().allSatisfy { $0.endsAlike })
  }
  @Test("Equal completions are alike, also where their JSON differs")
  func equalCompletions() async throws {
    let report = try await FlowTrial(Gathering.gather, world: { Ledger($0) }) {
      [DurableFlow(Gathering.self, services: $0)]
    }
    .run()
    #expect(report.kills.contains { $0.outcome != report.outcome })
    #expect(report.endsAlike, "\(report)")
  }
}
