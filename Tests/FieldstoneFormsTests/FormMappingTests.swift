import FieldstoneCore
import FieldstoneFields
import FieldstoneForms
import FieldstoneTesting
import Testing

@Suite("From and to a plain struct")
@MainActor
struct FormMappingTests {
  private struct Place: Equatable {
    var name = "Wien"
    var size: Int? = 1
    var tags = ["a"]
    var note = "kept"
  }

  private let name = Field<String>("Name").require(.notBlank)
  private let size = Field<Int>("Size", key: "size").require(.range(0...9))
  private let tags = *Field<String>("Tags")
  private let form: FormModel

  init() {
    let (name, size, tags) = (name, size, tags)
    form = FormModel {
      name; size; tags
    }
    form.map(\Place.name, to: name).map(\Place.size, to: size).map(\Place.tags, to: tags)
  }

  @Test("Filling is the beginning of an edit")
  func fill() async throws {
    form.timing = .onChange
    name.value = ""
    form.at("size").text = "x"
    _ = await form.submit {}
    form.report([FieldIssue("no").at("Tags"), FieldIssue("no")])
    try form.fill(from: Place(size: nil))
    #expect(name.value == "Wien" && size.value == nil && size.isKnown && tags.value == ["a"])
    #expect(!form.isModified && !form.isTouched && !form.canUndo && !form.canRedo)
    #expect(form.fields.allSatisfy { !$0.isEdited && $0.issues.isEmpty })
    #expect(form.at("Name").state == .unknown && form.invalidCount == 0 && form.issues.isEmpty)
    #expect(form.at("size").text == "" && form.phase == .editing)
  }

  @Test("Applying writes what has a field, and leaves the rest")
  func apply() throws {
    try form.fill(from: Place())
    form.at("Name").text = "Graz"
    form.at("size").text = ""
    form.at("Tags").appendItem("b")
    var place = Place(note: "mine")
    try form.apply(to: &place)
    #expect(place == Place(name: "Graz", size: nil, tags: ["a", "b"], note: "mine"))
  }

  @Test("A part that needs a value and has none is said, and nothing is written")
  func missing() throws {
    try form.fill(from: Place())
    tags.value = nil
    name.value = "Graz"
    var place = Place()
    #expect(throws: FormError.missingValue(key: "Tags")) { try form.apply(to: &place) }
    #expect(place == Place())
  }

  @Test("A type that was not mapped is said, and nothing is changed")
  func notMapped() throws {
    struct Other {
      var number = 1
    }
    name.value = "x"
    var other = Other()
    #expect(throws: FormError.notMapped(type: "Other")) { try form.fill(from: other) }
    #expect(throws: FormError.notMapped(type: "Other")) { try form.rebaseline(from: other) }
    #expect(throws: FormError.notMapped(type: "Other")) { try form.apply(to: &other) }
    #expect(name.value == "x" && form.isModified)
  }

  @Test("A form is mapped to several types")
  func several() throws {
    struct Label {
      var text: String?
    }
    form.map(\Label.text, to: name)
    try form.fill(from: Place())
    try form.fill(from: Label(text: "Graz"))
    var place = Place()
    try form.apply(to: &place)
    #expect(place.name == "Graz" && place.size == 1)
  }

  @Test("Filling inside a batch is heard once, and nothing is modified afterwards")
  func fillInBatch() throws {
    var heard: [String?] = []
    let registration = name.observe { heard.append($0.new) }
    try Fields.batch {
      name.value = "before"
      try form.fill(from: Place())
    }
    #expect(heard == [nil, "Wien"] && !form.isModified && !form.canUndo)
    #expect(form.fields.allSatisfy { !$0.isEdited })
    withExtendedLifetime(registration) {}
  }

  @Test("Filling takes bound fields along")
  func fillBound() throws {
    let twin = Field<String>("Twin")
    name --> twin
    let form = FormModel {
      name; twin
    }.map(\Place.name, to: name)
    try form.fill(from: Place())
    #expect(twin.value == "Wien" && !form.isModified && !form.canUndo)
  }
}
