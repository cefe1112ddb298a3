import AirfieldTestSupport
import Fieldstone
import FieldstoneTesting
import Foundation
import Testing

@testable import AirfieldApp

@MainActor
@Suite("A search among others", .timeLimit(.minutes(10)))
struct SearchRaceTests {
  /// Screens of which each is told what a search has found, before it is given back.
  private func model(
    _ screens: Screens, onResults: @escaping @Sendable (AirportQuery) async -> Void
  ) -> AirfieldModel {
    let directory = screens.directory
    var source = AirportSource(directory)
    source.find = { query, limit in
      let results = try await directory.results(of: query, limit: limit)
      await onResults(query)
      return results
    }
    return AirfieldModel(
      source: source, settings: screens.folder.url.appending(path: "others.json"),
      time: screens.time.source)
  }

  @Test("that has read what somebody saves over meanwhile is made again")
  func saved() async throws {
    let screens = try await Screens(Screens.some)
    let gate = Gate()
    let model = model(screens) { query in
      if query.search != nil { await gate.wait() }
    }
    let screen = DirectoryScreen(model, debounce: .zero, timing: .immediate)
    screen.appear()
    await eventually { screen.results != nil && !screen.screen.state.isBusy }
    screen.type("reyk")
    await gate.arrivals(atLeast: 1)
    var airport = Screens.some[1]
    airport.city = "Elsewhere"
    _ = try await model.save(airport, replacing: "BIRK", basedOn: 1)
    gate.open()
    await eventually { screen.results?.query.search != nil && !screen.screen.state.isBusy }
    #expect(screen.list?.item("BIRK")?.city == "Elsewhere")
  }

  @Test("for the same is not made again")
  func same() async throws {
    let screens = try await Screens(Screens.some)
    let searches = Recorder<AirportQuery>()
    let model = model(screens) { searches.record($0) }
    let screen = DirectoryScreen(model, debounce: .zero, timing: .immediate)
    screen.appear()
    await eventually { screen.results != nil && !screen.screen.state.isBusy }
    screen.filter(country: nil, kind: nil)
    screen.type("")
    #expect(!screen.screen.state.isBusy)
    #expect(searches.count == 1)
  }
}
