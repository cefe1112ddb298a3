import FieldstoneCore
import FieldstoneFields
import FieldstoneForms
import FieldstoneTesting
import Foundation
import Testing

@Suite("A form")
@MainActor
struct FormTests {
  @Test("It has sections, fields in declared order, and what a screen needs of them")
  func declared() {
    let airport = AirportForm()
    #expect(airport.form.sections.map(\.title) == ["Airport", "Tags"])
    #expect(airport.form.fields.map(\.key) == ["Name", "Latitude", "Tag"])
    #expect(airport.form["Latitude"]?.keyboard == .decimal)
    #expect(airport.form["Tag"]?.kind == .list)
    #expect(airport.form["Name"]?.isRequired == true)
    #expect(airport.form["Nobody"] == nil)
  }

  @Test("A text that can't be read stays, the value stays, and there is an issue")
  func drafts() throws {
    let airport = AirportForm()
    let latitude = try #require(airport.form["Latitude"])
    latitude.text = "48.1"
    #expect(airport.latitude.value == 48.1)
    latitude.text = "48.1x"
    #expect(latitude.text == "48.1x")
    #expect(airport.latitude.value == 48.1)
    #expect(latitude.messages == ["must be a number, such as 12.5"])
    #expect(latitude.state.isInvalid)
    airport.latitude.value = 12
    #expect(latitude.text == "12")
    #expect(latitude.messages == [])
  }

  @Test("Submitting focuses the first invalid field and announces all that is wrong, once")
  func submit() async {
    let airport = AirportForm()
    airport.latitude.value = 91
    let outcome = await airport.form.submit { 1 }
    #expect(outcome.error as? FormError != nil)
    #expect(airport.form.focusedField?.key == "Name")
    #expect(
      airport.form.announcement?.text
        == "2 fields need attention: Name is required; Latitude must be at most 90.")
    airport.name.value = "Vienna"
    airport.latitude.value = 48
    #expect(airport.form.invalidCount == 0)
    #expect(await airport.form.submit { 2 }.value == 2)
    #expect(!airport.form.isModified && !airport.form.canUndo)
    #expect(airport.form.phase == .submitted)
  }

  @Test("Undo takes back what was typed during a focus, and what was set in a batch")
  func undo() throws {
    let airport = AirportForm()
    let name = try #require(airport.form["Name"])
    name.focus()
    name.text = "V"
    name.text = "Vi"
    name.blur()
    Fields.batch {
      airport.name.value = "Linz"
      airport.latitude.value = 48
    }
    #expect(airport.form.undo())
    #expect(airport.name.value == "Vi")
    #expect(airport.latitude.value == nil)
    #expect(airport.form.undo())
    #expect(airport.name.value == nil)
    #expect(!airport.form.undo())
    #expect(airport.form.redo() && airport.form.redo())
    #expect(airport.name.value == "Linz")
    #expect(airport.latitude.value == 48)
    #expect(!airport.form.canRedo)
  }

  @Test("Items keep what was typed, their issues and whether they were touched when they move")
  func items() async throws {
    let airport = AirportForm()
    airport.tags.value = ["alpine", ""]
    let tags = try #require(airport.form["Tag"])
    #expect(await !airport.form.validate())
    let second = tags.items[1]
    #expect(second.issues.map(\.code) == ["tooShort"])
    tags.touch(second.id)
    tags.moveItem(second.id, to: 0)
    #expect(tags.items[0].id == second.id)
    #expect(tags.items[0].issues.map(\.code) == ["tooShort"])
    #expect(tags.items[0].isTouched)
  }

  @Test("Values by key fill a form, and newer ones keep what was edited")
  func values() throws {
    let airport = AirportForm()
    let report = try airport.form.fill(values: [
      "Name": "Vienna", "Latitude": "north", "Tag": ["alpine"], "Runways": 2,
    ])
    #expect(report.imported == ["Name", "Tag"] && report.unknown == ["Runways"])
    #expect(airport.form["Latitude"]?.issues.map(\.code) == ["malformed"])
    #expect(!airport.form.isModified && !airport.form.canUndo)
    airport.name.value = "Wien"
    try airport.form.rebaseline(values: ["Name": "Vienna Intl", "Latitude": 48.1])
    #expect(airport.name.value == "Wien" && airport.latitude.value == 48.1)
    #expect(airport.form["Name"]?.isModified == true && airport.form.modifiedCount == 1)
    airport.form.reset()
    #expect(airport.name.value == "Vienna Intl")
    #expect(
      try airport.form.values() == ["Name": "Vienna Intl", "Latitude": 48.1, "Tag": ["alpine"]])
  }

  @Test("A form goes on following a field whose observers are all removed")
  func removedObservers() throws {
    let airport = AirportForm()
    let name = try #require(airport.form["Name"])
    airport.name.removeAllObservers()
    airport.name.value = "Vienna"
    #expect(name.isModified && airport.form.canUndo && name.text == "Vienna")
    name.text = "Wien"
    airport.form.undo()
    #expect(airport.name.value == "Vienna")
  }
}
