#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneInspector
  import FieldstoneServing
  import Foundation
  import Testing

  @Suite("The inspector's actions")
  struct ActionTests {
    private let desk = InspectedJournal()

    private func state(of id: RunID) async throws -> RunState? {
      try await desk.journal.run(id)?.state
    }

    @Test("Retry says what it does, and makes a dead run ready")
    func retry() async throws {
      let id = try await desk.deadRun()
      #expect(await desk.get("/runs/\(id)/retry").text.contains("The run becomes ready at once"))
      #expect(try await state(of: id) == .dead)
      let response = await desk.act("retry", on: id)
      #expect(response.status == 303)
      #expect(response.headers["Location"] == "/runs/\(id)?done=retry")
      #expect(try await state(of: id) == .ready)
      #expect(await desk.get("/runs/\(id)?done=retry").text.contains("The run is ready again."))
    }

    @Test("Cancel calls a run off")
    func cancel() async throws {
      let id = try await desk.start()
      #expect(await desk.act("cancel", on: id).status == 303)
      #expect(try await state(of: id) == .cancelled)
    }

    @Test("Edit shows the difference before it writes, and writes numbers as they were typed")
    func edit() async throws {
      let id = try await desk.deadRun()
      let form = InspectedJournal.hidden(in: await desk.get("/runs/\(id)/edit").text)
      let typed = "{\r\n  \"send\": {\"to\": \"Akureyri\", \"weight\": 1.10000000000000000001}\r\n}"
      let review = await desk.post(
        "/runs/\(id)/edit", form + [("payload", typed), ("version", "3")])
      #expect(review.status == 200)
      #expect(review.text.contains("<del>") && review.text.contains("is not checked"))
      #expect(try await state(of: id) == .dead)
      let written = await desk.post("/runs/\(id)/edit", InspectedJournal.hidden(in: review.text))
      #expect(written.status == 303)
      let run = try #require(try await desk.journal.run(id))
      #expect(run.state == .ready && run.version == 3)
      #expect(
        String(decoding: run.payload, as: UTF8.self)
          == #"{"send":{"to":"Akureyri","weight":1.10000000000000000001}}"#)
    }

    @Test("An edit that is no JSON comes back with what was typed")
    func noJSON() async throws {
      let id = try await desk.deadRun()
      let response = await desk.act("edit", on: id, [("payload", "{send"), ("version", "")])
      #expect(response.status == 422)
      #expect(response.text.contains("is no JSON") && response.text.contains("\n{send</textarea>"))
      #expect(await desk.act("edit", on: id, [("payload", "1"), ("version", "two")]).status == 422)
      #expect(try await state(of: id) == .dead)
    }

    @Test("A signal gets to the run, and the same one only once")
    func signal() async throws {
      let id = try await desk.start()
      let values = [("name", "approval"), ("payload", #"{"by":"Ada"}"#), ("identifier", "s-1")]
      #expect(await desk.act("signal", on: id, values).status == 303)
      let receipt = try await desk.journal.signal(
        id,
        SignalRecord(id: "s-1", name: "approval", payload: Data("1".utf8), sentAt: desk.now.date),
        at: desk.now)
      #expect(receipt == .alreadySent)
      let other = [("name", "refusal"), ("payload", "1"), ("identifier", "s-1")]
      #expect(await desk.act("signal", on: id, other).status == 409)
      #expect(await desk.act("signal", on: id, [("payload", "1")]).status == 422)
    }

    @Test("A signal leaves one audit row, with its name and without its payload")
    func signalRow() async throws {
      let id = try await desk.start()
      let values = [("name", "approval"), ("payload", "9876"), ("identifier", "s-1")]
      for _ in 0..<2 { #expect(await desk.act("signal", on: id, values).status == 303) }
      let rows = try await desk.journal.audit(AuditQuery(subject: .run(id))).records
      #expect(rows.map(\.action) == [.signal] && rows.map(\.actor) == ["inspector"])
      #expect(rows.map(\.date) == [desk.now.date] && rows.first?.before == nil)
      #expect(rows.first?.after == Data(#"{"id":"s-1","name":"approval"}"#.utf8))
      let page = await desk.get("/changes").text
      #expect(page.contains(">signal</th>") && page.contains("approval"))
    }

    @Test("A fork says that effects are repeated, and leads to the new run")
    func fork() async throws {
      let id = try await desk.deadRun()
      let old = try await desk.journal.run(id)
      let page = await desk.get("/runs/\(id)/fork").text
      #expect(page.contains("effects of its stages are repeated") && page.contains("not checked"))
      #expect(await desk.act("fork", on: id, [("from", "two")]).status == 422)
      #expect(await desk.act("fork", on: id, [("from", "77")]).status >= 400)
      #expect(try await desk.journal.runs(RunQuery()).runs.map(\.id) == [id])
      #expect(await desk.act("fork", on: id, [("from", "0")]).status == 303)
      let runs = try await desk.journal.runs(RunQuery()).runs
      let fork = try #require(runs.first { $0.id != id })
      #expect(fork.origin == RunOrigin(run: id, sequence: 0) && fork.state == .ready)
      #expect(try await desk.journal.run(id) == old)
      #expect(await desk.get("/runs/\(fork.id)").text.contains("Forked from"))
      #expect(try await desk.journal.audit(AuditQuery()).records.map(\.actor) == ["inspector"])
    }

    @Test("A run that has gone on since its page is not changed")
    func goneOn() async throws {
      let id = try await desk.deadRun()
      let form = InspectedJournal.hidden(in: await desk.get("/runs/\(id)/retry").text)
      try await desk.journal.change(id, .edit(Data("1".utf8), version: nil), at: desk.now)
      let response = await desk.post("/runs/\(id)/retry", form)
      #expect(response.status == 409 && response.text.contains("gone on meanwhile"))
    }

    @Test("What a state does not allow is no button, and is refused")
    func notAllowed() async throws {
      let id = try await desk.start()
      _ = try await desk.claim()
      let page = await desk.get("/runs/\(id)").text
      #expect(!page.contains("/retry\"") && !page.contains("/edit\"") && page.contains("/cancel\""))
      #expect(await desk.get("/runs/\(id)/retry").status == 409)
    }

    @Test(
      "Nothing is done before it is confirmed",
      arguments: ["retry", "cancel", "edit", "signal", "fork"])
    func unconfirmed(action: String) async throws {
      let id = try await desk.deadRun()
      let run = try await desk.journal.run(id)
      let form = InspectedJournal.hidden(in: await desk.get("/runs/\(id)/edit").text)
      _ = await desk.post(
        "/runs/\(id)/\(action)", form + [("payload", "1"), ("name", "a"), ("identifier", "b")])
      #expect(try await desk.journal.run(id) == run)
    }
  }
#endif
