import FieldstoneCore
import FieldstoneFields
import FieldstoneForms
import FieldstoneTesting
import Testing

@Suite("A form that is filled inside a batch or an observer")
@MainActor
struct FormLaterDeliveryTests {
  /// Where fields are set that are delivered later.
  enum Place: CaseIterable, Sendable {
    case batch, transaction, observer, batchInObserver

    @MainActor
    func run(_ body: @escaping () throws -> Void) throws {
      switch self {
      case .batch: try Fields.batch(body)
      case .transaction: try Fields.transaction(body)
      case .observer: try inObserver(body)
      case .batchInObserver: try inObserver { try Fields.batch(body) }
      }
    }

    @MainActor
    private func inObserver(_ body: @escaping () throws -> Void) throws {
      let button = Field<Int>(value: 0)
      var failure: (any Error)?
      let registration = button.observe { change in
        if change.origin == .registration { return }
        do { try body() } catch { failure = error }
      }
      button.value = 1
      if let failure { throw failure }
      withExtendedLifetime(registration) {}
    }
  }

  private struct Pair {
    var name = "n"
    var twin = "t"
  }

  private let name = Field<String>("Name", value: "")
  private let twin = Field<String>("Twin")
  private let form: FormModel

  init() {
    let (name, twin) = (name, twin)
    name --> twin
    twin.value = "own"
    form = FormModel {
      name; twin
    }.map(\Pair.twin, to: twin).map(\Pair.name, to: name)
  }

  private var isUntouched: Bool {
    !form.isModified && !form.canUndo
      && form.fields.allSatisfy { !$0.isEdited && $0.issues.isEmpty }
  }

  @Test("A field that follows another keeps the value that it was given", arguments: Place.allCases)
  func ownValues(place: Place) throws {
    let (name, twin, form) = (name, twin, form)
    try place.run { try form.fill(from: Pair()) }
    #expect(name.value == "n" && twin.value == "t" && isUntouched)
    // Equal to what it has already, too: only the binding changes it.
    for first in ["k", "l"] {
      try place.run { try form.fill(values: ["Name": .string(first), "Twin": "other"]) }
      #expect(name.value == first && twin.value == "other" && isUntouched)
    }
    name.value = "a"
    #expect(twin.value == "a" && form.canUndo)
    try place.run { form.reset() }
    #expect(name.value == "l" && twin.value == "other" && !form.isModified)
    #expect(form.undo() && name.value == "a" && twin.value == "a")
    form.reset()
    try place.run { try form.rebaseline(from: Pair(name: "m", twin: "newer")) }
    #expect(name.value == "m" && twin.value == "newer" && !form.isModified)
    try place.run { try form.rebaseline(values: ["Name": "o", "Twin": "newest"]) }
    #expect(name.value == "o" && twin.value == "newest" && !form.isModified)
    name.value = "b"
    #expect(twin.value == "b")
    try place.run { form.undo() }
    #expect(name.value == "o" && twin.value == "newest" && !form.isModified)
    #expect(form.redo() && name.value == "b" && twin.value == "b" && !form.canRedo)
  }

  @Test("A field that was given no value follows, and is unmodified", arguments: Place.allCases)
  func followers(place: Place) throws {
    let (name, twin, form) = (name, twin, form)
    try place.run { try form.fill(values: ["Name": "k"]) }
    #expect(name.value == "k" && twin.value == "k" && isUntouched)
    try place.run { try form.rebaseline(values: ["Name": "p"]) }
    #expect(name.value == "p" && twin.value == "p" && isUntouched)
    // Two that are bound both ways settle, whatever they were given.
    twin --> name
    try place.run { try form.fill(from: Pair()) }
    #expect(isUntouched)
  }

  @Test(
    "What is set after the filling is an edit, with all that follows it", arguments: Place.allCases)
  func editedAfterwards(place: Place) throws {
    let (name, twin, form) = (name, twin, form)
    try place.run {
      try form.fill(from: Pair())
      name.value = "mine"
    }
    #expect(name.value == "mine" && twin.value == "mine")
    #expect(form.modifiedCount == 2 && form.canUndo)
    #expect(form.undo() && name.value == "n" && twin.value == "t" && !form.isModified)
  }

  @Test(
    "What a field outside the form sets after the filling stays", arguments: Place.allCases)
  func setFromOutside(place: Place) throws {
    let (name, form) = (name, form)
    let source = Field<String>("Source")
    source.bind(to: name)
    // One that was given a value, and one that was not.
    for values: [String: JSONValue] in [["Name": "n"], ["Twin": "t"]] {
      try place.run {
        try form.fill(values: values)
        source.value = "x"
      }
      #expect(name.value == "x" && form.at("Name").isModified)
      source.value = "y"
    }
    // In a batch of its own it is an edit.
    try Fields.batch {
      try form.fill(values: ["Name": "n"])
      source.value = "z"
    }
    #expect(name.value == "z" && form.canUndo)
  }

  @Test(
    "What an observer of validity sets while the form is filled is an edit",
    arguments: Place.allCases)
  func setWhileFilling(place: Place) throws {
    let hint = Field<String>("Hint")
    let code = Field<String>("Code").require(.notBlank)
    let form = FormModel(timing: .onChange) {
      hint; code
    }
    let registration = code.observeValidation { state in
      if state == .unknown { hint.value = "" }
    }
    code.value = ""
    try place.run { try form.fill(values: ["Hint": "h", "Code": "LOWI"]) }
    #expect(hint.value == "" && form.at("Hint").isModified && form.canUndo)
    withExtendedLifetime(registration) {}
  }

  @Test("A rollback leaves what was filled before it", arguments: Place.allCases)
  func takenBack(place: Place) throws {
    struct Stop: Error {}
    let (name, twin, form) = (name, twin, form)
    form.timing = .onChange
    name.require(.notBlank)
    twin.require(.notBlank)
    try place.run {
      try form.fill(values: ["Name": "n", "Twin": ""])
      try? Fields.transaction {
        try form.fill(from: Pair(name: "x", twin: "y"))
        throw Stop()
      }
    }
    #expect(name.value == "n" && twin.value == "" && isUntouched)
  }

  @Test("Filling validates nothing, and neither does a reset", arguments: Place.allCases)
  func validation(place: Place) throws {
    let oracle = Oracle(isOpen: true)
    let name = Field<String>("Name").require(.notBlank)
    let code = Field<String>("Code").require(oracle.rule())
    let form = FormModel(timing: .onChange) {
      name; code
    }
    func isUnknown() -> Bool {
      form.fields.allSatisfy { $0.state == .unknown && $0.issues.isEmpty && !$0.isModified }
    }
    try place.run { try form.fill(values: ["Name": "", "Code": "EPWA"]) }
    #expect(name.value == "" && code.value == "EPWA" && isUnknown())
    try place.run {
      name.value = "set before"
      code.value = "LOWW"
      try form.fill(values: ["Name": " ", "Code": "EPKK"])
    }
    #expect(name.value == " " && code.value == "EPKK" && isUnknown())
    try place.run {
      name.value = "set before"
      code.value = "LOWW"
      form.reset()
    }
    #expect(name.value == " " && code.value == "EPKK" && isUnknown())
    try place.run {
      name.value = "set before"
      try form.fill(values: ["Code": "EPWA"])
    }
    #expect(name.value == "set before" && isUnknown())
    #expect(oracle.asked.count == 0)
    name.value = ""
    #expect(form.at("Name").codes == ["blank"])
  }
}
