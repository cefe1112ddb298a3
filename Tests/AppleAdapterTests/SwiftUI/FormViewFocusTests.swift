import FieldstoneCore
import FieldstoneFields
import FieldstoneForms
import FieldstoneScreens
import FieldstoneTesting
import SwiftUI
import Testing

@Suite("The focus in a form of SwiftUI")
@MainActor
struct FormViewFocusTests {
  private let first = Field<String>("First").require(.notBlank)
  private let isOn = Field<Bool>("On").require(.notNil)
  private let last = Field<String>("Last")
  private let tags = *Field<String>("Tag")

  private func host(_ form: FormModel, sent: Recorder<Void> = Recorder()) -> ViewHost<FormView> {
    ViewHost(FormView(FormScreenModel(form) { sent.record(()) }))
  }

  @Test("It goes where the form says, from the first look on", .timeLimit(.minutes(20)))
  func form() async {
    let form = FormModel {
      first; last
    }
    form.focusedField = form[last]
    let host = host(form)
    await host.wait { $0.find("TextField", "Last")?.isFocused == true }
    form.focusedField = form[first]
    await host.wait { $0.find("TextField", "First")?.isFocused == true }
    #expect(host.find("TextField", "Last")?.isFocused == false)
    form.focusedField = nil
    await host.wait { $0.focused == nil }
  }

  @Test("The form hears where the person goes, and what was left is touched")
  func person() throws {
    let form = FormModel(timing: .onBlur) {
      first; last
    }
    let host = host(form)
    try host.focus("TextField", "First")
    #expect(form.focusedField === form[first] && form[first]?.isTouched == false)
    try host.focus("TextField", "Last")
    #expect(form.focusedField === form[last] && form[first]?.isTouched == true)
    #expect(host.words.contains("First is required"))
    host.unfocus()
    #expect(form.focusedField == nil && form[last]?.isTouched == true)
    // Where the person went by hand, assistive technology is already.
    #expect(host.spokenFocused == nil)
  }

  @Test(
    "The return key goes to the next field that is typed into, and submits in the last one",
    .timeLimit(.minutes(20)))
  func returnKey() async throws {
    let sent = Recorder<Void>()
    let form = FormModel {
      first; isOn; last
    }
    isOn.value = true
    let host = host(form, sent: sent)
    #expect(host.find("TextField", "First")?.modifiers["submitLabel"] == "next")
    #expect(host.find("TextField", "Last")?.modifiers["submitLabel"] == "done")
    try host.type("a", into: "First")
    try host.pressReturn()
    #expect(form.focusedField === form[last])
    await host.wait { $0.find("TextField", "Last")?.isFocused == true }
    #expect(sent.count == 0)
    try host.pressReturn()
    await sent.elements(atLeast: 1)
  }

  @Test(
    "A control that can't have the keyboard's focus is found by assistive technology",
    .timeLimit(.minutes(20)))
  func toggle() async throws {
    let form = FormModel {
      first; isOn
    }
    let host = host(form)
    try host.type("a", into: "First")
    try host.tap("Button", "Save")
    await host.wait { $0.words.contains("On is required") && $0.spokenFocused?.name == "On" }
    #expect(form.focusedField === form[isOn])
    #expect(host.scrolledTo.last == form[isOn].map { AnyHashable($0.id) })
    #expect(host.focused == nil)
  }

  @Test(
    "A second refused submit leads to the first invalid field again, also if it has the focus",
    .timeLimit(.minutes(20)))
  func refusedTwice() async throws {
    let form = FormModel {
      isOn
      last
    }
    let host = host(form)
    try host.tap("Button", "Save")
    await host.wait { $0.spokenFocused?.name == "On" }
    host.unfocusSpeech()
    let scrolled = host.scrolledTo.count
    try host.tap("Button", "Save")
    await host.wait { _ in form.announcement?.id == 2 }
    host.update()
    try #require(host.scrolledTo.count > scrolled)
    #expect(host.scrolledTo.last == form[isOn].map { AnyHashable($0.id) })
    await host.wait { $0.spokenFocused?.name == "On" }
    // In a field with the keyboard, which stays the user's to put away.
    isOn.value = true
    last.require(.notBlank)
    try host.type(" ", into: "Last")
    try host.tap("Button", "Save")
    await host.wait { $0.spokenFocused?.name == "Last" }
    #expect(host.find("TextField", "Last")?.isFocused == true)
    host.unfocus()
    #expect(form.focusedField == nil)
  }

  @Test(
    "Items are typed, added by the return key or the button, and removed", .timeLimit(.minutes(20)))
  func items() async throws {
    tags.value = ["a"]
    let form = FormModel {
      tags
      last
    }
    let host = host(form)
    try host.type("A", into: "Tag 1")
    try host.type("b", into: "New item of Tag")
    try host.pressReturn()
    #expect(tags.value == ["A", "b"])
    #expect(host.find("TextField", "New item of Tag")?.value == "")
    // The key takes the keyboard away, which comes back for the next item.
    await host.wait { $0.find("TextField", "New item of Tag")?.isFocused == true }
    #expect(form.focusedField === form[tags])
    try host.type("c", into: "New item of Tag")
    try host.tap("Button", "Add to Tag")
    #expect(tags.value == ["A", "b", "c"])
    try host.focus("TextField", "Tag 1")
    try host.tap("Button", "Remove Tag 1")
    #expect(tags.value == ["b", "c"] && host.find("TextField", "Tag 1")?.value == "b")
    #expect(form.focusedField === form[tags])
    // Nothing is no item.
    try host.tap("Button", "Add to Tag")
    #expect(tags.value == ["b", "c"])
  }

  @Test("A new item that is typed but not added goes with what was edited, also by the next focus")
  func itemOfOtherValues() throws {
    let form = FormModel {
      tags
      last
    }
    let host = host(form)
    try host.type("vip", into: "New item of Tag")
    form.reset()
    host.update()
    #expect(host.find("TextField", "New item of Tag")?.value == "")
    try host.focus("TextField", "Last")
    #expect(tags.value?.isEmpty ?? true)
  }

  @Test(
    "An item that can't be read stays, says so, and is the one that gets the focus",
    .timeLimit(.minutes(20)))
  func unreadableItem() async throws {
    let counts = *Field<Int>("Count")
    counts.value = [1, 2]
    let form = FormModel {
      counts; last
    }
    let host = host(form)
    #expect(host.find("TextField", "Count 1")?.modifiers["keyboardType"] == "numbersAndPunctuation")
    try host.type("two", into: "Count 2")
    let item = try #require(host.find("TextField", "Count 2"))
    #expect(item.value == "two" && counts.value == [1, 2])
    #expect(item.accessibilityHint == "Count 2 must be a whole number, such as 12")
    try host.type("three", into: "New item of Count")
    try host.pressReturn()
    #expect(host.find("TextField", "New item of Count")?.value == "three")
    #expect(counts.value == [1, 2])
    form.focusedField = form[last]
    await host.wait { $0.find("TextField", "Last")?.isFocused == true }
    form.focusedField = form[counts]
    await host.wait { $0.find("TextField", "Count 2")?.isFocused == true }
  }

  @Test(
    "In a long form the row is scrolled to before its control gets the focus",
    .timeLimit(.minutes(20)))
  func longForm() async throws {
    let fields = (1...40).map { Field<String>("Field \($0)") }
    let form = FormModel {
      FormSection("Many") { for field in fields { field } }
    }
    let host = host(form)
    #expect(host.find("TextField", "Field 30") == nil)
    form.focusedField = form[fields[29]]
    await host.wait { $0.find("TextField", "Field 30")?.isFocused == true }
    #expect(form.focusedField === form[fields[29]])
    #expect(host.scrolledTo.last == form[fields[29]].map { AnyHashable($0.id) })
    // The person leaves it.
    host.unfocus()
    #expect(form.focusedField == nil && form[fields[29]]?.isTouched == true)
    // Who goes elsewhere meanwhile stays there.
    form.focusedField = form[fields[39]]
    try host.focus("TextField", "Field 1")
    await host.wait { $0.find("TextField", "Field 40") != nil }
    #expect(form.focusedField === form[fields[0]])
    #expect(host.find("TextField", "Field 1")?.isFocused == true)
  }

  @Test(
    "Among several lines the return key begins another one, and a bar goes on",
    .timeLimit(.minutes(20)))
  func severalLines() async throws {
    let sent = Recorder<Void>()
    let notes = Field<String>("Notes").presented(as: .multiline(lines: 2))
    let form = FormModel {
      first
      notes
    }
    let host = host(form, sent: sent)
    try host.type("a", into: "First")
    #expect(host.find("Toolbar")?.children.isEmpty == true)
    try host.type("b", into: "Notes", kind: "TextEditor")
    try host.pressReturn()
    #expect(notes.value == "b\n" && form.phase == .editing && sent.count == 0)
    #expect(host.find("Button", "Next") == nil)
    try host.tap("Button", "Done")
    #expect(host.focused == nil && form.focusedField == nil)
  }

  @Test(
    "Above a pad there is a bar with Next and Done, and a tap beside the controls ends editing",
    .timeLimit(.minutes(20)))
  func pad() async throws {
    let phone = Field<String>("Phone").presented(as: .phone)
    let form = FormModel {
      phone
      last
    }
    let host = host(form)
    // Without a keyboard there is no gesture in the way of others.
    #expect(!host.takesTapsBeside("Text", "Phone"))
    try host.focus("TextField", "Phone")
    #expect(host.takesTapsBeside("Text", "Phone"))
    #expect(host.find("Toolbar")?.modifiers["placement"] == "keyboard")
    try host.tap("Button", "Next")
    await host.wait { $0.find("TextField", "Last")?.isFocused == true }
    #expect(host.find("Button", "Done") == nil)
    try host.tapBeside("Text", "Phone")
    #expect(host.focused == nil && form.focusedField == nil)
  }
}
