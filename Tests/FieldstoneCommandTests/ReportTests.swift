#if CommandLineTool
  import FieldstoneCommand
  import FieldstoneDurable
  import FieldstoneRunDisplay
  import FieldstoneTesting
  import Foundation
  import Testing

  @Suite("Progress, log lines and workers in the command")
  struct ReportTests {
    private let desk = Desk()

    private func announce(_ name: String, runs: [RunID] = []) async throws {
      let now = desk.now
      try await desk.journal.setWorker(
        name,
        to: WorkerRecord(
          name: name, machine: "mill\u{1B}[2J", process: 7, protocolVersion: 2,
          flows: [.init(name: "order", version: 3)], startedAt: now.date, lastSeenAt: now.date,
          interval: .seconds(30), runCount: runs.count, runs: runs), at: now)
    }

    @Test("A run whose flow no live worker has waits for one, by name")
    func noWorker() async throws {
      let (order, other) = (try await desk.start("{}"), try await desk.start("{}", flow: "import"))
      // Nothing is known of workers as long as none has announced itself.
      #expect(await desk.run("why", "\(other)").output.contains("It is due"))
      try await announce("only orders")
      #expect(await desk.run("why", "\(order)").output.contains("It is due"))
      #expect(await desk.run("why", "\(other)").output.contains("“import”"))
      desk.time.advance(by: .seconds(100))
      #expect(await desk.run("why", "\(order)").output.contains("“order”"))
    }

    private func log(_ run: RunRecord, _ numbers: ClosedRange<Int>) async throws {
      let lines = numbers.map {
        RunLogLine(
          place: .init(fence: run.fence, number: $0), text: "line\n\($0)", sequence: 2,
          loggedAt: desk.now.date)
      }
      try await desk.journal.write(
        [
          RunReportWrite(
            run: run.id, fence: run.fence,
            progress: RunProgress(
              0.999, text: "nearly\u{7}", sequence: 2, reportedAt: desk.now.date), lines: lines)
        ], at: desk.now)
    }

    @Test(
      "Progress is told in whole percent, and less than 100 until all is done",
      arguments: [(0, "0 %"), (0.29, "29 %"), (0.57, "57 %"), (0.999, "99 %"), (1, "100 %")])
    func percent(_ fraction: Double, _ text: String) {
      let progress = RunProgress(fraction, text: nil, sequence: 0, reportedAt: desk.now.date)
      #expect(ReportText.percent(progress) == text)
    }

    @Test("A progress that is no number, and too many ticks, are shown as they count")
    func clamped() {
      var progress = RunProgress(0.5, text: nil, sequence: 0, reportedAt: desk.now.date)
      for (fraction, text) in [(Double.nan, "0 %"), (-1e300, "0 %"), (1e300, "100 %")] {
        progress.fraction = fraction
        #expect(ReportText.percent(progress) == text)
      }
      let options = ScheduleOptions(missed: .each(atMost: 1_000), overlap: .queue(atMost: 0))
      let rules = ScheduleText.rules(options)
      #expect(rules.contains("the last 100 run") && rules.contains("one tick at most waits"))
    }

    @Test("A date with milliseconds is read back as it is shown")
    func milliseconds() {
      for number in 0..<1_000 {
        let date = Date(timeIntervalSinceReferenceDate: 789_000_000 + Double(number) / 1_000)
        guard case .date(let read) = RunAttribute(typed: RunAttribute.date(date).typed) else {
          Issue.record("\(RunAttribute.date(date).typed) is no date")
          continue
        }
        #expect(abs(read.timeIntervalSince(date)) < 0.000_1, "\(number)")
      }
    }

    @Test("Workers are listed with what they work on, and those that are silent")
    func workers() async throws {
      #expect(await desk.workers().output == "There are no workers.\n")
      let id = try await desk.start(#"{"place":{}}"#)
      try await announce("old")
      desk.time.advance(by: .seconds(100))
      try await announce("new", runs: [id])
      desk.time.advance(by: .seconds(2))
      let list = await desk.workers()
      #expect(list.status == 0 && list.accesses == [.reading])
      let lines = list.output.split(separator: "\n").map(String.init)
      #expect(lines.count == 3 && lines[0].hasPrefix("worker"))
      #expect(
        lines[1].hasPrefix("new ") && lines[1].contains("mill [2J 7")
          && lines[1].contains("order 3") && lines[1].contains("seen 2 s ago")
          && lines[1].hasSuffix("\(id)"))
      #expect(lines[2].hasPrefix("old ") && lines[2].hasSuffix("silent for 1 min 42 s"))
      #expect(!list.output.contains("\u{1B}"))
      let json = await desk.workers("--json").output.split(separator: "\n")
      #expect(json.count == 2)
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data((json.first ?? "").utf8)) as? [String: Any])
      #expect(object["worker"] as? String == "new" && object["silent"] as? Bool == false)
      #expect(object["runs"] as? [String] == ["\(id)"] && object["runCount"] as? Int == 1)
    }

    @Test("A run is shown with its progress and its newest lines, and what is missing is counted")
    func shown() async throws {
      let id = try await desk.start(#"{"place":{}}"#)
      let run = try await desk.claim()
      #expect(!(await desk.run("show", "\(id)").output.contains("progress")))
      try await log(run, 3...4)
      try await log(run, 7...30)
      let shown = await desk.run("show", "\(id)").output
      #expect(shown.contains("progress  99 % at stage 2, 2026-11-18 11:06:40 UTC: nearly\n"))
      #expect(shown.contains("line 30\n") && shown.contains("line 11\n"))
      #expect(!shown.contains("line 10\n"))
      #expect(shown.hasSuffix("There are 6 older lines: --lines all\n"))
      let all = await desk.run("show", "\(id)", "--lines", "all").output
      #expect(all.contains("2 lines are missing\n") && all.contains("line 3\n"))
      #expect(!all.contains("older"))
      let wrong = await desk.run("show", "\(id)", "--lines", "99999999999999999999")
      #expect(
        wrong.status == 2
          && wrong.complaints.first?.contains("is no number of log lines; write one from 1") == true
      )
      let json = await desk.run("show", "\(id)", "--json", "--lines", "2").output
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
      let lines = try #require(object["lines"] as? [[String: Any]])
      #expect(lines.map { $0["number"] as? Int } == [29, 30])
      #expect((object["progress"] as? [String: Any])?["fraction"] as? Double == 0.999)
    }
  }
#endif
