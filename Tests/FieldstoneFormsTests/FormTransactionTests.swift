import FieldstoneCore
import FieldstoneFields
import FieldstoneForms
import FieldstoneTesting
import Testing

@Suite("A form in a transaction")
@MainActor
struct FormTransactionTests {
  /// A change of a whole form.
  enum Act: CaseIterable, Sendable {
    case fill, fillPart, reset, undo, redo, rebaseline, takeNewer, removeItem
  }

  private struct Stop: Error {}

  private let name = Field<String>("Name").require(.notBlank)
  private let size = Field<Int>("Size").require(.range(0...9))
  private let tags = ArrayField(Field<Int>("Tag"), name: "Tags").require(.count(...2))
  private let form: FormModel

  init() throws {
    let (name, size, tags) = (name, size, tags)
    form = FormModel(timing: .onChange) {
      name; size; tags
    }
    form.require(name, tags, at: tags, message: "must be few") { name, tags in
      name != "ab" || (tags ?? []).count < 2
    }
    try form.fill(values: ["Name": "a", "Size": 1, "Tags": [1, 2]])
    form.at("Name").focus()
    form.at("Name").text = "ab"
    form.at("Size").focus()
    form.at("Size").text = "7x"
    form.at("Tags").setText("3x", of: form.at("Tags").items[0].id)
    form.at("Tags").touch(form.at("Tags").items[0].id)
    tags.append(3)
    form.undo()
    form.report([FieldIssue(code: "closed", path: ["Name"])])
    form.report([FieldIssue(code: "late")])
  }

  @Test(
    "A rollback restores the whole form, and it goes on as if nothing had happened",
    arguments: Act.allCases, [true, false])
  func takenBack(act: Act, isNested: Bool) throws {
    let before = state
    func run() {
      #expect(throws: Stop.self) {
        try Fields.transaction {
          try perform(act)
          #expect(state != before)
          throw Stop()
        }
      }
    }
    if isNested { Fields.batch(run) } else { run() }
    #expect(state == before)
    #expect(form.redo() && tags.value == [1, 2, 3])
    while form.undo() {}
    #expect(name.value == "a" && tags.value == [1, 2] && !form.isModified)
    name.value = "b"
    form.reset()
    #expect(name.value == "a" && size.value == 1 && tags.value == [1, 2])
  }

  @Test("A reset in a batch leaves no field validated, whether its value has changed or not")
  func committed() {
    name.value = "abc"
    #expect(form.at("Name").state.isValid && form.at("Tags").state.isInvalid)
    Fields.batch { form.reset() }
    #expect(form.fields.allSatisfy { $0.state == .unknown } && form.invalidCount == 0)
  }

  private func perform(_ act: Act) throws {
    switch act {
    case .fill: try form.fill(values: ["Name": "x", "Size": 5, "Tags": []])
    case .fillPart: try form.fill(values: ["Name": "x"])
    case .reset: form.reset()
    case .undo: form.undo()
    case .redo: form.redo()
    case .rebaseline: form.rebaseline()
    case .takeNewer: try form.rebaseline(values: ["Name": "x", "Size": 5])
    case .removeItem: form.at("Tags").removeItem(form.at("Tags").items[0].id)
    }
  }

  /// All that a screen shows of the form.
  private var state: [String] {
    let fields = form.fields.map { field in
      let items = field.items.map { "\($0.text) \($0.isTouched) \($0.isModified) \($0.issues)" }
      return "\(field.key): \(field.text) \(items) \(field.issues) \(field.state) "
        + "\(field.isTouched) \(field.isEdited) \(field.isModified)"
    }
    return fields + [
      "\(form.phase) \(form.issues) \(form.modifiedCount) \(form.invalidCount)",
      "\(form.canUndo) \(form.canRedo) \(form.isKnownValid)",
    ]
  }
}
