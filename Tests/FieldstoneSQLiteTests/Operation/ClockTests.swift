#if SQLite
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneSQLite
  import FieldstoneTesting
  import Foundation
  import Testing

  @Suite("Clocks that are set while runs wait and work", .timeLimit(.minutes(20)))
  struct ClockTests {
    let folder: Folder
    let time = ManualTime(now: Date(timeIntervalSince1970: 1_800_000_000), uptime: .seconds(1_000))
    /// What was slept for: uptimes in seconds, and dates.
    let sleeps = Recorder<Double>()
    let events = Recorder<RunnerEvent>()

    init() throws { folder = try Folder() }

    private static let day = 86_400.0
    /// A day both ways, daylight saving both ways, and a clock that was never set.
    private static let shifts = [day, -day, 3_600, -3_600, -1_800_000_000]

    private var source: TimeSource {
      let source = time.source
      return TimeSource(
        now: { source.now }, uptime: { source.uptime },
        sleepUntilUptime: { [sleeps] in
          sleeps.record($0 / .seconds(1))
          try await source.sleep(untilUptime: $0)
        },
        sleepUntilDate: { [sleeps] in
          sleeps.record($0.timeIntervalSince1970)
          try await source.sleep(until: $0)
        })
    }

    private var now: JournalTime { JournalTime(time.source, boot: "boot") }

    private func runner(
      on journal: any Journal, worker: String = "a",
      _ body:
        @escaping @Sendable (
          String, DurableContext<Errand.Script>
        ) async throws -> DurableStep<Errand, String>
    ) throws -> DurableRunner {
      try DurableRunner(
        journal: journal,
        flows: [
          DurableFlow(
            Errand.self, services: Errand.Script(body: body), options: .init(maxConcurrent: 1))
        ],
        options: DurableRunnerOptions(
          worker: worker, lease: .seconds(30), shutdownGrace: .zero, boot: "boot",
          onEvent: { [events] in events.record($0) }), time: source)
    }

    private func claim(
      _ journal: any Journal, worker: String = "b", at time: JournalTime? = nil
    ) async throws -> [RunRecord] {
      let request = ClaimRequest(
        worker: worker, flows: [.init(flow: "errand", version: 1, limit: 9)], lease: .seconds(30))
      return try await journal.claim(request, at: time ?? now).runs.map(\.record)
    }

    /// Does something to the clocks, and waits until the idle runner has looked at them.
    private func untilLookedAt(_ body: () -> Void) async {
      let count = sleeps.count
      body()
      await sleeps.elements(atLeast: count + 1)
    }

    @Test("A worker without room cancels all late runs at its check, however many there are")
    func noRoom() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      let gate = Gate()
      let runner = try runner(on: journal) { _, _ in
        await gate.wait()
        return .complete("done")
      }
      let work = Task { try await runner.run() }
      try await runner.start(Errand("holder"))
      await gate.arrivals(atLeast: 1)
      let options = RunOptions(deadline: time.source.now + 1)
      let late = (0..<3_000).map { _ in StageStart(Errand("late"), options: options) }
      for answer in try await runner.start(all: late) { _ = try answer.get() }
      let query = RunQuery(flow: "errand", states: [.ready])
      var open = late.count
      // Two checks at most, one per lease.
      for _ in 0..<6 where open > 0 {
        time.advance(by: .seconds(10))
        for _ in 0..<2_000 where open > 0 {
          await Task.yield()
          open = try await journal.count(query, atMost: late.count).number
        }
      }
      #expect(open == 0)
      gate.open()
      work.cancel()
      _ = try? await work.value
    }

    @Test("No lease is lost while its holder renews it", arguments: JournalKind.allCases)
    func renewals(kind: JournalKind) async throws {
      let journal = try kind.make(in: folder)
      let gate = Gate()
      let runner = try runner(on: journal) { _, _ in
        await gate.wait()
        return .complete("done")
      }
      let work = Task { try await runner.run() }
      let run = try await runner.start(Errand("a"))
      await gate.arrivals(atLeast: 1)
      let begin = time.now
      for (number, shift) in Self.shifts.enumerated() {
        await time.sleepers(atLeast: 1)
        time.setWallClock(to: begin + shift)
        #expect(try await claim(journal).isEmpty, "\(shift) s")
        // A third of the lease: the next sleep is for the third after that.
        let count = sleeps.count
        time.advance(by: .seconds(10))
        var seen = count
        while !Task.isCancelled,
          !sleeps.elements[count...].contains(Double(1_000 + 10 * (number + 2)))
        {
          seen += 1
          await sleeps.elements(atLeast: seen)
        }
        #expect(try await claim(journal).isEmpty, "\(shift) s")
      }
      gate.open()
      let value = try await run.value
      #expect(value == "done")
      #expect(try await journal.steps(of: run.id, after: nil, limit: 9).steps.map(\.fence) == [1])
      #expect(
        !events.elements.contains { if case .lost = $0.kind { true } else { false } })
      work.cancel()
      _ = await work.result
    }

    @Test(
      "No lease is stuck whose holder is gone: its end comes by uptime",
      arguments: JournalKind.allCases, shifts)
    func stuck(kind: JournalKind, shift: Double) async throws {
      let journal = try kind.make(in: folder)
      _ = try await journal.start(.sample(1, flow: "errand"), at: now)
      #expect(try await claim(journal, worker: "gone").count == 1)
      time.setWallClock(to: time.now + shift)
      time.advance(by: .milliseconds(29_999))
      #expect(try await claim(journal).isEmpty)
      time.advance(by: .milliseconds(1))
      #expect(try await claim(journal).map(\.fence) == [2])
    }

    @Test(
      "A checkpoint by the clocks of another boot begins a lease of that boot",
      arguments: JournalKind.allCases)
    func boots(kind: JournalKind) async throws {
      let journal = try kind.make(in: folder)
      let id = try await journal.start(.sample(1, flow: "errand"), at: now).id
      let run = try #require(try await claim(journal).first)
      var other = JournalTime(date: time.now, uptime: .seconds(5), boot: "other boot")
      try await journal.checkpoint(run.checkpoint("1"), at: other)
      let record = try #require(try await journal.run(id))
      #expect(record.sequence == 1 && record.state == .running && record.payload == Data("1".utf8))
      other.uptime += .milliseconds(59_999)
      #expect(try await claim(journal, at: other).isEmpty)
      other.uptime += .milliseconds(1)
      #expect(try await claim(journal, at: other).map(\.fence) == [2])
    }

    @Test(
      "A run that waits for nothing is ready, whatever the clock was at its start",
      arguments: JournalKind.allCases, shifts)
    func ready(kind: JournalKind, shift: Double) async throws {
      let journal = try kind.make(in: folder)
      _ = try await journal.start(.sample(1, flow: "errand"), at: now)
      time.setWallClock(to: time.now + shift)
      #expect(try await claim(journal).count == 1)
    }

    @Test(
      "A clock that is set forward ends a wait early, once, also when it is set back again",
      arguments: JournalKind.allCases)
    func forward(kind: JournalKind) async throws {
      let journal = try kind.make(in: folder)
      let gate = Gate()
      let fired = Recorder<Int>()
      let runner = try runner(on: journal) { [time] name, context in
        guard name == "a" else {
          fired.record(context.attempt)
          await gate.wait()
          return .complete("done")
        }
        return .wait(until: time.now + 3_600, then: Errand("b"))
      }
      let work = Task { try await runner.run() }
      let begin = time.now
      let run = try await runner.start(Errand("a"))
      await untilWaiting(run.id, in: journal)
      time.setWallClock(to: begin + Self.day)
      time.advance(by: .seconds(1))
      await gate.arrivals(atLeast: 1)
      // It is under way, and nobody else's, for as long as its lease lasts.
      #expect(try await claim(journal).isEmpty)
      // Its date has yet to come, and it must not come again.
      time.setWallClock(to: begin)
      #expect(try await claim(journal).isEmpty)
      gate.open()
      let value = try await run.value
      #expect(value == "done")
      await untilLookedAt { time.advance(by: .seconds(2 * 3_600)) }
      #expect(fired.elements == [1])
      let links = try await journal.steps(of: run.id, after: nil, limit: 9).steps
      #expect(links.map(\.sequence) == [0, 1])
      work.cancel()
      _ = await work.result
    }

    @Test(
      "A clock that is set back ends a wait late, at its date, once",
      arguments: JournalKind.allCases)
    func back(kind: JournalKind) async throws {
      let journal = try kind.make(in: folder)
      let fired = Recorder<Date>()
      let runner = try runner(on: journal) { [time] name, _ in
        guard name == "a" else {
          fired.record(time.now)
          return .complete("done")
        }
        return .wait(until: time.now + 3_600, then: Errand("b"))
      }
      let work = Task { try await runner.run() }
      let begin = time.now
      let run = try await runner.start(Errand("a"))
      await untilWaiting(run.id, in: journal)
      time.setWallClock(to: begin - Self.day)
      for seconds in [3_600, 82_800, 3_599] {
        await untilLookedAt { time.advance(by: .seconds(seconds)) }
        #expect(try await journal.run(run.id)?.state == .ready && fired.count == 0)
      }
      await untilLookedAt { time.advance(by: .seconds(1)) }
      #expect(await fired.elements(atLeast: 1) == [begin + 3_600])
      let value = try await run.value
      #expect(value == "done")
      #expect(fired.count == 1)
      work.cancel()
      _ = await work.result
    }

    /// Waits until a run's first stage is behind it and the runner is idle.
    private func untilWaiting(_ id: RunID, in journal: any Journal) async {
      var seen = 0
      while !Task.isCancelled,
        !events.elements.contains(where: {
          if case .stageFinished = $0.kind { $0.run == id } else { false }
        })
      {
        seen += 1
        await events.elements(atLeast: seen)
      }
      // The claim that finds nothing any more sleeps again.
      await time.sleepers(atLeast: 1)
    }

    #if os(macOS) || os(Linux)
      @Test(
        "Processes in other time zones, or with daylight saving, agree about what is due",
        arguments: [
          "UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Asia/Kathmandu",
          "STD0DST,J1/0,J365/23",
        ])
      func zones(zone: String) async throws {
        let journal = try SQLiteJournal(path: folder.path)
        // Half an hour either way: no zone is as near to another as that.
        let times = JournalTime.real
        for number in 0..<2 {
          var start = RunStart.sample(number)
          start.payload = Data("{}".utf8)
          _ = try await journal.start(start, at: times)
        }
        for (record, minutes) in zip(try await journal.claim(2, at: times), [-30.0, 30]) {
          var checkpoint = record.checkpoint()
          checkpoint.next = .waiting(Data("{}".utf8), until: times.date + minutes * 60)
          try await journal.checkpoint(checkpoint, at: times)
        }
        let path = folder.path
        let lines = try await onThread {
          let processes = try (0..<2).map { _ in
            try OtherProcess("claim", path, environment: ["TZ": zone])
          }
          let lines = processes.map { $0.line() ?? "nothing was said" }
          for process in processes {
            process.endInput()
            process.end()
          }
          return lines
        }
        #expect(lines.sorted() == ["\(sampleID(0)) 1", "none"])
      }
    #endif
  }
#endif
