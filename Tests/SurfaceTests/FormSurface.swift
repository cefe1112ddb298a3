import Fieldstone
import FieldstoneTesting
import Foundation
import Observation
import Testing

// A user-like view model drives every public name of forms.

private final class Directory: AirportDirectory {
  let taken: Set<String> = ["EPWA", "LOWW"]
  let saved = Recorder<Airport>()
  let asked = Recorder<String>()
  let refusals = Recorder<[String: String]>()

  func isTaken(_ icao: String, butFor edited: String) async throws -> Bool {
    asked.record(icao)
    return icao != edited && taken.contains(icao)
  }

  func save(_ airport: Airport) async throws {
    if let reasons = refusals.removeAll().first { throw AirportRefused(reasons: reasons) }
    saved.record(airport)
  }
}

@Suite("The surface of forms")
@MainActor
struct FormSurface {
  private let directory = Directory()
  private let time = ManualTime()
  private let view: AirportEditForm
  private var form: FormModel { view.form }

  init() throws {
    view = try AirportEditForm(editing: Self.innsbruck, in: directory, time: time.source)
  }

  private static let innsbruck = Airport(
    icao: "LOWI", iata: "INN", name: "Innsbruck", city: "Innsbruck", elevation: 581,
    latitude: 47.26, longitude: 11.34, timeZone: "Europe/Vienna", tags: ["alpine"])

  private func field(_ key: String) throws -> FormField { try #require(form[key]) }

  @Test("A screen is made of sections, and of what fields say of themselves")
  func screen() throws {
    #expect(form.sections.map(\.title) == ["Airport", "Place", "Tags"])
    #expect(form.sections.flatMap(\.fields).map(\.id).count == form.fields.count)
    let rows = form.fields.map { "\($0.key) \($0.kind.keyboard) \($0.isRequired ? "*" : "")" }
    #expect(rows.first == "icao standard *" && rows[5] == "elevation integer ")
    #expect(try field("icao").help.hasPrefix("As pilots") && field("icao").keyboard == .ascii)
    #expect(try field("country").kind.options.map(\.text) == ["AT", "PL", "US"])
    #expect(try field("city").contentType == .city && field("name").placeholder == "")
    #expect(try field("latitude").allowedCharacters.contains("-"))
    #expect(try field("tags").kind == .list && field("tags").itemKind == .text)
    #expect(form[view.name]?.label == "Name")
  }

  @Test("An airport is filled in, edited, checked and saved")
  func saved() async throws {
    #expect(!form.isModified && form.timing == .onBlur)
    try field("icao").focus()
    try field("icao").text = "epwa"
    #expect(view.icao.value == "EPWA")
    try field("longitude").focus()
    #expect(try field("icao").text == "EPWA" && field("icao").state == .validating)
    try field("longitude").text = ""
    #expect(await view.save().error as? FormError != nil)
    #expect(try field("longitude").messages == ["must be given together with the latitude"])
    #expect(form.firstInvalidField === form["longitude"] && form.invalidCount > 0)
    try field("longitude").text = "11,4"
    _ = await view.save()
    #expect(try field("icao").messages == ["is taken by another airport"])
    #expect(form.focusedField === form["icao"] && form.focusedField?.isFocused == true)
    #expect(form.announcement?.text.contains("ICAO code is taken") == true)
    try field("icao").text = "lowk"
    let outcome = await view.save()
    #expect(outcome.value?.icao == "LOWK" && directory.saved.elements.map(\.longitude) == [11.4])
    #expect(form.phase == .submitted && !form.phase.isBusy && !form.canUndo)
  }

  @Test("Its own code is not taken for another's")
  func ownCode() async throws {
    var own = Self.innsbruck
    own.icao = "LOWW"
    let view = try AirportEditForm(editing: own, in: directory)
    #expect(try await view.save().get() == own)
  }

  @Test("A form's rule is shown at its field, and the directory is not asked meanwhile")
  func crossField() async throws {
    try field("country").text = "PL"
    #expect(await !form.validate())
    #expect(try field("country").messages == ["is not the one that the code belongs to"])
    try field("country").text = "AT"
    #expect(await form.validate() && form.isKnownValid)
  }

  @Test("What the directory refuses is shown at the fields, in the form's language")
  func refused() async throws {
    directory.refusals.record(["name": "is not its name", "owner": "unknown"])
    let outcome = await view.save()
    #expect(outcome.error as? FormRejection != nil)
    #expect(try field("name").messages == ["is not its name"])
    #expect(form.issues.map(\.text) == ["unknown"])
    form.report([FieldIssue(code: "required")], from: "checker")
    form.language = .german
    #expect(form.messages.text(for: form.issues[0]) == "wird gebraucht")
    form.removeReports()
    try field("name").text = ""
    try field("name").blur()
    #expect(try field("name").messages == ["darf nicht leer sein"])
  }

  @Test("Tags are rows of their own")
  func tags() throws {
    let tags = try field("tags")
    let added = try #require(tags.appendItem("snow"))
    tags.moveItem(added, to: 0)
    tags.setText("", of: added)
    tags.touch(added)
    let first: FormItem = tags.items[0]
    #expect(first.id == added && first.text == "" && first.isTouched && first.isModified)
    tags.removeItem(added)
    #expect(view.tags.value == ["alpine"] && tags.items.allSatisfy { $0.issues.isEmpty })
  }

  @Test("Edits are taken back, and a newer version keeps them")
  func edits() throws {
    try field("city").text = "Innsbruck am Inn"
    view.elevation.value = 582
    #expect(form.isModified && form.modifiedCount == 2 && !form.isTouched)
    #expect(form.undo() && form.canRedo && form.redo() && form.canUndo)
    var newer = Self.innsbruck
    newer.name = "Kranebitten"
    newer.elevation = 580
    try form.rebaseline(from: newer)
    #expect(view.name.value == "Kranebitten" && view.elevation.value == 582)
    #expect(try field("elevation").isModified && field("elevation").isEdited)
    form.reset()
    #expect(view.elevation.value == 580)
    view.elevation.value = 1
    form.rebaseline()
    #expect(!form.isModified)
  }

  @Test("Values go out and come in by key")
  func values() throws {
    let values = try form.values(nil: .explicit)
    #expect(values["country"] == "AT" && values["tags"] == ["alpine"])
    let other = try AirportEditForm(editing: Airport(), in: directory)
    let report = try other.form.fill(values: values)
    #expect(report.issues.isEmpty && !other.form.isModified)
    #expect(try other.form.json() == form.json())
    _ = try other.form.rebaseline(values: ["elevation": 7])
    #expect(other.elevation.value == 7)
  }

  @Test("A second press is busy, and a screen follows the phase")
  func busy() async throws {
    let phases = Recorder<FormPhase>()
    withObservationTracking {
      _ = form.phase
    } onChange: {
      phases.record(.validating)
    }
    let outcome = await form.submit { await form.submit { 1 }.cancellation }
    #expect(outcome.value == .busy && phases.elements == [.validating])
  }

  @Test("Formats and errors are made by hand")
  func byHand() {
    let roman = FieldTextFormat<Int>(
      kind: .text, parse: { $0.isEmpty ? nil : $0.count },
      print: { String(repeating: "I", count: $0) })
    let number = Field<Int>("Number", value: 3).text(as: roman)
    #expect(FieldKind.secure.isSecure)
    let section = FormSection("Numbers") { number }
    let form = FormModel(timing: .onChange, undoLimit: 2) { section }
    #expect(form.fields[0].text == "III" && section.fields.count == 1)
    #expect(FormTiming.allCases.count == 3 && FieldKeyboard.allCases.count == 7)
    #expect(FieldContentType(rawValue: "tel") == .phone)
    #expect(FieldOption("a", label: "A").id == "a" && FieldKind.multiline(lines: 2).isMultiline)
    #expect(FormRejection([FieldIssue("no")]).source == "server")
    #expect(FormError.unsettled.message.isEmpty == false)
    #expect(FormAnnouncement?.none == form.announcement)
  }
}
