import FieldstoneCore
import FieldstoneFields
import FieldstoneForms
import FieldstoneScreens
import FieldstoneTesting
import SwiftUI
import Testing

@Suite("The items of a field in a form of SwiftUI")
@MainActor
struct FormItemRowsTests {
  private let first = Field<String>("First")
  private let tags = ArrayField(
    Field<String>("Tag").require(.length(...5)), name: "Tag", value: ["a", "b"])

  private func host(_ form: FormModel, sent: Recorder<Void> = Recorder()) -> ViewHost<FormView> {
    ViewHost(FormView(FormScreenModel(form) { sent.record(()) }))
  }

  @Test("Secret items are hidden as they are typed, and nothing corrects them")
  func secrets() throws {
    let codes = ArrayField(
      Field<String>("Code").presented(as: .secure), name: "Code", value: ["s3cret", "0ther"])
    let form = FormModel {
      codes; first
    }
    let host = host(form)
    #expect(host.all("TextField").map(\.name) == ["First"])
    let lines = host.all("SecureField")
    #expect(lines.map(\.name) == ["Code 1", "Code 2", "New item of Code"])
    #expect(lines.allSatisfy { $0.modifiers["autocorrectionDisabled"] == "true" })
    #expect(lines.allSatisfy { $0.modifiers["textInputAutocapitalization"] == "never" })
    try host.type("changed", into: "Code 1", kind: "SecureField")
    try host.type("third", into: "New item of Code", kind: "SecureField")
    try host.pressReturn()
    #expect(codes.value == ["changed", "0ther", "third"])
  }

  @Test("The return key goes from item to item, and from the last one to the line for a new one")
  func returnKey() throws {
    let sent = Recorder<Void>()
    let form = FormModel {
      first; tags
    }
    let host = host(form, sent: sent)
    try host.focus("TextField", "Tag 1")
    try host.pressReturn()
    #expect(host.focused?.name == "Tag 2")
    try host.pressReturn()
    #expect(host.focused?.name == "New item of Tag")
    #expect(sent.count == 0 && form.phase == .editing && form.focusedField === form[tags])
  }

  @Test("Above a pad, Next goes from item to item, in the last field, too")
  func pad() throws {
    let phones = ArrayField(
      Field<String>("Phone").presented(as: .phone), name: "Phone", value: ["1", "2"])
    let host = host(FormModel { phones })
    try host.focus("TextField", "Phone 1")
    try host.tap("Button", "Next")
    #expect(host.focused?.name == "Phone 2")
    try host.tap("Button", "Next")
    #expect(host.focused?.name == "New item of Phone")
    #expect(host.find("Button", "Next") == nil)
  }

  @Test(
    "The text in the line for a new item is added when the line is left, and by a submit",
    .timeLimit(.minutes(20)))
  func newItem() async throws {
    let sent = Recorder<Void>()
    let form = FormModel {
      first; tags
    }
    let host = host(form, sent: sent)
    try host.type("left", into: "New item of Tag")
    try host.focus("TextField", "First")
    #expect(tags.value == ["a", "b", "left"])
    #expect(host.find("TextField", "New item of Tag")?.value == "")
    try host.type("sent", into: "New item of Tag")
    try host.tap("Button", "Save")
    await sent.elements(atLeast: 1)
    #expect(tags.value == ["a", "b", "left", "sent"])
  }

  @Test("A new item that can't be read says so once, and the form is not submitted without it")
  func unreadableNewItem() throws {
    let sent = Recorder<Void>()
    let counts = ArrayField(Field<Int>("Count"), name: "Count", value: [1])
    let form = FormModel {
      first; counts
    }
    let host = host(form, sent: sent)
    try host.type("two", into: "New item of Count")
    try host.focus("TextField", "First")
    #expect(host.find("TextField", "New item of Count")?.value == "two")
    try host.tap("Button", "Save")
    #expect(form.phase == .editing && sent.count == 0 && counts.value == [1])
    #expect(form[counts]?.issues.count == 1 && form.focusedField === form[counts])
    #expect(host.words.contains("Count must be a whole number, such as 12"))
  }

  @Test("The issue of a new item goes when its line is emptied or gets another text")
  func refusedItem() throws {
    let counts = ArrayField(Field<Int>("Count"), name: "Count", value: [1])
    let form = FormModel {
      first; counts
    }
    let host = host(form)
    for text in ["", "three"] {
      try host.type("two", into: "New item of Count")
      try host.focus("TextField", "First")
      #expect(form.invalidCount == 1)
      try host.type(text, into: "New item of Count")
      #expect(form.invalidCount == 0 && form[counts]?.issues.isEmpty == true)
    }
    try host.type("", into: "New item of Count")
    try host.focus("TextField", "First")
    #expect(form.invalidCount == 0 && !host.words.contains("whole number"))
  }

  @Test("An item that was left is touched")
  func touched() throws {
    let form = FormModel {
      tags; first
    }
    let host = host(form)
    try host.focus("TextField", "Tag 1")
    #expect(form[tags]?.items.map(\.isTouched) == [false, false])
    try host.focus("TextField", "Tag 2")
    #expect(form[tags]?.items.map(\.isTouched) == [true, false])
    host.unfocus()
    #expect(form[tags]?.items.map(\.isTouched) == [true, true])
  }

  @Test("A list makes the text of each item a few times, however many there are")
  func texts() {
    let count = 300
    let printed = Locked(0)
    let element = Field<Int>("Number").text(
      as: FieldTextFormat {
        Int($0)
      } print: { number in
        printed.withLock { $0 += 1 }
        return "\(number)"
      })
    let numbers = ArrayField(element, name: "Number", value: Array(0..<count))
    let host = host(FormModel { numbers })
    #expect(host.find("TextField", "Number 300")?.value == "299")
    #expect(printed.withLock { $0 } <= 20 * count)
  }
}
