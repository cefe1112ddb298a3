import FieldstoneCore
import FieldstoneFields
import FieldstoneForms
import FieldstoneTesting
import Testing

// Each of these was red for a change of the code that nothing else noticed.

@Suite("Forms, the small print")
@MainActor
struct FormDetailTests {
  private let name = Field<String>("Name", value: "a").require(.notBlank)
  private let size = Field<Int>("Size", value: 1).require(.range(0...9))
  private let tags = ArrayField(Field<Int>("Tag"), name: "Tags", value: [1, 1])
  private let form: FormModel

  init() {
    let (name, size, tags) = (name, size, tags)
    form = FormModel(timing: .onBlur) {
      name; size; tags
    }
  }

  @Test("A warning is not focused, and not announced")
  func warnings() async {
    name.require(.length(...3), message: "is long", severity: .warning)
    name.value = "abcd"
    size.value = 10
    _ = await form.submit {}
    #expect(form.at("Name").messages == ["is long"] && form.focusedField === form.at("Size"))
    #expect(form.announcement?.text == "One field needs attention: Size must be at most 9.")
    size.value = 9
    #expect(await form.submit { 1 }.value == 1)
  }

  @Test("A submit and an undo end the edit that is under way")
  func sessions() async {
    let field = form.at("Name")
    field.focus()
    field.text = "ab"
    _ = await form.submit { throw MessageError("no") }
    field.text = "abc"
    #expect(form.undo() && name.value == "ab")
    field.text = "x"
    size.value = 2
    #expect(form.undo() && size.value == 1)
    field.text = "xy"
    #expect(form.undo() && name.value == "x")
  }

  @Test(
    "After a success and after a reset nothing is validated, touched or submitted",
    arguments: [
      true, false,
    ])
  func anew(bySuccess: Bool) async {
    form.at("Tags").touch(tags.items[0].id)
    size.value = 5
    #expect(await form.submit { 1 }.value == 1)
    if !bySuccess {
      size.value = 10
      form.at("Tags").touch(tags.items[0].id)
      form.reset()
      #expect(form.phase == .editing && form.at("Size").issues.isEmpty)
    }
    #expect(form.at("Tags").items.allSatisfy { !$0.isTouched })
    form.at("Size").focus()
    size.value = 12
    #expect(form.at("Size").state == .unknown)
  }

  @Test("A reset of a form that was submitted makes it one that is edited")
  func resetPhase() async {
    #expect(await form.submit { 1 }.value == 1)
    form.reset()
    #expect(form.phase == .editing)
  }

  @Test("A reset forgets what was found of values that it does not change, and finds it again")
  func resetFindings() async {
    let bad = Field<String>("Bad", value: " ").require(.notBlank)
    let form = FormModel {
      bad; size
    }
    form.require(bad, size, at: size, code: "pair") { $0 != " " || $1 == nil }
    #expect(await !form.validate())
    #expect(form.at("Bad").codes == ["blank"] && form.at("Size").codes == ["pair"])
    form.reset()
    #expect(form.fields.allSatisfy { $0.issues.isEmpty } && form.invalidCount == 0)
    #expect(await !form.validate())
    #expect(form.at("Bad").codes == ["blank"] && form.at("Size").codes == ["pair"])
  }

  @Test("Items that look the same change places, and undo puts them back")
  func equalItems() {
    let before = tags.items.map(\.id)
    form.at("Tags").moveItem(before[0], to: 1)
    #expect(tags.items.map(\.id) == before.reversed() && form.canUndo && !form.isModified)
    #expect(form.undo() && tags.items.map(\.id) == before)
  }

  @Test("Writing the text of an item that is there already is nothing")
  func sameItemText() {
    form.report([FieldIssue("is odd").at("Tags")])
    form.at("Tags").setText("1", of: tags.items[0].id)
    #expect(!form.at("Tags").isEdited && form.at("Tags").messages == ["is odd"])
  }

  @Test("Nothing between two commas is no item")
  func emptyParts() {
    form.at("Tags").text = "1,, 2 , ,3,"
    #expect(tags.value == [1, 2, 3])
  }

  @Test("What was not known is not known again, after a reset and after an undo")
  func unknown() {
    let (number, list) = (Field<Int>("Number"), *Field<Int>("List"))
    let form = FormModel {
      number; list
    }
    number.value = nil
    form.reset()
    #expect(!number.isKnown)
    form.at("List").appendItem("1")
    #expect(form.undo() && !list.isKnown && list.value == nil)
  }

  @Test("Where a form's rule fails, or a text can't be read, no question is put")
  func noQuestion() {
    let oracle = Oracle(isOpen: true)
    let format = FieldTextFormat<String>(
      parse: { if $0 == "!" { throw FieldIssue("is odd") } else { $0 } }, print: { $0 })
    let (code, other) = (Field<String>("Code"), Field<String>("Other", value: "b"))
    for field in [code, other] { field.text(as: format).require(oracle.rule()) }
    let form = FormModel(timing: .onChange) {
      code; other
    }
    form.require(code, at: code) { $0 == nil }
    code.value = "a"
    form.at("Other").text = "!"
    #expect(code.validationState == .unknown && other.validationState == .unknown)
  }

  @Test("A rejection of a field whose text can't be read meanwhile is late")
  func lateForText() async {
    _ = await form.submit { () async throws -> Void in
      form.at("Size").text = "x"
      throw FormRejection(["Size": "is too much"])
    }
    #expect(form.at("Size").codes == ["notWhole"])
  }

  @Test("A field that was modified keeps its value though what it follows takes a newer one")
  func rebaselineBound() throws {
    struct Place {
      var name = "newer"
    }
    let twin = Field<String>("Twin", value: "own")
    let form = FormModel {
      name; twin
    }.map(\Place.name, to: name)
    name --> twin
    twin.value = "own"
    form.rebaseline()
    twin.value = "mine"
    try form.rebaseline(from: Place())
    #expect(name.value == "newer" && twin.value == "mine" && form.modifiedCount == 1)
    form.reset()
    #expect(twin.value == "own")
  }

  @Test("A newer version that says nothing of a field leaves it as modified as it was")
  func rebaselinePart() throws {
    name.value = "mine"
    size.value = 2
    try form.rebaseline(values: ["Size": 3])
    #expect(form.at("Name").isModified && form.at("Size").isModified && size.value == 2)
    form.reset()
    #expect(name.value == "a" && size.value == 3)
  }

  @Test("A question is put anew when a field that a rule looks at makes the rule hold again")
  func askedAfterDependency() async {
    let oracle = Oracle(isOpen: true)
    let country = Field<String>("Country", value: "AT")
    let code = Field<String>("Code")
      .require(.depending(on: country, code: "country") { $0.hasPrefix("LO") == ($1 == "AT") })
      .require(oracle.rule())
    let form = FormModel(timing: .onChange) {
      country; code
    }
    code.value = "LOWI"
    await waitForState(of: form.at("Code")) { $0 != .validating }
    country.value = "PL"
    #expect(form.at("Code").codes == ["country"])
    country.value = "AT"
    #expect(form.at("Code").state == .validating)
    await waitForState(of: form.at("Code")) { $0 != .validating }
    #expect(form.at("Code").state == .valid && oracle.asked.count == 2)
  }
}
