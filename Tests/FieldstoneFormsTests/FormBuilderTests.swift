import FieldstoneCore
import FieldstoneFields
import FieldstoneForms
import FieldstoneTesting
import Foundation
import Testing

private enum RunwaySurface: String, CaseIterable, DefaultTransformable {
  case asphalt, grass, gravel
}
private enum RunwayRank: Int, CaseIterable, DefaultTransformable { case low = 1, high = 2 }
private struct Nobody: Equatable, Sendable { var number = 0 }

@Suite("What a form is made of")
@MainActor
struct FormBuilderTests {
  private let a = Field<String>("A")
  private let b = Field<Int>("B")
  private let c = Field<Bool>("C")
  private let list = *Field<String>("L")

  @Test("Sections and fields stand in declared order, with positions as identities")
  func order() {
    let form = FormModel {
      FormSection("One") {
        a; b
      }
      FormSection("Two") { list }
      FormSection { c }
    }
    #expect(form.sections.map(\.title) == ["One", "Two", ""])
    #expect(form.sections.map(\.id) == [0, 1, 2])
    #expect(form.sections.map { $0.fields.map(\.key) } == [["A", "B"], ["L"], ["C"]])
    #expect(form.fields.map(\.key) == ["A", "B", "L", "C"])
    #expect(form.fields[0].field === a && form[b]?.field === b)
  }

  @Test("Bare fields that follow each other share a section without a title")
  func bare() {
    let form = FormModel {
      a
      list
      FormSection("Titled") { b }
      c
    }
    #expect(form.sections.map(\.title) == ["", "Titled", ""])
    #expect(form.sections.map(\.fields.count) == [2, 1, 1])
  }

  @Test("Fields and sections may be left out, chosen and repeated", arguments: [true, false])
  func conditions(isLong: Bool) {
    let many = (0..<3).map { Field<Int>("N\($0)") }
    let form = FormModel {
      FormSection("Fields") {
        a
        if isLong { b }
        if isLong { c } else { list }
        for field in many { field }
      }
      if isLong { FormSection("More") { Field<Int>("X") } }
      if isLong { Field<Int>("Y") } else { FormSection("Else") { Field<Int>("Z") } }
      for number in 0..<2 { FormSection("Loop \(number)") { Field<Int>("W\(number)") } }
    }
    let start = isLong ? ["A", "B", "C"] : ["A", "L"]
    let middle = isLong ? ["X", "Y"] : ["Z"]
    #expect(form.fields.map(\.key) == start + ["N0", "N1", "N2"] + middle + ["W0", "W1"])
    let titles = isLong ? ["Fields", "More", ""] : ["Fields", "Else"]
    #expect(form.sections.map(\.title) == titles + ["Loop 0", "Loop 1"])
  }

  @Test("A section can be made before, and lists its fields")
  func sectionValue() {
    let section = FormSection("Made") {
      a; b
    }
    #expect(section.title == "Made" && section.fields.map(\.name) == ["A", "B"])
    #expect(FormModel { section }.fields.count == 2)
    #expect(FormSection {}.fields.isEmpty)
  }

  @Test("A form without fields is valid, and can be submitted")
  func empty() async {
    let form = FormModel {}
    #expect(form.sections.isEmpty && form.fields.isEmpty && form.isKnownValid)
    #expect(await form.submit { 1 }.value == 1)
  }

  @Test("A field that is listed twice counts where it is first")
  func listedTwice() {
    let form = FormModel {
      FormSection("One") {
        a; a
      }
      FormSection("Two") {
        b; a
      }
    }
    #expect(form.sections.map { $0.fields.map(\.key) } == [["A"], ["B"]])
    a.value = "x"
    #expect(form.modifiedCount == 1)
  }

  @Test("Of fields with the same key the first is found, and each by itself")
  func sameKey() {
    let other = Field<Int>("A")
    let form = FormModel {
      a; other
    }
    #expect(form["A"]?.field === a && form[other]?.field === other)
    #expect(form["a"] == nil && form[b] == nil)
    #expect(throws: FieldModelError.sharedKey("A")) { try form.values() }
  }

  // MARK: - What a screen needs

  struct Shape: Sendable {
    let name: String
    let make: @MainActor @Sendable () -> FormModel
    let kind: FieldKind
    let keyboard: FieldKeyboard
    var contentType: FieldContentType?
    var taken = "a b"
    var kept = "a b"
  }

  nonisolated static let shapes: [Shape] = [
    Shape(
      name: "String", make: { FormModel { Field<String>("F") } }, kind: .text, keyboard: .standard),
    Shape(
      name: "Int", make: { FormModel { Field<Int>("F") } }, kind: .integer, keyboard: .integer,
      taken: "-1.2 +3,e", kept: "-12+3"),
    Shape(
      name: "UInt8", make: { FormModel { Field<UInt8>("F") } }, kind: .integer, keyboard: .integer,
      taken: "12x", kept: "12"),
    Shape(
      name: "Double", make: { FormModel { Field<Double>("F") } }, kind: .decimal,
      keyboard: .decimal, taken: "-1.5 e+3,xEy'½", kept: "-1.5 e+3,E'"),
    Shape(
      name: "Float", make: { FormModel { Field<Float>("F") } }, kind: .decimal,
      keyboard: .decimal, taken: "\u{200F}\u{2212}١٬٢٣٤٫٥ر", kept: "\u{200F}\u{2212}١٬٢٣٤٫٥"),
    Shape(
      name: "Int64", make: { FormModel { Field<Int64>("F") } }, kind: .integer,
      keyboard: .integer, taken: "\u{2212}१२.³٫e", kept: "\u{2212}१२"),
    Shape(
      name: "Bool", make: { FormModel { Field<Bool>("F") } }, kind: .toggle, keyboard: .standard),
    Shape(
      name: "Date", make: { FormModel { Field<Date>("F") } }, kind: .date, keyboard: .standard),
    Shape(
      name: "Date with a format",
      make: { FormModel { Field<Date>("F").transform(with: .date(format: "yyyy-MM-dd")) } },
      kind: .date, keyboard: .standard),
    Shape(
      name: "String enum", make: { FormModel { Field<RunwaySurface>("F") } },
      kind: .choice([FieldOption("asphalt"), FieldOption("grass"), FieldOption("gravel")]),
      keyboard: .standard),
    Shape(
      name: "Int enum", make: { FormModel { Field<RunwayRank>("F") } },
      kind: .choice([FieldOption("1"), FieldOption("2")]), keyboard: .standard),
    Shape(
      name: "list", make: { FormModel { *Field<String>("F") } }, kind: .list, keyboard: .standard),
    Shape(
      name: "list on one line",
      make: { FormModel { ArrayField(Field<String>(), name: "F").presented(as: .text) } },
      kind: .text, keyboard: .standard),
    Shape(
      name: "secure", make: { FormModel { Field<String>("F").presented(as: .secure) } },
      kind: .secure, keyboard: .standard, contentType: .password),
    Shape(
      name: "email", make: { FormModel { Field<String>("F").presented(as: .email) } },
      kind: .email, keyboard: .email, contentType: .email, kept: "ab"),
    Shape(
      name: "url", make: { FormModel { Field<String>("F").presented(as: .url) } },
      kind: .url, keyboard: .url, contentType: .url, kept: "ab"),
    Shape(
      name: "phone", make: { FormModel { Field<String>("F").presented(as: .phone) } },
      kind: .phone, keyboard: .phone, contentType: .phone, taken: "+43 (1) x-7/0٩",
      kept: "+43 (1) -7/0٩"),
    Shape(
      name: "multi-line",
      make: { FormModel { Field<String>("F").presented(as: .multiline(lines: 4)) } },
      kind: .multiline(lines: 4), keyboard: .standard),
  ]

  @Test("Kind, keyboard, content type and characters follow from the type", arguments: shapes)
  func shape(_ shape: Shape) {
    let form = shape.make()
    let field = form.at("F")
    #expect(field.kind == shape.kind, "\(shape.name)")
    #expect(field.keyboard == shape.keyboard)
    #expect(field.contentType == shape.contentType)
    #expect(field.allowedCharacters.filter(shape.taken) == shape.kept)
    #expect(field.kind.isSecure == (shape.kind == .secure))
    #expect(field.kind.isMultiline == (shape.kind == .multiline(lines: 4)))
    #expect(field.label == "F" && field.help == "" && field.placeholder == "")
  }

  @Test("What is said of the presentation comes before what follows from the type")
  func presented() {
    let password = Field<String>("Password", key: "pw")
      .presented(
        as: .secure, label: "New password", help: "At least 12.", placeholder: "secret",
        keyboard: .ascii, contentType: .newPassword, allowedCharacters: .any(of: "abc"))
    let form = FormModel { password }
    let field = form.at("pw")
    #expect(field.label == "New password" && field.help == "At least 12.")
    #expect(field.placeholder == "secret" && field.keyboard == .ascii)
    #expect(field.contentType == .newPassword && field.kind == .secure)
    #expect(field.allowedCharacters.filter("cab d") == "cab")
    #expect(field.allowedCharacters.contains("a") && !field.allowedCharacters.contains("d"))
    #expect(FieldCharacters.all.filter("ä 1") == "ä 1")
    #expect(FieldCharacters.withoutSpaces.filter("ä\n 1") == "ä1")
    #expect(FieldCharacters { $0 == "x" }.filter("axb") == "x")
  }

  @Test("What is said of an item's presentation holds for its field, but for the kind")
  func presentedItems() {
    let tags = *Field<String>("Tag").presented(
      as: .email, label: "Tags", help: "Some.", keyboard: .ascii)
    let form = FormModel { tags }
    let field = form.at("Tag")
    #expect(field.label == "Tags" && field.help == "Some." && field.keyboard == .ascii)
    #expect(field.kind == .list && field.itemKind == .email)
  }

  @Test("Options have labels, and are chosen by their text")
  func options() throws {
    let surface = Field<RunwaySurface>("Surface")
    let labelled = Field<RunwaySurface>("Labelled").presented(
      as: .choice([FieldOption("grass", label: "Gras"), FieldOption("gravel")]))
    let form = FormModel {
      surface; labelled
    }
    let field = form.at("Surface")
    #expect(field.kind.options.map(\.id) == ["asphalt", "grass", "gravel"])
    #expect(form.at("Labelled").kind.options.map(\.label) == ["Gras", "gravel"])
    #expect(FieldKind.text.options.isEmpty)
    field.text = "grass"
    #expect(surface.value == .grass && field.text == "grass")
    field.text = "mud"
    #expect(surface.value == .grass && field.text == "mud" && field.codes == ["unknownValue"])
    field.text = ""
    #expect(surface.value == nil && field.issues.isEmpty)
  }

  @Test("An enum of numbers is chosen by its numbers")
  func intEnum() {
    let rank = Field<RunwayRank>("Rank")
    let form = FormModel { rank }
    let field = form.at("Rank")
    field.text = "2"
    #expect(rank.value == .high && field.text == "2")
    field.text = "3"
    #expect(rank.value == .high && field.codes == ["unknownValue"])
  }

  @Test("A field is required when a rule refuses nil, also one that comes later")
  func required() {
    let (name, size) = (Field<String>("Name"), Field<Int>("Size").require(.range(0...9)))
    let form = FormModel {
      name; size
    }
    #expect(!form.at("Name").isRequired && !form.at("Size").isRequired)
    name.require(.notBlank)
    size.require(allowNil: false) { $0 > 1 }
    #expect(form.at("Name").isRequired && form.at("Size").isRequired)
  }

  @Test("A field of a type that no text format reads is refused when the form is made")
  func noText() async throws {
    let (nobody, name) = (Field<Nobody>("Nobody", value: Nobody(number: 7)), Field<String>("Name"))
    let crowd = *Field<Nobody>("Crowd")
    let words = Field<[String]>("Words")
    let form = FormModel {
      FormSection("People") {
        nobody; name
        crowd
      }
      FormSection("Words") { words }
    }
    #expect(form.fields.map(\.key) == ["Name"] && form["Nobody"] == nil && form[crowd] == nil)
    #expect(
      form.refusals == [
        .noTextFormat(key: "Nobody", type: "Nobody"), .noTextFormat(key: "Crowd", type: "Nobody"),
        .noTextFormat(key: "Words", type: "Array<String>"),
      ])
    let message = try #require(form.refusals.first).message
    #expect(message.contains("“Nobody”") && message.contains("text(as:)"))
    form.fields[0].text = "x"
    #expect(await form.submit { 1 }.value == 1)
  }

  @Test("A field takes part in a form by a text format, by a transformer, or as shown only")
  func ownText() {
    let typed = Field<Nobody>("Typed").text(
      as: FieldTextFormat(parse: { Nobody(number: $0.count) }, print: { "\($0.number)" }))
    let transformed = Field<Nobody>("Transformed").transform(
      with: .custom(
        name: "nobody", import: { _ in Nobody(number: 1) }, export: { .string("\($0.number)") }))
    let shown = Field<Nobody>("Shown", value: Nobody(number: 7))
      .text(as: .shown { "number \($0.number)" })
    let blank = Field<Nobody>("Blank", value: Nobody()).text(as: .shown())
    let form = FormModel {
      typed; transformed; shown; blank
    }
    #expect(form.refusals.isEmpty && form.fields.count == 4)
    #expect(form.at("Shown").text == "number 7" && form.at("Blank").text == "")
    form.at("Shown").text = "number 8"
    #expect(form.at("Shown").codes == ["notTyped"] && shown.value == Nobody(number: 7))
    shown.value = Nobody(number: 9)
    #expect(form.at("Shown").text == "number 9" && form.at("Shown").issues.isEmpty)
    #expect(form.isModified)
  }

  @Test("A list on one line is read at its commas, without the spaces around them")
  func oneLine() {
    let tags = *Field<String>("Tags")
    let numbers = *Field<Int>("Numbers")
    let form = FormModel {
      tags; numbers
    }
    form.at("Tags").text = " alpine ,snow,  night"
    #expect(tags.value == ["alpine", "snow", "night"])
    #expect(form.at("Tags").text == " alpine ,snow,  night")
    form.at("Tags").blur()
    #expect(form.at("Tags").text == "alpine, snow, night")
    form.at("Numbers").text = "1, 2, x"
    #expect(numbers.value == nil && form.at("Numbers").codes == ["notWhole"])
  }
}
