import FieldstoneCore
import FieldstoneFields
import FieldstoneForms
import FieldstoneScreens
import FieldstoneTesting
import Testing
import UIKit

@Suite("UIKit: a form view controller", .timeLimit(.minutes(20)))
@MainActor
struct FormViewControllerTests {
  final class Controller: FormViewController {
    var outcomes: [Outcome<Void>] = []
    var cancellations: [Bool] = []

    override func didSubmit(_ outcome: Outcome<Void>) {
      outcomes.append(outcome)
      cancellations.append(Task.isCancelled)
      super.didSubmit(outcome)
    }
  }

  /// Three fields, of which the last two are typed into and the first two have to be right.
  @MainActor
  final class Account {
    let terms = Field<Bool>("Terms", key: "terms")
    let name = Field<String>("Name", key: "name").require(.notBlank)
    let code = Field<String>("Code", key: "code").require(.notBlank)
    let form: FormModel

    init(timing: FormTiming = .onSubmit) {
      let (terms, name, code) = (terms, name, code)
      form = FormModel(timing: timing) {
        name
        terms
        code
      }
    }
  }

  private func line(_ label: String, in shown: Shown<Controller>) throws -> UITextField {
    try #require(shown.element("\(label), required", UITextField.self))
  }

  @Test("The return key goes to the next line, past what is not typed into, and ends at the last")
  func returnKey() throws {
    let account = Account()
    let shown = Shown(Controller(account.form) {})
    let (name, code) = (try line("Name", in: shown), try line("Code", in: shown))
    #expect(name.returnKeyType == .next && code.returnKeyType == .done)
    name.tap()
    name.pressReturn()
    #expect(code.isFirstResponder && account.form.focusedField === account.form["code"])
    #expect(account.form["name"]?.isTouched == true && account.form["code"]?.isTouched == false)
    code.pressReturn()
    #expect(!code.isFirstResponder && account.form.focusedField == nil)
    #expect(account.form["code"]?.isTouched == true)
  }

  @Test("Leaving a line validates it, where the form does so")
  func blur() async throws {
    let account = Account(timing: .onBlur)
    let shown = Shown(Controller(account.form) {})
    let name = try line("Name", in: shown)
    name.tap()
    name.type(" ")
    #expect(account.form.invalidCount == 0)
    name.pressReturn()
    await StandIn.until { shown.texts.contains("Name must not be blank") }
    #expect(name.accessibilityHint == "Name must not be blank")
  }

  @Test("Where the form puts the focus, the keyboard goes, and what it types into is scrolled to")
  func focus() async throws {
    let account = Account()
    account.form["code"]?.focus()
    let shown = Shown(Controller(account.form) {})
    let (name, code) = (try line("Name", in: shown), try line("Code", in: shown))
    #expect(code.isFirstResponder)
    let scrolled = shown.controller.scrollView.shown.count
    account.form["name"]?.focus()
    await StandIn.until { name.isFirstResponder }
    #expect(account.form.focusedField === account.form["name"])
    await StandIn.until { shown.controller.scrollView.shown.count > scrolled }
    account.form.focusedField = nil
    await StandIn.until { !name.isFirstResponder }
    // Assistive technology goes where no keyboard does.
    name.tap()
    account.form["terms"]?.focus()
    let toggle = try #require(shown.element("Terms", UISwitch.self))
    await StandIn.until {
      StandIn.posts.contains {
        $0.notification == .layoutChanged && ($0.argument as? UIView) === toggle
      }
    }
    #expect(!name.isFirstResponder && account.form.focusedField === account.form["terms"])
  }

  @Test("A failed submit goes to the first invalid field, says what is wrong there and once aloud")
  func invalid() async throws {
    let account = Account()
    account.name.value = "Ada"
    account.code.value = "  "
    let shown = Shown(Controller(account.form) { Issue.record("It was sent.") })
    let code = try line("Code", in: shown)
    try line("Name", in: shown).tap()
    shown.button("Save")?.tap()
    await StandIn.until { !shown.controller.outcomes.isEmpty }
    #expect(shown.controller.outcomes.first?.error as? FormError != nil)
    await StandIn.until { code.isFirstResponder }
    await StandIn.until { shown.texts.contains("Code must not be blank") }
    let announcement = try #require(account.form.announcement?.text)
    await StandIn.until { shown.announcements(with: announcement) == ["!" + announcement] }
    #expect(shown.alert == nil && shown.button("Save")?.isEnabled == true)
  }

  @Test("An announcement that was made before is not repeated when the form is shown")
  func oldAnnouncement() async {
    let account = Account()
    account.form.report([FieldIssue("is not 3317", code: "a")])
    _ = await account.form.submit { throw FormRejection(["": "is not 3317"]) }
    #expect(account.form.announcement?.text.contains("3317") == true)
    account.name.value = "Ada"
    account.code.value = "c"
    _ = await account.form.submit { throw FormRejection(["": "is not 3317"]) }
    let shown = Shown(Controller(account.form) {})
    #expect(shown.announcements(with: "3317").isEmpty)
  }

  @Test("While it is being submitted it says so, and can't be submitted again")
  func submitting() async throws {
    let account = Account()
    account.name.value = "Ada"
    account.code.value = "c"
    let gate = Gate()
    let shown = Shown(Controller(account.form) { await gate.wait() })
    let button = try #require(shown.button("Save"))
    let name = try line("Name", in: shown)
    name.tap()
    button.tap()
    await gate.arrivals(atLeast: 1)
    #expect(!name.isFirstResponder)
    await StandIn.until { button.configuration?.title == "Saving…" }
    #expect(!button.isEnabled && button.configuration?.showsActivityIndicator == true)
    #expect(button.accessibilityLabel == "Saving…")
    shown.controller.submit()
    button.tap()
    gate.open()
    await StandIn.until { !shown.controller.outcomes.isEmpty }
    await StandIn.until { button.isEnabled }
    #expect(shown.controller.cancellations == [false])
    #expect(gate.arrivalCount == 1 && shown.controller.outcomes.count == 1)
    #expect(shown.controller.outcomes.first?.value != nil)
    #expect(button.configuration?.title == "Save" && account.form.phase == .submitted)
    shown.controller.submit()
    await StandIn.until { shown.controller.outcomes.count == 2 }
    #expect(gate.arrivalCount == 2)
  }

  @Test("What others refuse is shown at the fields, and what belongs to none above the button")
  func rejection() async throws {
    let account = Account()
    account.name.value = "Ada"
    account.code.value = "c"
    let shown = Shown(
      Controller(account.form) {
        throw FormRejection(["code": "is taken", "": "Nobody may do that today."])
      })
    shown.controller.submit()
    await StandIn.until { shown.texts.contains("Code is taken") }
    await StandIn.until { shown.texts.contains("Nobody may do that today.") }
    #expect(shown.texts.last == "Nobody may do that today.")
    await StandIn.until { (try? line("Code", in: shown))?.isFirstResponder == true }
    #expect(shown.alert == nil)
    try line("Code", in: shown).type("d")
    await StandIn.until { !shown.texts.contains("Code is taken") }
  }

  @Test("A second refused submit leads to the first invalid field again, also if it has the focus")
  func refusedTwice() async throws {
    let terms = Field<Bool>("Terms 4714", key: "terms").require(.notNil)
    let form = FormModel {
      terms
      Field<String>("Name", key: "name")
    }
    let shown = Shown(Controller(form) { Issue.record("It was sent.") })
    let toggle = try #require(shown.element("Terms 4714, required", UISwitch.self))
    func posts() -> Int {
      StandIn.posts.filter {
        $0.notification == .layoutChanged && ($0.argument as? UIView) === toggle
      }.count
    }
    for count in 1...2 {
      let scrolled = shown.controller.scrollView.shown.count
      shown.controller.submit()
      await StandIn.until { shown.announcements(with: "Terms 4714").count == count }
      #expect(form.focusedField?.key == "terms")
      #expect(posts() == count && shown.controller.scrollView.shown.count == scrolled + 1)
    }
  }

  @Test("An error of no field does not move the focus from where the user is")
  func refusedElsewhere() async throws {
    let account = Account()
    account.name.value = "Ada"
    account.code.value = "c"
    let gate = Gate()
    let shown = Shown(
      Controller(account.form) {
        await gate.wait()
        throw FormRejection(["": "There are 4715 of you."])
      })
    shown.controller.submit()
    await gate.arrivals(atLeast: 1)
    try line("Name", in: shown).tap()
    await StandIn.until { !shown.controller.scrollView.shown.isEmpty }
    let scrolled = shown.controller.scrollView.shown.count
    gate.open()
    await StandIn.until { !shown.announcements(with: "4715").isEmpty }
    #expect(try line("Name", in: shown).isFirstResponder)
    #expect(shown.controller.scrollView.shown.count == scrolled)
  }

  @Test("A rejection that no issue shows is a dialog", arguments: [true, false])
  func plainRejection(isLate: Bool) async throws {
    let account = Account()
    account.name.value = "Ada"
    account.code.value = "c"
    let gate = Gate()
    let shown = Shown(
      Controller(account.form) {
        await gate.wait()
        throw FormRejection(isLate ? ["code": "is taken"] : [:])
      })
    shown.controller.submit()
    await gate.arrivals(atLeast: 1)
    // The issue of a value that was edited meanwhile is dropped.
    if isLate { account.code.value = "d" }
    gate.open()
    await StandIn.until { shown.controller.outcomes.count == 1 }
    await StandIn.until { shown.settledAlert != nil }
    #expect(shown.alert?.message?.hasPrefix("The values were refused") == true)
    #expect(shown.alert?.message?.contains("is taken") == isLate)
  }

  @Test("A rejection of values that a fill has replaced is not shown")
  func rejectionOfOthers() async throws {
    let account = Account()
    account.name.value = "Ada"
    account.code.value = "c"
    let gate = Gate()
    let shown = Shown(
      Controller(account.form) {
        await gate.wait()
        throw FormRejection(["code": "is taken"])
      })
    shown.controller.submit()
    await gate.arrivals(atLeast: 1)
    try account.form.fill(values: ["name": "Grace", "code": "d"])
    gate.open()
    await StandIn.until { shown.controller.outcomes.count == 1 }
    // A dialog would be presented in one of the next turns.
    for _ in 0..<20 { await Task.yield() }
    #expect(shown.alert == nil && account.form["code"]?.issues.isEmpty == true)
  }

  @Test("Any other error is shown as a dialog, and a cancellation is not")
  func otherErrors() async {
    let account = Account()
    account.name.value = "Ada"
    account.code.value = "c"
    let error = Locked<any Error>(CancellationError())
    let shown = Shown(Controller(account.form, sending: { throw error.withLock { $0 } }))
    shown.controller.submit()
    await StandIn.until { shown.controller.outcomes.count == 1 }
    #expect(shown.controller.outcomes.first?.cancellation == .caller)
    error.withLock { $0 = MessageError("no network") }
    shown.controller.submit()
    await StandIn.until { shown.settledAlert?.message == "no network" }
    shown.alert?.choose("OK")
    await StandIn.until { shown.alert == nil }
    #expect(shown.controller.outcomes.count == 2)
  }

  @Test("It ends above the keyboard, and what is in it scrolls")
  func keyboard() throws {
    let shown = Shown(Controller(Account().form) {})
    let view = try #require(shown.controller.view)
    let scroll = shown.controller.scrollView
    let bottom = view.constraints.filter { $0.firstItem === scroll && $0.sides.0 == "bottom" }
    #expect(bottom.count == 1 && bottom.first?.secondItem === view.keyboardLayoutGuide)
    #expect(bottom.first?.sides.1 == "top")
    #expect(shown.controller.stack.isDescendant(of: scroll))
    #expect(scroll.keyboardDismissMode == .interactive)
  }

  @Test("Texts can be replaced, and the issues follow the form's language")
  func texts() async throws {
    let account = Account()
    account.name.value = " "
    let controller = Controller(account.form) {}
    controller.texts.submit = "Sichern"
    let shown = Shown(controller)
    #expect(shown.button("Sichern") != nil)
    shown.controller.submit()
    await StandIn.until { shown.texts.contains("Name must not be blank") }
    account.form.language = .german
    await StandIn.until { !shown.texts.contains("Name must not be blank") }
  }

  @Test("Released while it is being submitted, it ends that; nothing keeps it alive")
  func release() async {
    let account = Account()
    account.name.value = "Ada"
    account.code.value = "c"
    let (gate, ends) = (Gate(), Recorder<Bool>())
    weak var controller: Controller?
    do {
      let shown = Shown(
        Controller(
          account.form,
          sending: {
            do { try await gate.waitUnlessCancelled() } catch {
              ends.record(Task.isCancelled)
              throw error
            }
          }))
      controller = shown.controller
      shown.controller.submit()
      await gate.arrivals(atLeast: 1)
    }
    #expect(await ends.elements(atLeast: 1) == [true])
    #expect(controller == nil)
  }

  @Test("A form's own way to submit is used, whatever it returns")
  func ownSubmit() async {
    let account = Account()
    account.name.value = "Ada"
    account.code.value = "c"
    let shown = Shown(
      Controller(account.form, submit: { await account.form.submit { account.name.value ?? "" } }))
    shown.controller.submit()
    await StandIn.until { shown.controller.outcomes.count == 1 }
    #expect(shown.controller.outcomes.first?.value != nil && account.form.phase == .submitted)
  }

  @Test("It can't come out of a storyboard")
  func storyboard() {
    #expect(FormViewController(coder: NSCoder()) == nil)
  }
}
