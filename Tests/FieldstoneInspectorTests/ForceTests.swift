#if INSPECTOR
  import FieldstoneCore
  import FieldstoneInspector
  import FieldstoneLoading
  import FieldstoneScreens
  import FieldstoneServing
  import FieldstoneTesting
  import Foundation
  import Testing

  @MainActor
  @Suite("Loads that the inspector forces")
  struct ForceTests {
    private let desk = LiveDesk()

    private func users(isEmptyPossible: Bool = true) -> Integrator<Void, [String]> {
      let provider = ClosureProvider { ["Ada"] }
      let forced =
        isEmptyPossible
        ? desk.inspector.forcing(provider, as: "Users", empty: []).erased()
        : desk.inspector.forcing(provider, as: "Users").erased()
      let users = Integrator(provider: forced, errorHandlers: ErrorHandlers())
      desk.inspector.watch(users, as: "Users")
      return users
    }

    private func force(_ load: String, seconds: Int = 5) async -> Int {
      await desk.post("/watched/1/force", [("load", load), ("seconds", "\(seconds)")]).status
    }

    @Test("A forced error, an offline network and an empty value are what a load comes to")
    func ends() async throws {
      let users = users()
      #expect(try await users() == ["Ada"])
      #expect(await force("error") == 303)
      let error = await users.call().start().outcome.error
      #expect((error as? any DescribedError)?.message.contains("inspector") == true)
      #expect(await force("offline") == 303)
      let offline = await users.call().start().outcome.error
      #expect((offline as? URLError)?.code == .notConnectedToInternet)
      #expect(await force("empty") == 303)
      #expect(try await users() == [])
      #expect(await force("none") == 303)
      #expect(try await users() == ["Ada"])
      #expect(await desk.get("/timeline?kind=force").text.contains("Force: Offline"))
    }

    @Test("A load that is held as loading goes on by the next choice")
    func loading() async throws {
      let users = users()
      #expect(await force("loading") == 303)
      let call = users.call().start()
      _ = await desk.page("/watched", with: ">loading</span>")
      #expect(call.currentOutcome == nil)
      #expect(await desk.get("/watched").text.contains("forced: loading"))
      #expect(await force("none") == 303)
      #expect(try await call.value == ["Ada"])
    }

    @Test("A cancelled load leaves a hold at once")
    func cancelled() async throws {
      let users = users()
      #expect(await force("loading") == 303)
      let task = Task { try await users() }
      _ = await desk.page("/watched", with: ">loading</span>")
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("A slow load takes the seconds that were chosen")
    func slow() async throws {
      let users = users()
      #expect(await force("slow", seconds: 30) == 303)
      let call = users.call().start()
      await desk.time.sleepers(atLeast: 1)
      desk.time.advance(by: .seconds(29))
      #expect(call.currentOutcome == nil)
      desk.time.advance(by: .seconds(1))
      #expect(try await call.value == ["Ada"])
    }

    @Test("Empty can be chosen only where the app has said what that is")
    func notEmpty() async {
      let users = users(isEmptyPossible: false)
      #expect(!(await desk.get("/watched/1").text.contains("value=\"empty\"")))
      #expect(await force("empty") == 422)
      #expect(await force("nonsense") == 422)
      #expect(await force("slow", seconds: 601) == 422)
      #expect(await force("slow", seconds: -1) == 422)
      withExtendedLifetime(users) {}
    }

    @Test("The parameters of each load are on the timeline, without what is redacted")
    func parameters() async throws {
      struct Query: Codable, Sendable {
        var text = "a<b"
        var token = "t0p"
      }
      let search = Integrator(
        provider: desk.inspector.forcing(ClosureProvider { (_: Query) in 1 }, as: "Search"),
        errorHandlers: ErrorHandlers())
      _ = try await search(Query())
      let page = await desk.get("/timeline?from=Search").text
      #expect(page.contains("&quot;text&quot;: &quot;a&lt;b&quot;") && !page.contains("t0p"))
    }

    @Test("What no provider takes part in can't be forced")
    func noSwitch() async {
      let users = Integrator(provider: ClosureProvider { 1 }, errorHandlers: ErrorHandlers())
      desk.inspector.watch(users, as: "Numbers")
      #expect(!(await desk.get("/watched/1").text.contains("/force")))
      #expect(await force("error") == 404)
    }

    @Test("A screen that is watched under its provider's name is forced by its own page")
    func screensPage() async throws {
      let users = users()
      let screen = ScreenModel(users, parameters: ())
      desk.inspector.watch(screen, as: "Users")
      let other = ScreenModel(users, parameters: ())
      desk.inspector.watch(other, as: "People")
      #expect(await desk.get("/watched/2").text.contains("action=\"/watched/2/force\""))
      #expect(!(await desk.get("/watched/3").text.contains("/force\"")))
      let choice = [("load", "empty"), ("seconds", "5")]
      #expect(await desk.post("/watched/2/force", choice, from: "/watched/2").status == 303)
      #expect(await desk.post("/watched/3/force", choice, from: "/watched/2").status == 404)
      screen.appear()
      let empty = await desk.page("/watched/2", with: ">noResults</span>")
      #expect(empty.contains(">noResults</span>"))
    }

    @Test("A screen stands what is forced: loading, an error, and nothing there")
    func screen() async throws {
      let users = users()
      let screen = ScreenModel(users, parameters: ())
      desk.inspector.watch(screen, as: "People")
      #expect(await force("loading") == 303)
      screen.appear()
      #expect(await desk.page("/watched/2", with: ">loading</span>").contains(">loading</span>"))
      guard case .loading = screen.state else {
        Issue.record("The screen is \(screen.state).")
        return
      }
      #expect(await force("error") == 303)
      #expect(await desk.page("/watched/2", with: ">retry</span>").contains(">retry</span>"))
      guard case .retry(let error) = screen.state else {
        Issue.record("The screen is \(screen.state).")
        return
      }
      #expect((error as? any DescribedError)?.message.contains("inspector") == true)
      #expect(await force("empty") == 303)
      screen.retry()
      let empty = await desk.page("/watched/2", with: ">noResults</span>")
      #expect(empty.contains(">noResults</span>"))
      guard case .noResults = screen.state else {
        Issue.record("The screen is \(screen.state).")
        return
      }
      #expect(await force("none") == 303)
      screen.refresh()
      #expect(await desk.page("/watched/2", with: ">primary</span>").contains(">primary</span>"))
    }
  }
#endif
