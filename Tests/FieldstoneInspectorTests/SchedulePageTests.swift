#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneInspector
  import FieldstoneServing
  import Foundation
  import Testing

  @Suite("The inspector's schedules")
  struct SchedulePageTests {
    private let desk = InspectedJournal()

    private func set(
      _ name: String = "nightly <export>", overlap: TickOverlap = .skip
    ) async throws {
      let timing = try ScheduleTiming.cron("30 2 * * *", in: .gmt)
      _ = try await desk.journal.set(
        FlowSchedule(
          name: name, flow: "order", version: 1, stage: #"{"send":{}}"#, timing: timing,
          options: ScheduleOptions(overlap: overlap)), by: nil, at: desk.now)
    }

    private func status() async throws -> ScheduleStatus? {
      try await desk.journal.schedules().first.map { try ScheduleStatus($0) }
    }

    /// Opens the page of an action on the schedule and confirms it.
    private func act(_ action: String) async -> SiteResponse {
      let target = "/schedules/\(action)?name=nightly%20%3Cexport%3E"
      let form = await desk.get(target)
      guard form.status == 200 else { return form }
      return await desk.post(target, InspectedJournal.hidden(in: form.text))
    }

    @Test("Without schedules the page says how one is set")
    func none() async {
      let page = await desk.get("/schedules")
      #expect(page.status == 200 && page.text.contains("runner.setSchedule"))
    }

    @Test("A schedule is shown with its timing, its flow and its next tick")
    func shown() async throws {
      try await set()
      let page = await desk.get("/schedules").text
      for text in [
        "nightly &lt;export&gt;", "30 2 * * * in GMT", "missed ticks are one run",
        "/flow?name=order", "not run yet", "in ", "Pause…", "Run now…",
      ] {
        #expect(page.contains(text), "\(text)")
      }
      #expect(!page.contains("Resume…"))
    }

    @Test("It is paused, goes on, runs now and is removed, each once that is confirmed")
    func actions() async throws {
      try await set()
      let paused = await act("pause")
      #expect(
        paused.headers["Location"] == "/schedules?done=pause&name=nightly%20%3Cexport%3E")
      #expect(try await status()?.progress.isPaused == true)
      let page = await desk.get(paused.headers["Location"] ?? "").text
      #expect(page.contains("The schedule “nightly &lt;export&gt;” is paused."))
      #expect(page.contains("Resume…"))
      #expect(await act("resume").status == 303)
      #expect(try await status()?.progress.isPaused == false)

      let run = try await {
        let done = await act("run")
        let run = try #require(try await status()?.progress.lastRun)
        #expect(done.headers["Location"] == "/runs/\(run)")
        return run
      }()
      #expect(try await desk.journal.run(run)?.flow == "order")
      #expect(await desk.get("/schedules").text.contains("Run \(run)"))

      #expect(await act("remove").status == 303)
      #expect(try await desk.journal.schedules().isEmpty)
      let changes = await desk.get("/changes").text
      #expect(changes.contains("the schedule “nightly &lt;export&gt;”"))
      #expect(await act("remove").status == 404)
    }

    @Test("Run now that is sent three times starts one run, which each answer leads to")
    func runsOnce() async throws {
      try await set()
      let target = "/schedules/run?name=nightly%20%3Cexport%3E"
      let form = InspectedJournal.hidden(in: await desk.get(target).text)
      let changes = try await desk.journal.audit(AuditQuery()).records.count
      async let first = desk.post(target, form)
      async let second = desk.post(target, form)
      var answers = await [first, second]
      answers.append(await desk.post(target, form))
      let run = try #require(try await status()?.progress.lastRun)
      for answer in answers {
        #expect(answer.status == 303 && answer.headers["Location"] == "/runs/\(run)")
      }
      #expect(try await desk.journal.runs(RunQuery()).runs.map(\.id) == [run])
      #expect(try await desk.journal.audit(AuditQuery()).records.count == changes + 1)
      #expect(await act("run").status == 303)
      #expect(try await desk.journal.runs(RunQuery()).runs.count == 2)
    }

    @Test("An identifier that another run has, or that no page makes, starts nothing")
    func craftedRun() async throws {
      try await set()
      let other = try await desk.start()
      let target = "/schedules/run?name=nightly%20%3Cexport%3E"
      let form = InspectedJournal.hidden(in: await desk.get(target).text).filter { $0.0 != "run" }
      let strange = [RunID(at: .distantFuture), RunID(at: .distantPast)].map(\.description)
      for text in [other.description, "nonsense"] + strange {
        let answer = await desk.post(target, form + [("run", text)])
        #expect(answer.status == 409 && answer.text.contains("open it again"), "\(text)")
      }
      #expect(try await desk.journal.runs(RunQuery()).runs.map(\.id) == [other])
    }

    @Test("A form without the confirmation asks, and changes nothing")
    func unconfirmed() async throws {
      try await set()
      let target = "/schedules/remove?name=nightly%20%3Cexport%3E"
      let form = InspectedJournal.hidden(in: await desk.get(target).text)
      let answer = await desk.post(target, form.filter { $0.0 != "confirmed" })
      #expect(answer.status == 200 && answer.text.contains("Remove the schedule"))
      #expect(try await desk.journal.schedules().count == 1)
    }

    @Test("What this version can't read says so, and can only be removed")
    func unreadable() async throws {
      let record = ScheduleRecord(
        name: "old", definition: Data("{}".utf8), progress: Data("{}".utf8))
      _ = try await desk.journal.setSchedule(
        "old", from: nil, to: record, starting: [], at: desk.now)
      let page = await desk.get("/schedules").text
      #expect(page.contains("can&#39;t be read by this code") || page.contains("can't be read"))
      #expect(page.contains("Remove…") && !page.contains("Run now…"))
      let form = InspectedJournal.hidden(in: await desk.get("/schedules/run?name=old").text)
      #expect(await desk.post("/schedules/run?name=old", form).status == 422)
    }

    @Test("An unknown schedule or action has no page, and an inspector that only reads no action")
    func refused() async throws {
      try await set("nightly")
      #expect(await desk.get("/schedules/run?name=other").status == 404)
      #expect(await desk.get("/schedules/burn?name=nightly").status == 404)
      #expect(await desk.get("/schedules/run").status == 404)
      let reader = InspectedJournal { $0.isReadOnly = true }
      #expect(await reader.get("/schedules/run?name=nightly").status == 403)
      #expect(!(await reader.get("/schedules").text.contains("…</a>")))
    }
  }
#endif
