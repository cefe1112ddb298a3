#if INSPECTOR
  import FieldstoneCore
  import FieldstoneInspector
  import FieldstoneLoading
  import FieldstoneServing
  import FieldstoneTesting
  import Foundation
  import Testing

  @MainActor
  @Suite("The calls of a watched integrator, and a call alone")
  struct WatchedCallTests {
    private let desk = LiveDesk()

    /// The numbers of the calls that the page can cancel, and their rows.
    private func calls() async -> [(number: String, cells: [String])] {
      let page = await desk.get("/watched/1").text
      let table = page.components(separatedBy: ">Calls under way</h2>").last ?? ""
      return table.components(separatedBy: "<tr>").compactMap { row in
        guard let match = row.firstMatch(of: /name="call" value="([0-9]+)"/) else { return nil }
        let cells = row.components(separatedBy: "<td>").dropFirst().map { cell in
          cell.components(separatedBy: "</td>").first ?? ""
        }
        return (String(match.1), cells)
      }
    }

    /// Users who are found once a gate is open.
    private func users(behind gate: Gate) -> Integrator<String, String> {
      Integrator(
        provider: ClosureProvider { (name: String) in
          await gate.wait()
          return "the value of \(name)"
        }, errorHandlers: ErrorHandlers())
    }

    @Test("Each call under way has its parameters, and is cancelled alone")
    func cancel() async throws {
      let gate = Gate()
      let users = self.users(behind: gate)
      desk.inspector.watch(users, as: "Users")
      let first = users.call("ada").start()
      desk.time.advance(by: .seconds(2))
      let second = users.call("grace").start()
      await gate.arrivals(atLeast: 2)
      let shown = await calls()
      #expect(shown.map { $0.cells[1] } == ["&quot;ada&quot;", "&quot;grace&quot;"])
      #expect(shown.allSatisfy { $0.cells[2...3] == ["1", "loads"] })
      #expect(Set(shown.map { $0.cells[0] }).count == 2)
      let number = try #require(shown.first).number
      #expect(await desk.post("/watched/1/cancel", [("call", number)]).status == 303)
      guard case .cancelled(.caller) = await first.outcome else {
        Issue.record("The first call was not cancelled.")
        return
      }
      #expect(second.currentOutcome == nil)
      #expect(await calls().map { $0.cells[1] } == ["&quot;grace&quot;"])
      // The call is over, and text is no number.
      #expect(await desk.post("/watched/1/cancel", [("call", number)]).status == 409)
      #expect(await desk.post("/watched/1/cancel", [("call", "x")]).status == 404)
      gate.open()
      #expect(try await second.value == "the value of grace")
      #expect(await calls().isEmpty)
    }

    @Test("A call alone has its outcome and value, is on the timeline, and is not kept")
    func alone() async throws {
      let gate = Gate()
      let users = self.users(behind: gate)
      weak var released: Call<String>?
      do {
        let call = users.call("ada").start()
        desk.inspector.watch(call, as: "Ada")
        #expect(await desk.get("/watched/1").text.contains(">under way</span>"))
        gate.open()
        _ = try await call.value
        let page = await desk.page("/watched/1", with: ">succeeded</span>")
        #expect(page.contains("the value of ada") && !page.contains("/watched/1/cancel"))
        #expect(await desk.page("/timeline", with: "succeeded").contains("Ada"))
        released = call
      }
      #expect(released == nil)
      #expect(await desk.get("/watched/1").text.contains("The call is released."))
    }

    @Test("A call alone is cancelled from its page")
    func cancelAlone() async throws {
      let gate = Gate()
      let users = self.users(behind: gate)
      let call = users.call("ada").start()
      desk.inspector.watch(call, as: "Ada")
      #expect(await desk.post("/watched/1/cancel").status == 303)
      guard case .cancelled(.caller) = await call.outcome else {
        Issue.record("The call was not cancelled.")
        return
      }
      #expect(await desk.get("/watched/1").text.contains(">cancelled</span>"))
      // It has no form any more, so a form of another page is sent.
      #expect(await desk.post("/watched/1/cancel", from: "/timeline").status == 409)
      gate.open()
      // Released, it would be left to its page.
      withExtendedLifetime(call) {}
    }

    @Test("A retry raises the number of the attempt")
    func attempts() async throws {
      let time = ManualTime()
      let users = Integrator(
        provider: ClosureProvider { (_: String) -> Int in throw Refused() },
        errorHandlers: ErrorHandlers(), time: time.source)
      users.retry = RetryPolicy(maximumAttempts: 2, baseDelay: .seconds(60))
      desk.inspector.watch(users, as: "Users")
      let call = users.call("ada").start()
      await time.sleepers(atLeast: 1)
      _ = await desk.page("/watched/1", with: "<td>2</td>")
      #expect(await calls().map { $0.cells[2] } == ["2"])
      call.cancel()
    }

    @Test("Without parameters it is loaded from its page before anybody else has called it")
    func first() async {
      let asked = Recorder<Int>()
      let numbers = Integrator(
        provider: ClosureProvider {
          asked.record(1)
          return 1
        }, errorHandlers: ErrorHandlers())
      desk.inspector.watch(numbers, as: "Numbers")
      #expect(await desk.get("/watched/1").text.contains("/watched/1/reload"))
      #expect(await desk.post("/watched/1/reload").status == 303)
      #expect(await asked.elements(atLeast: 1) == [1])
    }

    @Test("It is loaded again with the parameters of its last call, once there was one")
    func again() async throws {
      let asked = Recorder<String>()
      let users = Integrator(
        provider: ClosureProvider { (name: String) -> Int in
          asked.record(name)
          if name == "nobody" { throw Refused() }
          return name.count
        }, errorHandlers: ErrorHandlers())
      desk.inspector.watch(users, as: "Users")
      #expect(!(await desk.get("/watched/1").text.contains("/watched/1/reload")))
      #expect(await desk.post("/watched/1/reload").status == 409)
      _ = try await users("ada")
      let page = await desk.get("/watched/1").text
      #expect(page.contains("/watched/1/reload") && !page.contains("/watched/1/retry"))
      #expect(await desk.post("/watched/1/reload").status == 303)
      _ = await asked.elements(atLeast: 2)
      _ = await users.call("nobody").start().outcome
      #expect(await desk.get("/watched/1").text.contains("/watched/1/retry"))
      #expect(await desk.post("/watched/1/retry").status == 303)
      #expect(await asked.elements(atLeast: 4) == ["ada", "ada", "nobody", "nobody"])
    }
  }
#endif
