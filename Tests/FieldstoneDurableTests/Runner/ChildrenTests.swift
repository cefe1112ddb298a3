import FieldstoneCore
import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

@Suite("Children of a run", .timeLimit(.minutes(20)))
struct ChildrenTests {
  let shop = Workshop()

  /// Adds up what the children say, each by its number; the others by how they ended.
  private func outcomes(_ context: DurableContext<Script>) async throws -> String {
    var words: [String] = []
    for try await child in context.children {
      switch child.outcome(as: String.self) {
      case .success(let word): words.append(word)
      case .failure(let error):
        words.append("\((error as? DurableRunError)?.message ?? "\(error)")")
      case .cancelled: words.append("cancelled")
      case nil: words.append("open")
      }
    }
    return words.joined(separator: ", ")
  }

  @Test("A stage fans out and joins: the next reads what came of each, in order")
  func fanOut() async throws {
    let runner = try shop.runner { [outcomes] stage, context in
      switch stage.name {
      case "split":
        let parts = try (1...250).map { try context.child(Scripted("part \($0)")) }
        return .join(parts, then: "total")
      case "total": return .complete(try await outcomes(context))
      default: return .complete(stage.name)
      }
    }
    let run = try await runner.start(Scripted("split"))
    let value = try await working(runner) { try await run.value }
    #expect(value == (1...250).map { "part \($0)" }.joined(separator: ", "))
    let started = shop.events.elements.count { $0.kind == .started }
    #expect(started == 251)
    let children = try await shop.memory.children(of: run.id, at: nil, after: nil, limit: 1_000)
    #expect(children.children.map(\.place.ordinal) == Array(0..<250))
  }

  @Test("Children are of any flow, and a plain stage can be one")
  func otherFlow() async throws {
    let script = Script { stage, context in
      guard stage.name == "a" else {
        var values: [String] = []
        for try await child in context.children { values.append(try child.value(as: String.self)) }
        return .complete(values.joined(separator: ", "))
      }
      return .join([try context.child(CountingDown.at(2))], then: "b")
    }
    let runner = try shop.runner(
      DurableFlow(Scripted.self, name: "scripted", services: script), DurableFlow(CountingDown.self)
    )
    let run = try await runner.start(Scripted("a"))
    #expect(try await working(runner) { try await run.value } == "lift-off")
  }

  @Test("A waiting parent holds no place: with one place, its children are worked on")
  func places() async throws {
    let runner = try shop.runner(flow: .init(maxConcurrent: 1)) { [outcomes] stage, context in
      switch stage.name {
      case "a":
        return .join(
          [try context.child(Scripted("b")), try context.child(Scripted("c"))], then: "d")
      case "b": return .join([try context.child(Scripted("e"))], then: "d")
      case "d": return .complete("(" + (try await outcomes(context)) + ")")
      default: return .complete(stage.name)
      }
    }
    let run = try await runner.start(Scripted("a"))
    #expect(try await working(runner) { try await run.value } == "((e), c)")
  }

  @Test("A dead child has failed, and a child that is left alone is cancelled or goes on detached")
  func failFast() async throws {
    let runner = try shop.runner(
      flow: .init(retryPolicy: { _ in .never })
    ) { [outcomes] stage, context in
      switch stage.name {
      case "a":
        let parts = [
          try context.child(Scripted("waits")), try context.child(Scripted("fails")),
          try context.child(Scripted("waits"), isDetached: true),
        ]
        return .join(parts, when: .failFast, then: "z")
      case "z": return .complete(try await outcomes(context))
      case "fails": throw RetryTests.Trouble()
      default: return .receive("word", then: "heard")
      }
    }
    let run = try await runner.start(Scripted("a"))
    let value = try await working(runner) { try await run.value }
    let children = try await shop.memory.children(of: run.id, at: nil, after: nil, limit: 10)
    let dead = children.children[1]
    #expect(
      value == "open, \(DurableRunError.dead(dead.id, error: dead.error ?? "").message), open")
    #expect(throws: DurableRunError.notEnded(children.children[0].id)) {
      try children.children[0].value(as: String.self)
    }
    let another = try await shop.memory.claim(
      ClaimRequest(worker: "b", flows: [], lease: .seconds(1)),
      at: JournalTime(shop.source, boot: "boot"))
    #expect(another.runs.isEmpty)
    let states = try await shop.memory.children(of: run.id, at: nil, after: nil, limit: 10)
      .children.map(\.state)
    #expect(states == [.cancelled, .dead, .ready])
  }

  @Test("What an attempt makes that then fails, or does not return, is not started")
  func unused() async throws {
    let runner = try shop.runner { stage, context in
      if stage.name == "a" {
        _ = try context.child(Scripted("b"))
        return .advance(to: "c")
      }
      var count = 0
      for try await _ in context.children { count += 1 }
      return .complete("\(count) children")
    }
    let run = try await runner.start(Scripted("a"))
    #expect(try await working(runner) { try await run.value } == "0 children")
    #expect(try await shop.memory.runs(RunQuery()).runs.count == 1)
  }

  @Test("Too many children are no use trying again: the run is dead at once")
  func tooMany() async throws {
    let shop = Workshop(limits: PayloadLimits(children: 2))
    let runner = try shop.runner { _, context in
      .join(try (0..<3).map { try context.child(Scripted("\($0)")) }, then: "z")
    }
    let run = try await runner.start(Scripted("a"))
    let error = JournalError.tooManyChildren(3, limit: 2).message
    await #expect(throws: DurableRunError.dead(run.id, error: error)) {
      try await working(runner) { try await run.value }
    }
  }
}
