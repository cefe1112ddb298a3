import AirfieldTestSupport
import Fieldstone
import FieldstoneTesting
import Foundation
import Testing

@testable import AirfieldApp

@MainActor
@Suite("What another process changes", .timeLimit(.minutes(10)))
struct OtherProcessTests {
  /// Follows other processes while `body` runs, from when it has looked first.
  private func following(_ screens: Screens, _ body: () async throws -> Void) async throws {
    let task = Task { try await screens.model.followOthers(every: .seconds(1)) }
    await screens.time.sleepers(atLeast: 1)
    do {
      try await body()
    } catch {
      task.cancel()
      throw error
    }
    task.cancel()
    _ = await task.result
  }

  /// Saves an airport as another process does, which has the file open for itself.
  private func theySave(_ icao: String, name: String, in screens: Screens) async throws {
    let other = try AirportDirectory(path: screens.directory.path)
    let record = try #require(try await other.record(icao: icao))
    var airport = record.airport
    airport.name = name
    _ = try await other.save(airport, replacing: icao, basedOn: record.revision)
    await other.close()
  }

  @Test("is in a list that is shown, which stays as long as it has grown")
  func list() async throws {
    let screens = try await Screens(Screens.many(180))
    let screen = DirectoryScreen(screens.model, timing: .immediate)
    screen.appear()
    await screens.time.sleepers(atLeast: 1)
    screens.time.advance(by: DirectoryScreen.debounce)
    await eventually { screen.results != nil }
    screen.loadMore()
    await eventually { screen.list?.items.count == 100 }
    try await following(screens) {
      try await theySave("1003", name: "A new name", in: screens)
      screens.time.advance(by: .seconds(1))
      // It waits for its next look, and the search for the typing to pause.
      await screens.time.sleepers(atLeast: 2)
      screens.time.advance(by: DirectoryScreen.debounce)
      await eventually { screen.list?.items.first?.name == "A new name" }
      #expect(screen.list?.items.count == 100)
    }
  }

  @Test("is told apart from what this one does")
  func own() async throws {
    let screens = try await Screens(Screens.some)
    let (looks, looked) = AsyncStream.makeStream(of: Void.self)
    let directory = screens.directory
    var source = AirportSource(directory)
    source.lastChange = {
      defer { looked.yield() }
      return try await directory.lastChangeByOthers()
    }
    let model = AirfieldModel(
      source: source,
      settings: screens.folder.url.appending(path: "other.json"), time: screens.time.source)
    var reloads = 0
    let registration = model.reloads.add { reloads += 1 }
    let task = Task { try await model.followOthers(every: .seconds(1)) }
    defer { task.cancel() }
    var look = looks.makeAsyncIterator()
    /// Waits until it has looked again and done what came of it.
    func lookAgain() async {
      screens.time.advance(by: .seconds(1))
      await look.next(isolation: #isolation)
      await screens.time.sleepers(atLeast: 1)
    }
    await look.next(isolation: #isolation)
    await screens.time.sleepers(atLeast: 1)
    let record = try #require(try await screens.directory.record(icao: "BIBD"))
    _ = try await model.save(record.airport, replacing: "BIBD", basedOn: 1)
    await lookAgain()
    #expect(reloads == 0)
    try await theySave("BIBD", name: "Theirs", in: screens)
    await lookAgain()
    #expect(reloads == 1)
    await lookAgain()
    #expect(reloads == 1)
    registration.cancel()
  }

  @Test("is a conflict with an edit that is open")
  func edit() async throws {
    let screens = try await Screens(Screens.some)
    let record = try #require(try await screens.directory.record(icao: "BIBD"))
    let screen = AirportEditScreen(
      screens.model, editing: record, countries: try await screens.model.countriesToChoose())
    screen.form["city"]?.text = "Mine"
    try await following(screens) {
      try await theySave("BIBD", name: "Theirs", in: screens)
      screens.time.advance(by: .seconds(1))
      await eventually { screen.conflict?.airport.name == "Theirs" }
      #expect(screen.form["city"]?.text == "Mine")
    }
  }
}
