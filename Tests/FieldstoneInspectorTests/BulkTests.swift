#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneInspector
  import FieldstoneServing
  import Foundation
  import Testing

  @Suite("The inspector's actions on all runs of a filter")
  struct BulkTests {
    private let desk = InspectedJournal()

    /// Opens the page of an action on all, and posts it with a count.
    private func act(_ target: String, typing count: String) async -> SiteResponse {
      let form = InspectedJournal.hidden(in: await desk.get(target).text)
      return await desk.post(target, form + [("count", count)])
    }

    private func states(_ ids: [RunID]) async throws -> [RunState?] {
      var states: [RunState?] = []
      for id in ids { states.append(try await desk.journal.run(id)?.state) }
      return states
    }

    @Test("All that a filter finds are counted first, and changed once their number is typed")
    func retry() async throws {
      let dead = [try await desk.deadRun(), try await desk.deadRun()]
      let other = try await desk.start("1", flow: "import")
      let list = await desk.get("/runs?state=dead").text
      #expect(list.contains(#"href="/all/retry?state=dead""#))
      let page = await desk.get("/all/retry?flow=order").text
      #expect(page.contains("The filter finds 2 runs that allow it."))
      #expect(try await states(dead) == [.dead, .dead])
      for typed in ["", "1", "3", "two", "-2"] {
        #expect(await act("/all/retry?flow=order", typing: typed).status == 422)
      }
      #expect(try await states(dead) == [.dead, .dead])
      let response = await act("/all/retry?flow=order", typing: "2")
      #expect(response.status == 303)
      #expect(response.headers["Location"] == "/runs?flow=order&done=retry&changed=2&skipped=0")
      #expect(try await states(dead + [other]) == [.ready, .ready, .ready])
      let after = await desk.get("/runs?flow=order&done=retry&changed=2&skipped=0").text
      #expect(after.contains("2 runs were made ready."))
    }

    @Test("Runs that do not allow the action are not counted")
    func allowed() async throws {
      let id = try await desk.start()
      #expect(await desk.act("cancel", on: id).status == 303)
      #expect(await desk.get("/all/cancel").text.contains("No run of this filter allows it."))
      #expect(await desk.get("/all/retry").text.contains("The filter finds 1 run that allows it."))
    }

    @Test("A run that started after the count is left alone")
    func later() async throws {
      let early = try await desk.start()
      let form = InspectedJournal.hidden(in: await desk.get("/all/cancel").text)
      let late = try await desk.start()
      #expect(await desk.post("/all/cancel", form + [("count", "1")]).status == 303)
      #expect(try await states([early, late]) == [.cancelled, .ready])
    }

    @Test("One confirmation changes at most a thousand runs, and says that there are more")
    func bounded() async throws {
      var ids: [RunID] = []
      for _ in 0..<1_003 { ids.append(try await desk.start()) }
      #expect(await desk.get("/all/cancel").text.contains("the 1,000 youngest"))
      let form = InspectedJournal.hidden(in: await desk.get("/all/cancel").text)
      // Sent once more, it does not go on to the runs that nobody confirmed.
      for changed in [1_000, 0] {
        let response = await desk.post("/all/cancel", form + [("count", "1,000")])
        #expect(
          response.headers["Location"] == "/runs?done=cancel&changed=\(changed)&skipped=0")
        #expect(
          try await states(Array(ids.prefix(4))) == [.ready, .ready, .ready, .cancelled])
      }
    }

    @Test("A form that is sent again leaves alone what ran when it was counted, and has died since")
    func diedSince() async throws {
      let older = try await desk.start()
      let running = try #require(try await desk.claim().first?.record)
      let dead = [try await desk.deadRun(), try await desk.deadRun()]
      let form = InspectedJournal.hidden(in: await desk.get("/all/retry").text)
      try await desk.journal.park(
        Parking(claim: InspectedJournal.claim(of: running), reason: .dead(error: "No courier.")),
        at: desk.now)
      for _ in 0..<2 {
        #expect(await desk.post("/all/retry", form + [("count", "2")]).status == 303)
      }
      #expect(try await states([older] + dead) == [.dead, .ready, .ready])
    }

    @Test("A scan that ended early does not say that there are more, and is not gone on with")
    func scanned() async throws {
      let first = try await desk.deadRun(error: "rare")
      try await desk.start(many: 1_999)
      var claimed = try await desk.claim()
      while !claimed.isEmpty {
        for run in claimed {
          try await desk.journal.park(
            Parking(claim: InspectedJournal.claim(of: run.record), reason: .dead(error: "common")),
            at: desk.now)
        }
        claimed = try await desk.claim()
      }
      let last = try await desk.deadRun(error: "rare")
      let page = await desk.get("/all/retry?error=rare").text
      #expect(page.contains("The filter finds 1 run that allows it."))
      #expect(page.contains("There may be more: one confirmation changes up to 1,000 of the 2,000"))
      let form = InspectedJournal.hidden(in: page) + [("count", "1")]
      for _ in 0..<2 { #expect(await desk.post("/all/retry?error=rare", form).status == 303) }
      #expect(try await states([first, last]) == [.dead, .ready])
    }

    @Test("All are paused until a time that is typed, or until somebody resumes them")
    func pause() async throws {
      let ids = [try await desk.start(), try await desk.start()]
      let over = try await desk.start()
      #expect(await desk.act("cancel", on: over).status == 303)
      let target = "/all/pause?flow=order"
      let form = InspectedJournal.hidden(in: await desk.get(target).text) + [("count", "2")]
      for text in ["tomorrow", "2001-01-01T00:00"] {
        let back = await desk.post(target, form + [("until", text)])
        #expect(back.status == 422)
        #expect(back.text.contains(text.prefix(10)))
      }
      #expect(try await desk.journal.pauses().isEmpty)
      let response = await desk.post(target, form + [("until", "2099-01-01T12:00")])
      #expect(response.headers["Location"] == "/runs?flow=order&done=pause&changed=2&skipped=0")
      let pauses = try await desk.journal.pauses()
      #expect(Set(pauses.map(\.target)) == Set(ids.map { .run($0) }))
      #expect(pauses.allSatisfy { $0.until?.ISO8601Format() == "2099-01-01T12:00:00Z" })
      #expect(await desk.post(target, form).status == 303)
      #expect(try await desk.journal.pauses().allSatisfy { $0.until == nil })
    }

    @Test("All paused runs are resumed; pauses of flows, and runs that are not paused, stay")
    func resume() async throws {
      let ids = [try await desk.start(), try await desk.start(), try await desk.start()]
      for id in ids.prefix(2) { try await desk.journal.pause(.run(id), until: nil, at: desk.now) }
      try await desk.journal.pause(.flow("order"), until: nil, at: desk.now)
      #expect(await desk.get("/runs?state=ready").text.contains(#"href="/all/resume?state=ready""#))
      #expect(!(await desk.get("/runs?state=dead").text.contains("/all/resume")))
      let page = await desk.get("/all/resume?flow=order").text
      #expect(page.contains("The filter finds 2 runs that allow it."))
      let response = await act("/all/resume?flow=order", typing: "2")
      #expect(response.headers["Location"] == "/runs?flow=order&done=resume&changed=2&skipped=0")
      #expect(try await desk.journal.pauses().map(\.target) == [.flow("order")])
      #expect(
        await desk.get("/all/resume?flow=order").text.contains("No run of this filter allows it."))
    }

    @Test("All are forked from a stage, once also where the form is sent twice")
    func fork() async throws {
      let dead = [try await desk.deadRun(), try await desk.deadRun()]
      let target = "/all/fork?flow=order&stage=0"
      let page = await desk.get(target).text
      #expect(page.contains("The filter finds 2 runs that allow it."))
      #expect(page.contains("effects of their stages are repeated"))
      let form = InspectedJournal.hidden(in: page) + [("count", "2")]
      for _ in 0..<2 { #expect(await desk.post(target, form).status == 303) }
      let runs = try await desk.journal.runs(RunQuery(flow: "order")).runs
      #expect(runs.count == 4)
      #expect(Set(runs.compactMap { $0.origin?.run }) == Set(dead))
      #expect(runs.compactMap { $0.origin?.sequence } == [0, 0])
      #expect(try await states(dead) == [.dead, .dead])
      for stage in ["-1", "one"] {
        #expect(await desk.get("/all/fork?stage=\(stage)").status == 400)
      }
    }

    @Test("Only runs that are over are deleted")
    func purge() async throws {
      let over = try await desk.start()
      #expect(await desk.act("cancel", on: over).status == 303)
      let ready = try await desk.start()
      #expect(await desk.get("/all/purge").text.contains("The filter finds 1 run that allows it."))
      #expect(await act("/all/purge", typing: "1").status == 303)
      #expect(try await states([over, ready]) == [nil, .ready])
      #expect(!(await desk.get("/runs?state=ready").text.contains("/all/purge")))
    }

    @Test(
      "All are sent a signal whose form has what the youngest waits for, once also if sent twice")
    func signal() async throws {
      let ids = [try await desk.receivingRun("approval"), try await desk.receivingRun("approval")]
      let over = try await desk.deadRun()
      #expect(await desk.get("/runs?flow=order").text.contains(#"href="/all/signal?flow=order""#))
      #expect(!(await desk.get("/runs?state=dead").text.contains("/all/signal")))
      let target = "/all/signal?flow=order"
      let page = await desk.get(target).text
      #expect(page.contains("The filter finds 2 runs that allow it."))
      #expect(page.contains(#"name="name" value="approval""#))
      #expect(page.contains(">\nnull</textarea>"))
      let form = InspectedJournal.hidden(in: page)
      let signal = form + [("name", "approval"), ("payload", "{\"by\": \"<Ada>\",\n \"n\": 1.10}")]
      let nothing = form + [("count", "2")]
      for wrong in [
        signal + [("count", "3")], signal, nothing + [("name", ""), ("payload", "1")],
        nothing + [("name", "approval"), ("payload", "{")],
      ] {
        let back = await desk.post(target, wrong)
        #expect(back.status == 422)
        if wrong.contains(where: { $0.1.contains("Ada") }) {
          #expect(back.text.contains("&lt;Ada&gt;") && back.text.contains("1.10"))
        }
      }
      #expect(try await desk.claim().isEmpty)
      for _ in 0..<2 {
        let response = await desk.post(target, signal + [("count", "2")])
        #expect(response.headers["Location"] == "/runs?flow=order&done=signal&changed=2&skipped=0")
      }
      let after = await desk.get("/runs?flow=order&done=signal&changed=2&skipped=0").text
      #expect(after.contains("2 runs were sent the signal."))
      let rows = try await desk.journal.audit(AuditQuery()).records.filter { $0.action == .signal }
      #expect(rows.count == 2 && rows.allSatisfy { $0.actor == "inspector" })
      #expect(!rows.contains { $0.subject == .run(over) })
      let claimed = try await desk.claim()
      #expect(Set(claimed.map(\.record.id)) == Set(ids))
      #expect(
        claimed.allSatisfy { $0.signal?.payload == Data(#"{"by":"<Ada>","n":1.10}"#.utf8) })
      #expect(await desk.get("/changes").text.contains("signal approval"))
    }

    private func stage(_ id: RunID) async throws -> String? {
      try await desk.journal.run(id).map { String(decoding: $0.payload, as: UTF8.self) }
    }

    @Test(
      "All at a stage are edited by a patch, whose differences are shown before it is confirmed")
    func edit() async throws {
      var ids: [RunID] = []
      for number in 0..<5 {
        ids.append(
          try await desk.start(#"{"send":{"to":"Bergen","n":\#(number).10,"token":"s3cret"}}"#))
      }
      let other = try await desk.start(#"{"pack":{}}"#)
      let importing = try await desk.start("1", flow: "import")
      #expect(await desk.get("/runs?flow=order").text.contains(#"href="/all/edit?flow=order""#))
      #expect(!(await desk.get("/runs").text.contains("/all/edit")))
      let target = "/all/edit?flow=order"
      let page = await desk.get(target).text
      #expect(page.contains("The filter finds 6 runs that allow it."))
      #expect(page.contains("{\n  &quot;pack&quot;: {}\n}</textarea>"))
      let form = InspectedJournal.hidden(in: page)
      let patch = [("payload", #"{"send": {"to": "<Oslo>", "token": "new", "by": 1.0}}"#)]
      let review = await desk.post(target, form + patch).text
      #expect(review.contains("The patch changes 5 runs."))
      #expect(review.contains("The first 3 of them:"))
      #expect(review.contains("are not checked"))
      #expect(review.components(separatedBy: "<ins>").count == 10)
      #expect(review.contains("&quot;&lt;Oslo&gt;&quot;") && !review.contains("s3cret"))
      #expect(!review.contains(#"<ins>+     <b>"token": </b>"new""#))
      #expect(try await stage(ids[0])?.contains("Bergen") == true)
      let confirm = InspectedJournal.hidden(in: review)
      for typed in ["", "3", "6"] {
        let back = await desk.post(target, confirm + [("count", typed)])
        #expect(back.status == 422)
        #expect(back.text.contains("The patch changes 5 runs."))
        #expect(back.text.contains("Type the number of runs to confirm: 5."))
      }
      #expect(try await stage(ids[0])?.contains("Bergen") == true)
      let response = await desk.post(target, confirm + [("count", "5")])
      #expect(response.headers["Location"] == "/runs?flow=order&done=edit&changed=5&skipped=0")
      for (number, id) in ids.enumerated() {
        #expect(
          try await stage(id)
            == #"{"send":{"to":"<Oslo>","n":\#(number).10,"token":"new","by":1.0}}"#)
      }
      #expect(try await stage(other) == #"{"pack":{}}"#)
      #expect(try await stage(importing) == "1")
      let after = await desk.get("/runs?flow=order&done=edit&changed=5&skipped=0").text
      #expect(after.contains("5 runs were edited."))
      let rows = try await desk.journal.audit(AuditQuery()).records
      #expect(rows.count == 5 && rows.allSatisfy { $0.action == .edit && $0.actor == "inspector" })
      // Sent once more, it changes nothing: all have these values.
      let again = await desk.post(target, confirm + [("count", "5")])
      #expect(again.headers["Location"] == "/runs?flow=order&done=edit&changed=0&skipped=0")
      #expect(await desk.post(target, form + patch).text.contains("The patch changes no run"))
    }

    @Test("A patch that is none is shown again with the reason, and nothing is written")
    func refusedPatch() async throws {
      let id = try await desk.start(#"{"send":{"to":"Bergen","token":"s3cret"}}"#)
      let target = "/all/edit?flow=order"
      let form = InspectedJournal.hidden(in: await desk.get(target).text)
      for (patch, version, reason) in [
        ("{", "", "JSON"), (#"{"send":{"token":"•••"}}"#, "", "Dots stand for"),
        (#"{"send":{"token":"•••1"}}"#, "", "Dots stand for"), ("{}", "two", "is no version"),
      ] {
        for more in [
          [],
          [
            ("counted", "1"), ("oldest", "\(id)"), ("youngest", "\(id)"), ("change", "\(id)"),
            ("count", "1"),
          ],
        ] {
          let back = await desk.post(
            target, form + [("payload", patch), ("version", version)] + more)
          #expect(back.status == 422 && back.text.contains(reason), "\(patch)")
          #expect(back.text.contains("Review"))
        }
      }
      #expect(await desk.get("/all/edit").status == 400)
      #expect(await desk.get("/all/edit?state=ready").text.contains("choose the flow"))
      #expect(try await desk.journal.audit(AuditQuery()).records.isEmpty)
    }

    @Test("What is no action, or incomplete, is refused, and a read-only inspector changes none")
    func refused() async throws {
      try await desk.start()
      for name in ["start", ""] {
        #expect(await desk.get("/all/\(name)").status == 404)
      }
      #expect(await desk.post("/all/cancel", [("count", "1")]).status == 403)
      let form = InspectedJournal.hidden(in: await desk.get("/all/cancel").text)
        .filter { $0.0 == "form-token" }
      #expect(await desk.post("/all/cancel", form + [("count", "1")]).status == 400)
      let many = [("counted", "9999999"), ("youngest", "x"), ("count", "9999999")]
      #expect(await desk.post("/all/cancel", form + many).status == 400)
      let reader = InspectedJournal { $0.isReadOnly = true }
      try await reader.start()
      #expect(await reader.get("/all/cancel").status == 403)
      #expect(await reader.get("/all/signal").status == 403)
      #expect(await reader.get("/all/edit?flow=order").status == 403)
      #expect(!(await reader.get("/runs").text.contains("/all/")))
    }
  }
#endif
