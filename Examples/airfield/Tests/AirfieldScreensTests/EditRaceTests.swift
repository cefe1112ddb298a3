import AirfieldTestSupport
import Fieldstone
import FieldstoneTesting
import Foundation
import Testing

@testable import AirfieldApp

@MainActor
@Suite("An edit among others", .timeLimit(.minutes(10)))
struct EditRaceTests {
  private func screen(_ screens: Screens) async throws -> AirportEditScreen {
    AirportEditScreen(
      screens.model, editing: try await screens.directory.record(icao: "BIBD"),
      countries: try await screens.model.countriesWithAirports())
  }

  @Test("whose code was taken after it was asked about says so at the code")
  func takenMeanwhile() async throws {
    let screens = try await Screens(Screens.some)
    var source = AirportSource(screens.directory)
    source.look = { _ in nil }
    let model = AirfieldModel(
      source: source, settings: screens.folder.url.appending(path: "others.json"),
      time: screens.time.source)
    let screen = AirportEditScreen(
      model, editing: try await screens.directory.record(icao: "BIBD"),
      countries: try await model.countriesWithAirports())
    screen.form["icao"]?.text = "BIRK"
    #expect(await screen.save().error is FormRejection)
    #expect(screen.form["icao"]?.messages == ["is taken by another airport"])
    #expect(screen.form.focusedField?.key == "icao")
    #expect(try await screens.directory.record(icao: "BIRK")?.revision == 1)
  }

  @Test("that has changed the code goes on under the new one")
  func movesOn() async throws {
    let screens = try await Screens(Screens.some)
    let screen = try await screen(screens)
    screen.form["icao"]?.text = "BINN"
    #expect(await screen.save().value?.airport.icao == "BINN")
    screen.form["name"]?.text = "Again"
    // Typed anew, so that it is asked about anew.
    screen.form["icao"]?.text = "BIXX"
    screen.form["icao"]?.text = "BINN"
    let saved = await screen.save()
    #expect(saved.value?.airport.name == "Again", "\(saved)")
    #expect(try await screens.directory.record(icao: "BIBD") == nil)
  }

  @Test("does not go back to what is older than what it shows")
  func older() async throws {
    let screens = try await Screens(Screens.some)
    let old = try #require(try await screens.directory.record(icao: "BIBD"))
    var newer = old.airport
    newer.name = "Newer"
    _ = try await screens.directory.save(newer, replacing: "BIBD", basedOn: 1)
    let screen = try await screen(screens)
    screens.model.changes.invokeEach { $0(AirportChange(before: "BIBD", record: old)) }
    #expect(screen.form["name"]?.text == "Newer")
    #expect(screen.base?.revision == 2)
  }

  @Test("takes no tag that would be several lines", arguments: ["a\nb", "a\tb", "a\u{1B}b"])
  func tags(_ text: String) async throws {
    let screens = try await Screens(Screens.some)
    let screen = try await screen(screens)
    let tags = try #require(screen.form["tags"])
    tags.appendItem(text)
    #expect(await screen.save().error is FormError)
    #expect(screen.form.focusedField?.key == "tags")
  }
}
