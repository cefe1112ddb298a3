import FieldstoneCore
import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

@Suite("Many starts in one call", .timeLimit(.minutes(20)))
struct ManyStartsTests {
  let shop = Workshop()

  private func echo(on journal: (any Journal)? = nil) throws -> DurableRunner {
    let script = Script { stage, _ in .complete(stage.name) }
    return try DurableRunner(
      journal: journal ?? shop.journal,
      flows: [DurableFlow(Scripted.self, name: "scripted", services: script)],
      options: shop.options(), time: shop.source)
  }

  /// Hears of each batch that comes to the journal.
  private struct Counted: JournalDecorator {
    let decorated: any Journal
    let onBatch: @Sendable (Int) async throws -> Void

    func start(
      _ starts: [RunStart], at time: JournalTime
    ) async -> [Result<RunRecord, any Error>] {
      do {
        try await onBatch(starts.count)
      } catch {
        return starts.map { _ in .failure(error) }
      }
      return await decorated.start(starts, at: time)
    }
  }

  @Test("Ten thousand are each answered in order, and only a batch of them waits in memory")
  func tenThousand() async throws {
    let taken = Locked(0)
    let written = Locked(0)
    let runner = try echo(
      on: Counted(decorated: shop.memory) { count in
        let waiting = taken.withLock { $0 } - written.withLock { $0 }
        #expect(waiting <= 256 && waiting == count)
        written.withLock { $0 += count }
      })
    let stages = (0..<10_000).lazy.map { number in
      taken.withLock { $0 += 1 }
      return StageStart(Scripted("\(number)"), key: "\(number)")
    }
    let answers = try await runner.start(all: stages)
    #expect(answers.count == 10_000 && written.withLock { $0 } == 10_000)
    for number in [0, 255, 256, 9_999] {
      let run = try answers[number].get()
      #expect(try await run.record.key == "\(number)")
      #expect(try await run.record.payload == StageJSONText("\(number)").data)
    }
    #expect(Set(answers.compactMap { try? $0.get().id }).count == 10_000)
    let events = shop.events.elements.filter { $0.kind == .started }
    #expect(events.count == 10_000)
  }

  @Test("A runner that waits for work gets what was started, and handles hear of it")
  func works() async throws {
    let runner = try echo()
    try await working(runner) {
      let answers = try await runner.start(all: (0..<300).map { StageStart(Scripted("\($0)")) })
      for (number, answer) in answers.enumerated() {
        #expect(try await answer.get().value == "\(number)")
      }
    }
  }

  @Test("One that fails alone fails alone; a key and an identifier count among them, too")
  func failsAlone() async throws {
    let shop = Workshop(limits: PayloadLimits(error: 100))
    let script = Script { stage, _ in .complete(stage.name) }
    let runner = try shop.runner(
      DurableFlow(Scripted.self, name: "scripted", services: script))
    var generator = SeededGenerator(seed: 3)
    let id = RunID(at: shop.time.source.now, using: &generator)
    let answers = try await runner.start(all: [
      StageStart(Scripted("first"), key: "key"),
      StageStart(Scripted(String(repeating: "x", count: 200))),
      StageStart(Scripted("second"), key: "key"),
      StageStart(Scripted("third"), options: RunOptions(id: id)),
      StageStart(Scripted("fourth"), key: String(repeating: "k", count: 2_000)),
      StageStart(Scripted("fifth"), options: RunOptions(id: id, priority: 3)),
    ])
    let ids = answers.map { try? $0.get().id }
    #expect(ids[0] == ids[2] && ids[0] != nil)
    #expect(ids[3] == id && ids[5] == id)
    #expect(throws: JournalError.tooLarge(bytes: 211, limit: 100)) { try answers[1].get() }
    #expect(throws: JournalError.keyTooLong(bytes: 2_000, limit: 1_024)) { try answers[4].get() }
    #expect(try await shop.memory.runs(RunQuery()).runs.count == 2)
  }

  @Test("When the journal can't be used the rest is not tried, and has that error")
  func unavailable() async throws {
    let batches = Locked(0)
    let runner = try echo(
      on: Counted(decorated: shop.memory) { _ in
        let number = batches.withLock { count in
          count += 1
          return count
        }
        if number == 2 { throw JournalError.unavailable("full") }
      })
    let answers = try await runner.start(all: (0..<1_000).map { StageStart(Scripted("\($0)")) })
    #expect(answers.count == 1_000 && batches.withLock { $0 } == 2)
    #expect(answers[..<256].allSatisfy { (try? $0.get()) != nil })
    for answer in answers[256...] {
      #expect(throws: JournalError.unavailable("full")) { try answer.get() }
    }
  }

  @Test("A task that is cancelled starts no more, and what was started stays")
  func cancelled() async throws {
    let runner = try echo(
      on: Counted(decorated: shop.memory) { _ in withUnsafeCurrentTask { $0?.cancel() } })
    let answers = try await Task {
      try await runner.start(all: (0..<1_000).map { StageStart(Scripted("\($0)")) })
    }.value
    #expect(answers.count == 1_000)
    #expect(answers[..<256].allSatisfy { (try? $0.get()) != nil })
    #expect(throws: CancellationError.self) { try answers[256].get() }
    #expect(throws: CancellationError.self) { try answers[999].get() }
  }

  @Test("A stage of no flow is refused before anything is started")
  func notRegistered() async throws {
    let runner = try echo()
    await #expect(throws: DurableRunnerError.notRegistered(stage: "CountingDown")) {
      try await runner.start(all: [StageStart(CountingDown.at(3))])
    }
    #expect(try await runner.start(all: [StageStart<Scripted>]()).isEmpty)
  }

  @Test("Large payloads go in smaller batches")
  func large() async throws {
    let sizes = Recorder<Int>()
    let runner = try echo(on: Counted(decorated: shop.memory) { sizes.record($0) })
    let text = String(repeating: "x", count: 1_000_000)
    _ = try await runner.start(all: (0..<12).lazy.map { _ in StageStart(Scripted(text)) })
    #expect(sizes.elements.allSatisfy { $0 <= 5 } && sizes.elements.reduce(0, +) == 12)
  }
}

/// The stage as the journal has it.
private struct StageJSONText {
  let data: Data
  init(_ name: String) { data = Data(#"{"name":"\#(name)"}"#.utf8) }
}
