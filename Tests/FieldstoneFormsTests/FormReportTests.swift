import FieldstoneCore
import FieldstoneFields
import FieldstoneForms
import FieldstoneTesting
import Testing

@Suite("What others report")
@MainActor
struct FormReportTests {
  private let name = Field<String>("Name", value: "Wien")
  private let size = Field<Int>("Size", value: 1)
  private let tags = ArrayField(Field<String>("Tag"), name: "Tags", value: ["a", "b"])
  private let form: FormModel

  init() {
    let (name, size, tags) = (name, size, tags)
    form = FormModel {
      name; size; tags
    }
  }

  @Test("Each source speaks for itself")
  func sources() {
    form.report([FieldIssue("is taken").at("Name"), FieldIssue("is slow")], from: "server")
    form.report([FieldIssue("is rude").at("Name"), FieldIssue("is late")], from: "checker")
    #expect(form.at("Name").messages == ["is rude", "is taken"])
    #expect(form.issues.map(\.text) == ["is late", "is slow"])
    form.report([FieldIssue("is short").at("Name")], from: "server")
    #expect(form.at("Name").messages == ["is rude", "is short"])
    #expect(form.issues.map(\.text) == ["is late"])
    form.removeReports(from: "checker")
    #expect(form.at("Name").messages == ["is short"] && form.issues.isEmpty)
    form.report([], from: "server")
    #expect(form.at("Name").issues.isEmpty)
    form.report([FieldIssue("x").at("Name"), FieldIssue("y")], from: "a")
    form.removeReports(from: "nobody")
    #expect(form.issues.count == 1)
    form.removeReports()
    #expect(form.at("Name").issues.isEmpty && form.issues.isEmpty)
  }

  @Test("A form shows an error if one of its issues stands there, and no other")
  func shown() async {
    func send(_ error: any Error) async { _ = await form.submit { throw error } }
    let rejection = FormRejection(["Name": "is taken"])
    #expect(!form.shows(rejection) && !form.shows(FormError.invalid([])))
    await send(rejection)
    #expect(form.shows(rejection) && form.shows(FormError.invalid([])))
    #expect(!form.shows(MessageError("no network")) && !form.shows(FormError.unsettled))
    // An issue of another source is not one of it.
    #expect(!form.shows(FormRejection(["Name": "is taken"], source: "other")))
    form.removeReports()
    #expect(!form.shows(rejection))
    await send(FormRejection(["Nobody": "knows"]))
    #expect(form.shows(FormRejection(["Nobody": "knows"])))
    await send(FormRejection([:]))
    #expect(!form.shows(FormRejection([:])))
    // What concerns a value that was edited meanwhile is dropped.
    _ = await form.submit {
      name.value = "Graz"
      throw rejection
    }
    #expect(!form.shows(rejection))
    // One that stays is enough.
    let both = FormRejection(["Name": "is taken", "Size": "is small"])
    _ = await form.submit {
      name.value = "Linz"
      throw both
    }
    #expect(form.shows(both) && form.at("Name").issues.isEmpty)
  }

  @Test("It goes with that field's next change, and no other's", arguments: [true, false])
  func cleared(byTyping: Bool) {
    form.report([FieldIssue("1").at("Name"), FieldIssue("2").at("Size")])
    form.report([FieldIssue("3").at("Name")], from: "checker")
    name.value = "Wien"
    #expect(form.at("Name").messages == ["3", "1"])
    if byTyping { form.at("Name").text = "Graz" } else { name.value = "Graz" }
    #expect(form.at("Name").issues.isEmpty && form.at("Size").messages == ["2"])
    form.at("Size").text = "x"
    #expect(form.at("Size").codes == ["notWhole"])
    form.report([FieldIssue("4").at("Size")])
    #expect(form.undo())
    #expect(form.at("Size").issues.isEmpty)
  }

  @Test("Whoever looks at the field only clears nothing")
  func looking() {
    form.report([FieldIssue("1").at("Name")])
    form.at("Name").focus()
    form.at("Name").blur()
    _ = form.at("Name").text
    #expect(form.at("Name").messages == ["1"])
  }

  @Test("It makes nothing invalid, and never keeps a form from being submitted")
  func blocksNothing() async {
    form.report([FieldIssue("1").at("Name"), FieldIssue("2")])
    #expect(form.at("Name").state == .valid && form.invalidCount == 0)
    #expect(await form.validate())
    #expect(form.at("Name").messages == ["1"])
    #expect(await form.submit { 1 }.value == 1)
    #expect(form.at("Name").issues.isEmpty && form.issues.isEmpty)
  }

  @Test("What belongs to no field is kept at the form, with its path")
  func unknownKey() {
    form.report([FieldIssue("a").at("Nobody", "x"), FieldIssue("b")])
    #expect(form.issues.map(\.path) == [["Nobody", "x"], []])
    #expect(form.issues.allSatisfy { $0.source == .server })
    name.value = "x"
    #expect(form.issues.count == 2)
  }

  @Test("A path that leads on stays with the issue, and shows at the item that it leads to")
  func itemPath() throws {
    form.report([FieldIssue("is rude").at("Tags", "1")])
    let field = form.at("Tags")
    #expect(field.issues.map(\.path) == [["1"]])
    #expect(field.items.map { $0.issues.map(\.text) } == [[], ["is rude"]])
    // No row shows what was said of another: a move is a change.
    field.moveItem(field.items[1].id, to: 0)
    #expect(field.issues.isEmpty && field.items.allSatisfy { $0.issues.isEmpty })
  }

  @Test("A report is in the form's language, where the words are known")
  func language() {
    form.report([FieldIssue(code: "required").at("Name")])
    #expect(form.at("Name").messages == ["is required"])
    form.language = .german
    #expect(form.at("Name").messages == ["wird gebraucht"])
  }
}
