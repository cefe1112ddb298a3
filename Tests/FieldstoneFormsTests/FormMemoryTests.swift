import FieldstoneCore
import FieldstoneFields
import FieldstoneForms
import FieldstoneTesting
import Testing

@Suite("Forms that are let go")
@MainActor
struct FormMemoryTests {
  @MainActor
  private final class Owner {
    let oracle = Oracle()
    let name = Field<String>("Name").require(.notBlank)
    let code: Field<String>
    let tags = *Field<String>("Tags")
    private(set) lazy var form = FormModel(timing: .onChange) {
      name
      code
      tags
    }

    init() {
      code = Field<String>("Code").require(oracle.rule())
    }
  }

  @Test("The form, its fields and its owner are released")
  func released() async throws {
    weak var form: FormModel?
    weak var shown: FormField?
    weak var field: Field<String>?
    weak var weakOwner: Owner?
    do {
      let owner = Owner()
      owner.form.require(owner.name, owner.code, at: owner.code) { $0 != $1 }
      owner.form.at("Name").focus()
      owner.form.at("Name").text = "a"
      owner.form.at("Tags").appendItem("b")
      owner.form.undo()
      owner.form.report([FieldIssue("x").at("Name")])
      _ = await owner.form.submit { throw FormRejection(["Name": "y"]) }
      owner.form.reset()
      (form, shown, field, weakOwner) = (owner.form, owner.form.at("Name"), owner.name, owner)
      #expect(form != nil && shown != nil && field != nil && weakOwner != nil)
    }
    #expect(form == nil && shown == nil && field == nil && weakOwner == nil)
  }

  @Test("Fields outlive their form, and are as good as without it")
  func fieldsStay() {
    let name = Field<String>("Name").require(.notBlank)
    var form: FormModel? = FormModel(timing: .onChange) { name }
    let weakForm = { [weak form] in form }
    let shown = form?.at("Name")
    form = nil
    #expect(weakForm() == nil)
    name.value = ""
    #expect(name.validationState == .unknown)
    #expect(name.validate().isInvalid && name.observerCount <= 1)
    shown?.text = "b"
    #expect(name.value == "b" && shown?.isFocused == false && shown?.messages == [])
    shown?.focus()
    shown?.blur()
    #expect(shown?.isTouched == true)
  }

  @Test("A form that is released cancels the question that it waits for")
  func cancelsQuestions() async {
    let cancelled = Gate()
    let asked = Gate()
    let code = Field<String>("Code").require(
      .asynchronous(debounce: .zero) { _ in
        asked.open()
        await withTaskCancellationHandler {
          await cancelled.wait()
        } onCancel: {
          cancelled.open()
        }
        return true
      })
    var form: FormModel? = FormModel(timing: .onChange) { code }
    form?.at("Code").text = "x"
    await asked.wait()
    #expect(code.validationState == .validating)
    form = nil
    await cancelled.wait()
    let heard = Recorder<Void>()
    let registration = code.observeValidation { _ in heard.record(()) }
    if code.validationState == .validating { await heard.elements(atLeast: 1) }
    #expect(code.validationState == .unknown)
    withExtendedLifetime(registration) {}
  }

  @Test("Of two forms of a field, the one that stays keeps its question")
  func otherFormStays() async {
    let oracle = Oracle()
    let code = Field<String>("Code").require(oracle.rule(heedsCancellation: true))
    let form = FormModel(timing: .onChange) { code }
    var second: FormModel? = FormModel(timing: .onChange) { code }
    code.value = "EPWA"
    await oracle.asked.elements(atLeast: 1)
    #expect(second?.at("Code").state == .validating)
    second = nil
    oracle.answer("EPWA")
    await waitForState(of: form.at("Code")) { $0 != .validating }
    #expect(form.at("Code").state == .valid && oracle.asked.count == 1)
  }

  @Test("A submit under way keeps the form until it has ended")
  func submitKeeps() async {
    let gate = Gate()
    var form: FormModel? = FormModel { Field<Int>("Size", value: 1) }
    let weakForm = { [weak form] in form }
    let begun = Recorder<Void>()
    let task = Task { [form] in
      begun.record(())
      return await form?.submit {
        await gate.wait()
        return 1
      }
    }
    await begun.elements(atLeast: 1)
    form = nil
    #expect(weakForm() != nil)
    gate.open()
    #expect(await task.value?.value == 1)
  }
}
