import FieldstoneCore
import FieldstoneFields
import FieldstoneForms
import FieldstoneTesting
import Testing

@Suite("Rules of items in a form")
struct FormAsyncItemTests {
  struct Trouble: Error {}

  private func paths(_ tags: ArrayField<String>) -> [String] {
    tags.issues.map { $0.path.joined(separator: ".") + " " + $0.code }
  }

  @Test("Only what is new or has another value is asked about again, also after a failure between")
  @MainActor func asksWhatChanged() async throws {
    let asked = Recorder<String>()
    let element = Field<String>("Tag").require(.notBlank).require(
      .asynchronous("is taken", code: "taken") { tag in
        asked.record(tag)
        return tag != "b"
      })
    let tags = *element
    let form = FormModel(timing: .onChange) { tags }
    func settle() async -> [String] {
      await form.validate()
      return paths(tags)
    }
    tags.value = ["a", "b", "c"]
    #expect(await settle() == ["1 taken"])
    #expect(asked.elements.sorted() == ["a", "b", "c"])

    // What was bad is asked about anew by a validation of all, what was good is not.
    try tags.replace(at: 2, with: "d")
    #expect(await settle() == ["1 taken"])
    #expect(asked.elements.dropFirst(3).sorted() == ["b", "d"])
    try tags.replace(at: 1, with: "e")
    #expect(await settle() == [])
    #expect(asked.elements.dropFirst(5) == ["e"])
    try tags.move(from: 0, to: 2)
    tags.append("f")
    try tags.remove(at: 0)
    #expect(await settle() == [])
    #expect(asked.elements.dropFirst(6) == ["f"])
    try tags.replace(at: 0, with: " ")
    #expect(await settle() == ["0 blank"])
    try tags.replace(at: 0, with: "g")
    #expect(await settle() == [])
    #expect(asked.elements.dropFirst(7) == ["g"])
    try? Fields.transaction {
      tags.value = ["x"]
      throw Trouble()
    }
    #expect(await settle() == [] && asked.count == 8)

    // Another rule is a question about all of them.
    element.require(.asynchronous { $0 != "f" })
    try tags.replace(at: 0, with: "h")
    #expect(await settle() == ["2 invalid"])
    #expect(asked.elements.dropFirst(8).sorted() == ["a", "f", "h"])
    // And so is being asked by hand.
    #expect(await tags.validateAll().issues.map(\.path) == [["2"]])
    #expect(asked.count == 14)
  }

  @Test("A form that validates on change asks about the item that was edited")
  @MainActor func asksOnChange() async throws {
    let (asked, time) = (Recorder<String>(), ManualTime())
    let tags = ArrayField(
      Field<String>("Tag").require(
        .asynchronous("is taken", code: "taken") { tag in
          asked.record(tag)
          return tag != "b"
        }), name: "Tags", time: time.source)
    let form = FormModel(timing: .onChange) { tags }
    tags.value = ["a", "b"]
    await form.validate()
    let field = form.at("Tags")
    field.setText("c", of: field.items[0].id)
    #expect(tags.validationState == .validating && paths(tags) == ["1 taken"])
    await time.sleepers(atLeast: 1)
    time.advance(by: .milliseconds(300))
    await asked.elements(atLeast: 3)
    #expect(asked.elements.dropFirst(2) == ["c"])
    // Submitting asks again about what was not good, also while others are asked about.
    field.setText("d", of: field.items[0].id)
    #expect(await !form.validate())
    #expect(asked.elements.filter { $0 == "b" }.count == 2 && paths(tags) == ["1 taken"])
  }

  @Test("A second rule about items is asked by the next submit")
  @MainActor func secondRule() async {
    let tags = *Field<String>("Tag").require(.asynchronous { _ in true })
    let form = FormModel { tags }
    tags.value = ["a"]
    #expect(await form.submit({}).error == nil)
    tags.element.require(.asynchronous("is late", code: "late") { $0 != "a" })
    #expect(tags.validationState == .unknown)
    #expect(await form.submit({}).error != nil)
    #expect(paths(tags) == ["0 late"])
  }
}
