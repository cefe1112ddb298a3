import FieldstoneCore
import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

@Suite("How runs are started", .timeLimit(.minutes(20)))
struct StartTests {
  let shop = Workshop()

  private func echo() throws -> DurableRunner {
    try shop.runner(flow: .init(maxConcurrent: 1)) { stage, _ in .complete(stage.name) }
  }

  @Test("A run begins at its time, and not before")
  func notBefore() async throws {
    let runner = try echo()
    let date = shop.time.source.now + 60
    let later = try await runner.start(Scripted("later"), options: RunOptions(notBefore: date))
    let now = try await runner.start(Scripted("now"))
    var value = try await working(runner) { try await now.value }
    #expect(value == "now")
    let record = try await later.record
    #expect(record.state == .ready && record.dueAt == date && record.fence == 0)
    shop.time.advance(by: .seconds(60))
    value = try await working(runner) { try await later.value }
    #expect(value == "later")
    #expect(try await later.record.fence == 1)
  }

  @Test("Of the runs that are due the higher priority begins first")
  func priority() async throws {
    let begun = Recorder<String>()
    let runner = try shop.runner(flow: .init(maxConcurrent: 1)) { stage, _ in
      begun.record(stage.name)
      return .complete(stage.name)
    }
    var handles: [RunHandle<String>] = []
    for priority in [0, -1, 5, 0, 1] {
      handles.append(
        try await runner.start(
          Scripted("\(priority)"), options: RunOptions(priority: priority)))
    }
    try await working(runner) {
      for handle in handles { _ = try await handle.value }
    }
    #expect(begun.elements == ["5", "1", "0", "0", "-1"])
  }

  @Test("Many starts that put one run off are one, and the last says what it does")
  func debounce() async throws {
    let runner = try echo()
    var ids: Set<RunID> = []
    var last: RunHandle<String>?
    for number in 1...5 {
      let options = RunOptions(
        notBefore: shop.time.source.now + 10, ifTaken: .replaceUnlessBegun)
      let run = try await runner.start(Scripted("\(number)"), key: "key", options: options)
      ids.insert(run.id)
      last = run
      shop.time.advance(by: .seconds(9))
    }
    #expect(ids.count == 1)
    let run = try #require(last)
    shop.time.advance(by: .seconds(1))
    let value = try await working(runner) { try await run.value }
    #expect(value == "5")
    // It has begun: the sixth start finds it as it is.
    let options = RunOptions(ifTaken: .replaceUnlessBegun)
    let late = try await runner.start(Scripted("6"), key: "key", options: options)
    #expect(late.id == run.id)
    #expect(try await late.value == "5")
  }

  @Test("A run that is over is started again in place, with a chain of its own")
  func restart() async throws {
    let runner = try echo()
    let options = RunOptions(ifTaken: .restartIfOver)
    try await working(runner) {
      let first = try await runner.start(Scripted("1"), key: "key", options: options)
      #expect(try await first.value == "1")
      let second = try await runner.start(Scripted("2"), key: "key", options: options)
      #expect(second.id != first.id)
      #expect(try await second.value == "2")
      #expect(try await first.record.key == nil)
      #expect(try await first.value == "1")
      #expect(try await second.record.key == "key")
    }
  }

  @Test("A start that is repeated with its identifier starts nothing")
  func repeated() async throws {
    let runner = try echo()
    let id = try await runner.start(Scripted("other")).id
    var generator = SeededGenerator(seed: 1)
    let options = RunOptions(id: RunID(at: shop.time.source.now, using: &generator))
    let first = try await runner.start(Scripted("1"), options: options)
    let again = try await runner.start(Scripted("2"), options: options)
    #expect(first.id == again.id && first.id == options.id && first.id != id)
    let value = try await working(runner) { try await again.value }
    #expect(value == "1")
  }
}
