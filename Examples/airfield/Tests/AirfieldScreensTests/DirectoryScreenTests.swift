import AirfieldTestSupport
import Fieldstone
import FieldstoneTesting
import Testing

@testable import AirfieldApp

@MainActor
@Suite("The directory's screen", .timeLimit(.minutes(10)))
struct DirectoryScreenTests {
  private func shown(_ screen: DirectoryScreen) -> [String] {
    screen.list?.items.map(\.icao) ?? []
  }

  /// A screen that has shown what it was asked for first.
  private func screen(_ screens: Screens) async -> DirectoryScreen {
    let screen = DirectoryScreen(screens.model, timing: .immediate)
    screen.appear()
    await pause(screens, until: screen) { $0.results != nil }
    return screen
  }

  /// Lets the typing pause, and waits for what comes of it.
  private func pause(
    _ screens: Screens, until screen: DirectoryScreen,
    _ isMet: @MainActor (DirectoryScreen) -> Bool
  ) async {
    await screens.time.sleepers(atLeast: 1)
    screens.time.advance(by: DirectoryScreen.debounce)
    await eventually { isMet(screen) && !screen.screen.state.isBusy }
  }

  @Test("loads when it appears, and has the counts")
  func appears() async throws {
    let screens = try await Screens(Screens.some)
    let screen = DirectoryScreen(screens.model, timing: .immediate)
    #expect(screen.screen.state.view == .initial)
    screen.appear()
    #expect(screen.screen.state.view == .loading)
    await pause(screens, until: screen) { $0.results != nil }
    #expect(shown(screen) == ["BIBD", "EPLL", "BIRK"])
    #expect(screen.results?.total == 3)
  }

  @Test("searches once for what was typed in one go, when the typing pauses")
  func types() async throws {
    let screens = try await Screens(Screens.some)
    let screen = await screen(screens)
    for text in ["l", "lo", "lod", "lodz"] { screen.type(text) }
    #expect(shown(screen).count == 3)
    await pause(screens, until: screen) { $0.results?.query.search?.text == "lodz" }
    #expect(shown(screen) == ["EPLL"])
    #expect(screen.text == "lodz")
    screen.type("zzz")
    await pause(screens, until: screen) { $0.results?.total == 0 }
    #expect(screen.screen.state.view == .noResults)
  }

  @Test("is narrowed down by its filters, together with what is typed")
  func filters() async throws {
    let screens = try await Screens(Screens.some)
    let screen = await screen(screens)
    screen.filter(country: "IS", kind: .iata)
    await pause(screens, until: screen) { $0.results?.query.country == "IS" }
    #expect(shown(screen) == ["BIBD", "BIRK"])
    screen.type("reyk")
    await pause(screens, until: screen) { $0.results?.total == 1 }
    #expect(shown(screen) == ["BIRK"])
  }

  @Test("loads on to the end, each airport once")
  func endless() async throws {
    let screens = try await Screens(Screens.many(120))
    let screen = await screen(screens)
    #expect(shown(screen).count == 50)
    let report = try await screen.loadMore()?.value
    #expect(report?.addedCount == 50)
    _ = try await screen.loadMore()?.value
    #expect(shown(screen) == Screens.many(120).map(\.icao))
    #expect(screen.list?.hasMore == false)
  }

  @Test("keeps its airports when the next page fails, and goes on when it is asked for again")
  func failingPage() async throws {
    let screens = try await Screens(Screens.many(60))
    let screen = await screen(screens)
    var faults = Faults()
    faults.failsNextPage = true
    screens.model.faults.use(faults)
    let outcome = await screen.loadMore()?.outcome
    #expect(outcome?.error as? FaultError == .nextPage)
    #expect(shown(screen).count == 50)
    #expect(screen.list?.appendState.error is FaultError)
    screens.model.faults.clear()
    _ = try await screen.loadMore()?.value
    #expect(shown(screen).count == 60)
  }

  @Test("keeps what it found when the next search fails, and says why over it")
  func offline() async throws {
    let screens = try await Screens(Screens.some)
    let screen = await screen(screens)
    var faults = Faults()
    faults.isOffline = true
    screens.model.faults.use(faults)
    screen.type("reyk")
    await pause(screens, until: screen) { $0.screen.state.error != nil }
    #expect(screen.screen.state.view == .primary)
    #expect(shown(screen).count == 3)
    screens.model.faults.clear()
    screen.retry()
    await pause(screens, until: screen) { $0.results?.total == 1 }
    #expect(screen.screen.state.error == nil)
  }

  @Test("shows an airport that somebody saves, in its place")
  func follows() async throws {
    let screens = try await Screens(Screens.some)
    let screen = await screen(screens)
    var airport = Screens.some[1]
    airport.city = "Elsewhere"
    _ = try await screens.model.save(airport, replacing: "BIRK", basedOn: 1)
    #expect(screen.list?.item("BIRK")?.city == "Elsewhere")
    let new = Samples.airport("BINN", name: "A new one")
    _ = try await screens.model.save(new, replacing: nil, basedOn: nil)
    await pause(screens, until: screen) { $0.results?.total == 4 }
    #expect(shown(screen).contains("BINN"))
  }

  @Test("stays as long as it has grown when somebody adds an airport")
  func growsBySomebody() async throws {
    let screens = try await Screens(Screens.many(120))
    let screen = await screen(screens)
    _ = try await screen.loadMore()?.value
    _ = try await screens.model.save(
      Samples.airport("BINN", name: "A new one"), replacing: nil, basedOn: nil)
    await pause(screens, until: screen) { $0.results?.total == 121 }
    #expect(shown(screen).count == 100)
    #expect(shown(screen).first == "BINN")
  }

  @Test("finds nothing, or waits, where that is switched on")
  func faults() async throws {
    let screens = try await Screens(Screens.some)
    var faults = Faults()
    faults.findsNothing = true
    faults.latency = .milliseconds(700)
    screens.model.faults.use(faults)
    let screen = DirectoryScreen(screens.model, debounce: .zero, timing: .immediate)
    screen.appear()
    await screens.time.sleepers(atLeast: 1)
    #expect(screen.screen.state.view == .loading)
    screens.time.advance(by: .milliseconds(700))
    await eventually { screen.screen.state.view == .noResults }
  }

  @Test("is gone when nobody holds it, and hears nothing more")
  func released() async throws {
    let screens = try await Screens(Screens.some)
    weak var gone: DirectoryScreen?
    do {
      let screen = await screen(screens)
      gone = screen
    }
    #expect(gone == nil)
    _ = try await screens.model.save(Screens.some[1], replacing: "BIRK", basedOn: 1)
  }
}
