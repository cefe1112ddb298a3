import FieldstoneCore
import FieldstoneDurable
import FieldstoneStages
import FieldstoneTesting
import Foundation
import Testing

@Suite("Forks of durable runs", .timeLimit(.minutes(20)))
struct ForkTests {
  private let shop = Workshop()

  private func runner(
    _ script: @escaping @Sendable (Scripted) throws -> DurableStep<Scripted, String>
  )
    throws -> DurableRunner
  {
    try shop.runner { stage, _ in try script(stage) }
  }

  private func finished() async throws -> (DurableRunner, RunID) {
    let runner = try runner { stage in
      switch stage.name {
      case "pay": .advance(to: "pack")
      case "pack": .advance(to: "send")
      default: .complete("sent")
      }
    }
    let id = try await working(runner) {
      let run = try await runner.start(
        Scripted("pay"), key: "order 7",
        options: RunOptions(
          priority: 2, concurrencyKey: "ada", attributes: ["customer": "ada"],
          trace: ["traceparent": "00-1"]))
      _ = try await run.value
      return run.id
    }
    return (runner, id)
  }

  @Test("A fork of a schedule's run is no run of the schedule")
  func scheduled() async throws {
    let runner = try runner { _ in .complete("sent") }
    var generator = SeededGenerator(seed: 1)
    let id = RunID(at: shop.time.source.now, using: &generator)
    var start = RunStart(
      id: id, flow: "scripted", version: 1, payload: try StageJSON.data(of: Scripted("pay")))
    start.attributes = [
      ScheduleOptions.scheduleAttribute: "nightly", ScheduleOptions.tickAttribute: 1, "own": "ada",
    ]
    _ = try await shop.memory.start(start, at: JournalTime(shop.time.source, boot: "boot"))
    let fork = try await runner.fork(id, from: 0)
    #expect(try await shop.memory.run(fork)?.attributes == ["own": "ada"])
  }

  @Test("A fork begins at the stage of a number, with what the old run has and a new identifier")
  func begins() async throws {
    let (runner, id) = try await finished()
    let old = try #require(try await shop.memory.run(id))
    let fork = try await runner.fork(id, from: 1, by: "ada")
    let new = try #require(try await shop.memory.run(fork))
    #expect(fork != id && fork.slot == id.slot)
    let stage = try StageJSON.data(of: Scripted("pack"))
    #expect(new.payload == stage && new.state == .ready)
    #expect(new.origin == RunOrigin(run: id, sequence: 1) && new.key == nil)
    #expect(new.attributes == old.attributes && new.trace == old.trace)
    #expect(new.priority == 2 && new.concurrencyKey == "ada" && new.deadline == nil)
    #expect(try await shop.memory.run(id) == old)
    let row = try #require(try await shop.memory.audit(AuditQuery()).records.first)
    #expect(row.action == .fork && row.actor == "ada" && row.subject == .run(fork))
    let value = try await working(runner) {
      try await runner.handle(fork, completion: String.self).value
    }
    #expect(value == "sent")
    #expect(try await shop.links(of: fork).count == 2)
  }

  @Test("What can't be forked is a typed error, and nothing is written")
  func refusals() async throws {
    let (runner, id) = try await finished()
    await #expect(throws: DurableRunError.noStage(id, sequence: 3)) { try await runner.fork(id) }
    for sequence in [-1, 4, .min, .max] {
      await #expect(throws: DurableRunError.noStage(id, sequence: sequence)) {
        try await runner.fork(id, from: sequence)
      }
    }
    await #expect(throws: DurableRunError.keyTaken("order 7", by: id)) {
      try await runner.fork(id, from: 0, key: "order 7")
    }
    let unknown = RunID(at: shop.time.now)
    await #expect(throws: JournalError.noRun(unknown)) { try await runner.fork(unknown) }
    try await shop.memory.purge(
      JournalRetention(stepsPerRun: 1), at: JournalTime(shop.source, boot: "boot"))
    await #expect(throws: DurableRunError.noStage(id, sequence: 1)) {
      try await runner.fork(id, from: 1)
    }
    #expect(try await shop.memory.runs(RunQuery()).runs.count == 1)
    #expect(try await shop.memory.audit(AuditQuery()).records.isEmpty)
  }

  /// A parent of two children that has completed, and what each of its stages read of them.
  private func family() async throws -> (runner: DurableRunner, parent: RunID, children: [RunID]) {
    let runner = try shop.runner { stage, context in
      switch stage.name {
      case "split":
        return .join(
          [try context.child(Scripted("a")), try context.child(Scripted("b"))], then: "total")
      case "total":
        var words: [String] = []
        for try await child in context.children { words.append(try child.value(as: String.self)) }
        return .complete("\(words)")
      default: return .complete(stage.name)
      }
    }
    let id = try await working(runner) {
      let run = try await runner.start(Scripted("split"))
      #expect(try await run.value == #"["a", "b"]"#)
      return run.id
    }
    return (runner, id, try await children(of: id).map(\.id))
  }

  private func children(of id: RunID) async throws -> [ChildRecord] {
    try await shop.memory.children(of: id, at: nil, after: nil, limit: 10).children
  }

  private func value(of fork: RunID, by runner: DurableRunner) async throws -> String {
    try await working(runner) { try await runner.handle(fork, completion: String.self).value }
  }

  @Test("A fork from the stage that starts children starts children of its own")
  func joins() async throws {
    let (runner, parent, old) = try await family()
    let fork = try await runner.fork(parent, from: 0)
    #expect(try await value(of: fork, by: runner) == #"["a", "b"]"#)
    let new = try await children(of: fork).map(\.id)
    #expect(new.count == 2 && Set(new).isDisjoint(with: old))
    #expect(try await children(of: parent).map(\.id) == old)
  }

  @Test("A fork from the stage after a join reads no children, and has none")
  func readsNone() async throws {
    let (runner, parent, old) = try await family()
    let fork = try await runner.fork(parent, from: 1)
    #expect(try await shop.memory.run(fork)?.join == nil)
    #expect(try await value(of: fork, by: runner) == "[]")
    #expect(try await children(of: fork).isEmpty)
    #expect(try await children(of: parent).map(\.id) == old)
  }

  @Test("A fork of a child has no parent, and one that waits for the child waits for it alone")
  func child() async throws {
    let (begun, gate) = (Gate(), Gate())
    let runner = try shop.runner { stage, context in
      switch stage.name {
      case "split": return .join([try context.child(Scripted("slow"))], then: "total")
      case "total":
        var words: [String] = []
        for try await child in context.children { words.append(child.id.description) }
        return .complete("\(words)")
      default:
        if begun.isOpen { return .complete("fork") }
        begun.open()
        await gate.wait()
        return .complete("child")
      }
    }
    try await working(runner) {
      let run = try await runner.start(Scripted("split"))
      await begun.wait()
      let child = try #require(try await children(of: run.id).first)
      let before = try await run.record
      let fork = try await runner.fork(child.id, from: 0)
      #expect(try await runner.handle(fork, completion: String.self).value == "fork")
      let record = try #require(try await shop.memory.run(fork))
      #expect(record.parent == nil && record.origin == RunOrigin(run: child.id, sequence: 0))
      #expect(try await run.record == before)
      #expect(before.join == RunJoin(sequence: 0, policy: .all, open: 1))
      gate.open()
      let value = try await run.value
      #expect(value == "\([child.id.description])")
      #expect(try await children(of: run.id).map(\.id) == [child.id])
    }
  }

  private enum Old: Stage, Codable {
    case pay(amount: Int)
    func next() async throws -> Step<Self, String> { .complete("old") }
  }

  private enum New: Stage, Codable, Equatable {
    case pay(cents: Int)
    func next() async throws -> Step<Self, Int> {
      guard case .pay(let cents) = self else { return .complete(0) }
      return .complete(cents)
    }
  }

  @Test("A stage is migrated to the newest version, and one that can't be read is refused")
  func migrates() async throws {
    let old = try shop.runner(DurableFlow(Old.self, name: "pay"))
    let id = try await old.start(Old.pay(amount: 3)).id
    let blind = try shop.runner(DurableFlow(New.self, name: "pay", version: 2))
    await #expect {
      try await blind.fork(id)
    } throws: { error in
      if case DurableRunError.unreadable(id, sequence: 0, error: _) = error { true } else { false }
    }
    #expect(try await shop.memory.runs(RunQuery()).runs.count == 1)
    let other = try shop.runner(DurableFlow(CountingDown.self))
    await #expect(throws: DurableRunError.unknownFlow(id, flow: "pay")) { try await other.fork(id) }
    let runner = try shop.runner(
      DurableFlow(
        New.self, name: "pay", version: 2,
        options: FlowOptions(migration: { _, _, json in
          struct Amount: Decodable { var amount: Int }
          return .pay(cents: 100 * (try StageJSON.caseValues(Amount.self, of: json).amount))
        })))
    let fork = try #require(try await shop.memory.run(try await runner.fork(id)))
    let stage = try StageJSON.data(of: New.pay(cents: 300))
    #expect(fork.version == 2 && fork.payload == stage)
    await #expect(throws: DurableRunError.newerVersion(fork.id, found: 2, known: 1)) {
      try await old.fork(fork.id)
    }
  }
}
