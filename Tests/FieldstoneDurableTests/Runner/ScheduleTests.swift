import FieldstoneCore
import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

@Suite("Schedules", .timeLimit(.minutes(20)))
struct ScheduleTests {
  private let shop = Workshop()
  private let begin = Date(timeIntervalSince1970: 1_800_000_000)

  /// Every ten minutes.
  private var timing: ScheduleTiming { .every(.seconds(600), from: begin) }

  private func runner(
    _ shop: Workshop? = nil, worker: String = "a", atOnce: Int = 16,
    lease: Duration = .seconds(86_400),
    script:
      @escaping @Sendable (Scripted, DurableContext<Script>) async throws -> DurableStep<
        Scripted, String
      > = { _, _ in .complete("done") }
  ) throws -> DurableRunner {
    let shop = shop ?? self.shop
    return try shop.runner(
      options: shop.options(worker: worker, lease: lease), flow: FlowOptions(maxConcurrent: atOnce),
      script: script)
  }

  /// Lets so many seconds pass, and the millisecond by which runners wake late.
  private func pass(_ seconds: Int, in shop: Workshop) {
    shop.time.advance(by: .seconds(seconds) + .milliseconds(1))
  }

  /// Waits until so many runs were started by schedules.
  private func scheduled(_ count: Int, in other: Workshop? = nil) async {
    await (other ?? shop).news(of: count) { kind in
      if case .scheduled = kind { true } else { false }
    }
  }

  /// For which ticks runs were started, in seconds, by the attributes of the runs.
  private func startedTicks(in other: Workshop? = nil) async throws -> [Int] {
    try await (other ?? shop).memory.runs(RunQuery(flow: "scripted", limit: 1_000)).runs
      .compactMap { run in
        guard case .date(let tick)? = run.attributes[ScheduleOptions.tickAttribute] else {
          return nil
        }
        return Int(tick.timeIntervalSince(begin).rounded())
      }.sorted()
  }

  private func progress() async throws -> ScheduleProgress {
    try #require(try await runner().schedules().first).progress
  }

  @Test("A run is started at each tick, and says which one it is for")
  func ticking() async throws {
    let runner = try runner()
    let status = try await runner.setSchedule("ten", of: Scripted("a"), timing)
    #expect(status.progress.nextTick == begin + 600)
    try await working(runner) {
      for count in 1...3 {
        pass(600, in: shop)
        await scheduled(count)
        await shop.news(of: count) { $0 == .completed }
      }
    }
    #expect(try await startedTicks() == [600, 1_200, 1_800])
    let progress = try await progress()
    #expect(progress.nextTick == begin + 2_400)
    #expect(progress.lastTick == begin + 1_800)
    let last = try #require(progress.lastRun)
    let record = try #require(try await shop.memory.run(last))
    #expect(record.attributes[ScheduleOptions.scheduleAttribute] == "ten")
    #expect(record.state == .completed)
  }

  @Test("A tick is started at its time, before the next poll")
  func onTime() async throws {
    let runner = try runner()
    try await runner.setSchedule(
      "soon", of: Scripted("a"), .every(.seconds(600), from: begin + 0.125))
    try await working(runner) {
      await shop.deadline(at: 1_000.126)
      let early = try await startedTicks()
      #expect(early == [])
      shop.time.advance(by: .milliseconds(126))
      await scheduled(1)
    }
  }

  @Test("Of many workers one starts the run of a tick")
  func manyWorkers() async throws {
    let runners = try (0..<4).map { try runner(worker: "worker \($0)") }
    try await runners[0].setSchedule(
      "ten", of: Scripted("a"), timing, options: ScheduleOptions(overlap: .allow))
    let work = runners.map { runner in Task { try await runner.run() } }
    for count in 1...20 {
      pass(600, in: shop)
      await scheduled(count)
    }
    for work in work { work.cancel() }
    for work in work { _ = await work.result }
    #expect(try await startedTicks() == (1...20).map { $0 * 600 })
  }

  /// What is started of six ticks, the last of which is so many seconds late.
  struct Missed: Sendable, CustomTestStringConvertible {
    var rule: MissedTicks
    var late: Int
    var started: [Int]
    var told: RunnerEvent.Kind?

    var testDescription: String { "\(rule), \(late) s late" }
  }

  private static let first = Date(timeIntervalSince1970: 1_800_000_600)

  static let outages = [
    Missed(
      rule: .skip, late: 60, started: [3_600],
      told: .ticksMissed(schedule: "ten", first: first, last: first + 3_000)),
    Missed(
      rule: .skip, late: 61, started: [],
      told: .ticksMissed(schedule: "ten", first: first, last: first + 3_000)),
    Missed(
      rule: .once, late: 500, started: [3_600],
      told: .ticksMissed(schedule: "ten", first: first, last: first + 3_000)),
    Missed(
      rule: .each(atMost: 4), late: 500, started: [1_800, 2_400, 3_000, 3_600],
      told: .ticksMissed(schedule: "ten", first: first, last: first + 1_200)),
    Missed(
      rule: .each(atMost: 6), late: 500, started: [600, 1_200, 1_800, 2_400, 3_000, 3_600],
      told: nil),
    Missed(
      rule: .each(atMost: 100), late: 0, started: [600, 1_200, 1_800, 2_400, 3_000, 3_600],
      told: nil),
  ]

  @Test("What was missed while nobody ran follows its rule", arguments: outages)
  func outage(_ missed: Missed) async throws {
    let runner = try runner()
    try await runner.setSchedule(
      "ten", of: Scripted("a"), timing,
      options: ScheduleOptions(missed: missed.rule, overlap: .allow))
    shop.time.advance(by: .seconds(3_600 + missed.late))
    try await working(runner) {
      await scheduled(missed.started.count)
      if let told = missed.told { await shop.event { $0.kind == told } }
      pass(600 - missed.late, in: shop)
      await scheduled(missed.started.count + 1)
    }
    #expect(try await startedTicks() == missed.started + [4_200])
    let events = await shop.events.elements(atLeast: 0)
    let isTold = events.contains { event in
      if case .ticksMissed = event.kind { true } else { false }
    }
    #expect(isTold == (missed.told != nil))
  }

  @Test("A tick that is started late has its whole deadline; one in time counts from its tick")
  func deadline() async throws {
    let runner = try runner()
    try await runner.setSchedule(
      "ten", of: Scripted("a"), timing,
      options: ScheduleOptions(overlap: .allow, deadline: .seconds(120)))
    shop.time.advance(by: .seconds(1_100))
    try await working(runner) {
      await shop.news(of: 1) { $0 == .completed }
      shop.time.advance(by: .seconds(130))
      await shop.news(of: 2) { $0 == .completed }
    }
    let runs = try await shop.memory.runs(RunQuery(flow: "scripted", limit: 10)).runs
    #expect(runs.map(\.state) == [.completed, .completed])
    #expect(runs.map(\.deadline) == [begin + 1_320, begin + 1_220])
  }

  @Test("While a run is not over, ticks are skipped, queued or started beside it")
  func overlap() async throws {
    let rules: [(TickOverlap, during: [Int], after: [Int])] = [
      (.allow, [600, 1_200, 1_800, 2_400], [600, 1_200, 1_800, 2_400, 3_000]),
      (.skip, [600], [600, 3_000]),
      (.queue(atMost: 2), [600], [600, 1_200, 1_800, 3_000]),
    ]
    for (rule, during, after) in rules {
      let sets = Recorder<JournalProxy.Call>()
      let shop = Workshop(after: { if $0 == .setSchedule { sets.record($0) } })
      let gate = Gate()
      let runner = try runner(shop) { _, _ in
        await gate.wait()
        return .complete("done")
      }
      try await runner.setSchedule(
        "ten", of: Scripted("a"), timing, options: ScheduleOptions(overlap: rule))
      try await working(runner) {
        for count in 1...4 {
          pass(600, in: shop)
          // Each tick is seen before the next one comes.
          _ = await sets.elements(atLeast: 1 + count)
        }
        #expect(try await startedTicks(in: shop) == during, "\(rule)")
        let waiting = try await runner.schedules().first?.progress.queuedTicks
        #expect(waiting == (rule == .queue(atMost: 2) ? [begin + 1_200, begin + 1_800] : []))
        gate.open()
        var done = during.count
        await shop.news(of: done) { $0 == .completed }
        while done < after.count - 1 {
          // What waits comes a second later, one after the other.
          pass(2, in: shop)
          done += 1
          await shop.news(of: done) { $0 == .completed }
        }
        pass(600, in: shop)
        await scheduled(after.count, in: shop)
        #expect(try await startedTicks(in: shop) == after, "\(rule)")
      }
      let events = await shop.events.elements(atLeast: 0)
      let skipped = events.flatMap { event -> [Date] in
        if case .ticksOverlapped(_, let ticks) = event.kind { ticks } else { [] }
      }
      let all = Set([600, 1_200, 1_800, 2_400, 3_000].map { begin + Double($0) })
      #expect(Set(skipped) == all.subtracting(after.map { begin + Double($0) }), "\(rule)")
    }
  }

  @Test("The ticks of a paused schedule pass by, and come no later")
  func paused() async throws {
    let runner = try runner()
    try await runner.setSchedule(
      "ten", of: Scripted("a"), timing, options: ScheduleOptions(missed: .each(atMost: 9)))
    try await runner.pauseSchedule("ten")
    try await runner.pauseSchedule("ten")
    let rows = try await shop.memory.audit(AuditQuery()).records
    #expect(rows.map(\.action) == [.pause, .set])
    // The same definition, as at each launch: it stays paused.
    try await runner.setSchedule(
      "ten", of: Scripted("a"), timing, options: ScheduleOptions(missed: .each(atMost: 9)))
    #expect(try await progress().isPaused)
    try await working(runner) {
      pass(1_250, in: shop)
      let run = try await runner.start(Scripted("other"))
      _ = try await run.value
      let wasPaused = try await runner.resumeSchedule("ten")
      #expect(wasPaused)
      let isPausedStill = try await runner.resumeSchedule("ten")
      #expect(!isPausedStill)
      pass(600, in: shop)
      await scheduled(1)
    }
    #expect(try await startedTicks() == [1_800])
  }

  @Test("Setting the same again writes nothing; another timing begins anew")
  func settingAgain() async throws {
    let writes = Locked(0)
    let shop = Workshop(before: { call in
      if call == .setSchedule { writes.withLock { $0 += 1 } }
    })
    let runner = try runner(shop)
    try await runner.setSchedule("ten", of: Scripted("a"), timing)
    try await runner.setSchedule("ten", of: Scripted("a"), timing)
    #expect(writes.withLock { $0 } == 1)
    pass(700, in: shop)
    // Another stage by the same timing: what is due by now still is.
    let other = try await runner.setSchedule("ten", of: Scripted("b"), timing)
    #expect(other.progress.nextTick == begin + 600)
    let timing = ScheduleTiming.every(.seconds(60), from: begin)
    let faster = try await runner.setSchedule("ten", of: Scripted("b"), timing)
    #expect(faster.progress.nextTick == begin + 720)
    #expect(try await runner.schedules().count == 1)
  }

  @Test("A clock that was ahead for a moment does not silence a schedule")
  func clockAhead() async throws {
    let runner = try runner()
    try await runner.setSchedule("ten", of: Scripted("a"), timing)
    let work = Task { try await runner.run() }
    let year = 365 * 86_400
    shop.time.setWallClock(to: begin + Double(year))
    pass(1, in: shop)
    await scheduled(1)
    #expect(try await progress().nextTick.map { $0 > begin + Double(year) } == true)
    shop.time.setWallClock(to: begin + 2)
    pass(60, in: shop)
    await shop.news(of: 1) { if case .scheduleFailed = $0 { true } else { false } }
    #expect(try await progress().nextTick == begin + 600)
    pass(600, in: shop)
    await scheduled(2)
    work.cancel()
    _ = try? await work.value
  }

  @Test("A run by hand comes beside the ticks, also while the schedule is paused")
  func byHand() async throws {
    let runner = try runner()
    try await runner.setSchedule("ten", of: Scripted("a"), timing)
    try await runner.pauseSchedule("ten")
    shop.time.advance(by: .seconds(10))
    let id = try await runner.runNow(schedule: "ten")
    #expect(shop.events.elements == [RunnerEvent(.started, flow: "scripted", run: id, sequence: 0)])
    let record = try #require(try await shop.memory.run(id))
    #expect(record.attributes[ScheduleOptions.scheduleAttribute] == "ten")
    #expect(try await startedTicks() == [10])
    let progress = try await progress()
    #expect(progress.lastRun == id)
    #expect(progress.isPaused)
    #expect(progress.nextTick == begin + 600)
  }

  @Test("What is not there is refused by its name")
  func missing() async throws {
    let runner = try runner()
    let error = ScheduleError.noSchedule("ten")
    await #expect(throws: error) { try await runner.runNow(schedule: "ten") }
    await #expect(throws: error) { try await runner.pauseSchedule("ten") }
    await #expect(throws: error) { try await runner.resumeSchedule("ten") }
    #expect(try await !runner.removeSchedule("ten"))
    await #expect(throws: ScheduleError.intervalOutOfBounds(.milliseconds(999))) {
      try await runner.setSchedule(
        "ten", of: Scripted("a"), .every(.milliseconds(999), from: begin))
    }
    var rule = Calendar.RecurrenceRule(calendar: .init(identifier: .gregorian), frequency: .daily)
    rule.end = .afterDate(begin - 86_400)
    await #expect(throws: ScheduleError.noTicks("ten")) {
      try await runner.setSchedule("ten", of: Scripted("a"), .rule(rule, from: begin - 864_000))
    }
    let still = Calendar.RecurrenceRule(
      calendar: .init(identifier: .gregorian), frequency: .daily, interval: 0)
    await #expect(throws: ScheduleError.noTicks("ten")) {
      try await runner.setSchedule("ten", of: Scripted("a"), .rule(still, from: begin))
    }
    await #expect(throws: JournalError.containsNUL("t\0n")) {
      try await runner.setSchedule("t\0n", of: Scripted("a"), timing)
    }
    await #expect(throws: JournalError.self) {
      var options = ScheduleOptions()
      for number in 0...14 { options.attributes["\(number)"] = .integer(number) }
      try await runner.setSchedule("ten", of: Scripted("a"), timing, options: options)
    }
    #expect(try await runner.schedules() == [])
  }

  @Test("A removed schedule has no tick, and its runs stay")
  func removed() async throws {
    let runner = try runner()
    try await runner.setSchedule("ten", of: Scripted("a"), timing)
    try await working(runner) {
      pass(600, in: shop)
      await scheduled(1)
      let wasThere = try await runner.removeSchedule("ten")
      #expect(wasThere)
      pass(600, in: shop)
      let run = try await runner.start(Scripted("other"))
      _ = try await run.value
    }
    #expect(try await startedTicks() == [600])
    #expect(try await runner.schedules() == [])
  }

  @Test("A schedule that was changed since it was read starts nothing by what was read")
  func changedMeanwhile() async throws {
    let change = Locked<(@Sendable () async throws -> Void)?>(nil)
    let shop = Workshop(before: { call in
      guard call == .setSchedule, let change = change.withLock({ $0.take() }) else { return }
      try await change()
    })
    let (runner, base) = (try runner(shop), shop.memory)
    try await runner.setSchedule("ten", of: Scripted("old"), timing)
    let other = try DurableRunner(
      journal: base,
      flows: [
        DurableFlow(
          Scripted.self, name: "scripted", services: Script { _, _ in .complete("done") })
      ], options: shop.options(worker: "b"), time: shop.source)
    let timing = timing
    change.withLock {
      $0 = { try await other.setSchedule("ten", of: Scripted("new"), timing) }
    }
    try await working(runner) {
      pass(600, in: shop)
      await scheduled(1, in: shop)
    }
    let runs = try await base.runs(RunQuery(flow: "scripted")).runs
    #expect(runs.count == 1)
    let run = try #require(runs.first)
    // The first stage: left, or where the run still is.
    let first = try await shop.links(of: run.id).first?.payload ?? run.payload
    #expect(first == Data(#"{"name":"new"}"#.utf8))
  }

  @Test("Schedules that can't be read hold up no other, even if they fill a journal's answers")
  func manyUnreadable() async throws {
    let runner = try runner()
    let time = JournalTime(shop.time.source, boot: "boot")
    for number in 0..<DueSchedules.most + 50 {
      let bad = ScheduleRecord(
        name: "bad \(number)", definition: Data("{}".utf8), progress: Data("{}".utf8),
        dueAt: begin)
      _ = try await shop.memory.setSchedule(bad.name, from: nil, to: bad, starting: [], at: time)
    }
    try await runner.setSchedule("ten", of: Scripted("a"), timing)
    try await working(runner) {
      for count in 1...3 {
        pass(600, in: shop)
        await scheduled(count)
        await shop.news(of: count) { $0 == .completed }
      }
    }
    #expect(try await startedTicks() == [600, 1_200, 1_800])
    let failures = shop.events.elements.count { event in
      if case .scheduleFailed = event.kind { true } else { false }
    }
    #expect(failures == DueSchedules.most + 50)
  }

  @Test("A schedule that can't be read is told once, and holds up no other")
  func unreadable() async throws {
    let runner = try runner()
    let time = JournalTime(shop.time.source, boot: "boot")
    let bad = ScheduleRecord(
      name: "bad", definition: Data("{}".utf8), progress: Data("{}".utf8), dueAt: begin)
    #expect(
      try await shop.memory.setSchedule("bad", from: nil, to: bad, starting: [], at: time))
    try await runner.setSchedule("ten", of: Scripted("a"), timing)
    try await working(runner) {
      for count in 1...3 {
        pass(600, in: shop)
        await scheduled(count)
        await shop.news(of: count) { $0 == .completed }
      }
    }
    let events = await shop.events.elements(atLeast: 0)
    let failures = events.count { event in
      if case .scheduleFailed(schedule: "bad", _) = event.kind { true } else { false }
    }
    #expect(failures == 1)
    #expect(try await runner.schedules().map(\.schedule.name) == ["ten"])
    #expect(try await shop.memory.schedules().count == 2)
    // Set again, it is one like others.
    try await runner.setSchedule("bad", of: Scripted("a"), timing)
    #expect(try await runner.schedules().map(\.schedule.name) == ["bad", "ten"])
  }

  @Test("A runner without room for any run starts ticks all the same")
  func withoutRoom() async throws {
    let (begun, gate) = (Gate(), Gate())
    let runner = try runner(atOnce: 1) { _, _ in
      begun.open()
      await gate.wait()
      return .complete("done")
    }
    try await runner.setSchedule(
      "ten", of: Scripted("a"), timing, options: ScheduleOptions(overlap: .allow))
    try await working(runner) {
      pass(600, in: shop)
      await begun.wait()
      for count in 2...3 {
        pass(600, in: shop)
        await scheduled(count)
      }
      gate.open()
    }
    #expect(try await startedTicks() == [600, 1_200, 1_800])
  }
}
