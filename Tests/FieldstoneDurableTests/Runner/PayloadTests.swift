import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

@Suite("Payloads of a durable run", .timeLimit(.minutes(20)))
struct PayloadTests {
  let shop = Workshop()
  let strict = Workshop(limits: PayloadLimits(warning: 100, error: 200, key: 30))

  @Test("Above the first limit there is a word of warning")
  func warning() async throws {
    let runner = try strict.runner { stage, _ in
      stage.name == "a" ? .advance(to: Scripted(String(repeating: "x", count: 120))) : .complete("")
    }
    try await working(runner) {
      let run = try await runner.start(Scripted("a"))
      #expect(try await run.value == "")
      let bytes = #"{"name":""}"#.utf8.count + 120
      let event = RunnerEvent(
        .payloadWarning(bytes: bytes, limit: 100), flow: "scripted", run: run.id, sequence: 0)
      #expect(strict.events.elements.filter { $0 == event }.count == 1)
    }
  }

  @Test("Above the second the run is dead at once: the same work would come to the same")
  func tooLarge() async throws {
    let begun = Recorder<Int>()
    let runner = try strict.runner { _, context in
      begun.record(context.attempt)
      return .complete(String(repeating: "x", count: 300))
    }
    try await working(runner) {
      let run = try await runner.start(Scripted("a"))
      let text = JournalError.tooLarge(bytes: 302, limit: 200).message
      await #expect(throws: DurableRunError.dead(run.id, error: text)) { try await run.value }
      #expect(begun.elements == [1])
      await #expect(throws: JournalError.tooLarge(bytes: 311, limit: 200)) {
        try await runner.start(Scripted(String(repeating: "x", count: 300)))
      }
      await #expect(throws: JournalError.tooLarge(bytes: 302, limit: 200)) {
        try await run.signal("word", String(repeating: "x", count: 300))
      }
    }
  }

  @Test("A key, a name and an identifier have so many bytes and no more")
  func longKeys() async throws {
    let runner = try strict.runner { _, _ in .receive("word", then: "b") }
    let run = try await runner.start(Scripted("a"), key: String(repeating: "k", count: 30))
    let tooLong = JournalError.keyTooLong(bytes: 31, limit: 30)
    await #expect(throws: tooLong) {
      try await runner.start(Scripted("a"), key: String(repeating: "k", count: 29) + "ñ")
    }
    await #expect(throws: tooLong) {
      try await run.signal("word", 1, id: String(repeating: "i", count: 31))
    }
    await #expect(throws: tooLong) { try await run.signal(String(repeating: "n", count: 31), 1) }
    #expect(PayloadLimits().key == 1_024)
  }

  @Test("A write on a journal without transactions is the end of the run, and says so")
  func noTransactions() async throws {
    let runner = try shop.runner { _, context in
      context.atCheckpoint(CheckpointWrite { _ in })
      return .complete("done")
    }
    try await working(runner) {
      let run = try await runner.start(Scripted("a"))
      await #expect(
        throws: DurableRunError.dead(run.id, error: JournalError.noTransactions.message)
      ) { try await run.value }
    }
  }

  @Test("What a write throws is a failed attempt")
  func failingWrite() async throws {
    let journal = Writing(decorated: shop.memory)
    let script = Script { _, context in
      if context.attempt == 1 {
        context.atCheckpoint(CheckpointWrite { _ in throw RetryTests.Trouble() })
      }
      return .complete("attempt \(context.attempt)")
    }
    let options = FlowOptions<Scripted>(retryPolicy: { _ in StageRetryPolicy(baseDelay: .zero) })
    let runner = try DurableRunner(
      journal: journal,
      flows: [DurableFlow(Scripted.self, name: "scripted", services: script, options: options)],
      options: shop.options(), time: shop.time.source)
    try await working(runner) {
      let run = try await runner.start(Scripted("a"))
      #expect(try await run.value == "attempt 2")
      #expect(try await shop.links(of: run.id).first?.error == RetryTests.Trouble().message)
    }
  }

  /// Makes the writes of a checkpoint, in no transaction.
  struct Writing: JournalDecorator {
    let decorated: any Journal

    func checkpoint(
      _ checkpoint: Checkpoint, at time: JournalTime
    ) async throws -> CheckpointReceipt {
      for write in checkpoint.writes { try write.perform(in: ()) }
      var checkpoint = checkpoint
      checkpoint.writes = []
      return try await decorated.checkpoint(checkpoint, at: time)
    }
  }
}
