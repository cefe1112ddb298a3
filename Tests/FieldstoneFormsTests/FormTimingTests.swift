import FieldstoneCore
import FieldstoneFields
import FieldstoneForms
import FieldstoneTesting
import Foundation
import Testing

@Suite("When a form validates")
@MainActor
struct FormTimingTests {
  enum Setter: String, CaseIterable { case typing, code, binding, batch, importing }

  private let size = Field<Int>("Size", value: 1).require(.range(0...9))
  private let other = Field<Int>("Other", value: 1)
  private let source = Field<Int>(value: 1)

  private func form(_ timing: FormTiming) -> FormModel {
    source --> size
    return FormModel(timing: timing) {
      size; other
    }
  }

  private func set(_ value: Int, by setter: Setter, in form: FormModel) {
    switch setter {
    case .typing: form.at("Size").text = "\(value)"
    case .code: size.value = value
    case .binding: source.value = value
    case .batch: Fields.batch { size.value = value }
    case .importing: size.importValue(.integer(Int64(value)))
    }
  }

  @Test("On change: at each change, whoever sets", arguments: Setter.allCases)
  func onChange(_ setter: Setter) {
    let form = form(.onChange)
    #expect(form.invalidCount == 0)
    set(10, by: setter, in: form)
    #expect(form.at("Size").codes == ["tooLarge"] && form.invalidCount == 1)
    set(9, by: setter, in: form)
    #expect(form.at("Size").state == .valid && form.invalidCount == 0)
  }

  @Test("On submit: not before it, then at each change, whoever sets", arguments: Setter.allCases)
  func onSubmit(_ setter: Setter) async {
    let form = form(.onSubmit)
    form.at("Size").focus()
    set(10, by: setter, in: form)
    form.at("Size").blur()
    #expect(form.at("Size").issues.isEmpty && form.at("Size").state == .unknown)
    #expect(await form.submit {}.error as? FormError != nil)
    #expect(form.at("Size").codes == ["tooLarge"])
    set(5, by: setter, in: form)
    #expect(form.at("Size").state == .valid)
    set(11, by: setter, in: form)
    #expect(form.at("Size").codes == ["tooLarge"])
    set(5, by: setter, in: form)
    #expect(await form.submit {}.error == nil)
    // A success begins anew.
    set(12, by: setter, in: form)
    #expect(form.at("Size").state == .unknown)
  }

  @Test(
    "On blur: when it is left, then at each change, whoever sets", arguments: Setter.allCases)
  func onBlur(_ setter: Setter) {
    let form = form(.onBlur)
    let field = form.at("Size")
    field.focus()
    set(10, by: setter, in: form)
    #expect(field.state == .unknown)
    form.at("Other").focus()
    #expect(field.codes == ["tooLarge"] && field.isTouched)
    field.focus()
    set(9, by: setter, in: form)
    #expect(field.state == .valid)
    set(11, by: setter, in: form)
    #expect(field.state.isInvalid)
  }

  @Test("On blur: a change of a field without the focus is an edit that is over")
  func onBlurElsewhere() {
    let form = form(.onBlur)
    form.at("Other").focus()
    size.value = 10
    #expect(form.at("Size").codes == ["tooLarge"])
  }

  @Test("On blur: leaving validates also what was not changed")
  func onBlurUnchanged() {
    let name = Field<String>("Name").require(.notBlank)
    let form = FormModel(timing: .onBlur) { name }
    form.at("Name").focus()
    #expect(form.invalidCount == 0)
    form.at("Name").blur()
    #expect(form.at("Name").codes == ["required"])
  }

  @Test(
    "On submit and on change: leaving alone validates nothing",
    arguments: [
      FormTiming.onSubmit, .onChange,
    ])
  func leaving(_ timing: FormTiming) {
    let form = form(timing)
    size.value = 3
    form.at("Size").focus()
    form.at("Size").blur()
    #expect(form.at("Size").isTouched)
    #expect(form.at("Size").state == (timing == .onChange ? .valid : .unknown))
  }

  @Test("The timing can be changed, and holds from the next change on")
  func changed() {
    let form = form(.onSubmit)
    size.value = 10
    form.timing = .onChange
    #expect(form.at("Size").state == .unknown)
    size.value = 11
    #expect(form.at("Size").state.isInvalid)
  }

  @Test("Nil that becomes known does not take away what was found")
  func knownNil() async {
    let name = Field<String>("Name").require(.notBlank)
    let form = FormModel(timing: .onChange) { name }
    #expect(await !form.validate())
    name.value = nil
    #expect(form.at("Name").codes == ["required"] && form.invalidCount == 1 && !form.canUndo)
  }

  @Test("A reset begins anew: nothing is validated until the timing says so")
  func reset() async {
    let form = form(.onSubmit)
    size.value = 10
    _ = await form.submit {}
    form.reset()
    #expect(form.at("Size").state == .unknown && form.invalidCount == 0)
    size.value = 12
    #expect(form.at("Size").issues.isEmpty)
  }

  @Test("A field without rules is valid, whatever is set")
  func withoutRules() {
    let form = form(.onSubmit)
    #expect(form.at("Other").state == .valid)
    other.value = 7
    #expect(form.at("Other").state == .valid)
  }

  @Test("Rules that come later hold from the next validation on")
  func laterRules() async {
    let form = form(.onChange)
    other.value = 20
    #expect(form.isKnownValid == false && form.at("Other").state == .valid)
    other.require(.atMost(9))
    #expect(form.at("Other").state == .unknown)
    #expect(await !form.validate())
    #expect(form.at("Other").codes == ["tooLarge"] && form.invalidCount == 1)
    other.value = 3
    #expect(form.at("Other").state == .valid)
    let oracle = Oracle(isOpen: true)
    let code = Field<String>("Code")
    let second = FormModel { code }
    code.require(oracle.rule())
    code.value = "LOWW"
    #expect(await second.submit {}.error as? FormError != nil)
    #expect(second.at("Code").codes == ["taken"])
  }

  // MARK: - Focus

  @Test("One field has the focus, and who loses it was touched")
  func focus() {
    let form = form(.onSubmit)
    let (size, other) = (form.at("Size"), form.at("Other"))
    #expect(form.focusedField == nil && !size.isFocused && !form.isTouched)
    size.focus()
    #expect(form.focusedField === size && size.isFocused && !size.isTouched)
    form.focusedField = other
    #expect(!size.isFocused && size.isTouched && !other.isTouched && form.isTouched)
    size.blur()
    #expect(form.focusedField === other)
    other.blur()
    #expect(form.focusedField == nil && other.isTouched)
  }

  @Test("A field of another form does not get the focus")
  func foreignFocus() {
    let form = form(.onSubmit)
    let foreign = FormModel { Field<Int>("Foreign") }
    form.at("Size").focus()
    form.focusedField = foreign.at("Foreign")
    #expect(form.focusedField === form.at("Size") && !form.at("Size").isTouched)
  }

  // MARK: - Asynchronous rules

  @Test("On change: it asks once the debounce is over, and says validating from the start")
  func debounce() async {
    let (naps, sleeps, oracle) = (Gate(), Recorder<Duration>(), Oracle(isOpen: true))
    // Sleeps end when the gate opens, so that none that begins late sleeps for ever.
    let time = TimeSource(
      now: { .distantPast }, uptime: { .seconds(5) },
      sleepUntilUptime: { deadline in
        sleeps.record(deadline)
        try await naps.waitUnlessCancelled()
      }, sleepUntilDate: { _ in })
    let code = Field<String>("Code", time: time)
      .require(.length(4)).require(oracle.rule(debounce: .seconds(1)))
    let form = FormModel(timing: .onChange) { code }
    let field = form.at("Code")
    field.text = "LO"
    #expect(field.state.isInvalid)
    field.text = "EPWA"
    #expect(field.state == .validating)
    await sleeps.elements(atLeast: 1)
    field.text = "LOWI"
    #expect(field.state == .validating)
    field.text = "LO"
    #expect(field.state.issues.map(\.code) == ["wrongLength"])
    field.text = "LOWW"
    #expect(field.state == .validating && oracle.asked.count == 0)
    naps.open()
    await waitForState(of: field) { $0 != .validating }
    #expect(field.codes == ["taken"] && oracle.asked.elements == ["LOWW"])
    #expect(sleeps.elements.allSatisfy { $0 == .seconds(6) })
  }

  @Test("A late answer about an older value is dropped", arguments: [true, false])
  func late(isTaken: Bool) async {
    let oracle = Oracle(taken: isTaken ? ["LOWW"] : ["EPWA"])
    let code = Field<String>("Code").require(.length(4)).require(oracle.rule())
    let form = FormModel(timing: .onChange) { code }
    let field = form.at("Code")
    field.text = "LOWW"
    await oracle.asked.elements(atLeast: 1)
    field.text = "EPWA"
    await oracle.asked.elements(atLeast: 2)
    oracle.answer("EPWA")
    await waitForState(of: field) { $0 != .validating }
    let state = field.state
    #expect(state.isInvalid == !isTaken)
    oracle.answer("LOWW")
    field.text = "E"
    #expect(field.codes == ["wrongLength"])
    field.text = "EPWA"
    await waitForState(of: field) { $0 != .validating }
    #expect(field.state == state)
  }
}
