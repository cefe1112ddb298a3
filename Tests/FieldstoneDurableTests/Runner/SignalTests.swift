import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

@Suite("Signals to a durable run", .timeLimit(.minutes(20)))
struct SignalTests {
  let shop = Workshop()

  private func approval(until date: Date? = nil) throws -> DurableRunner {
    try shop.runner { stage, context in
      switch stage.name {
      case "ask": return .receive("approval", until: date, then: "decided")
      default: return .complete(try context.signal(as: String.self) ?? "nobody")
      }
    }
  }

  @Test("A run waits for its signal, and the stage that follows finds it")
  func received() async throws {
    let runner = try approval()
    try await working(runner) {
      let run = try await runner.start(Scripted("ask"))
      await shop.event { $0.kind == .stageFinished(attempt: 1, duration: .zero) }
      #expect(try await run.record.awaitedSignals == ["approval"])
      try await run.signal("other", "no")
      try await run.signal("approval", "Ada")
      #expect(try await run.value == "Ada")
    }
  }

  @Test("A signal that comes early waits for the run")
  func early() async throws {
    let runner = try approval()
    let run = try await runner.start(Scripted("ask"))
    try await run.signal("approval", "Ada", id: "1")
    try await run.signal("approval", "Bob", id: "2")
    #expect(try await working(runner) { try await run.value } == "Ada")
  }

  @Test("A signal leaves an audit row where the call names a person, and none otherwise")
  func audit() async throws {
    let approved = SignalName("approval", example: "Ada")
    let runner = try shop.runner { stage, context in
      if let run = RunID(stage.name) {
        try context.send(approved, "Bob", to: run)
        return .complete("sent")
      }
      if stage.name == "ask" { return .receive("approval", then: "decided") }
      return .complete(try context.signal(approved) ?? "nobody")
    }
    let run = try await runner.start(Scripted("ask"))
    let sender = try await runner.start(Scripted("\(run.id)"))
    let values = try await working(runner) { [try await sender.value, try await run.value] }
    #expect(values == ["sent", "Bob"])
    let second = try await runner.start(Scripted("ask"))
    try await second.signal("approval", "Ada")
    #expect(try await shop.journal.audit(AuditQuery()).records.isEmpty)
    try await second.signal(approved, "Eve", id: "1", by: "eve")
    try await second.signal("approval", "Eve", id: "1", by: "bob")
    let rows = try await shop.journal.audit(AuditQuery()).records
    #expect(rows.map(\.actor) == ["eve"] && rows.map(\.action) == [.signal])
    #expect(rows.map(\.subject) == [.run(second.id)])
  }

  @Test("Without a signal it goes on at its time")
  func timeOut() async throws {
    let runner = try approval(until: shop.time.now + 60)
    try await working(runner) {
      let run = try await runner.start(Scripted("ask"))
      await shop.event { $0.kind == .stageFinished(attempt: 1, duration: .zero) }
      let value = Task { try await run.value }
      await shop.time.sleepers(atLeast: 2)
      shop.time.advance(by: .seconds(60))
      #expect(try await value.value == "nobody")
    }
  }

  @Test("The same signal twice is one; each is consumed by one stage, also after a failed attempt")
  func consumedOnce() async throws {
    let heard = Recorder<String>()
    let policy = StageRetryPolicy(maximumAttempts: 3, baseDelay: .zero)
    let runner = try shop.runner(flow: .init(retryPolicy: { _ in policy })) { stage, context in
      let word = try context.signal(as: String.self)
      heard.record("\(stage.name) \(context.attempt) \(word ?? "-")")
      switch stage.name {
      case "ask": return .receive("word", then: "first")
      case "first":
        if context.attempt == 1 { throw RetryTests.Trouble() }
        return .receive("word", then: "second")
      case "second": return .advance(to: "last")
      default: return .complete(word ?? "none left")
      }
    }
    let run = try await runner.start(Scripted("ask"))
    for (word, id) in [("one", "1"), ("one", "1"), ("two", "2"), ("one", "1")] {
      try await run.signal("word", word, id: id)
    }
    #expect(try await working(runner) { try await run.value } == "none left")
    #expect(
      heard.elements == ["ask 1 -", "first 1 one", "first 2 one", "second 1 two", "last 1 -"])
  }

  @Test(
    "A stage that awaits several signals goes on with the first of them, and knows which it is",
    arguments: [("approved", "yes 3"), ("refused", "no: too late")])
  func several(sent: String, wanted: String) async throws {
    let runner = try shop.runner { stage, context in
      guard stage.name == "decided" else { return .receive(.approved, .refused, then: "decided") }
      if let days = try context.signal(.approved) { return .complete("yes \(days)") }
      return .complete("no: \(try context.signal(.refused) ?? "nobody")")
    }
    try await working(runner) {
      let run = try await runner.start(Scripted("ask"))
      await shop.event { $0.kind == .stageFinished(attempt: 1, duration: .zero) }
      #expect(try await run.record.awaitedSignals == ["approved", "refused"])
      try await run.signal("other", 1)
      if sent == "approved" {
        try await run.signal(.approved, 3)
      } else {
        try await run.signal(.refused, "too late")
      }
      #expect(try await run.value == wanted)
    }
  }

  @Test(
    "A wait that no signal can end is an error of its stage, and is not tried again",
    arguments: [
      ([], "awaits the signals of 1 to 16 names, and these are 0; use `.wait` for a time alone"),
      ((0...16).map { "name \($0)" }, "names, and these are 17: “name 0”, “name 1”, “name 2”"),
      (["a\u{1F}b"], "“a␟b” holds the character U+001F"),
    ])
  func wrongNames(names: [String], words: String) async throws {
    let runner = try shop.runner { _, _ in .receive(names, then: "late") }
    try await working(runner) {
      let run = try await runner.start(Scripted("ask"))
      await #expect(throws: (any Error).self) { try await run.value }
      let record = try await run.record
      #expect(record.state == .dead && record.attempts == 1)
      #expect(record.error?.contains(words) == true, "\(record.error ?? "")")
    }
  }

  @Test("A signal to a run that is over is refused")
  func over() async throws {
    let runner = try shop.runner { _, _ in .complete("done") }
    try await working(runner) {
      let run = try await runner.start(Scripted("a"))
      _ = try await run.value
      await #expect(throws: JournalError.self) { try await run.signal("word", 1) }
    }
  }
}

extension SignalName where Value == Int {
  fileprivate static var approved: Self { SignalName("approved", example: 2) }
}

extension SignalName where Value == String {
  fileprivate static var refused: Self { SignalName("refused", example: "too dear") }
}
