import FieldstoneCore
import FieldstoneFields
import FieldstoneForms
import FieldstoneHTML
import Foundation
import Testing

@Suite("A page that is posted")
@MainActor
struct PostedFormTests {
  /// What a browser posts of a control that nobody has edited.
  private func unedited(_ text: String, _ kind: FieldKind, isItem: Bool = false) -> String {
    let text = text.replacing("\0", with: "\u{FFFD}").replacing("\r\n", with: "\n")
    let line = text.filter { $0 != "\n" && $0 != "\r" }
    switch kind {
    case .secure: return ""
    case .multiline: return text.crlf
    case .choice: return isItem ? line : text.crlf
    case .email, .url: return line.trimmingCharacters(in: CharacterSet(charactersIn: " \t\u{C}"))
    default: return line
    }
  }

  /// What a browser posts of a page that nobody has edited.
  private func unedited(_ form: FormModel) -> [(name: String, value: String)] {
    form.fields.flatMap { field -> [(name: String, value: String)] in
      switch field.kind {
      case .toggle: field.text == "true" ? [(field.key, "true")] : []
      case .list:
        field.items.map { (field.key, unedited($0.text, field.itemKind, isItem: true)) }
          + [(field.key, "")]
      default: [(field.key, unedited(field.text, field.kind))]
      }
    }
  }

  @Test(
    "A page that nobody has edited changes nothing",
    arguments: [
      "", "a", "first\nsecond", "a\r\nb", "a\rb", "\n", " a ", "e\u{301}", " ", "\t a@b.c\n",
      "a\0b",
      "\0", "\u{C}a\u{A0}",
    ])
  func untouched(text: String) throws {
    func list(_ name: String, _ kind: FieldKind) -> ArrayField<String> {
      ArrayField(Field<String>("Item").presented(as: kind), name: name, value: [text, "b"])
    }
    let line = Field<String>("Line", value: text)
    let lines = Field<String>("Lines", value: text).presented(as: .multiline(lines: 3))
    let secret = Field<String>("Secret", value: text).presented(as: .secure)
    let zone = Field<String>("Zone", value: text).presented(as: .choice([FieldOption("UTC")]))
    let mail = Field<String>("Mail", value: text).presented(as: .email)
    let address = Field<String>("Address", value: text).presented(as: .url)
    let phone = Field<String>("Phone", value: text).presented(as: .phone)
    let keys = list("Keys", .secure)
    let form = FormModel {
      line; lines; secret; zone; mail; address; phone; keys
      list("Items", .text)
      list("Notes", .multiline(lines: 2))
      list("Mails", .email)
      list("Zones", .choice([FieldOption("UTC")]))
    }
    form.take(posted: unedited(form))
    #expect(form.fields.filter { $0.isModified }.map(\.key) == [])
    #expect(form.fields.allSatisfy { !$0.isEdited } && !form.canUndo)
    #expect(line.value == text && mail.value == text && keys.value == [text, "b"])
  }

  @Test(
    "A check box that nobody has touched changes nothing; if an answer is required, off is one",
    arguments: [nil, false, true] as [Bool?], [false, true])
  func untouchedBox(value: Bool?, isRequired: Bool) {
    let isLit = Field<Bool>("Lit", value: value)
    if isRequired { isLit.require(.notNil) }
    let form = FormModel { isLit }
    form.take(posted: unedited(form))
    #expect(isLit.value == (isRequired ? value ?? false : value))
    #expect(form.isModified == (isRequired && value == nil))
    form.take(posted: value == true ? [] : [("Lit", "true")])
    #expect(isLit.value == (value != true))
  }

  @Test("A text that only looks the same is another one")
  func scalars() {
    let name = Field<String>("Name", value: "e\u{301}")
    FormModel { name }.take(posted: [("Name", "\u{E9}")])
    #expect(name.value.map { Array($0.unicodeScalars) } == ["\u{E9}"])
  }

  @Test("A secret of a list is in no page, and stays unless another one is typed")
  func secrets() {
    let keys = ArrayField(Field<String>("Key").presented(as: .secure), name: "Keys")
    keys.value = ["sk-live-1", "sk-live-2"]
    let form = FormModel { keys }
    #expect(!HTML.form(form, address: "/").markup.contains("sk-live"))
    form.take(posted: [("Keys", ""), ("Keys", "new"), ("Keys", "third")])
    #expect(keys.value == ["sk-live-1", "new", "third"])
  }

  @Test("A choice that is no option any more stays one of the page")
  func formerOption() {
    let zone = Field<String>("Zone", value: "Europe/Kiev")
      .presented(as: .choice([FieldOption("Europe/Kyiv")]))
    let form = FormModel { zone }
    #expect(
      HTML.form(form, address: "/").markup.contains(
        "<option value=\"Europe/Kiev\" selected>Europe/Kiev</option>"))
    zone.value = "Europe/Kyiv"
    #expect(!HTML.form(form, address: "/").markup.contains("Kiev"))
  }

  @Test("A choice that only looks like the value is not selected, and the value stays")
  func similarOption() {
    let (composed, decomposed) = ("Malm\u{F6}", "Malmo\u{308}")
    for options in [[composed], [composed, decomposed]] {
      let town = Field<String>("Town", value: decomposed)
        .presented(as: .choice(options.map { FieldOption($0) }))
      let form = FormModel { town }
      let selected = HTML.form(form, address: "/").markup
        .matches(of: /<option value="([^"]*)" selected>/).map { String($0.1) }
      #expect(selected.map { Array($0.unicodeScalars) } == [Array(decomposed.unicodeScalars)])
      form.take(posted: selected.map { ("Town", $0) })
      #expect(town.value.map { Array($0.unicodeScalars) } == Array(decomposed.unicodeScalars))
    }
  }

  @Test("A day with a space around it is in the page as its control shows it, and stays")
  func dayWithSpace() {
    let day = Field<Date>("Day").text(as: .day(in: .gmt))
    let name = Field<String>("Name").require(.notBlank)
    let form = FormModel {
      day; name
    }
    form.take(posted: [("Day", "2026-02-03 "), ("Name", "")])
    let (value, edits) = (day.value, form.editCount)
    #expect(value != nil)
    #expect(
      HTML.form(form, address: "/").markup.contains(/type="date"[^>]* value="2026-02-03"/))
    form.take(posted: [("Day", "2026-02-03"), ("Name", "")])
    #expect(day.value == value && form.editCount == edits)
    form.take(posted: [("Day", ""), ("Name", "")])
    #expect(day.value == nil)
    // What can't be read stays as typed.
    form.take(posted: [("Day", "2026-02-31 ")])
    #expect(
      HTML.form(form, address: "/").markup.contains(/type="text"[^>]* value="2026-02-31 "/))
  }

  @Test("A new item that can't be read stays as typed, and the form is not submitted without it")
  func unreadableItem() async {
    let numbers = ArrayField(Field<Int>("Number"), name: "Numbers", value: [1, 2])
    let form = FormModel { numbers }
    form.take(
      posted: [("Numbers", "1"), ("Numbers", "3"), ("Numbers", "35oo"), ("Numbers", "")])
    #expect(numbers.value == [1, 2])
    let markup = HTML.form(form, address: "/").markup
    #expect(markup.contains("value=\"35oo\"") && markup.contains("value=\"3\""))
    #expect(markup.matches(of: /aria-invalid="true"/).count == 1)
    let isSaved = Locked(false)
    await form.submit { isSaved.withLock { $0 = true } }
    #expect(!isSaved.withLock { $0 })
    // The page is posted once more, with that item mended and another one emptied.
    form.take(posted: [("Numbers", ""), ("Numbers", "3"), ("Numbers", "35"), ("Numbers", "")])
    #expect(numbers.value == [3, 35])
    await form.submit { isSaved.withLock { $0 = true } }
    #expect(isSaved.withLock { $0 })
    form.undo()
  }

  @Test("An item that was never there is dropped where the page is posted without it")
  func dropped() {
    let numbers = ArrayField(Field<Int>("Number"), name: "Numbers", value: [1, 2])
    let form = FormModel { numbers }
    form.take(posted: [("Numbers", "1"), ("Numbers", "2"), ("Numbers", "x")])
    #expect(form["Numbers"]?.isModified == true)
    form.take(posted: [("Numbers", "1"), ("Numbers", "2"), ("Numbers", "")])
    #expect(form["Numbers"]?.isModified == false && form["Numbers"]?.issues == [])
    #expect(numbers.value == [1, 2])
  }

  @Test("Fields with the same key, or none, are posted each by itself")
  func sameKeys() {
    let names = [Field<String>("Name", value: "Ann"), Field<String>("Name", value: "Bob")]
    let other = Field<String>("Name-1", value: "Cy")
    let (isLit, isOpen) = (Field<Bool>(value: true), Field<Bool>(value: false))
    let form = FormModel {
      names[0]; names[1]; other; isLit; isOpen
    }
    let posted = HTML.form(form, address: "/").markup
      .matches(of: /name="([^"]+)"[^>]*?(?:value="([^"]*)"( checked)?)/)
      .filter { $0.2 != "true" || $0.3 != nil }
      .map { (name: String($0.1), value: String($0.2)) }
    #expect(posted.count == 4 && Set(posted.map(\.name)).count == 4)
    form.take(posted: posted)
    #expect(!form.isModified)
    form.take(posted: posted.map { ($0.name, $0.value == "Bob" ? "Bea" : $0.value) })
    #expect(names.map(\.value) == ["Ann", "Bea"] && other.value == "Cy")
    #expect(isLit.value == true && isOpen.value == false)
  }

  @Test("An empty item stays while another one is edited or emptied, and counts as no new one")
  func emptyItem() {
    let tags = ArrayField(Field<String>("Tag"), name: "Tags", value: ["", "b", "", "d"])
    let form = FormModel { tags }
    func post(_ texts: String...) { form.take(posted: texts.map { ("Tags", $0) }) }
    post("", "b", "", "d", "")
    #expect(tags.value == ["", "b", "", "d"] && !form.isModified)
    post("", "B", "", "", "")
    #expect(tags.value == ["", "B", ""])
    post("", "B", "c", "")
    #expect(tags.value == ["", "B", "c"])
    post("")
    #expect(tags.value == [""])
    post()
    #expect(tags.value == [""])
  }

  @Test("One post is one step of undo, whatever can't be read in it")
  func oneStep() {
    let name = Field<String>("Name", value: "11")
    let (length, width) = (Field<Int>("Length", value: 100), Field<Int>("Width", value: 5))
    let tags = ArrayField(Field<Int>("Tag"), name: "Tags", value: [1, 2])
    let form = FormModel {
      name; length; width; tags
    }
    form.take(
      posted: [
        ("Name", "29"), ("Length", "35oo"), ("Width", "6"), ("Tags", "1"), ("Tags", "z"),
      ])
    #expect(form.undo() && !form.canUndo)
    #expect(name.value == "11" && form["Length"]?.text == "100" && width.value == 5)
    #expect(form["Tags"]?.items.map(\.text) == ["1", "2"])
    #expect(form.redo() && form["Length"]?.text == "35oo" && name.value == "29")
    #expect(form["Tags"]?.items.map(\.text) == ["1", "z"])
  }

  @Test("A post of 100,000 items is read in one go, and so is their removal")
  func many() {
    let texts = (1...100_000).map { "\($0)" }
    let numbers = ArrayField(Field<Int>("Number"), name: "Numbers")
    let form = FormModel { numbers }
    form.take(posted: texts.map { ("Numbers", $0) })
    #expect(numbers.value == Array(1...100_000))
    form.take(posted: texts.map { ("Numbers", $0 == "7" ? "8" : $0) })
    #expect(numbers.value?[6] == 8)
    form.take(posted: [("Numbers", "1")])
    #expect(numbers.value == [1])
    form.take(posted: texts.map { ("Numbers", $0 + "x") })
    #expect(numbers.value == [1] && form["Numbers"]?.issues.count == 1)
  }
}

extension String {
  fileprivate var crlf: String { replacing("\n", with: "\r\n") }
}
