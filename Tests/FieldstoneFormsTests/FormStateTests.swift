import FieldstoneCore
import FieldstoneFields
import FieldstoneForms
import FieldstoneTesting
import Foundation
import Testing

@Suite("Touched, modified, edited")
@MainActor
struct FormStateTests {
  private let name = Field<String>("Name", value: "Wien").require(.notBlank)
  private let size = Field<Int>("Size", value: 1)
  private let tags = ArrayField(Field<String>("Tag"), name: "Tags", value: ["a", "b"])
  private let form: FormModel

  init() {
    let (name, size, tags) = (name, size, tags)
    form = FormModel {
      name; size; tags
    }
  }

  @Test("Nothing is touched, modified or edited at the beginning")
  func beginning() {
    #expect(!form.isTouched && !form.isModified && form.modifiedCount == 0)
    #expect(form.fields.allSatisfy { !$0.isTouched && !$0.isModified && !$0.isEdited })
    #expect(form.phase == .editing && !form.canUndo && !form.canRedo && form.announcement == nil)
  }

  @Test("Editing does not touch; leaving and submitting do")
  func touched() async {
    form.at("Name").text = "x"
    #expect(!form.isTouched)
    form.at("Name").focus()
    #expect(!form.at("Name").isTouched)
    form.at("Size").focus()
    #expect(form.at("Name").isTouched && form.isTouched && !form.at("Size").isTouched)
    name.value = ""
    _ = await form.submit {}
    #expect(form.fields.allSatisfy { $0.isTouched })
  }

  @Test(
    "Modified says whether it differs now; edited whether it ever did", arguments: [true, false])
  func editedBack(byTyping: Bool) {
    if byTyping {
      form.at("Size").text = "2"
    } else {
      size.value = 2
    }
    #expect(form.at("Size").isModified && form.at("Size").isEdited && form.modifiedCount == 1)
    name.value = "Graz"
    #expect(form.modifiedCount == 2)
    if byTyping { form.at("Size").text = "1" } else { size.value = 1 }
    #expect(!form.at("Size").isModified && form.at("Size").isEdited && form.modifiedCount == 1)
    name.value = "Wien"
    #expect(!form.isModified)
  }

  @Test("Known to be nothing and nothing known are the same to a form")
  func nilAndUnknown() {
    let (unknown, known) = (Field<Int>("U"), Field<Int>("K", value: 1))
    known.value = nil
    let form = FormModel {
      unknown; known
    }
    unknown.value = nil
    #expect(!form.isModified && unknown.isKnown)
    unknown.value = 0
    known.value = 0
    #expect(form.modifiedCount == 2)
    form.reset()
    #expect(!unknown.isKnown && known.isKnown && !form.isModified)
  }

  @Test("Reset puts values, drafts and all that has happened back")
  func reset() async {
    form.at("Size").text = "x"
    name.value = ""
    tags.append("c")
    _ = await form.submit {}
    form.report([FieldIssue("no").at("Size"), FieldIssue("no")])
    form.at("Tags").touch(tags.items[0].id)
    name.addIssue(FieldIssue("added"))
    form.reset()
    #expect(name.value == "Wien" && size.value == 1 && tags.value == ["a", "b"])
    #expect(form.at("Size").text == "1")
    #expect(!form.isModified && !form.isTouched && form.invalidCount == 0 && form.issues.isEmpty)
    for field in form.fields {
      #expect(!field.isEdited && !field.isTouched && field.issues.isEmpty, "\(field.key)")
    }
    #expect(form.at("Tags").items.allSatisfy { !$0.isTouched && !$0.isModified })
    #expect(form.at("Name").state == .unknown)
  }

  @Test("Reset puts the identities of items back, too")
  func resetIdentities() {
    let before = tags.items.map(\.id)
    tags.value = nil
    #expect(form.at("Tags").items.isEmpty)
    form.reset()
    #expect(tags.items.map(\.id) == before)
  }

  @Test("Reset is one edit, that undo takes back; without anything to reset it is none")
  func resetIsAnEdit() {
    form.reset()
    #expect(!form.canUndo)
    name.value = "Graz"
    size.value = 2
    form.at("Size").text = "2x"
    form.reset()
    #expect(form.undo())
    #expect(name.value == "Graz" && size.value == 2 && form.at("Size").text == "2x")
    #expect(form.modifiedCount == 2 && form.invalidCount == 1)
    #expect(form.redo() && name.value == "Wien" && !form.isModified)
  }

  @Test("Rebaseline makes the values unmodified, and leaves all else")
  func rebaseline() {
    form.at("Name").focus()
    form.at("Name").text = "Graz"
    form.at("Name").blur()
    form.at("Size").text = "7x"
    form.rebaseline()
    #expect(!form.at("Name").isModified && form.at("Name").isTouched && form.at("Name").isEdited)
    #expect(form.at("Size").isModified && form.at("Size").text == "7x" && form.modifiedCount == 1)
    form.reset()
    #expect(name.value == "Graz" && !form.isModified)
    #expect(form.undo() && form.at("Size").text == "7x")
    #expect(form.undo() && form.undo() && name.value == "Wien" && form.at("Name").isModified)
  }

  private struct Place: Equatable {
    var name: String
    var size: Int?
    var tags: [String]
  }

  private func mapped() throws {
    form.map(\Place.name, to: name).map(\Place.size, to: size).map(\Place.tags, to: tags)
    try form.fill(from: Place(name: "Wien", size: 1, tags: ["a", "b"]))
  }

  @Test("Rebaseline from a newer version keeps edits field by field")
  func rebaselineFrom() throws {
    try mapped()
    form.at("Name").focus()
    form.at("Name").text = "Graz"
    form.at("Name").blur()
    try form.rebaseline(from: Place(name: "Vienna", size: 2, tags: ["b", "c"]))
    #expect(name.value == "Graz" && size.value == 2 && tags.value == ["b", "c"])
    #expect(form.at("Name").isModified && form.at("Name").isTouched && form.modifiedCount == 1)
    #expect(!form.at("Size").isEdited)
    #expect(form.at("Tags").items.allSatisfy { !$0.isModified })
    form.reset()
    #expect(name.value == "Vienna" && size.value == 2)
  }

  @Test("Rebaseline from a version that is as the edits are makes them unmodified")
  func rebaselineToEdits() throws {
    try mapped()
    name.value = "Graz"
    tags.append("c")
    try form.rebaseline(from: Place(name: "Graz", size: 1, tags: ["a", "b", "c"]))
    #expect(!form.isModified)
  }

  @Test("Rebaseline keeps a text that can't be read, and tells nobody of what it kept")
  func rebaselineKeeps() throws {
    try mapped()
    form.at("Size").text = "1x"
    name.value = "Graz"
    tags.append("c")
    let identities = tags.items.map(\.id)
    var heard: [String?] = []
    let registration = name.observe { heard.append($0.new) }
    try form.rebaseline(from: Place(name: "Vienna", size: 5, tags: []))
    #expect(form.at("Size").text == "1x" && size.value == 1 && form.modifiedCount == 3)
    #expect(heard == ["Graz"])
    #expect(tags.value == ["a", "b", "c"] && tags.items.map(\.id) == identities)
    withExtendedLifetime(registration) {}
  }

  @Test(
    "Fields that take a newer version are validated as after any change",
    arguments: [
      FormTiming.onChange, .onSubmit,
    ])
  func rebaselineValidates(_ timing: FormTiming) throws {
    try mapped()
    form.timing = timing
    try form.rebaseline(from: Place(name: " ", size: 1, tags: []))
    #expect(form.at("Name").codes == (timing == .onChange ? ["blank"] : []))
    #expect(form.invalidCount == (timing == .onChange ? 1 : 0))
  }

  @Test("Values go out by key, as a dictionary and as JSON, and never what is not known")
  func values() throws {
    let (unknown, empty) = (Field<Int>("U"), Field<Int>("E", key: "empty", value: 1))
    empty.value = nil
    let form = FormModel {
      name; tags; unknown; empty; size
    }
    form.at("Size").text = "x"
    #expect(
      try form.values()
        == ["Name": .string("Wien"), "Tags": .array([.string("a"), .string("b")]), "Size": 1])
    #expect(try form.values(nil: .explicit)["empty"] == .null)
    #expect(
      String(decoding: try form.json(nil: .explicit), as: UTF8.self)
        == #"{"Name":"Wien","Size":1,"Tags":["a","b"],"empty":null}"#)
    #expect(throws: FieldModelError.missingKey(position: 0)) {
      try FormModel { Field<Int>() }.values()
    }
    let far = Field<Double>("Far", value: .infinity)
    #expect(throws: FieldModelError.self) { try FormModel { far }.json() }
  }

  @Test("A field in two forms is edited, and validated, in both")
  func twoForms() async {
    let second = FormModel(timing: .onChange) { name }
    form.at("Name").text = ""
    #expect(second.at("Name").isModified && second.at("Name").codes == ["blank"])
    second.rebaseline()
    #expect(!second.isModified && form.isModified)
    #expect(second.undo() && name.value == "Wien")
    #expect(second.isModified && !form.isModified)
    #expect(await form.submit {}.error == nil)
    #expect(second.at("Name").state == .valid)
  }

  @Test("A form that is filled with a NaN is not modified, and its items neither")
  func notANumber() throws {
    let (ratio, list) = (Field<Double>("ratio"), *Field<Double>("list"))
    let form = FormModel {
      ratio
      list
    }
    ratio.value = .nan
    list.value = [.nan, 1]
    form.rebaseline()
    #expect(!form.isModified)
    ratio.value = .nan
    list.value = [.nan, 1]
    #expect(!form.isModified && form["list"]?.items.contains(where: \.isModified) == false)
    list.value = [1, .nan]
    #expect(form.isModified)
  }
}
