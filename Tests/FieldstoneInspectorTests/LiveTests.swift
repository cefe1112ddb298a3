#if INSPECTOR
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneFields
  import FieldstoneForms
  import FieldstoneInspector
  import FieldstoneLoading
  import FieldstoneScreens
  import FieldstoneServing
  import FieldstoneStorage
  import FieldstoneTesting
  import Foundation
  import Testing

  @MainActor
  @Suite("The inspector of a process")
  struct LiveTests {
    private let desk = LiveDesk()

    @Test("Without a journal there are no pages of runs, and none of their links")
    func noJournal() async {
      let page = await desk.get("/")
      #expect(page.status == 200)
      #expect(page.text.contains("Nothing is watched yet"))
      #expect(!page.text.contains("href=\"/runs"))
      #expect(await desk.get("/runs").status == 404)
      #expect(await desk.get("/runs/01J00000000000000000000000/retry").status == 404)
      #expect(await desk.get("/watched/7").status == 404)
    }

    @Test("A journal's pages show nothing of a process that watches nothing")
    func nothingWatched() async {
      let page = await InspectedJournal().get("/").text
      #expect(!page.contains("/timeline") && !page.contains("/watched"))
    }

    @Test("An integrator has its phase, its value in its Codable form, and its events")
    func integrator() async throws {
      let users = Integrator(
        provider: ClosureProvider { (name: String) in
          if name.isEmpty { throw Refused() }
          return [Account(id: 7, name: name)]
        }, errorHandlers: ErrorHandlers())
      desk.inspector.watch(users, as: "Users")
      #expect(await desk.get("/watched").text.contains(">idle</span>"))
      _ = try await users("Ada")
      let page = await desk.page("/watched/1", with: ">loaded</span></td>")
      #expect(page.contains("&quot;name&quot;: &quot;Ada&quot;"))
      #expect(page.contains("&quot;accessToken&quot;: •••") && !page.contains("t0p"))
      _ = await users.call("").start().outcome
      let failed = await desk.page("/timeline", with: "The server refused &lt;it&gt;.")
      #expect(failed.contains("The server refused &lt;it&gt;."))
      // The value that is known stays.
      #expect(await desk.get("/watched/1").text.contains("Ada"))
    }

    @Test("A watched object is held weakly: its page says that it is released")
    func released() async {
      var list: PaginatedList<Account, Int>? = PaginatedList(
        provider: ClosureProvider { (_: PageRequest<Int>) in ItemPage([]) })
      if let list { desk.inspector.watch(list, as: "Accounts") }
      list = nil
      let page = await desk.get("/watched/1")
      #expect(page.status == 200 && page.text.contains("The list is released."))
      #expect(await desk.get("/watched").text.contains(">released</span>"))
    }

    @Test("An action that is not possible is refused, also on a released object, and is no event")
    func refusedAction() async throws {
      let users = Integrator(
        provider: ClosureProvider { (name: String) in name }, errorHandlers: ErrorHandlers())
      desk.inspector.watch(users, as: "Users")
      _ = try await users("Ada")
      var list: PaginatedList<Account, Int>? = PaginatedList(
        provider: ClosureProvider { (_: PageRequest<Int>) in ItemPage([]) })
      if let list { desk.inspector.watch(list, as: "Accounts") }
      list = nil
      #expect(await desk.post("/watched/1/retry").status == 409)
      #expect(await desk.post("/watched/1/cancel", [("call", "99")]).status == 409)
      #expect(await desk.post("/watched/2/reload").status == 409)
      #expect(!(await desk.get("/timeline").text.contains("by the inspector")))
      #expect(await desk.post("/watched/1/reload").status == 303)
      #expect(await desk.get("/timeline").text.contains("by the inspector"))
    }

    @Test("A list has its items, its edges and its cursors, and is reloaded from its page")
    func list() async throws {
      let list = PaginatedList(
        provider: ClosureProvider { (request: PageRequest<Int>) in
          let start = request.cursor ?? 0
          return ItemPage(
            (start..<start + 2).map { Account(id: $0, name: "user \($0)") }, next: start + 2)
        })
      desk.inspector.watch(list, as: "Accounts")
      #expect(await desk.post("/watched/1/reload").status == 303)
      _ = await desk.page("/watched/1", with: "user 1")
      #expect(await desk.post("/watched/1/more").status == 303)
      let page = await desk.page("/watched/1", with: "user 3")
      #expect(page.contains("<dt>Next cursor</dt><dd>4</dd>"))
      #expect(page.contains("<dt>At the end</dt><dd>more to load</dd>"))
      #expect(page.contains("<dt>Pages</dt><dd>2</dd>"))
      #expect(!page.contains("t0p"))
    }

    @Test("What is watched of a form does not keep its fields, nor the form")
    func releasedForm() {
      weak var field: FormField?
      weak var model: FormModel?
      do {
        let form = FormModel { Field<String>("Name") }
        desk.inspector.watch(form, as: "Person")
        (field, model) = (form.fields.first, form)
        #expect(field != nil && model != nil)
      }
      #expect(field == nil && model == nil)
    }

    @Test("A form of many fields shows fifty at once, with those before and after them")
    func longForm() async throws {
      let fields = (0..<120).map { Field<String>("Field \($0)", key: "f\($0)").require(.notBlank) }
      let form = FormModel {
        for field in fields { field }
      }
      desk.inspector.watch(form, as: "Survey")
      form[fields[110]]?.text = "last"
      for (from, shown, links) in [
        ("", 0..<50, ["50"]), ("?from=50", 50..<100, ["0", "100"]),
        ("?from=100", 100..<120, ["50"]),
        ("?from=9999", 0..<50, ["50"]),
      ] {
        let page = await desk.get("/watched/1" + from).text
        let table = page.components(separatedBy: ">Rules</h2>").first ?? ""
        let keys = table.matches(of: /<tr><td>(f\d+)<\/td>/).map { String($0.1) }
        #expect(keys == shown.map { "f\($0)" })
        #expect(page.contains("\(shown.count) of 120 fields are shown, from number"))
        let parts = page.matches(of: /(Earlier|Further) fields/).count
        #expect(parts == links.count, "\(from)")
        // An undo of a field that is not shown has its texts.
        #expect(page.contains("“last”"))
      }
    }

    @Test("A form has its fields with texts, values, issues and marks; secrets are dots")
    func form() async throws {
      let age = Field<Int>("Age", key: "age").require(.range(0...120))
      let secret = Field<String>("Pass", key: "pass").presented(as: .secure)
      let form = FormModel {
        age
        secret
      }
      desk.inspector.watch(form, as: "Person")
      let field = try #require(form[age])
      field.text = "old"
      form[secret]?.text = "hunter2"
      let page = await desk.page("/watched/1", with: "age changed")
      let row = page.components(separatedBy: "<tr>").first { $0.hasPrefix("<td>age</td>") } ?? ""
      #expect(row.contains("<td>old</td>") && row.contains("modified"))
      #expect(row.contains("invalid"))
      #expect(page.contains("“” → “old”") && !page.contains("hunter2"))
      #expect(page.contains("<dt>Undo</dt><dd>2 edits</dd>"))
      #expect(await desk.post("/watched/1/undo").status == 303)
      #expect(await desk.post("/watched/1/undo").status == 303)
      #expect(field.text.isEmpty)
      let follow = await desk.page("/timeline?of=Person%20%231%20age", with: "“old” → “”")
      #expect(follow.contains("“old” → “”") && !follow.contains("pass changed"))
    }

    @Test("A field notes each change with its origin, and shows its value by the rule")
    func field() async throws {
      let city = Field<String>("City", value: "Oslo")
      let token = Field<String>("Token", value: "abc")
      desk.inspector.watch(city, as: "City")
      desk.inspector.watch(token, as: "API token")
      city.set("Bergen", origin: .user)
      token.value = "def"
      let page = await desk.get("/timeline").text
      #expect(
        page.contains("&quot;Oslo&quot; → &quot;Bergen&quot;") && page.contains(">user</span>"))
      #expect(page.contains("••• → •••") && !page.contains("def&quot;"))
      #expect(await desk.get("/watched/2").text.contains("•••"))
    }

    @Test("A screen's state and an operation's end are events")
    func screenAndOperation() async throws {
      let screen = ScreenModel { throw Refused() }
      desk.inspector.watch(screen, as: "People")
      screen.appear()
      let page = await desk.page("/timeline", with: ">retry</span>")
      #expect(page.contains(">retry</span>"))
      let operation = StatefulBlockOperation { 6 * 7 }
      desk.inspector.watch(operation, as: "Sum")
      operation.start()
      _ = await operation.outcome
      #expect(
        await desk.page("/timeline", with: ">operation succeeded</span>").contains(
          ">operation succeeded</span>"))
      #expect(await desk.get("/watched/2").text.contains(">42</pre>"))
    }

    @Test("Each call says why it ended, and how often it was tried again")
    func calls() async throws {
      let time = ManualTime()
      let users = Integrator(
        provider: ClosureProvider { (name: String) -> String in
          if name == "never" { throw Refused() }
          try await time.source.sleep(for: .seconds(60))
          return name
        }, policy: .latest, errorHandlers: ErrorHandlers(), time: time.source)
      desk.inspector.watch(users, as: "Users")
      let first = users.call("a").start()
      await time.sleepers(atLeast: 1)
      let second = users.call("b").start()
      guard case .cancelled(.superseded) = await first.outcome else {
        Issue.record("The first call was not superseded.")
        return
      }
      second.cancel()
      users.retry = RetryPolicy(maximumAttempts: 2, baseDelay: .zero)
      let last = users.call("never").start()
      while last.currentOutcome == nil {
        time.advance(by: .seconds(1))
        await Task.yield()
      }
      let page = await desk.page("/timeline", with: "call failed</span>")
      #expect(page.contains("<td class=\"detail\">superseded</td>"))
      #expect(page.contains("<td class=\"detail\">caller</td>"))
      #expect(page.contains(">call failed, attempt 2 in "))
      #expect(page.components(separatedBy: ">call began</span>").count == 4)
    }

    @Test("A store's saves and a form's submits are events; a runner has its flows")
    func others() async throws {
      let store = FileStore<[Int]>(
        at: FileManager.default.temporaryDirectory.appending(path: "inspector-\(UUID()).json"))
      desk.inspector.watch(store, as: "Numbers")
      try await store.save([1])
      try await store.delete()
      let form = FormModel { Field<String>("Name") }
      desk.inspector.watch(form, as: "Person")
      _ = await form.submit { throw Refused() }
      let runner = try DurableRunner(journal: InMemoryJournal(), flows: [])
      desk.inspector.watch(runner, as: "Imports")
      let page = await desk.page("/timeline", with: ">submit failed</span>")
      #expect(page.contains(">save succeeded</span>") && page.contains(">submit failed</span>"))
      #expect(await desk.get("/watched/1").text.contains("Array&lt;Int&gt;"))
      #expect(await desk.get("/watched/3").text.contains(runner.options.worker))
    }

    @Test("A runner's events are on the timeline, each under its run")
    func runner() async throws {
      let heard = Locked(0)
      let handler = desk.inspector.runnerEvents(as: "imports") { _ in heard.withLock { $0 += 1 } }
      let id = RunID(at: desk.time.now, using: &generator)
      handler(RunnerEvent(.claimed(attempt: 2), flow: "import", run: id, sequence: 4))
      handler(RunnerEvent(.dead(attempts: 3, error: "No <disk>."), flow: "import", run: id))
      #expect(heard.withLock { $0 } == 2)
      let page = await desk.get("/timeline?of=\(id)").text
      #expect(page.contains("claimed") && page.contains("No &lt;disk&gt;."))
    }

    @Test("Read-only pages have no buttons, and the server refuses their forms")
    func readOnly() async {
      let desk = LiveDesk { $0.isReadOnly = true }
      let users = Integrator(
        provider: desk.inspector.forcing(ClosureProvider { 1 }, as: "Users"),
        errorHandlers: ErrorHandlers())
      desk.inspector.watch(users, as: "Users")
      #expect(!(await desk.get("/watched/1").text.contains("method=\"post\"")))
      #expect(!(await desk.get("/timeline").text.contains("method=\"post\"")))
      for target in ["/watched/1/reload", "/watched/1/force", "/timeline/pause"] {
        #expect(await desk.post(target).status == 403)
      }
    }

    @Test("A call that its integrator's release ends is still an event")
    func releasedCall() async {
      let gate = Gate()
      var users: Integrator<String, String>? = Integrator(
        provider: ClosureProvider { (name: String) in
          await gate.wait()
          return name
        }, errorHandlers: ErrorHandlers())
      if let users { desk.inspector.watch(users, as: "Users") }
      let call = users?.call("a").start()
      users = nil
      _ = await call?.outcome
      let page = await desk.page("/timeline", with: ">call cancelled</span>")
      #expect(page.contains("<td class=\"detail\">released</td>"))
      gate.open()
    }

    @Test("An object that is watched twice has the events of each call twice")
    func twice() async throws {
      let numbers = Integrator(
        provider: ClosureProvider { (number: Int) in number }, errorHandlers: ErrorHandlers())
      desk.inspector.watch(numbers, as: "Left")
      desk.inspector.watch(numbers, as: "Right")
      _ = try await numbers(1)
      let page = await desk.page("/timeline", with: ">call succeeded</span>")
      #expect(page.components(separatedBy: ">call succeeded</span>").count == 3)
      #expect(page.contains("Left #1 call") && page.contains("Right #2 call"))
    }

    @Test("A call of a watched integrator has its parameters, without what is redacted")
    func parameters() async throws {
      struct Query: Codable, Sendable {
        var text = "a<b"
        var token = "t0p"
        var tags = Array(repeating: "tag", count: 1_000)
      }
      func search() -> Integrator<Query, Int> {
        Integrator(provider: ClosureProvider { (_: Query) in 1 }, errorHandlers: ErrorHandlers())
      }
      let (watched, unwatched) = (search(), search())
      desk.inspector.watch(watched, as: "Search")
      _ = try await watched(Query())
      _ = try await unwatched(Query(text: "elsewhere"))
      let page = await desk.page("/watched/1", with: ">call succeeded</span>")
      #expect(page.contains("&quot;text&quot;: &quot;a&lt;b&quot;") && !page.contains("t0p"))
      #expect(page.utf8.count < 20_000 && !page.contains("elsewhere"))
      let tokens = Integrator(
        provider: ClosureProvider { (text: String) in text }, errorHandlers: ErrorHandlers())
      desk.inspector.watch(tokens, as: "Access token")
      _ = try await tokens("s3cret")
      let hidden = await desk.page("/watched/2", with: ">call succeeded</span>")
      #expect(hidden.contains("<td class=\"detail\">•••</td>") && !hidden.contains("s3cret"))
    }

    @Test("Values are put into words when a page shows them, and not for each event")
    func lazily() async throws {
      let counted = Counted()
      let search = Integrator(
        provider: ClosureProvider { (_: Counted) in 1 }, errorHandlers: ErrorHandlers())
      let field = Field<Counted>("Counted", value: counted)
      desk.inspector.watch(search, as: "Search")
      desk.inspector.watch(field, as: "Field")
      for number in 1...300 { field.value = Counted(number: number, reads: counted.reads) }
      _ = try await search(counted)
      #expect(counted.reads.withLock { $0 } == 0)
      let page = await desk.page("/timeline", with: ">call succeeded</span>")
      #expect(page.contains("{ &quot;number&quot;: 299 } → { &quot;number&quot;: 300 }"))
      let reads = counted.reads.withLock { $0 }
      #expect(reads > 0 && reads <= 500)
      // A detail is read once.
      _ = await desk.get("/timeline")
      #expect(counted.reads.withLock { $0 } == reads)
    }

    @Test("Local changes that wait are counted: of a value, and of a list")
    func localChanges() async throws {
      let names = Integrator(
        provider: ClosureProvider { (_: Int) in ["Ada"] }, errorHandlers: ErrorHandlers())
      desk.inspector.watch(names, as: "Names")
      _ = try await names(1)
      #expect(!(await desk.get("/watched/1").text.contains("Local changes")))
      let first = names.update { $0.append("Grace") }
      let second = names.update { $0.append("Joan") }
      #expect(await desk.get("/watched/1").text.contains("<dd>2 pending</dd>"))
      second.confirm()
      #expect(
        await desk.get("/watched/1").text.contains(
          "<dd>1 pending, 1 confirmed and not loaded yet</dd>"))
      first.rollBack()
      _ = try await names(1)
      #expect(!(await desk.get("/watched/1").text.contains("Local changes")))

      let list = PaginatedList(
        provider: ClosureProvider { (request: PageRequest<Int>) in
          let start = request.cursor ?? 0
          return ItemPage((start..<start + 3).map { Account(id: $0, name: "") }, next: start + 3)
        })
      desk.inspector.watch(list, as: "Accounts")
      _ = try await list.reload(.firstPage).value
      #expect(!(await desk.get("/watched/2").text.contains("Local edits")))
      list.update(0) { $0.name = "changed" }
      list.update(0) { $0.name = "changed again" }
      list.insert(Account(id: 4, name: "added"), at: .end)
      list.update(4) { $0.name = "added and changed" }
      list.remove(1)
      let edits = "<dt>Local edits</dt><dd>1 added, 1 changed, 1 removed</dd>"
      #expect(await desk.get("/watched/2").text.contains(edits))
      // The next page has the item that was added.
      _ = try await list.loadMore().value
      #expect(
        await desk.get("/watched/2").text.contains("<dd>0 added, 1 changed, 1 removed</dd>"))
      _ = try await list.reload(.firstPage).value
      #expect(!(await desk.get("/watched/2").text.contains("Local edits")))
    }
  }

  @MainActor private var generator = SeededGenerator(seed: 7)

  /// A value that counts how often it is read.
  private struct Counted: Encodable, Equatable, Sendable {
    var number = 0
    var reads = Locked(0)

    private enum CodingKeys: CodingKey { case number }

    static func == (left: Self, right: Self) -> Bool { left.number == right.number }

    func encode(to encoder: any Encoder) throws {
      reads.withLock { $0 += 1 }
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(number, forKey: .number)
    }
  }
#endif
