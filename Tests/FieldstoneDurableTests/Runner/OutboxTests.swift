import FieldstoneCore
import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

extension SignalName where Value == [String] {
  static var arrived: Self { SignalName("arrived", example: ["letter"]) }
}

@Suite("What a stage starts and sends with its checkpoint", .timeLimit(.minutes(20)))
struct OutboxTests {
  let shop = Workshop()

  @Test("A parent starts a child, and hears of its end by a signal with a type")
  func child() async throws {
    let runner = try shop.runner { stage, context in
      let parts = stage.name.split(separator: " ").map(String.init)
      switch parts[0] {
      case "parent":
        let child = try context.start(Scripted("child \(context.run)"), key: "child")
        #expect(child != context.run)
        return .receive(.arrived, then: "join")
      case "child":
        let parent = try #require(RunID(parts[1]))
        try context.send(.arrived, ["card", "letter"], to: parent)
        return .complete("child")
      default:
        let said = try context.signal(.arrived)
        return .complete(said?.joined(separator: ", ") ?? "nothing")
      }
    }
    let run = try await runner.start(Scripted("parent"))
    let value = try await working(runner) { try await run.value }
    #expect(value == "card, letter")
    let child = try await shop.memory.runs(RunQuery(key: "child")).runs
    #expect(child.map(\.state) == [.completed])
    let started = shop.events.elements.filter { $0.kind == .started }.compactMap(\.run)
    #expect(Set(started) == [run.id, child[0].id])
  }

  /// A value that sends another signal while it is encoded, as a task beside it may.
  private struct Sending: Encodable, Sendable {
    let send: @Sendable () throws -> Void

    func encode(to encoder: any Encoder) throws {
      try send()
      var container = encoder.singleValueContainer()
      try container.encode(["first"])
    }
  }

  @Test("Signals that a stage sends at the same time all arrive")
  func atTheSameTime() async throws {
    let runner = try shop.runner { stage, context in
      switch stage.name {
      case "receiver": return .receive(.arrived, then: "again")
      case "again":
        let said = try context.signal(.arrived) ?? []
        return said == ["second"] ? .receive(.arrived, then: "again") : .complete("\(said)")
      default:
        let receiver = try #require(RunID(stage.name))
        try context.send(
          "arrived", Sending { try context.send("arrived", ["second"], to: receiver) }, to: receiver
        )
        return .complete("sent")
      }
    }
    let receiver = try await runner.start(Scripted("receiver"))
    let value = try await working(runner) {
      _ = try await runner.start(Scripted("\(receiver.id)")).value
      return try await receiver.value
    }
    #expect(value == "[\"first\"]")
  }

  @Test("What an attempt starts and sends that then fails is forgotten")
  func failed() async throws {
    let shop = Workshop()
    let runner = try shop.runner(
      flow: .init(maxConcurrent: 1, retryPolicy: { _ in .never })
    ) { stage, context in
      guard stage.name == "a" else { return .complete("child") }
      try context.start(Scripted("b"), key: "child")
      throw RetryTests.Trouble()
    }
    let run = try await runner.start(Scripted("a"))
    _ = try await working(runner) { await shop.event { $0.run == run.id && $0.kind.isDead } }
    #expect(try await shop.memory.runs(RunQuery(key: "child")).runs.isEmpty)
  }

  @Test("A signal that its run does not take makes the attempt fail, and nothing is started")
  func refused() async throws {
    var generator = SeededGenerator(seed: 1)
    let nobody = RunID(at: shop.time.source.now, using: &generator)
    let runner = try shop.runner(
      flow: .init(maxConcurrent: 1, retryPolicy: { _ in .never })
    ) { stage, context in
      try context.start(Scripted("b"), key: "child")
      try context.send(.arrived, [], to: nobody)
      return .complete("done")
    }
    let run = try await runner.start(Scripted("a"))
    _ = try await working(runner) { await shop.event { $0.run == run.id && $0.kind.isDead } }
    #expect(try await run.record.error == JournalError.noRun(nobody).message)
    #expect(try await shop.memory.runs(RunQuery(key: "child")).runs.isEmpty)
  }

  @Test("A stage of no flow of the runner is refused before anything is written")
  func unknown() async throws {
    let runner = try shop.runner(
      flow: .init(maxConcurrent: 1, retryPolicy: { _ in .never })
    ) { _, context in
      try context.start(CountingDown.at(3))
      return .complete("done")
    }
    let run = try await runner.start(Scripted("a"))
    _ = try await working(runner) { await shop.event { $0.run == run.id && $0.kind.isDead } }
    let message = DurableRunnerError.notRegistered(stage: "CountingDown").message
    #expect(try await run.record.error == message)
  }

  @Test("Another signal than the one that is asked for is none")
  func otherName() async throws {
    let runner = try shop.runner { stage, context in
      guard stage.name == "b" else { return .receive("other", then: "b") }
      return .complete(try context.signal(.arrived)?.first ?? context.signal?.name ?? "nothing")
    }
    let run = try await runner.start(Scripted("a"))
    try await run.signal("other", 3)
    let value = try await working(runner) { try await run.value }
    #expect(value == "other")
    let again = try await runner.start(Scripted("a"))
    try await again.cancel()
    await #expect(throws: JournalError.notAllowed(again.id, state: .cancelled, action: "signalled"))
    {
      try await again.signal(.arrived, [])
    }
  }
}

extension RunnerEvent.Kind {
  fileprivate var isDead: Bool {
    if case .dead = self { true } else { false }
  }
}
