#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneInspector
  import FieldstoneServing
  import FieldstoneTesting
  import Foundation
  import Testing

  @Suite("Progress, log lines and workers in the inspector")
  struct ReportPageTests {
    private let desk = InspectedJournal()

    private func report(
      _ run: RunRecord, _ fraction: Double, _ texts: [String], from first: Int = 1
    ) async throws {
      let now = desk.now
      let lines = texts.enumerated().map { index, text in
        RunLogLine(
          place: .init(fence: run.fence, number: first + index), text: text, sequence: 4,
          loggedAt: now.date)
      }
      let progress = RunProgress(
        fraction, text: "sheet <7>", sequence: 4, reportedAt: now.date)
      try await desk.journal.write(
        [RunReportWrite(run: run.id, fence: run.fence, progress: progress, lines: lines)],
        at: now)
    }

    @Test("A run's page has a bar with its meaning in words, and the lines, escaped")
    func run() async throws {
      try await desk.start()
      let run = try #require(try await desk.claim().first?.record)
      let bare = await desk.get("/runs/\(run.id)").text
      #expect(!bare.contains("<progress") && !bare.contains("class=\"log\""))
      try await report(run, 0.25, ["<script>alert(1)</script>", "two\nlines"])
      try await report(run, 0.5, ["late"], from: 6)
      let page = await desk.get("/runs/\(run.id)").text
      for text in [
        #"<progress max="1" value="0.5" aria-label="Progress of the run">50 %</progress> 50 %"#,
        "sheet &lt;7&gt;", "&lt;script&gt;alert(1)&lt;/script&gt;", "two lines",
        "3 lines are missing", "late", "stage 4",
      ] {
        #expect(page.contains(text), "\(text)")
      }
      #expect(!page.contains("<script>alert"))
    }

    @Test(
      "Each attempt that failed is in the table of errors, with its stage and the next one's time")
    func attempts() async throws {
      try await desk.start()
      let run = try #require(try await desk.claim().first?.record)
      let claim = RunClaim(id: run.id, sequence: run.sequence, fence: run.fence)
      let line = RunLogLine(
        place: .init(fence: run.fence, number: 1), text: "Attempt 1 failed: <b>full</b>",
        sequence: run.sequence, loggedAt: desk.now.date, isOfRunner: true)
      try await desk.journal.park(
        Parking(
          claim: claim, reason: .retry(at: desk.now.date + 60, error: "<b>full</b>"), line: line),
        at: desk.now)
      let page = await desk.get("/runs/\(run.id)").text
      let table = page.components(separatedBy: #"aria-label="Errors""#).last?
        .components(separatedBy: "</table>").first
      let rows = try #require(table).components(separatedBy: "<tr>").dropFirst(2)
      #expect(rows.count == 1)
      #expect(rows.first?.contains("Attempt 1 failed: &lt;b&gt;full&lt;/b&gt;") == true)
      #expect(rows.first?.contains("next attempt") == true)
      #expect(rows.first?.contains(##"href="#stage-\##(run.sequence)""##) == true)
      #expect(page.contains(#"<li class="of-runner">"#))
      // On the timeline, too, with words for who can't see it.
      #expect(page.components(separatedBy: #"<rect class="mark""#).count == 2)
      #expect(page.contains(", 1 note of a failure, crash or refusal\""))
    }

    @Test("An error that no line of the runner tells is in the table of errors beside the lines")
    func errorWithoutLine() async throws {
      try await desk.start()
      let run = try #require(try await desk.claim().first?.record)
      let claim = RunClaim(id: run.id, sequence: run.sequence, fence: run.fence)
      let taken = RunLogLine(
        place: .init(fence: run.fence, number: 1), text: "Taken over by worker-1",
        sequence: run.sequence, loggedAt: desk.now.date, isOfRunner: true)
      try await desk.journal.park(
        Parking(claim: claim, reason: .dead(error: "Full."), line: taken), at: desk.now)
      let page = await desk.get("/runs/\(run.id)").text
      let table = page.components(separatedBy: #"aria-label="Errors""#).last?
        .components(separatedBy: "</table>").first
      let rows = try #require(table).components(separatedBy: "<tr>").dropFirst(2)
      #expect(rows.count == 2)
      #expect(rows.first?.contains("Taken over by worker-1") == true)
      #expect(rows.last?.contains(">Full.</td>") == true)
    }

    @Test("The page of a run follows what is reported")
    func live() async throws {
      try await desk.start()
      let run = try #require(try await desk.claim().first?.record)
      let answer = await desk.inspector.answer(
        SiteRequest(
          method: "GET", target: "/live?page=%2Fruns%2F\(run.id)",
          headers: ["Host": "localhost:8471", "Accept": "text/event-stream"]))
      guard case .events(let stream) = answer else {
        Issue.record("The page has no events.")
        return
      }
      _ = await stream.next()
      try await report(run, 0.75, ["just now"])
      stream.signal()
      let part = String(decoding: await stream.next() ?? [], as: UTF8.self)
      #expect(part.contains("just now") && part.contains("75 %"))
      await stream.close()
    }

    @Test("The overview lists the workers; a silent one is marked by a word")
    func workers() async throws {
      let id = try await desk.start()
      let now = desk.now
      for (name, ago) in [("mill <1>", 5.0), ("mill 2", 500)] {
        var then = now
        then.date -= ago
        try await desk.journal.setWorker(
          name,
          to: WorkerRecord(
            name: name, machine: "host", process: 4_711, protocolVersion: 2,
            flows: (1...7).map { .init(name: "flow \($0)", version: $0) }, startedAt: then.date,
            lastSeenAt: then.date, interval: .seconds(30), runCount: 4, runs: [id]), at: then)
      }
      let page = await desk.get("/").text
      #expect(page.contains(">Workers</h2>") && !page.contains("Workers with runs"))
      for text in [
        "mill &lt;1&gt;", "host, process 4711", "flow 5 5 and 2 more", "4 runs: ", "/runs/\(id)",
        "5 s ago",
      ] {
        #expect(page.contains(text), "\(text)")
      }
      #expect(page.components(separatedBy: ">silent<").count == 2)
    }
  }
#endif
