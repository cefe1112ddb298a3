import AirfieldTestSupport
import Fieldstone
import FieldstoneTesting
import Testing

@testable import AirfieldApp

@MainActor
@Suite("The screen that edits an airport", .timeLimit(.minutes(10)))
struct AirportEditScreenTests {
  private func screen(_ screens: Screens, _ icao: String? = "BIBD") async throws
    -> AirportEditScreen
  {
    var record: AirportRecord?
    if let icao { record = try await screens.directory.record(icao: icao) }
    let countries = try await screens.model.countriesWithAirports()
    return AirportEditScreen(screens.model, editing: record, countries: countries)
  }

  nonisolated static let wrong: [(key: String, text: String)] = [
    ("icao", ""), ("icao", "AB"), ("icao", "ABCDE"), ("icao", "ÄBCD"), ("iata", "AB"),
    ("iata", "ÄBC"), ("name", ""), ("name", "  "), ("name", String(repeating: "x", count: 201)),
    ("name", "a\u{1B}b"), ("city", String(repeating: "x", count: 201)), ("country", ""),
    ("country", "Z1"), ("elevation", "30001"), ("elevation", "high"), ("latitude", "90.5"),
    ("latitude", ""), ("longitude", "-181"), ("timeZone", "Europe/Atlantis"), ("timeZone", ""),
    ("timeZone", "UTC\u{0}x"),
  ]

  @Test("refuses what no airport can have, and leads to the field", arguments: wrong)
  func rules(_ key: String, _ text: String) async throws {
    let screens = try await Screens(Screens.some)
    let screen = try await screen(screens)
    screen.form[key]?.text = text
    #expect(await screen.save().error is FormError)
    #expect(screen.form.focusedField?.key == key)
    #expect(screen.form[key]?.messages.isEmpty == false)
    #expect(try await screens.directory.record(icao: "BIBD")?.revision == 1)
  }

  @Test(
    "takes a time zone in whatever letters it is typed",
    arguments: ["europe/VIENNA", "Europe/vienna"])
  func zones(_ text: String) async throws {
    let screens = try await Screens(Screens.some)
    let screen = try await screen(screens)
    screen.form["timeZone"]?.text = text
    #expect(await screen.save().value?.airport.timeZone == "Europe/Vienna")
  }

  @Test("takes tags one by one, and refuses empty, long, many and repeated ones")
  func tags() async throws {
    let screens = try await Screens(Screens.some)
    let screen = try await screen(screens)
    let tags = try #require(screen.form["tags"])
    tags.appendItem("scenic")
    let second = try #require(tags.appendItem("scenic"))
    #expect(await screen.save().error is FormError)
    tags.setText(String(repeating: "x", count: 21), of: second)
    #expect(await screen.save().error is FormError)
    tags.setText("short runway", of: second)
    let saved = await screen.save()
    #expect(saved.value?.airport.tags == ["scenic", "short runway"])
    for number in 0..<7 { tags.appendItem("tag \(number)") }
    #expect(await screen.save().error is FormError)
  }

  @Test("can’t put an airport where latitude and longitude are both zero")
  func nowhere() async throws {
    let screens = try await Screens(Screens.some)
    let screen = try await screen(screens)
    screen.form["latitude"]?.text = "0"
    screen.form["longitude"]?.text = "0"
    #expect(await screen.save().error is FormError)
    #expect(screen.form.focusedField?.key == "longitude")
  }

  @Test("asks whether a code is taken once the typing pauses, and lets an airport keep its own")
  func taken() async throws {
    let screens = try await Screens(Screens.some)
    let screen = try await screen(screens)
    let icao = try #require(screen.form["icao"])
    icao.focus()
    icao.text = "birk"
    icao.blur()
    await screens.time.sleepers(atLeast: 1)
    screens.time.advance(by: .milliseconds(300))
    await eventually { !icao.messages.isEmpty }
    #expect(icao.messages == ["is taken by another airport"])
    #expect(await screen.save().error is FormError)
    icao.text = "BIBD"
    #expect(await screen.save().value?.revision == 2)
  }

  @Test("takes back and makes again what was edited")
  func undo() async throws {
    let screens = try await Screens(Screens.some)
    let screen = try await screen(screens)
    let name = try #require(screen.form["name"])
    name.focus()
    name.text = "First"
    name.blur()
    screen.form["city"]?.text = "Second"
    screen.form.undo()
    #expect(screen.form["city"]?.text == "Bíldudalur")
    screen.form.undo()
    #expect(name.text == "Bíldudalur Airport")
    screen.form.redo()
    #expect(name.text == "First")
    #expect(screen.form.isModified)
  }

  @Test("knows at once that somebody else has saved, and keeps one’s own edits on top")
  func keepsMine() async throws {
    let screens = try await Screens(Screens.some)
    let mine = try await screen(screens)
    let theirs = try await screen(screens)
    mine.form["name"]?.text = "Mine"
    theirs.form["name"]?.text = "Theirs"
    theirs.form["city"]?.text = "Their city"
    #expect(await theirs.save().value != nil)
    #expect(mine.conflict?.airport.name == "Theirs")
    #expect(mine.differences.map(\.label) == ["Name", "City"])
    #expect(await mine.save().error is AirportSaveError)
    mine.keepMine()
    #expect(mine.conflict == nil)
    #expect(mine.form["name"]?.text == "Mine")
    #expect(mine.form["city"]?.text == "Their city")
    let saved = try #require(await mine.save().value)
    #expect(saved.airport.name == "Mine")
    #expect(saved.airport.city == "Their city")
    #expect(saved.revision == 3)
  }

  @Test("takes what somebody else has saved where nothing was edited, or where one says so")
  func takesTheirs() async throws {
    let screens = try await Screens(Screens.some)
    let idle = try await screen(screens)
    let edited = try await screen(screens)
    edited.form["name"]?.text = "Mine"
    var airport = Screens.some[0]
    airport.name = "Theirs"
    _ = try await screens.model.save(airport, replacing: "BIBD", basedOn: 1)
    #expect(idle.form["name"]?.text == "Theirs")
    #expect(idle.conflict == nil)
    #expect(edited.form["name"]?.text == "Mine")
    edited.takeTheirs()
    #expect(edited.form["name"]?.text == "Theirs")
    #expect(!edited.form.isModified)
  }

  @Test("finds a conflict in the database, too, where nobody has told of the change")
  func unheard() async throws {
    let screens = try await Screens(Screens.some)
    let screen = try await screen(screens)
    var airport = Screens.some[0]
    airport.name = "From another process"
    _ = try await screens.directory.save(airport, replacing: "BIBD", basedOn: 1)
    screen.form["city"]?.text = "Mine"
    #expect(await screen.save().error is AirportSaveError)
    #expect(screen.conflict?.airport.name == "From another process")
  }

  @Test("adds an airport of which nothing is known before")
  func adds() async throws {
    let screens = try await Screens(Screens.some)
    let screen = try await screen(screens, nil)
    #expect(await screen.save().error is FormError)
    for (key, text) in [
      ("icao", "binn"), ("name", "New"), ("country", "IS"), ("latitude", "65"),
      ("longitude", "-18.5"), ("timeZone", "UTC"),
    ] {
      screen.form[key]?.text = text
    }
    let saved = await screen.save()
    #expect(saved.value?.airport.icao == "BINN", "\(saved)")
    #expect(try await screens.directory.airport(icao: "BINN")?.longitude == -18.5)
  }

  @Test("says why it was not saved, and keeps what was typed")
  func failingSave() async throws {
    let screens = try await Screens(Screens.some)
    let screen = try await screen(screens)
    var faults = Faults()
    faults.failsSave = true
    screens.model.faults.use(faults)
    screen.form["name"]?.text = "Mine"
    #expect(await screen.save().error as? FaultError == .save)
    guard case .failed = screen.state else {
      Issue.record("\(screen.state)")
      return
    }
    #expect(screen.form["name"]?.text == "Mine")
    screens.model.faults.clear()
    #expect(await screen.save().value?.airport.name == "Mine")
  }
}
