#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneInspector
  import FieldstoneServing
  import Foundation
  import Testing

  @Suite("The way on from a refusal")
  struct RefusalTests {
    private let desk = InspectedJournal()

    /// Edits each run itself before it passes an edit on, or throws an error for every call.
    private struct Crossing: JournalDecorator {
      let decorated: any Journal = InMemoryJournal()
      var error: JournalError?

      func relay<Value: Sendable>(
        _ call: JournalCall, _ body: () async throws -> Value
      ) async throws -> Value {
        if let error { throw error }
        return try await body()
      }

      func change(
        _ id: RunID, _ change: RunChange, by actor: String?, at time: JournalTime
      ) async throws -> RunRecord {
        if case .edit = change {
          try await decorated.change(id, .edit(Data("1".utf8), version: nil), at: time)
        }
        return try await decorated.change(id, change, by: actor, at: time)
      }
    }

    @Test("Of two edits that cross, the second is refused and leads back to the run")
    func crossed() async throws {
      let desk = InspectedJournal(over: Crossing())
      let id = try await desk.deadRun()
      let response = await desk.act("edit", on: id, [("payload", "2")])
      #expect(response.status == 409)
      #expect(response.text.contains(link("Back to the run", "/runs/\(id)")))
      #expect(try await desk.journal.run(id)?.payload == Data("1".utf8))
    }

    @Test("A journal that the process may not read is told on a page")
    func notPermitted() async {
      let desk = InspectedJournal(over: Crossing(error: .notPermitted("orders.sqlite")))
      let response = await desk.get("/")
      #expect(response.status == 500 && response.text.contains("orders.sqlite"))
      #expect(response.text.contains(link("Overview", "/")))
    }

    private func link(_ text: String, _ target: String) -> String {
      #"<a class="button" href="\#(target)">\#(text)</a>"#
    }

    @Test(
      "A form about a run that has gone on leads back to the run",
      arguments: ["retry", "edit", "fork"])
    func stale(action: String) async throws {
      let id = try await desk.deadRun()
      let form = InspectedJournal.hidden(in: await desk.get("/runs/\(id)/\(action)").text)
      try await desk.journal.change(id, .edit(Data("1".utf8), version: nil), at: desk.now)
      let response = await desk.post("/runs/\(id)/\(action)", form + [("payload", "2")])
      #expect(response.status == 409 && response.text.contains("decide again"))
      #expect(response.text.contains(link("Back to the run", "/runs/\(id)")))
      #expect(response.text.contains(link("Overview", "/")))
    }

    @Test(
      "What the run's state does not allow, and a stage that is no number, lead back to the run")
    func run() async throws {
      let id = try await desk.start()
      let form = InspectedJournal.hidden(in: await desk.get("/runs/\(id)/cancel").text)
      try await desk.journal.change(id, .cancel, at: desk.now)
      let back = link("Back to the run", "/runs/\(id)")
      let response = await desk.post("/runs/\(id)/cancel", form)
      #expect(response.status == 409 && response.text.contains(back))
      for (page, status) in [
        ("signal", 409), ("fork?from=two", 400), ("children?after=a", 400),
      ] {
        let response = await desk.get("/runs/\(id)/\(page)")
        #expect(response.status == status && response.text.contains(back), "\(page)")
      }
      #expect(await desk.get("/runs/\(id)?before=two").text.contains(back))
    }

    @Test("A filter that is none leads to the runs, or the timeline, without filters")
    func filters() async throws {
      for target in [
        "/runs?flow=order&attribute=4711", "/runs?state=gone", "/runs?since=today",
        "/all/cancel?wait=none",
      ] {
        let response = await desk.get(target)
        #expect(response.status == 400, "\(target)")
        #expect(response.text.contains(link("All runs", "/runs")), "\(target)")
      }
      #expect(await desk.get("/timeline?kind=no").text.contains(link("The timeline", "/timeline")))
      let live = LiveDesk()
      #expect(!(await live.get("/runs?state=gone").text.contains("All runs")))
    }
  }
#endif
