import FieldstoneCore
import FieldstoneFields
import FieldstoneForms
import FieldstoneScreens
import FieldstoneTesting
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
    picker.pick(Date(timeIntervalSince1970: 60))
    #expect(date.value == Date(timeIntervalSince1970: 60))
  }
}
