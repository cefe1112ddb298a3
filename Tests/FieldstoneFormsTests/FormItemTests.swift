import FieldstoneCore
import FieldstoneFields
import FieldstoneForms
import FieldstoneTesting
import Testing

@Suite("Items of a form")
@MainActor
struct FormItemTests {
  private let numbers = ArrayField(
    Field<Int>("Number").require(.range(0...9)), name: "Numbers", value: [1, 2, 3])
  private let form: FormModel
  private let field: FormField

  init() {
    let numbers = numbers
    form = FormModel { numbers }
    field = form.at("Numbers")
  }

  private var texts: [String] { field.items.map(\.text) }

  @Test("Each item has a text, and is put in as its type is")
  func beginning() {
    #expect(texts == ["1", "2", "3"] && field.itemKind == .integer && field.kind == .list)
    #expect(field.items.allSatisfy { !$0.isModified && !$0.isTouched && $0.issues.isEmpty })
    let name = FormModel { Field<String>("Name", value: "x") }.at("Name")
    #expect(name.items.isEmpty && name.itemKind == .text)
    name.setText("y", of: field.items[0].id)
    #expect(name.appendItem("y") == nil && name.text == "x")
    name.removeItem(field.items[0].id)
    name.moveItem(field.items[0].id, to: 0)
    #expect(name.text == "x" && !name.isModified)
  }

  @Test("Typing sets one item; what can't be read stays with its text, and the value as it was")
  func typing() {
    let second = field.items[1].id
    field.setText("7", of: second)
    #expect(numbers.value == [1, 7, 3] && field.items.map(\.isModified) == [false, true, false])
    field.setText("7x", of: second)
    #expect(texts == ["1", "7x", "3"] && numbers.value == [1, 7, 3])
    #expect(field.items[1].issues.map(\.code) == ["notWhole"] && field.state.isInvalid)
    #expect(field.issues.map(\.path) == [["1"]] && form.invalidCount == 1)
    field.setText("2", of: second)
    #expect(!form.isModified && form.invalidCount == 0 && field.isEdited)
  }

  @Test("What is typed stays as it is typed until the field is left")
  func asTyped() {
    let numbers = ArrayField(Field<Double>("Number"), name: "Numbers", value: [1])
    let form = FormModel { numbers }
    let field = form.at("Numbers")
    let first = field.items[0].id
    field.focus()
    for text in ["5", "5.", "5.5", "05.50"] {
      field.setText(text, of: first)
      #expect(field.items[0].text == text)
    }
    #expect(numbers.value == [5.5] && field.state == .valid)
    field.blur()
    #expect(field.items[0].text == "5.5")
  }

  @Test("An empty text is no item: it is required")
  func emptyItem() {
    field.setText("", of: field.items[0].id)
    #expect(field.items[0].issues.map(\.code) == ["required"] && numbers.value == [1, 2, 3])
  }

  @Test("Text, issues, touched and modified go with the item when it moves")
  func moves() async {
    let (first, third) = (field.items[0].id, field.items[2].id)
    numbers.value = [1, 2, 30]
    let moved = numbers.items[2].id
    #expect(await !form.validate())
    field.setText("x", of: first)
    field.touch(first)
    field.moveItem(first, to: 2)
    #expect(texts == ["2", "30", "x"])
    #expect(field.items.map { $0.issues.map(\.code) } == [[], ["tooLarge"], ["notWhole"]])
    #expect(field.items.map(\.isTouched) == [false, false, true] && field.isTouched)
    #expect(field.items.map(\.isModified) == [false, true, true])
    field.moveItem(moved, to: -5)
    #expect(texts == ["30", "2", "x"] && field.items[0].issues.map(\.code) == ["tooLarge"])
    field.moveItem(first, to: 99)
    #expect(texts == ["30", "2", "x"])
    field.moveItem(third, to: 0)
    #expect(texts == ["30", "2", "x"])
  }

  @Test("Moving alone modifies the field, and none of its items")
  func onlyMoved() {
    field.moveItem(field.items[0].id, to: 1)
    #expect(field.isModified && field.items.allSatisfy { !$0.isModified })
    field.moveItem(field.items[0].id, to: 1)
    #expect(!field.isModified)
  }

  @Test("An item that is removed takes all of it away", arguments: [true, false])
  func removed(byCode: Bool) throws {
    let second = field.items[1].id
    field.setText("x", of: second)
    field.touch(second)
    if byCode { try numbers.remove(second) } else { field.removeItem(second) }
    #expect(texts == ["1", "3"] && form.invalidCount == 0 && field.issues.isEmpty)
    field.setText("4", of: second)
    field.removeItem(second)
    #expect(texts == ["1", "3"])
    numbers.value = [1, 2, 3]
    #expect(!field.isModified && form.modifiedCount == 0)
    #expect(field.items.allSatisfy { !$0.isTouched })
  }

  @Test("Setting an item by code replaces what was typed")
  func setByCode() throws {
    let second = field.items[1].id
    field.setText("x", of: second)
    try numbers.replace(second, with: 5)
    #expect(texts == ["1", "5", "3"] && form.invalidCount == 0)
    field.setText("y", of: second)
    numbers.value = [1, 5, 4]
    #expect(texts == ["1", "y", "4"])
    numbers.value = nil
    #expect(texts.isEmpty && form.invalidCount == 0 && field.isModified)
  }

  @Test("An item is added with what was typed; what can't be read is said, and goes")
  func appended() async throws {
    let added = try #require(field.appendItem("4"))
    #expect(
      numbers.value == [1, 2, 3, 4] && field.items[3].id == added && field.items[3].isModified)
    #expect(field.appendItem("x") == nil)
    #expect(field.codes == ["notWhole"] && form.invalidCount == 1 && texts.count == 4)
    #expect(field.appendItem("5") != nil)
    #expect(field.issues.isEmpty && form.invalidCount == 0)
    #expect(field.appendItem("") == nil && field.codes == ["required"])
    #expect(await form.submit { 1 }.value == 1)
    #expect(field.issues.isEmpty)
  }

  @Test("The issue of a new item that can't be read goes with its text, and no other issue does")
  func refusedText() {
    #expect(field.appendItem("two") == nil && field.codes == ["notWhole"])
    field.typeNewItem("two")
    #expect(field.codes == ["notWhole"] && form.invalidCount == 1)
    field.typeNewItem("")
    #expect(field.issues.isEmpty && form.invalidCount == 0 && field.state == .unknown)
    numbers.addIssue(FieldIssue("are odd", code: "odd"))
    #expect(field.appendItem("two") == nil && field.codes == ["odd", "notWhole"])
    #expect(field.appendItem("two") == nil && field.codes == ["odd", "notWhole"])
    // Another text that can't be read has its own issue.
    #expect(field.appendItem("99999999999999999999") == nil && field.codes == ["odd", "tooLarge"])
    field.typeNewItem("9")
    #expect(field.codes == ["odd"] && form.invalidCount == 1)
    // Those that others add in the meantime stay.
    #expect(field.appendItem("two") == nil)
    form.reset()
    numbers.addIssue(FieldIssue("are odd", code: "odd"))
    field.typeNewItem("")
    #expect(field.codes == ["odd"])
  }

  @Test("An item is added where nothing was known")
  func appendedToNothing() {
    let tags = *Field<String>("Tags")
    let form = FormModel { tags }
    let field = form.at("Tags")
    #expect(field.appendItem("a") != nil)
    #expect(tags.value == ["a"] && field.isModified)
  }

  @Test("Rules of items show at the item, also asynchronous ones, and follow it")
  func asynchronous() async {
    let oracle = Oracle(taken: ["b"], isOpen: true)
    let tags = ArrayField(
      Field<String>("Tag").require(oracle.rule()), name: "Tags", value: ["a", "b"])
    let form = FormModel { tags }
    let field = form.at("Tags")
    #expect(await !form.validate())
    #expect(field.items.map { $0.issues.map(\.code) } == [[], ["taken"]])
    field.moveItem(field.items[1].id, to: 0)
    #expect(field.items.map { $0.issues.map(\.code) } == [["taken"], []])
    form.timing = .onChange
    field.removeItem(field.items[0].id)
    await waitForState(of: field) { $0 != .validating }
    #expect(field.state == .valid)
  }

  @Test("A rejection names an item by its place")
  func rejected() async {
    _ = await form.submit {
      throw FormRejection([FieldIssue("is rude").at("Numbers", "2")])
    }
    #expect(field.items.map { $0.issues.map(\.text) } == [[], [], ["is rude"]])
    field.setText("9", of: field.items[0].id)
    #expect(field.items.allSatisfy { $0.issues.isEmpty })
  }
}
