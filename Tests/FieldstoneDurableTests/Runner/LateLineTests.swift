import FieldstoneCore
import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

@Suite("Lines of a run that are written late, and many at once", .timeLimit(.minutes(20)))
struct LateLineTests {
  /// The calls that have been made.
  private let done: Recorder<JournalProxy.Call>
  private let isDown = Locked(false)
  private let shop: Workshop

  init() {
    let done = Recorder<JournalProxy.Call>()
    self.done = done
    shop = Workshop(
      before: { [isDown] call in
        guard call == .run, isDown.withLock({ $0 }) else { return }
        done.record(call)
        throw JournalError.unavailable("down")
      }, after: { done.record($0) })
  }

  /// Waits until something is so, and asks after each call of the journal.
  private func until(_ isSo: () async throws -> Bool) async throws {
    var seen = done.count
    while try await !isSo(), !Task.isCancelled {
      seen = await done.elements(atLeast: seen + 1).count
    }
  }

  @Test("A stream gets what a stage logged before it failed, although it is written after that")
  func beforeFailure() async throws {
    let begun = Gate()
    let policy = StageRetryPolicy(maximumAttempts: 2, baseDelay: .seconds(100))
    let runner = try shop.runner(flow: .init(retryPolicy: { _ in policy })) { _, context in
      context.log("first")
      await begun.wait()
      context.log("why")
      throw MessageError("no")
    }
    let run = try await runner.start(Scripted("a"))
    try await working(runner) {
      var reports = run.reports.makeAsyncIterator()
      let first = try await reports.next()
      #expect(first?.lines.map(\.text) == ["first"] && first?.missingLines(before: 0) == 0)
      begun.open()
      let failed = try await reports.next()
      #expect(failed?.lines.map(\.isOfRunner) == [true])
      // One line is on its way; the first has been delivered, and is not missing.
      #expect(failed?.missingLines(before: 0) == 1)
      await shop.time.sleepers(atLeast: 1)
      shop.time.advance(by: .milliseconds(250))
      let late = try await reports.next()
      #expect(late?.lines.map(\.text) == ["why"] && late?.missingLines(before: 0) == 0)
    }
  }

  @Test("An element begins where the one before ended, so no line between them is missing")
  func missing() async throws {
    let gates = (0..<3).map { _ in Gate() }
    let runner = try shop.runner { _, context in
      for (number, gate) in gates.enumerated() {
        context.log("\(number)")
        await gate.wait()
      }
      return .complete("done")
    }
    let run = try await runner.start(Scripted("a"))
    try await working(runner) {
      var reports = run.reports.makeAsyncIterator()
      for (number, gate) in gates.enumerated() {
        await gate.arrivals(atLeast: 1)
        shop.time.advance(by: .milliseconds(250))
        let report = try await reports.next()
        #expect(report?.lines.map(\.text) == ["\(number)"])
        #expect(report?.missingLines(before: 0) == 0)
        gate.open()
      }
      _ = try await run.value
    }
  }

  @Test("More than fits into one write is written at once, in several")
  func full() async throws {
    let end = Gate()
    let runner = try shop.runner(flow: .init(maxConcurrent: 1_200)) { _, context in
      context.report(0.5)
      await end.wait()
      return .complete("done")
    }
    var runs: [RunID] = []
    for number in 0..<1_200 { runs.append(try await runner.start(Scripted("\(number)")).id) }
    try await working(runner) {
      await end.arrivals(atLeast: 1_200)
      shop.time.advance(by: .milliseconds(250))
      try await until {
        for run in runs where try await shop.memory.report(of: run, after: nil).progress == nil {
          return false
        }
        return true
      }
      end.open()
    }
  }

  @Test("A stream of a run that is over waits for the journal without asking it again and again")
  func unavailable() async throws {
    let runner = try shop.runner { _, _ in .complete("done") }
    let run = try await runner.start(Scripted("a"))
    try await working(runner) {
      _ = try await run.value
      let isOver = Gate()
      let reading = Task {
        for try await _ in run.reports {}
        isOver.open()
      }
      await shop.deadline(at: 1_000.5)
      isDown.withLock { $0 = true }
      done.removeAll()
      shop.time.advance(by: .milliseconds(500))
      try await until { done.elements.contains(.run) }
      for _ in 0..<1_000 { await Task.yield() }
      #expect(done.elements.count { $0 == .run } < 5)
      isDown.withLock { $0 = false }
      let clock = Task { [shop] in
        while !Task.isCancelled {
          await shop.time.sleepers(atLeast: 1)
          shop.time.advance(by: .seconds(1))
          await Task.yield()
        }
      }
      await isOver.wait()
      clock.cancel()
      try await reading.value
      await clock.value
    }
  }
}
