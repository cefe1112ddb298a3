#if SQLite
  import FieldstoneDurable
  import FieldstoneSQLite
  import FieldstoneTesting
  import Foundation

  /// The flow of a schedule, of one stage.
  enum Chime: DurableStage, VersionedFlow {
    static let flowName = "chimes"

    case ring

    func next(in context: DurableContext<Void>) async throws -> DurableStep<Self, String> {
      .complete("rung")
    }
  }

  /// Makes the runs of a schedule, tick by tick, by a clock of its own: the same each time, so that
  /// it can be repeated after a kill.
  struct Timekeeper {
    static let ticks = 4
    static let begin = Date(timeIntervalSince1970: 1_800_000_000)
    static let hour = Duration.seconds(3_600)

    let path: String

    func keep() async throws {
      let journal = try SQLiteJournal(path: path)
      say("opened")
      let time = ManualTime(now: Self.begin)
      let (events, news) = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))
      let runner = try DurableRunner(
        journal: journal,
        flows: [DurableFlow(Chime.self, options: FlowOptions(maximumLoneCrashes: 1_000))],
        options: DurableRunnerOptions(shutdownGrace: .zero, onEvent: { _ in news.yield() }),
        time: time.source)
      try await runner.setSchedule(
        "hourly", of: Chime.ring, .every(Self.hour, from: Self.begin),
        options: ScheduleOptions(missed: .each(atMost: 100), overlap: .allow))
      say("set")
      let work = Task { try await runner.run() }
      var changes = events.makeAsyncIterator()
      for tick in 1...Self.ticks {
        time.advance(by: Self.hour)
        while true {
          // In this order: a run that the schedule has started is seen.
          let next = try await runner.schedules().first?.progress.nextTick
          let runs = try await journal.runs(RunQuery(flow: Chime.flowName)).runs
          if runs.count(where: { $0.state == .completed }) >= tick { break }
          guard next.map({ $0 <= time.now }) ?? false || runs.contains(where: { !$0.state.isOver })
          else { return say("a tick is lost") }
          await changes.next()
        }
        say("tick \(tick)")
      }
      work.cancel()
      _ = await work.result
      try await journal.close()
      say("ended")
    }
  }
#endif
