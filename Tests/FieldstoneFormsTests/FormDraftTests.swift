import FieldstoneCore
import FieldstoneFields
import FieldstoneForms
import FieldstoneTesting
import Testing

@Suite("What is typed")
@MainActor
struct FormDraftTests {
  private let latitude = Field<Double>("Latitude", value: 48.1).require(.range(-90...90))
  private let form: FormModel
  private let field: FormField

  init() {
    let latitude = latitude
    form = FormModel { latitude }
    field = form.at("Latitude")
  }

  @Test("A text that can't be read keeps text and value, and counts as invalid and modified")
  func unreadable() {
    field.text = "48.1x"
    #expect(field.text == "48.1x" && latitude.value == 48.1)
    #expect(field.state.isInvalid && form.invalidCount == 1 && form.firstInvalidField === field)
    #expect(field.isModified && form.modifiedCount == 1 && !form.isKnownValid)
    field.text = "48.1"
    #expect(!field.isModified && form.invalidCount == 0 && field.issues.isEmpty)
  }

  @Test(
    "A text that is read stays as it was typed until the field is left", arguments: [true, false])
  func asTyped(hasFocus: Bool) {
    if hasFocus { field.focus() }
    for text in ["5", "5.", "5.0", "5.05", "05.05"] {
      field.text = text
      #expect(field.text == text)
    }
    #expect(latitude.value == 5.05)
    field.blur()
    #expect(field.text == "5.05" && field.isTouched)
  }

  @Test("Leaving keeps a text that can't be read")
  func leftUnreadable() {
    field.focus()
    field.text = "north"
    field.blur()
    #expect(field.text == "north" && field.codes == ["notANumber"])
  }

  @Test(
    "Setting by code replaces what was typed, also when the value is the same",
    arguments: [12, 48.1])
  func replaced(by value: Double) {
    field.text = "48.1x"
    latitude.value = value
    #expect(field.text == (value == 12 ? "12" : "48.1"))
    #expect(field.issues.isEmpty && form.invalidCount == 0)
    #expect(field.isModified == (value == 12))
  }

  @Test("Setting the value that was typed keeps how it was typed")
  func sameValue() {
    field.text = "12.50"
    latitude.value = 12.5
    #expect(field.text == "12.50")
  }

  @Test("A binding replaces what was typed, too")
  func bound() {
    let other = Field<Double>(value: 1)
    other --> latitude
    field.text = "x"
    other.value = 2
    #expect(field.text == "2" && field.issues.isEmpty)
  }

  @Test("In a batch the text is there at once, and what can't be read stays")
  func batch() {
    Fields.batch {
      field.text = "12"
      #expect(field.text == "12" && latitude.value == 12)
      field.text = "12x"
      #expect(field.text == "12x")
    }
    #expect(field.text == "12x" && latitude.value == 12 && field.codes == ["notANumber"])
    #expect(form.invalidCount == 1)
    Fields.batch {
      field.text = "13y"
      latitude.value = 14
    }
    #expect(field.text == "14" && form.invalidCount == 0)
  }

  @Test("Inside an observer's delivery the text is there at once, and what can't be read stays")
  func delivery() {
    let source = Field<Int>(value: 0)
    let registration = source.observe { [unowned field] change in
      guard change.origin != .registration else { return }
      field.text = "12"
      field.text = "12x"
      #expect(field.text == "12x")
    }
    source.value = 1
    #expect(field.text == "12x" && latitude.value == 12 && form.invalidCount == 1)
    #expect(form.undo())
    #expect(field.text == "48.1" && latitude.value == 48.1 && !form.canUndo)
    #expect(form.redo())
    #expect(field.text == "12x" && latitude.value == 12)
    withExtendedLifetime(registration) {}
  }

  @Test("Writing the text that is there already is nothing")
  func nothingNew() async {
    let name = Field<String>("Name")
    let form = FormModel {
      name; latitude
    }
    let (shown, number) = (form.at("Name"), form.at("Latitude"))
    form.report([FieldIssue("is odd").at("Name")])
    shown.text = ""
    #expect(!name.isKnown && !shown.isModified && !shown.isEdited && !form.canUndo)
    #expect(shown.messages == ["is odd"])
    number.text = "7x"
    let count = latitude.revision
    number.text = "7x"
    #expect(latitude.revision == count)
    _ = form.undo()
    #expect(!form.canUndo)
    number.text = "7"
    #expect(await form.submit { 1 }.value == 1)
    number.text = "7"
    #expect(form.phase == .submitted && !number.isEdited)
  }

  @Test("What can't be read comes before the rules' findings, and reports stay beside it")
  func order() async {
    latitude.value = 91
    #expect(await !form.validate())
    form.report([FieldIssue("is odd").at("Latitude")])
    #expect(field.codes == ["tooLarge", "invalid"])
    field.text = "x"
    #expect(field.codes == ["notANumber"])
    form.report([FieldIssue("is odd").at("Latitude")])
    #expect(field.messages == ["must be a number, such as 12.5", "is odd"])
    #expect(field.state.issues.map(\.code) == ["notANumber"])
  }

  @Test("A form is not submitted while a text can't be read")
  func notSubmitted() async {
    field.text = "x"
    let outcome = await form.submit { Issue.record("submitted") }
    guard case FormError.invalid(let issues)? = outcome.error else {
      Issue.record("\(outcome)")
      return
    }
    #expect(issues.map(\.code) == ["notANumber"] && issues[0].path == ["Latitude"])
    #expect(field.text == "x" && form.focusedField === field)
  }

  @Test(
    "A transaction that is taken back takes back what was typed in it, readable or not",
    arguments: ["x", "12", "12.50", ""])
  func takenBack(text: String) {
    let other = Field<Int>("Other", value: 1)
    let latitude = self.latitude
    let form = FormModel(timing: .onChange) {
      latitude; other
    }
    let field = form.at("Latitude")
    field.text = "north"
    form.report([FieldIssue(code: "closed", path: [field.key])])
    let codes = field.codes
    try? Fields.transaction {
      Fields.transaction {
        field.text = text
        field.text += "0"
        other.value = 2
        form.at("Other").text = "y"
      }
      throw MessageError("no")
    }
    #expect(field.text == "north" && latitude.value == 48.1 && field.codes == codes)
    #expect(form.at("Other").text == "1" && other.value == 1)
    #expect(form.modifiedCount == 1 && form.invalidCount == 1 && !form.at("Other").isEdited)
    #expect(form.undo() && field.text == "48.1" && !form.canUndo && form.modifiedCount == 0)
  }

  @Test(
    "What was typed for an item is taken back, too, and an inner transaction takes its own part")
  func itemsTakenBack() {
    let numbers = ArrayField(Field<Int>("Number"), name: "Numbers", value: [1, 2])
    let form = FormModel { numbers }
    let field = form.at("Numbers")
    Fields.batch {
      field.setText("1x", of: field.items[0].id)
      try? Fields.transaction {
        field.setText("1y", of: field.items[0].id)
        field.setText("7", of: field.items[1].id)
        throw MessageError("no")
      }
    }
    #expect(field.items.map(\.text) == ["1x", "2"] && numbers.value == [1, 2])
    #expect(form.undo() && field.items.map(\.text) == ["1", "2"] && !form.isModified)
  }
}

extension FieldIssue {
  /// The same issue with the keys that lead to its value.
  func at(_ path: String...) -> FieldIssue {
    var issue = self
    issue.path = path
    return issue
  }
}
