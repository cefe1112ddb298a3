import FieldstoneCore
import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

@Suite("Progress and log lines of runs", .timeLimit(.minutes(20)))
struct ReportTests {
  /// The calls of a journal, and how many writes of reports are refused before one is taken.
  final class Calls: Sendable {
    let all = Recorder<JournalProxy.Call>()
    let refusals = Locked(0)
    let hold = Locked<Gate?>(nil)

    func count(_ call: JournalProxy.Call) -> Int { all.elements.count { $0 == call } }

    @Sendable func before(_ call: JournalProxy.Call) async throws {
      all.record(call)
      guard call == .writeReports else { return }
      await hold.withLock { $0 }?.wait()
      let isRefused = refusals.withLock { left in
        left -= 1
        return left >= 0
      }
      if isRefused { throw JournalError.unavailable("full") }
    }
  }

  let calls = Calls()
  let shop: Workshop

  init() {
    shop = Workshop(before: calls.before)
  }

  private func lines(_ id: RunID) async throws -> [String] {
    try await shop.memory.report(of: id, after: nil).lines.map(\.text)
  }

  /// Waits until a call has been made so often.
  private func made(_ call: JournalProxy.Call, _ count: Int) async {
    var seen = 0
    while calls.count(call) < count, !Task.isCancelled {
      seen = await calls.all.elements(atLeast: seen + 1).count
    }
  }

  private func writes(_ count: Int) async { await made(.writeReports, count) }

  @Test("What a stage reports is in the journal, with its stage and its time")
  func kept() async throws {
    let runner = try shop.runner { stage, context in
      context.report(0.25, "a quarter")
      context.log("\(stage.name) of \(context.sequence)")
      return stage == "last" ? .complete("done") : .advance(to: "last")
    }
    let run = try await runner.start(Scripted("first"))
    _ = try await working(runner) { try await run.value }
    let report = try await shop.memory.report(of: run.id, after: nil)
    let now = shop.time.source.now
    #expect(
      report.progress == RunProgress(0.25, text: "a quarter", sequence: 1, reportedAt: now))
    #expect(report.lines.map(\.text) == ["first of 0", "last of 1"])
    #expect(
      report.lines.map(\.place) == [.init(fence: 1, number: 1), .init(fence: 1, number: 2)])
    #expect(report.lines.map(\.sequence) == [0, 1])
    #expect(report.lines.map(\.loggedAt) == [now, now])
  }

  @Test("Each attempt that fails has a line of the runner, which is written with the run's return")
  func failures() async throws {
    var options = shop.options()
    options.random = { .max }
    let policy = StageRetryPolicy(maximumAttempts: 2, baseDelay: .seconds(4))
    let runner = try shop.runner(options: options, flow: .init(retryPolicy: { _ in policy })) {
      _, context in
      context.log("I try")
      throw RetryTests.Trouble()
    }
    let run = try await runner.start(Scripted("a"))
    try await working(runner) {
      await shop.event { if case .retry = $0.kind { true } else { false } }
      // No report is written meanwhile: the journal has the line already.
      let first = try await shop.memory.report(of: run.id, after: nil).lines
      #expect(
        first.map(\.text).last?.hasPrefix("Attempt 1, by a, failed; the next is at 2027-") == true)
      #expect(first.last?.text.hasSuffix(": It went wrong; try again.") == true)
      #expect(first.last?.isOfRunner == true && first.last?.sequence == 0)
      await shop.time.sleepers(atLeast: 1)
      shop.time.advance(by: .seconds(4))
      _ = await run.outcome
    }
    let lines = try await shop.memory.report(of: run.id, after: nil).lines.filter(\.isOfRunner)
    #expect(lines.map(\.place) == [.init(fence: 1, number: 2), .init(fence: 2, number: 2)])
    #expect(lines.last?.text == "Attempt 2, the last, by a, failed: It went wrong; try again.")
  }

  @Test("What stages log is kept when their run is claimed again before it is written")
  func claimedAgain() async throws {
    let policy = StageRetryPolicy(maximumAttempts: 3, baseDelay: .zero)
    let runner = try shop.runner(flow: FlowOptions(retryPolicy: { _ in policy })) {
      stage, context in
      context.log("\(stage.name) \(context.attempt)")
      context.report(Double(context.sequence) / 4)
      switch stage.name {
      case "failing": if context.attempt < 3 { throw RetryTests.Trouble() }
      case "receiving": return .receive("go", until: nil, then: Scripted("joining"))
      case "joining": return .join([try context.child(Scripted("child"))], then: Scripted("last"))
      default: return .complete(stage.name)
      }
      return .advance(to: "receiving")
    }
    let run = try await runner.start(Scripted("failing"))
    try await run.signal("go", "now")
    _ = try await working(runner) { try await run.value }
    let report = try await shop.memory.report(of: run.id, after: nil)
    #expect(
      report.lines.filter { !$0.isOfRunner }.map(\.text) == [
        "failing 1", "failing 2", "failing 3", "receiving 1", "joining 1", "last 1",
      ])
    #expect(report.lines.indices.allSatisfy { report.missingLines(before: $0) == 0 })
    #expect(report.progress?.fraction == 0.75)
  }

  @Test("A worker that takes a run over from one that died says so")
  func takeover() async throws {
    let runner = try shop.runner { _, context in
      context.log("I go on")
      return .complete("done")
    }
    let run = try await runner.start(Scripted("a"))
    let room = ClaimRequest.FlowRoom(flow: "scripted", version: 1, limit: 1)
    _ = try await shop.memory.claim(
      ClaimRequest(worker: "gone", flows: [room], lease: .seconds(30)),
      at: JournalTime(date: shop.time.now, uptime: .zero, boot: "another"))
    try await working(runner) { _ = try await run.value }
    let lines = try await shop.memory.report(of: run.id, after: nil).lines
    #expect(lines.map(\.isOfRunner) == [true, false])
    #expect(
      lines.first?.text == """
        Taken over by a from gone, whose writes are refused from now on: workers have died or lost \
        their lease once at this stage
        """)
  }

  @Test(
    "A fraction is clamped",
    arguments: [
      (Double.nan, 0), (-1, 0), (-0.0, 0), (0.5, 0.5), (1, 1), (1.0000001, 1), (.infinity, 1),
      (-.infinity, 0),
    ])
  func clamped(fraction: Double, kept: Double) {
    let progress = RunProgress(fraction, sequence: 0, reportedAt: .distantPast)
    #expect(progress.fraction == kept && progress.fraction.sign == .plus)
    #expect(
      RunProgress(
        billionths: progress.billionths, text: nil, sequence: 0, reportedAt: .distantPast)
        == progress)
  }

  @Test("A long text is cut off between characters, and has no NUL")
  func bounded() {
    var limits = PayloadLimits()
    limits.logLine = 20
    #expect(limits.bounded("12345678901234567890") == "12345678901234567890")
    #expect(limits.bounded("123456789012345678901") == "12345678901234567…")
    #expect(limits.bounded("1234567890123456é789") == "1234567890123456…")
    #expect(limits.bounded("a\0b") == "a␀b")
    #expect(limits.bounded(String(repeating: "\0", count: 30)) == "␀␀␀␀␀…")
    limits.logLine = -7
    #expect(limits.bounded("12345678901234567") == "1234567890123…")
  }

  @Test("Many reports are one write a quarter of a second; the last progress wins")
  func coalesced() async throws {
    let (first, second, end) = (Gate(), Gate(), Gate())
    let runner = try shop.runner { _, context in
      context.report(0.1)
      await first.wait()
      for number in 1...50 {
        context.report(Double(number) / 100, "\(number)")
        context.log("line \(number)")
      }
      await second.wait()
      await end.wait()
      return .complete("done")
    }
    let run = try await runner.start(Scripted("work"))
    try await working(runner) {
      await first.arrivals(atLeast: 1)
      await writes(1)
      first.open()
      await second.arrivals(atLeast: 1)
      second.open()
      await shop.deadline(at: 1_000.25)
      #expect(calls.count(.writeReports) == 1)
      #expect(try await lines(run.id).isEmpty)
      shop.time.advance(by: .milliseconds(250))
      await writes(2)
      end.open()
      _ = try await run.value
    }
    #expect(calls.count(.writeReports) == 2)
    let report = try await shop.memory.report(of: run.id, after: nil)
    #expect(report.progress?.fraction == 0.5 && report.progress?.text == "50")
    #expect(report.lines.map(\.text) == (1...50).map { "line \($0)" })
  }

  @Test("A checkpoint costs the same journal calls with reports and without")
  func costs() async throws {
    func counts(reporting: Bool) async throws -> [JournalProxy.Call: Int] {
      let calls = Calls()
      let shop = Workshop(before: calls.before)
      let runner = try shop.runner { stage, context in
        if reporting {
          for number in 1...100 { context.log("line \(number)") }
          context.report(0.5)
        }
        let number = (Int(stage.name) ?? 0) + 1
        return number == 10 ? .complete("done") : .advance(to: Scripted("\(number)"))
      }
      let run = try await runner.start(Scripted("0"))
      _ = try await working(runner) { try await run.value }
      #expect(try await shop.memory.report(of: run.id, after: nil).lines.isEmpty != reporting)
      let all: [JournalProxy.Call] = [.checkpoint, .park, .renew, .steps, .changes]
      return Dictionary(uniqueKeysWithValues: all.map { ($0, calls.count($0)) })
    }
    let plain = try await counts(reporting: false)
    #expect(plain[.checkpoint] == 10)
    #expect(try await counts(reporting: true) == plain)
  }

  @Test("A journal that hangs in a report holds up no checkpoint, no claim and no renewal")
  func hangs() async throws {
    let hold = Gate()
    calls.hold.withLock { $0 = hold }
    let end = Gate()
    let runner = try shop.runner { stage, context in
      context.log(stage.name)
      if stage == "long" { await end.wait() }
      return .complete(stage.name)
    }
    try await working(runner) {
      let long = try await runner.start(Scripted("long"))
      await writes(1)
      #expect(try await runner.start(Scripted("short")).value == "short")
      await shop.deadline(at: 1_010)
      shop.time.advance(by: .seconds(11))
      await made(.renew, 1)
      end.open()
      #expect(try await long.value == "long")
      hold.open()
    }
  }

  @Test("A journal that can't be used delays reports, and loses none of them")
  func delays() async throws {
    calls.refusals.withLock { $0 = 2 }
    let end = Gate()
    let runner = try shop.runner { stage, context in
      context.report(0.5, "half")
      context.log(stage.name)
      await end.wait()
      context.log("end")
      return .complete(stage.name)
    }
    let run = try await runner.start(Scripted("a"))
    try await working(runner) {
      await writes(1)
      await shop.deadline(at: 1_000.5)
      end.open()
      let value = try await run.value
      #expect(value == "a")
      shop.time.advance(by: .milliseconds(500))
      await writes(2)
      await shop.deadline(at: 1_001.5)
      shop.time.advance(by: .seconds(1))
      await writes(3)
    }
    #expect(try await lines(run.id) == ["a", "end"])
    #expect(try await shop.memory.report(of: run.id, after: nil).progress?.text == "half")
    #expect(shop.events.elements.allSatisfy { $0.kind != .journalUnavailable(error: "full") })
  }

  @Test("A journal that refuses to the end does not keep the runner")
  func refuses() async throws {
    calls.refusals.withLock { $0 = .max }
    let runner = try shop.runner { stage, context in
      context.log(stage.name)
      return .complete(stage.name)
    }
    let run = try await runner.start(Scripted("a"))
    #expect(try await working(runner) { try await run.value } == "a")
    #expect(try await lines(run.id).isEmpty)
  }

  @Test("More lines than are kept: the oldest are dropped, and a gap counts them")
  func dropped() async throws {
    var limits = PayloadLimits()
    limits.logLines = 3
    let shop = Workshop(limits: limits, before: calls.before)
    let (first, end) = (Gate(), Gate())
    let runner = try shop.runner { _, context in
      context.log("0")
      await first.wait()
      for number in 1...10 { context.log("\(number)") }
      await end.wait()
      return .complete("done")
    }
    let run = try await runner.start(Scripted("a"))
    try await working(runner) {
      await writes(1)
      first.open()
      await end.arrivals(atLeast: 1)
      end.open()
      _ = try await run.value
    }
    let report = try await shop.memory.report(of: run.id, after: nil)
    #expect(report.lines.map(\.text) == ["8", "9", "10"])
    #expect(report.lines.map(\.place.number) == [9, 10, 11])
    #expect((0...3).map { report.missingLines(before: $0) } == [8, 0, 0, 0])
  }

  @Test("A handle streams reports as they come, and ends after the run's last line")
  func streamed() async throws {
    let (first, end) = (Gate(), Gate())
    let runner = try shop.runner { _, context in
      context.log("one")
      await first.wait()
      context.report(0.5)
      context.log("two")
      await end.wait()
      context.log("three")
      return .complete("done")
    }
    let run = try await runner.start(Scripted("a"))
    try await working(runner) {
      var reports = run.reports.makeAsyncIterator()
      let one = try await reports.next()
      #expect(one?.lines.map(\.text) == ["one"] && one?.progress == nil)
      first.open()
      await end.arrivals(atLeast: 1)
      shop.time.advance(by: .milliseconds(250))
      let two = try await reports.next()
      #expect(two?.lines.map(\.text) == ["two"] && two?.progress?.fraction == 0.5)
      end.open()
      _ = try await run.value
      // The last line is written after the run's end: the stream waits for it.
      let rest = Recorder<String>()
      let reading = Task { [reports] in
        var reports = reports
        while let report = try await reports.next() {
          for line in report.lines { rest.record(line.text) }
        }
      }
      await shop.deadline(at: 1_000.75)
      #expect(try await lines(run.id) == ["one", "two"])
      shop.time.advance(by: .milliseconds(250))
      #expect(await rest.elements(atLeast: 1) == ["three"])
      shop.time.advance(by: .milliseconds(250))
      try await reading.value
      #expect(rest.elements == ["three"])
    }
  }

  @Test("A handle in another process gets them at its poll")
  func elsewhere() async throws {
    let end = Gate()
    // The clock runs on its own here, and must not run past a lease.
    let options = shop.options(lease: .seconds(1_000_000))
    let runner = try shop.runner(options: options) { _, context in
      context.log("one")
      await end.wait()
      return .complete("done")
    }
    let other = try shop.runner(options: options) { _, _ in .complete("") }
    let run = try await runner.start(Scripted("a"))
    try await working(runner) {
      await end.arrivals(atLeast: 1)
      let handle = other.handle(run.id, completion: String.self)
      let report = Task { try await handle.reports.first { !$0.lines.isEmpty } }
      let isOver = Locked(false)
      let clock = Task { [shop] in
        while !isOver.withLock({ $0 }) {
          await shop.time.sleepers(atLeast: 1)
          shop.time.advance(by: .milliseconds(250))
          await Task.yield()
        }
      }
      #expect(try await report.value?.lines.map(\.text) == ["one"])
      isOver.withLock { $0 = true }
      await clock.value
      end.open()
      _ = try await run.value
    }
  }
}
