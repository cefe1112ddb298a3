#if CommandLineTool
  import FieldstoneCommand
  import FieldstoneDurable
  import Foundation
  import Testing

  @Suite("fieldstone schedules")
  struct ScheduleTests {
    private let desk = Desk()

    private func setSchedule(_ name: String, _ timing: ScheduleTiming? = nil) async throws {
      let time = JournalTime(
        date: Date(timeIntervalSince1970: 1_800_000_000), uptime: .seconds(1), boot: "boot")
      let schedule = FlowSchedule(
        name: name, flow: "order", version: 1, stage: #"{"place":{}}"#,
        timing: try timing ?? .cron("30 2 * * *", in: .gmt))
      _ = try await desk.journal.set(schedule, by: nil, at: time)
    }

    @Test("They are listed by their names, paused, resumed and removed")
    func changes() async throws {
      #expect(await desk.schedules("list").output == "There are no schedules.\n")
      try await setSchedule("nightly")
      try await setSchedule("hourly")
      let list = await desk.schedules("list")
      #expect(list.status == 0 && list.accesses.last == .reading)
      #expect(
        list.output == """
          hourly  order  30 2 * * * in GMT  next 2027-01-16T02:30:00Z  not run yet
          nightly  order  30 2 * * * in GMT  next 2027-01-16T02:30:00Z  not run yet

          """)
      let paused = await desk.schedules("pause", "nightly")
      #expect(paused.status == 0 && paused.output == "Schedule nightly is paused.\n")
      #expect(
        await desk.schedules("list").output.contains("nightly  order  30 2 * * * in GMT  paused"))
      let json = await desk.schedules("list", "--json")
      #expect(json.output.contains(#""paused": true"#))
      let resumed = await desk.schedules("resume", "nightly", "--json")
      #expect(resumed.output.contains(#""wasPaused": true"#))
      let again = await desk.schedules("resume", "nightly")
      #expect(again.output == "Schedule nightly was not paused; nothing changed.\n")
      let removed = await desk.schedules("remove", "nightly")
      #expect(removed.output == "Schedule nightly is removed.\n")
      #expect(try await desk.journal.schedules().map(\.name) == ["hourly"])
      let missing = await desk.schedules("remove", "nightly")
      #expect(missing.status != 0)
    }

    @Test(
      "An interval is listed whole",
      arguments: [
        (3_600_000, "1 h"), (3_601_000, "1 h 1 s"), (90_061_000, "1 d 1 h 1 min 1 s"),
        (1_050, "1 s 50 ms"), (12_500, "12 s 500 ms"),
      ])
    func intervals(milliseconds: Int, text: String) async throws {
      try await setSchedule(
        "soon",
        .every(.milliseconds(milliseconds), from: Date(timeIntervalSince1970: 1_800_000_000)))
      #expect(await desk.schedules("list").output.hasPrefix("soon  order  every \(text)  next "))
    }

    @Test("A run is started by hand")
    func byHand() async throws {
      try await setSchedule("nightly")
      let result = await desk.schedules("run", "nightly")
      #expect(result.status == 0 && result.accesses.last == .writing)
      let run = try #require(try await desk.journal.runs(RunQuery(flow: "order")).runs.first)
      #expect(result.output == "Schedule nightly has started run \(run.id).\n")
      #expect(run.payload == Data(#"{"place":{}}"#.utf8))
      #expect(run.attributes[ScheduleOptions.scheduleAttribute] == "nightly")
      let missing = await desk.schedules("run", "weekly")
      #expect(missing.status != 0)
    }
  }
#endif
