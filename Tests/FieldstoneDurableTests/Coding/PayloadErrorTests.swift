import FieldstoneCore
import FieldstoneDurable
import FieldstoneDurableTesting
import FieldstoneTesting
import Foundation
import Testing

@Suite("Payloads that can't be decoded", .timeLimit(.minutes(20)))
struct PayloadErrorTests {
  private let shop = Workshop()

  private func runner(
    on journal: (any Journal)? = nil, worker: String = "a",
    script:
      @escaping @Sendable (Scripted, DurableContext<Script>) async throws -> DurableStep<
        Scripted, String
      > = { stage, _ in .complete(stage.name) }
  ) throws -> DurableRunner {
    let policy = StageRetryPolicy(maximumAttempts: 2, baseDelay: .zero)
    return try DurableRunner(
      journal: journal ?? CodedJournal(xor: shop.memory),
      flows: [
        DurableFlow(
          Scripted.self, name: "scripted", services: Script(script),
          options: FlowOptions(retryPolicy: { _ in policy }))
      ], options: shop.options(worker: worker), time: shop.source)
  }

  /// The run, once it is blocked; its stage must be as it was.
  private func blocked(
    _ id: RunID, by runner: DurableRunner, _ words: String
  ) async throws {
    let before = try #require(try await shop.memory.run(id))
    _ = try await working(runner) {
      await shop.event { event in
        if event.run == id, case .blocked = event.kind { true } else { false }
      }
    }
    let after = try #require(try await shop.memory.run(id))
    #expect(after.state == .blocked && after.payload == before.payload)
    #expect(after.sequence == before.sequence && after.attempts == 0)
    let error = try #require(try await runner.journal.run(id)?.error)
    #expect(error.contains(words), "\(error)")
  }

  /// The completion of a run that the runner frees once it is started.
  private func value(of id: RunID, by runner: DurableRunner) async throws -> String {
    try await working(runner) {
      await shop.event { $0.run == id && $0.kind == .completed }
      return try await runner.handle(id, completion: String.self).value
    }
  }

  @Test("A stage that was moved to another run blocks it, and an edit frees it")
  func moved() async throws {
    let runner = try runner()
    let first = try await runner.start(Scripted("first"))
    let stolen = try #require(try await shop.memory.run(first.id)?.payload)
    let id = RunID(at: shop.time.now)
    _ = try await shop.memory.start(
      RunStart(id: id, flow: "scripted", version: 1, payload: stolen),
      at: JournalTime(shop.source, boot: "boot"))
    try await blocked(id, by: runner, "it was moved here from another place")
    _ = try await runner.journal.change(
      id, .edit(StageJSON.data(of: Scripted("edited")), version: nil),
      at: JournalTime(shop.source, boot: "boot"))
    let run = runner.handle(id, completion: String.self)
    let values = try await working(runner) {
      [try await run.value, try await first.value]
    }
    #expect(values == ["edited", "first"])
  }

  @Test("A stage that was moved to another place of its own run blocks it")
  func movedWithin() async throws {
    let runner = try runner { stage, _ in
      stage == "a" ? .wait(until: .distantFuture, then: "b") : .complete(stage.name)
    }
    let run = try await runner.start(Scripted("a"))
    _ = try await working(runner) {
      await shop.event { $0.kind == .stageFinished(attempt: 1, duration: .zero) }
    }
    let step = try #require(try await shop.links(of: run.id).first)
    _ = try await shop.memory.change(
      run.id, .edit(step.payload, version: nil), at: JournalTime(shop.source, boot: "boot"))
    try await blocked(run.id, by: runner, "stage 2 of run \(run.id)")
  }

  @Test("With another key old runs go on while the codec has the old one, and are blocked without")
  func keys() async throws {
    let run = try await runner(on: CodedJournal(xor: shop.memory, key: 1)).start(Scripted("a"))
    let without = try runner(on: CodedJournal(xor: shop.memory, key: 2))
    try await blocked(run.id, by: without, "there is no key 1")
    await #expect(throws: DurableRunError.self) {
      try await without.handle(run.id, completion: String.self).value
    }
    let both = try runner(on: CodedJournal(xor: shop.memory, key: 2, known: [1, 2]), worker: "b") {
      stage, _ in
      stage == "a" ? .advance(to: "b") : .complete("done")
    }
    #expect(try await value(of: run.id, by: both) == "done")
    // What was written since has the new key.
    let kept = try #require(try await shop.memory.run(run.id))
    #expect(PayloadEnvelope.content(of: kept.payload)?.first == 2)
    let reader = CodedJournal(xor: shop.memory, key: 2)
    #expect(try await reader.run(run.id)?.payload == Data("\"done\"".utf8))
    let unread = try #require(try await reader.steps(of: run.id, after: nil, limit: 9).steps.first)
    #expect(throws: PayloadError.self) { try unread.stage(as: Scripted.self) }
  }

  @Test(
    "Plain payloads are refused, and read where the journal accepts them", arguments: [false, true])
  func plain(isAccepted: Bool) async throws {
    let plain = try self.runner(on: shop.memory)
    let run = try await plain.start(Scripted("old"))
    let coded = CodedJournal(xor: shop.memory, acceptsPlain: isAccepted)
    let runner = try self.runner(on: coded) { stage, _ in
      stage == "old" ? .advance(to: "new") : .complete(stage.name)
    }
    guard isAccepted else {
      try await blocked(run.id, by: runner, "accept plain payloads")
      return
    }
    let handle = runner.handle(run.id, completion: String.self)
    #expect(try await working(runner) { try await handle.value } == "new")
    #expect(PayloadEnvelope.isCoded(try #require(try await shop.memory.run(run.id)).payload))
  }

  @Test("A worker without the codec blocks the run before a migration sees its stage")
  func withoutCodec() async throws {
    let run = try await runner().start(Scripted("a"))
    let migrated = Recorder<Int>()
    let options = FlowOptions<Scripted>(migration: { version, _, _ in
      migrated.record(version)
      return "migrated"
    })
    let plain = try DurableRunner(
      journal: shop.memory,
      flows: [
        DurableFlow(
          Scripted.self, name: "scripted", version: 2,
          services: Script { _, _ in .complete("") }, options: options)
      ], options: shop.options(), time: shop.source)
    try await blocked(run.id, by: plain, "this journal has no codec")
    #expect(migrated.count == 0)
  }

  @Test("A signal that can't be decoded blocks the run, and is given again once it can")
  func signal() async throws {
    let script:
      @Sendable (Scripted, DurableContext<Script>) async throws -> DurableStep<
        Scripted, String
      > = { stage, context in
        if stage == "ask" { return .receive("go", until: nil, then: "told") }
        return .complete(try context.signal(as: String.self) ?? "nobody")
      }
    let runner = try runner(script: script)
    let run = try await runner.start(Scripted("ask"))
    let elsewhere = CodedJournal(xor: shop.memory, key: 9)
    _ = try await elsewhere.signal(
      run.id,
      SignalRecord(id: "1", name: "go", payload: Data("\"Ada\"".utf8), sentAt: shop.time.now),
      at: JournalTime(shop.source, boot: "boot"))
    _ = try await working(runner) {
      await shop.event { if case .blocked = $0.kind { true } else { false } }
    }
    let record = try #require(try await runner.journal.run(run.id))
    #expect(record.state == .blocked && record.sequence == 1 && record.attempts == 0)
    #expect(record.error?.contains("signal “1”") == true && record.error?.contains("key 9") == true)
    let both = try self.runner(
      on: CodedJournal(xor: shop.memory, known: [0x5a, 9]), worker: "b", script: script)
    #expect(try await value(of: run.id, by: both) == "Ada")
  }

  @Test("A child whose completion can't be decoded blocks its parent, which has used no attempt")
  func child() async throws {
    let script:
      @Sendable (Scripted, DurableContext<Script>) async throws -> DurableStep<
        Scripted, String
      > = { stage, context in
        switch stage.name {
        case "split": return .join([try context.child(Scripted("child"))], then: "total")
        case "total":
          var words: [String] = []
          for try await child in context.children { words.append(try child.value(as: String.self)) }
          return .complete(words.joined())
        default: return .complete(stage.name)
        }
      }
    // The child is done by a worker with another key, which the parent's worker does not have.
    let runner = try runner(
      on: ChildKey(decorated: shop.memory), script: script)
    let run = try await runner.start(Scripted("split"))
    _ = try await working(runner) {
      await shop.event { event in
        if event.run == run.id, case .blocked = event.kind { true } else { false }
      }
    }
    let record = try #require(try await runner.journal.run(run.id))
    #expect(record.state == .blocked && record.attempts == 0 && record.sequence == 1)
    #expect(record.error?.contains("completion of run") == true, "\(record.error ?? "")")
  }

  /// A coded journal that writes completions of children with a key that it does not have.
  private struct ChildKey: JournalDecorator {
    private let memory: InMemoryJournal
    let decorated: any Journal

    init(decorated memory: InMemoryJournal) {
      self.memory = memory
      decorated = CodedJournal(xor: memory)
    }

    func checkpoint(
      _ checkpoint: Checkpoint, at time: JournalTime
    ) async throws -> CheckpointReceipt {
      guard checkpoint.isChild == true else {
        return try await decorated.checkpoint(checkpoint, at: time)
      }
      return try await CodedJournal(xor: memory, key: 9).checkpoint(checkpoint, at: time)
    }
  }

  @Test("A list and a claim have what can't be decoded among the others")
  func amongOthers() async throws {
    _ = try await self.runner(on: CodedJournal(xor: shop.memory, key: 9)).start(Scripted("a"))
    let runner = try self.runner()
    let run = try await runner.start(Scripted("b"))
    #expect(try await runner.journal.runs(RunQuery()).runs.count == 2)
    var findings: [JournalFinding] = []
    try await runner.journal.verify { findings.append($0) }
    #expect(findings.count == 1 && findings.first?.detail.contains("key 9") == true)
    try await shop.memory.verify { findings.append($0) }
    #expect(findings.count == 1)
    #expect(try await working(runner) { try await run.value } == "b")
  }

  @Test("A payload that could not be decoded is not encoded as if it were one")
  func encodedTwice() async throws {
    let run = try await runner(on: CodedJournal(xor: shop.memory, key: 9)).start(Scripted("a"))
    let journal = CodedJournal(xor: shop.memory)
    let unread = try #require(try await journal.run(run.id))
    let copy = RunStart(
      id: RunID(at: shop.time.now), flow: "scripted", version: 1, payload: unread.payload)
    let error = await #expect(throws: PayloadError.self) {
      try await journal.start(copy, at: JournalTime(shop.source, boot: "boot"))
    }
    guard case .undecodable = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("Each place has bytes of its own, which never change")
  func places() throws {
    let id = try #require(RunID("01JH2GXQ0D5N5ZJZ8C8S7M3R4V"))
    func text(_ context: PayloadContext) -> String {
      String(decoding: context.authenticatedData, as: UTF8.self)
    }
    #expect(text(PayloadContext(.stage, run: id, sequence: 3)) == "stage\n\(id)\n3")
    #expect(text(PayloadContext(.completion, run: id)) == "completion\n\(id)\n")
    #expect(
      text(PayloadContext(.signal, run: id, names: ["a", "bc"])) == "signal\n\(id)\n\n1 a\n2 bc")
    let names = [["a\n1 b"], ["a", "b"], ["a"], [], ["a", ""], ["", "a"]]
    #expect(Set(names.map { text(PayloadContext(.signal, run: id, names: $0)) }).count == 6)
    for context in [
      PayloadContext(.error, run: id, sequence: 1), PayloadContext(.schedule, names: ["nightly"]),
      PayloadContext(.logLine, run: id, sequence: 1),
    ] {
      let error = PayloadError.undecodable(context, reason: "why")
      #expect(error.message.contains("why") && error.message.contains("restore a backup"))
      #expect(throws: error) { try PayloadEnvelope.check(PayloadEnvelope.unreadable(error)) }
    }
  }
}
