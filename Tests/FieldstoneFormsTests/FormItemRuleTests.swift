import FieldstoneCore
import FieldstoneFields
import FieldstoneForms
import FieldstoneTesting
import Testing

@Suite("Rules of a form about items")
@MainActor
struct FormItemRuleTests {
  private let legs = ArrayField(Field<Int>("Leg"), name: "Legs", value: [300, 900, 100])
  private let range = Field<Int>("Range", value: 1000)
  private let form: FormModel
  private let field: FormField

  init() {
    let (legs, range) = (legs, range)
    form = FormModel {
      range
      legs
    }
    form.require(legs, range, atItemsOf: legs, message: "is too far", code: "far") { legs, range in
      (legs ?? []).indices.filter { (legs ?? [])[$0] > range ?? .max }
    }
    field = form.at("Legs")
  }

  private var codes: [[String]] { field.items.map { $0.issues.map(\.code) } }

  @Test("The items that fail have the issue, and the field is invalid with their places")
  func found() async {
    range.value = 500
    #expect(codes == [[], [], []] && field.state == .valid)
    #expect(await !form.validate())
    #expect(codes == [[], ["far"], []])
    #expect(field.issues.map(\.path) == [["1"]] && field.state.isInvalid && form.invalidCount == 1)
    #expect(field.items[1].issues.map(\.text) == ["is too far"])
    #expect(form.issues.isEmpty)
    guard case FormError.invalid(let issues)? = await form.submit({}).error else {
      Issue.record("not invalid")
      return
    }
    #expect(issues.map(\.path) == [["Legs", "1"]] && form.focusedField === field)
  }

  @Test("It is asked again when a source changes, and its issue goes where the item goes")
  func moves() async throws {
    range.value = 500
    _ = await form.validate()
    let far = field.items[1].id
    field.moveItem(far, to: 0)
    #expect(codes == [["far"], [], []] && field.issues.map(\.path) == [["0"]])
    legs.append(800)
    #expect(codes == [["far"], [], [], ["far"]])
    field.setText("400", of: far)
    #expect(codes == [[], [], [], ["far"]])
    range.value = 1000
    #expect(codes == [[], [], [], []] && form.invalidCount == 0)
    #expect(await form.submit { 1 }.value == 1)
  }

  @Test("An item whose text can't be read says that alone")
  func unreadable() async {
    range.value = 500
    _ = await form.validate()
    field.setText("x", of: field.items[1].id)
    #expect(codes == [[], ["notWhole"], []])
  }

  @Test("Indices of no item are ignored, and a rule that throws is an issue of the field")
  func odd() async {
    let form = FormModel { legs }
      .require(legs, atItemsOf: legs) { _ in [-1, 3, 7] }
    #expect(await form.validate())
    form.require(range, atItemsOf: legs) { _ in throw MessageError("no map") }
    #expect(await !form.validate())
    #expect(form.at("Legs").codes == ["couldNotValidate"])
  }

  @Test("Several rules find several issues, and a form without the field has them itself")
  func several() async {
    form.require(legs, atItemsOf: legs, code: "short") { legs in
      (legs ?? []).indices.filter { (legs ?? [])[$0] < 200 }
    }
    form.require(legs, at: legs, code: "few") { $0?.count ?? 0 > 3 }
    range.value = 200
    _ = await form.validate()
    #expect(codes == [["far"], ["far"], ["short"]])
    #expect(field.codes == ["few", "far", "far", "short"])
    let other = FormModel { range }.require(range, atItemsOf: legs, code: "any") { _ in [0, 2] }
    #expect(await !other.validate())
    #expect(other.issues.map(\.code) == ["any", "any"])
  }

  @Test("Reset and fill forget what was found")
  func reset() async {
    range.value = 500
    _ = await form.validate()
    form.reset()
    #expect(codes == [[], [], []] && field.issues.isEmpty && form.invalidCount == 0)
  }
}
