import FieldstoneCore
import FieldstoneFields
import FieldstoneForms
import FieldstoneTesting
import Testing

@Suite("Undo and redo")
@MainActor
struct FormUndoTests {
  private let name = Field<String>("Name", value: "").require(.notBlank)
  private let size = Field<Int>("Size", value: 1).require(.range(0...9))
  private let tags = ArrayField(Field<Int>("Tag"), name: "Tags", value: [1, 2])
  private let form: FormModel

  init() {
    let (name, size, tags) = (name, size, tags)
    form = FormModel {
      name; size; tags
    }
  }

  @Test("What was typed in one focus is one edit, in the next another")
  func byFocus() {
    let field = form.at("Name")
    field.focus()
    for text in ["a", "ab", "abc"] { field.text = text }
    form.at("Size").focus()
    form.at("Size").text = "2"
    field.focus()
    field.text = "abcd"
    #expect(form.undo() && name.value == "abc")
    #expect(form.undo() && size.value == 1 && name.value == "abc")
    #expect(form.undo() && name.value == "" && !form.canUndo && !form.undo())
    #expect(form.redo() && name.value == "abc" && form.redo() && form.redo())
    #expect(name.value == "abcd" && size.value == 2 && !form.canRedo && !form.redo())
  }

  @Test("A batch is one edit, also where a text can't be read in it, and ends with the batch")
  func unreadableInBatch() {
    Fields.batch {
      form.at("Name").text = "30"
      form.at("Size").text = "z"
    }
    form.at("Name").text = "31"
    #expect(form.undo() && name.value == "30" && form.at("Size").text == "z")
    #expect(form.undo() && name.value == "" && form.at("Size").text == "1" && !form.canUndo)
    // A batch in which nothing but a text has changed is an edit of its own, too.
    Fields.batch { form.at("Size").text = "y" }
    form.at("Name").text = "32"
    #expect(form.undo() && form.at("Size").text == "y" && form.undo() && !form.canUndo)
    Fields.batch {
      form.at("Size").text = "x"
      form.at("Size").text = "7"
    }
    #expect(form.undo() && form.at("Size").text == "1" && !form.canUndo)
  }

  @Test("Without the focus each set is an edit, and each batch")
  func bySet() {
    name.value = "a"
    name.value = "ab"
    Fields.batch {
      name.value = "abc"
      size.value = 2
      name.value = "abcd"
    }
    form.at("Name").text = "x"
    form.at("Name").text = "xy"
    #expect(form.undo() && name.value == "x" && form.undo() && name.value == "abcd")
    #expect(form.undo() && name.value == "ab" && size.value == 1)
    #expect(form.undo() && name.value == "a")
    #expect(form.undo() && !form.canUndo)
    for _ in 0..<5 { #expect(form.redo()) }
    #expect(name.value == "xy" && size.value == 2)
  }

  @Test("An undo ends the edit that is under way, as a submit does")
  func endsSession() async {
    let field = form.at("Name")
    field.focus()
    field.text = "a"
    #expect(form.undo() && form.redo())
    field.text = "ab"
    #expect(form.undo() && name.value == "a")
    #expect(form.redo())
    _ = await form.submit { throw MessageError("no") }
    field.text = "abc"
    #expect(form.undo() && name.value == "ab")
  }

  @Test("A new edit clears what could be redone")
  func clearsRedo() {
    name.value = "a"
    #expect(form.undo() && form.canRedo)
    size.value = 5
    #expect(!form.canRedo && !form.redo() && name.value == "")
  }

  @Test("Typing something and taking it back by hand leaves nothing to undo")
  func nothingLeft() {
    let field = form.at("Name")
    field.focus()
    field.text = "a"
    field.text = ""
    #expect(!form.canUndo)
    field.text = "b"
    field.blur()
    #expect(form.undo() && name.value == "" && !form.canUndo)
  }

  @Test("As many edits as the limit allows are kept", arguments: [0, 1, 3, -1])
  func limit(_ limit: Int) {
    let form = FormModel(undoLimit: limit) { size }
    for number in 2..<8 { size.value = number }
    var count = 0
    while form.undo() { count += 1 }
    #expect(count == max(0, limit) && size.value == 7 - count)
  }

  @Test("A hundred are kept unless told otherwise")
  func usualLimit() {
    for number in 0..<120 { name.value = "\(number)" }
    var count = 0
    while form.undo() { count += 1 }
    #expect(count == 100 && name.value == "19")
  }

  @Test("Texts come back as they were typed, with what could not be read")
  func drafts() {
    let field = form.at("Size")
    field.focus()
    field.text = "02"
    field.blur()
    field.focus()
    field.text = "x"
    field.blur()
    size.value = 3
    #expect(form.undo() && field.text == "x" && size.value == 2 && form.invalidCount == 1)
    #expect(field.isModified && field.codes == ["notWhole"])
    #expect(form.undo() && size.value == 2 && form.invalidCount == 0)
    #expect(form.undo() && size.value == 1 && field.text == "1" && !field.isModified)
    #expect(form.redo() && field.text == "02" && form.redo() && field.text == "x")
    #expect(form.redo() && field.text == "3" && form.invalidCount == 0)
  }

  @Test("What was validated is validated again", arguments: [true, false])
  func validity(wasValidated: Bool) {
    form.timing = wasValidated ? .onChange : .onSubmit
    size.value = 10
    size.value = 5
    #expect(form.undo())
    #expect(form.at("Size").codes == (wasValidated ? ["tooLarge"] : []))
    #expect(form.invalidCount == (wasValidated ? 1 : 0))
    #expect(form.redo() && form.at("Size").state == (wasValidated ? .valid : .unknown))
  }

  @Test("A successful submit forgets all edits, a failed one keeps them")
  func submit() async {
    name.value = "a"
    size.value = 2
    #expect(form.undo())
    _ = await form.submit { throw MessageError("no") }
    #expect(form.canUndo && form.canRedo)
    #expect(await form.submit { 1 }.value == 1)
    #expect(!form.canUndo && !form.canRedo && !form.undo() && !form.redo())
  }

  @Test("Items come back with their identities, their texts and their place")
  func items() throws {
    let field = form.at("Tags")
    let (first, second) = (field.items[0].id, field.items[1].id)
    field.setText("x", of: second)
    field.moveItem(second, to: 0)
    field.removeItem(second)
    let third = try #require(field.appendItem("3"))
    #expect(field.items.map(\.text) == ["1", "3"])
    #expect(form.undo() && field.items.map(\.id) == [first])
    #expect(form.undo() && field.items.map(\.id) == [second, first])
    #expect(
      field.items.map(\.text) == ["x", "1"] && field.items[0].issues.map(\.code) == ["notWhole"])
    #expect(form.undo() && field.items.map(\.text) == ["1", "x"])
    #expect(form.undo() && field.items.map(\.text) == ["1", "2"] && !form.isModified)
    for _ in 0..<4 { #expect(form.redo()) }
    #expect(field.items.map(\.id) == [first, third] && field.items.map(\.text) == ["1", "3"])
  }

  @Test("A field that is bound to another is one edit with it, both ways")
  func bound() {
    let twin = Field<String>("Twin", value: "")
    name <--> twin
    let source = FormModel {
      name; twin; size
    }
    source.at("Name").text = "a"
    source.at("Twin").text = "b"
    #expect(source.undo() && name.value == "a" && twin.value == "a")
    #expect(source.undo() && name.value == "" && twin.value == "")
    #expect(source.redo() && source.redo() && name.value == "b" && twin.value == "b")
    #expect(!source.canRedo)
  }

  @Test("A field that follows another has its own value back, by undo, reset and filling")
  func ownValueOfBound() throws {
    struct Pair {
      var name = "n"
      var twin = "t"
    }
    let twin = Field<String>("Twin", value: "own")
    let form = FormModel {
      name; twin
    }.map(\Pair.twin, to: twin).map(\Pair.name, to: name)
    name --> twin
    twin.value = "mine"
    form.rebaseline()
    name.value = "a"
    #expect(twin.value == "a")
    #expect(form.undo() && name.value == "" && twin.value == "mine" && !form.isModified)
    #expect(form.redo() && name.value == "a" && twin.value == "a")
    form.reset()
    #expect(name.value == "" && twin.value == "mine" && !form.isModified)
    try form.fill(from: Pair())
    #expect(name.value == "n" && twin.value == "t" && !form.isModified)
    // Equal to what it has already, too: only the binding changes it.
    for (first, second) in [("k", "other"), ("l", "other")] {
      try form.fill(values: ["Name": .string(first), "Twin": .string(second)])
      #expect(name.value == first && twin.value == second && !form.isModified)
    }
    try form.rebaseline(values: ["Name": "m", "Twin": "newer"])
    #expect(name.value == "m" && twin.value == "newer" && !form.isModified)
    try form.rebaseline(from: Pair(name: "o", twin: "newest"))
    #expect(name.value == "o" && twin.value == "newest" && !form.isModified)
    // Without a value of its own it follows, unmodified.
    try form.rebaseline(values: ["Name": "p"])
    #expect(name.value == "p" && twin.value == "p" && !form.isModified)
    // What was edited stays, and counts as modified against its own newer value.
    twin.value = "edited"
    try form.rebaseline(values: ["Name": "q", "Twin": "server"])
    #expect(name.value == "q" && twin.value == "edited" && form["Twin"]?.isModified == true)
    form.reset()
    #expect(name.value == "q" && twin.value == "server" && !form.isModified)
  }

  @Test("After a newer version an undo leads to its values, not to the replaced ones")
  func undoAfterRebaseline() throws {
    let tags = ArrayField(Field<Int>("Tag"), name: "Tags", value: [1])
    let size = Field<Int>("Size", value: 1)
    let form = FormModel {
      name; size; tags
    }
    try form.fill(values: ["Name": "old"])
    form.at("Name").focus()
    form.at("Name").text = "mine"
    form.at("Size").focus()
    size.value = 2
    form.at("Name").focus()
    size.value = 1
    tags.append(2)
    try form.rebaseline(values: ["Name": "newer", "Size": 5, "Tags": [3]])
    #expect(name.value == "mine" && size.value == 5 && tags.value == [1, 2])
    form.undo()
    #expect(tags.value == [3] && tags.items.count == 1 && form["Tags"]?.isModified == false)
    form.undo()
    #expect(size.value == 2)
    form.undo()
    #expect(size.value == 5 && form["Size"]?.isModified == false)
    form.undo()
    #expect(name.value == "newer" && !form.isModified && form.canUndo == false)
    for _ in 0..<4 { form.redo() }
    #expect(name.value == "mine" && size.value == 5 && tags.value == [1, 2])
    #expect(form["Name"]?.isModified == true && form["Size"]?.isModified == false)
  }

  @Test("A text that can't be read stays an edit where a newer version comes")
  func unreadableAtRebaseline() throws {
    let size = Field<Int>("Size", value: 5)
    let form = FormModel { size }
    form.at("Size").text = "abc"
    try form.rebaseline(values: ["Size": 7])
    #expect(form.at("Size").text == "abc" && form.canUndo)
    form.undo()
    #expect(size.value == 7 && form.at("Size").text == "7" && !form.isModified)
    form.redo()
    #expect(form.at("Size").text == "abc" && form.isModified)
  }

  @Test("A newer version that has what was typed leaves nothing to undo")
  func sameAsTyped() throws {
    let form = FormModel { name }
    try form.fill(values: ["Name": "old"])
    name.value = "mine"
    #expect(form.canUndo)
    try form.rebaseline(values: ["Name": "mine"])
    #expect(name.value == "mine" && !form.isModified && !form.canUndo)
  }

  @Test("Bound while it is typed is one edit for the whole focus")
  func boundTyping() {
    let slug = Field<String>("Slug")
    name.bind(to: slug) { $0.lowercased() }
    let form = FormModel {
      name; slug
    }
    form.at("Name").focus()
    for text in ["A", "AB", "ABC"] { form.at("Name").text = text }
    #expect(slug.value == "abc")
    #expect(form.undo() && name.value == "" && slug.value == "" && !form.canUndo)
    #expect(form.redo() && name.value == "ABC" && slug.value == "abc")
  }

  @Test("What follows an undo through a binding made later is validated and redone, too")
  func boundLater() {
    let twin = Field<String>("Twin").require(.notBlank)
    let form = FormModel(timing: .onChange) {
      name; twin
    }
    name.value = "a"
    name --> twin
    #expect(form.undo() && !twin.isKnown && name.value == "a")
    form.report([FieldIssue("is odd").at("Twin")])
    #expect(form.undo() && name.value == "" && twin.value == "")
    #expect(form.at("Twin").codes == ["blank"])
    #expect(form.canRedo)
  }

  @Test("Undo from inside an observer takes the edit back, with drafts and bound fields")
  func insideObserver() {
    let (twin, button) = (Field<String>("Twin", value: ""), Field<Int>(value: 0))
    name <--> twin
    let form = FormModel {
      name; twin; size
    }
    form.at("Size").text = "x"
    size.value = 2
    name.value = "a"
    let registration = button.observe { [unowned form] change in
      if change.origin == .registration { return }
      if change.new == 1 { #expect(form.undo()) } else { #expect(form.redo()) }
    }
    button.value = 1
    #expect(name.value == "" && twin.value == "" && form.canRedo)
    button.value = 2
    #expect(name.value == "a" && twin.value == "a" && !form.canRedo)
    button.value = 1
    #expect(form.undo() && form.at("Size").text == "x" && size.value == 1)
    withExtendedLifetime(registration) {}
  }

  @Test("An unreadable text that an undo inside an observer brings back stays")
  func insideObserverDraft() {
    let button = Field<Int>(value: 0)
    form.at("Size").text = "x"
    size.value = 2
    let registration = button.observe { [unowned form] change in
      if change.origin != .registration { form.undo() }
    }
    button.value = 1
    #expect(form.at("Size").text == "x" && size.value == 1 && form.invalidCount == 1)
    withExtendedLifetime(registration) {}
  }

  @Test("What an observer sets in answer is part of the edit, and undo does not count as an edit")
  func answers() {
    let registration = size.observe { [unowned name] change in
      if change.origin != .registration, change.origin != .restoring {
        name.value = "\(change.new ?? 0)"
      }
    }
    size.value = 2
    #expect(name.value == "2")
    #expect(form.undo() && size.value == 1 && name.value == "" && !form.canUndo && form.canRedo)
    #expect(form.redo() && name.value == "2" && size.value == 2)
    withExtendedLifetime(registration) {}
  }

  @Test("The origin of what undo sets is told")
  func origin() {
    size.value = 2
    var origins: [ChangeOrigin] = []
    let registration = size.observe { origins.append($0.origin) }
    _ = form.undo()
    _ = form.redo()
    form.reset()
    form.at("Size").text = "4"
    #expect(origins == [.registration, .restoring, .restoring, .restoring, .user])
    withExtendedLifetime(registration) {}
  }

  @Test("A late answer about a value that was undone is dropped")
  func late() async {
    let oracle = Oracle()
    let code = Field<String>("Code", value: "EPWA").require(oracle.rule())
    let form = FormModel(timing: .onChange) { code }
    code.value = "LOWW"
    await oracle.asked.elements(atLeast: 1)
    #expect(form.undo())
    oracle.answer("LOWW")
    await oracle.asked.elements(atLeast: 2)
    oracle.answer("EPWA")
    await waitForState(of: form.at("Code")) { $0 != .validating }
    #expect(form.at("Code").state == .valid && form.invalidCount == 0)
  }

  @Test("A late answer about a value that was reset is dropped")
  func lateAfterReset() async {
    let oracle = Oracle()
    let code = Field<String>("Code", value: "EPWA").require(oracle.rule())
    let form = FormModel(timing: .onChange) { code }
    code.value = "LOWW"
    await oracle.asked.elements(atLeast: 1)
    form.reset()
    oracle.answer("LOWW")
    oracle.answer("EPWA")
    #expect(form.at("Code").state == .unknown)
    #expect(await form.validate())
    #expect(form.at("Code").state == .valid)
  }
}
