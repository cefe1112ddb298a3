import FieldstoneCore
import FieldstoneFields
import FieldstoneForms
import FieldstoneScreens
import FieldstoneTesting
import Foundation
import Testing
import UIKit

@Suite("UIKit: the keyboard over a form", .timeLimit(.minutes(20)))
@MainActor
struct FormKeyboardTests {
  let phone = Field<String>("Phone").presented(as: .phone)
  let notes = Field<String>("Notes").presented(as: .multiline(lines: 2))
  let numbers = *Field<String>("Numbers").presented(as: .phone)
  let name = Field<String>("Name")

  private func bar(_ view: UIView?) throws -> UIToolbar {
    try #require(view?.inputAccessoryView as? UIToolbar)
  }

  @Test("Where no key goes on there is a bar, with Next unless it is the last")
  func bars() throws {
    let form = FormModel {
      phone
      name
      notes
    }
    let controller = FormViewController(form) {}
    controller.texts.next = "Weiter"
    let shown = Shown(controller)
    let line = try #require(shown.element("Phone", UITextField.self))
    let box = try #require(shown.element("Notes", UITextView.self))
    let plain = try #require(shown.element("Name", UITextField.self))
    #expect(plain.inputAccessoryView == nil)
    line.tap()
    try bar(line).item("Weiter")?.tap()
    #expect(plain.isFirstResponder && form.focusedField === form[name])
    box.becomeFirstResponder()
    #expect(try bar(box).item("Weiter") == nil)
    box.pressReturn()
    #expect(notes.value == "\n" && box.isFirstResponder)
    try bar(box).item("Done")?.tap()
    #expect(!box.isFirstResponder && form.focusedField == nil)
  }

  @Test("A box of several lines grows with its text, and what scrolls is the form")
  func growth() throws {
    let shown = Shown(FormViewController(FormModel { notes }) {})
    let box = try #require(shown.element("Notes", UITextView.self))
    #expect(!box.isScrollEnabled && shown.controller.scrollView.isScrollEnabled)
  }

  @Test("Each line of several values has the bar")
  func items() throws {
    numbers.value = ["1"]
    let shown = Shown(FormViewController(FormModel { numbers }) {})
    let lines = shown.visible(UITextField.self)
    #expect(lines.count == 2 && lines.allSatisfy { $0.inputAccessoryView is UIToolbar })
    lines[0].tap()
    try bar(lines[0]).item("Done")?.tap()
    #expect(!lines[0].isFirstResponder)
  }

  @Test("A tap beside the controls ends editing")
  func tapBeside() throws {
    let shown = Shown(FormViewController(FormModel { name }) {})
    let line = try #require(shown.element("Name", UITextField.self))
    line.tap()
    #expect(line.isFirstResponder)
    let label = try #require(shown.visible(UILabel.self).first)
    label.touchesEnded([UITouch()], with: nil)
    #expect(!line.isFirstResponder)
  }

  @Test(
    "A date is picked as a day, as a time, or as both",
    arguments: [
      (FieldKind.date, UIDatePicker.Mode.dateAndTime), (.day, .date), (.time, .time),
    ])
  func dates(kind: FieldKind, mode: UIDatePicker.Mode) throws {
    let date = Field<Date>("When").presented(as: kind)
    date.value = Date(timeIntervalSince1970: 0)
    let shown = Shown(FormViewController(FormModel { date }) {})
    let picker = try #require(shown.element("When", UIDatePicker.self))
    #expect(picker.datePickerMode == mode)
    let picked = Date(timeIntervalSince1970: 60)
    picker.pick(picked)
    let read: Date? =
      switch kind {
      case .day: try FieldTextFormat<Date>.day().parse(FieldTextFormat<Date>.day().print(picked))
      case .time: try FieldTextFormat<Date>.time().parse(FieldTextFormat<Date>.time().print(picked))
      default: picked
      }
    #expect(date.value == read)
  }

  @Test(
    "A date that is picked or set for the first time is what its text is read as, and shown so",
    arguments: [(FieldKind.day, 1_770_044_400.0), (.time, 946_689_300)])
  func picked(kind: FieldKind, seconds: Double) async throws {
    let tokyo = try #require(TimeZone(identifier: "Asia/Tokyo"))
    let date = Field<Date>("When").presented(as: kind)
      .transform(with: .date(format: "yyyy-MM-dd", timeZone: tokyo))
    let controller = FormViewController(FormModel { date }) {}
    // 2026-02-03, 10:15:30.
    let now = Date(timeIntervalSince1970: 1_770_081_330)
    controller.time = ManualTime(now: now).source
    let shown = Shown(controller)
    shown.button("Set date")?.tap()
    let read = Date(timeIntervalSince1970: seconds)
    #expect(date.value == read)
    date.value = nil
    await StandIn.until { shown.button("Set date") != nil }
    date.value = .distantPast
    await StandIn.until { shown.element("When", UIDatePicker.self) != nil }
    let picker = try #require(shown.element("When", UIDatePicker.self))
    picker.pick(now)
    #expect(date.value == read)
    await StandIn.until { picker.date == read }
  }

  @Test("The keyboard of a view that is not the form's stays when a field is left for it")
  func foreignKeyboard() async throws {
    let form = FormModel {
      name
      phone
    }
    let shown = Shown(FormViewController(form) {})
    let line = try #require(shown.element("Name", UITextField.self))
    let search = UITextField(frame: .zero)
    shown.controller.view.addSubview(search)
    line.tap()
    // The rows follow later than the form's focus.
    name.value = "Ada"
    await StandIn.until { line.text == "Ada" }
    search.tap()
    #expect(form.focusedField == nil)
    name.value = "Grace"
    await StandIn.until { line.text == "Grace" }
    #expect(search.isFirstResponder)
    // The form takes the keyboard away from its own lines only.
    line.tap()
    form.focusedField = nil
    await StandIn.until { !line.isFirstResponder }
  }

  @Test("Nothing corrects or replaces what has to stay as it is typed")
  func verbatim() throws {
    let code = Field<String>("Code").presented(contentType: .oneTimeCode)
    let lines = Field<String>("Lines").presented(as: .multiline(lines: 2), keyboard: .ascii)
    let prose = Field<String>("Prose").presented(as: .multiline(lines: 2))
    let shown = Shown(
      FormViewController(
        FormModel {
          code; lines; name; prose
        }
      ) {})
    let (line, box) = (
      try #require(shown.element("Code", UITextField.self)),
      try #require(shown.element("Lines", UITextView.self))
    )
    #expect(line.smartQuotesType == .no && line.smartDashesType == .no)
    #expect(line.smartInsertDeleteType == .no && line.spellCheckingType == .no)
    #expect(box.smartQuotesType == .no && box.smartDashesType == .no)
    #expect(box.smartInsertDeleteType == .no && box.spellCheckingType == .no)
    let text = try #require(shown.element("Name", UITextField.self))
    #expect(text.smartQuotesType == .default && text.spellCheckingType == .default)
    let free = try #require(shown.element("Prose", UITextView.self))
    #expect(free.smartDashesType == .default && free.spellCheckingType == .default)
  }
}
