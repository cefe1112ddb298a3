import FieldstoneFields
import FieldstoneForms
import FieldstoneTesting
import Foundation
import Testing

@Suite("Texts of values")
@MainActor
struct TextFormatTests {
  struct Reading: Sendable, CustomTestStringConvertible {
    let text: String
    var value: String?
    var code: String?
    var parameter: String?
    var testDescription: String { "“\(text)”" }

    /// - Parameter value: the text that the value has afterwards; nil for nil.
    static func value(_ text: String, _ value: String?) -> Reading {
      Reading(text: text, value: value)
    }

    static func issue(_ text: String, _ code: String, _ parameter: String? = nil) -> Reading {
      Reading(text: text, code: code, parameter: parameter)
    }
  }

  private func check<Value>(_ field: Field<Value>, _ reading: Reading) {
    let form = FormModel { field }
    let shown = form.fields[0]
    shown.text = reading.text
    #expect(shown.codes == (reading.code.map { [$0] } ?? []), "\(reading.text)")
    if let parameter = reading.parameter {
      #expect(shown.issues.first?.parameters.values.contains(parameter) == true)
    }
    #expect(field.value.map { "\($0)" } == reading.value)
    if reading.code != nil { #expect(shown.text == reading.text) }
  }

  @Test(
    "A whole number is read to its bounds, and what is beyond is said with the bound",
    arguments: [
      Reading.value("255", "255"), .value(" 7 ", "7"), .value("+7", "7"), .value("-0", "0"),
      .value("007", "7"), .value("0", "0"),
      .issue("256", "tooLarge", "255"), .issue("-1", "tooSmall", "0"),
      .issue("\u{2212}1", "tooSmall", "0"),
      .issue("99999999999999999999999", "tooLarge", "255"),
      .issue("-99999999999999999999999", "tooSmall", "0"),
      .issue(String(repeating: "9", count: 400), "tooLarge", "255"),
      .issue("12.0", "notWhole", "12"), .issue("1e2", "notWhole"), .issue("0x10", "notWhole"),
      .issue("nan", "notWhole"), .issue("inf", "notWhole"), .issue("-", "notWhole"),
      .issue("+", "notWhole"), .issue("1-2", "notWhole"), .issue("1 000", "notWhole"),
      .value("١٢", "12"), .value("１２", "12"), .issue("²", "notWhole"), .issue("twelve", "notWhole"),
    ])
  func wholeNumber(_ reading: Reading) {
    check(Field<UInt8>("N"), reading)
  }

  @Test("The bounds of all whole numbers are read, and one beyond is not")
  func bounds() {
    func check<Number: FixedWidthInteger & Sendable>(_ type: Number.Type) {
      self.check(Field<Number>("N"), .value("\(Number.max)", "\(Number.max)"))
      self.check(Field<Number>("N"), .value("\(Number.min)", "\(Number.min)"))
      self.check(Field<Number>("N"), .issue("\(Number.max)0", "tooLarge", "\(Number.max)"))
      self.check(Field<Number>("N"), .issue("-\(Number.max)0", "tooSmall", "\(Number.min)"))
    }
    check(Int.self)
    check(Int8.self)
    check(Int16.self)
    check(Int32.self)
    check(Int64.self)
    check(UInt.self)
    check(UInt16.self)
    check(UInt32.self)
    check(UInt64.self)
  }

  @Test(
    "A number is read with a point or a comma, and never half",
    arguments: [
      Reading.value("48.1", "48.1"), .value("48,1", "48.1"), .value(" -5 ", "-5.0"),
      .value("5.", "5.0"), .value("5,", "5.0"), .value(".5", "0.5"), .value(",5", "0.5"),
      .value("1e3", "1000.0"), .value("1,5E-1", "0.15"), .value("+2", "2.0"), .value("-0", "-0.0"),
      .value("1e-400", "0.0"),
      .issue("1,23.5", "notANumber", "12.5"), .issue("1.234.5", "notANumber"),
      .issue("1,2,3", "notANumber"), .issue(".", "notANumber"), .issue(",", "notANumber"),
      .issue("-", "notANumber"), .issue("1e", "notANumber"), .issue("1e400", "notANumber"),
      .issue("nan", "notANumber"), .issue("inf", "notANumber"), .issue("0x1p3", "notANumber"),
      .value("٣", "3.0"), .issue("²", "notANumber"), .issue("1 2", "notANumber"),
      .issue("--1", "notANumber"),
    ])
  func number(_ reading: Reading) {
    check(Field<Double>("N"), reading)
  }

  @Test("No digits mean nil", arguments: ["", " ", "  "])
  func nothing(_ text: String) {
    let (whole, number) = (Field<Int>("W", value: 1), Field<Double>("N", value: 1))
    let form = FormModel {
      whole; number
    }
    for field in form.fields { field.text = text }
    #expect(whole.value == nil && number.value == nil)
    #expect(whole.isKnown && form.invalidCount == 0)
  }

  @Test("Every finite number is read back as it was written, with either separator")
  func roundTrip() {
    let seed: UInt64 = 11
    var random = SeededGenerator(seed: seed)
    let (point, comma) = (Field<Double>("P"), Field<Double>("C").text(as: .decimal(separator: ",")))
    let form = FormModel(undoLimit: 0) {
      point; comma
    }
    for _ in 0..<2_000 {
      let number = Double(bitPattern: random.next())
      guard number.isFinite else { continue }
      for (field, shown) in [(point, form.at("P")), (comma, form.at("C"))] {
        field.value = number
        let text = shown.text
        field.value = nil
        shown.text = text
        #expect(field.value == number, "seed \(seed): \(text)")
      }
    }
  }

  @Test("A separator is shown, and said in what is wrong")
  func separator() {
    let number = Field<Double>("N", value: 48.25).text(as: .decimal(separator: ","))
    let form = FormModel { number }
    let field = form.at("N")
    #expect(field.text == "48,25")
    field.text = "x"
    #expect(field.messages == ["must be a number, such as 12,5"])
    number.value = 3
    #expect(field.text == "3")
  }

  @Test(
    "A switch is read as browsers and people write it",
    arguments: [
      ("true", true), ("ON", true), ("Yes", true), ("1", true), ("false", false), ("off", false),
      ("no", false), ("0", false), ("", nil),
    ] as [(String, Bool?)])
  func toggle(text: String, value: Bool?) {
    let isOpen = Field<Bool>("Open", value: value == true ? false : true)
    let form = FormModel { isOpen }
    let field = form.at("Open")
    field.text = text
    #expect(isOpen.value == value && field.issues.isEmpty)
  }

  @Test("A switch that is neither on nor off is not valid")
  func noToggle() {
    let isOpen = Field<Bool>("Open", value: true)
    let form = FormModel { isOpen }
    let field = form.at("Open")
    field.text = "maybe"
    #expect(isOpen.value == true && field.codes == ["invalid"] && field.text == "maybe")
  }

  @Test("A text is as it is typed, empty or nil when empty, or in capitals")
  func strings() {
    let plain = Field<String>("Plain", value: "x")
    let orNil = Field<String>("OrNil", value: "x").text(as: .emptyIsNil)
    let code = Field<String>("Code").text(as: .uppercased)
    let form = FormModel {
      plain; orNil; code
    }
    form.at("Plain").text = " a "
    form.at("OrNil").text = ""
    form.at("Code").text = "loww"
    #expect(plain.value == " a " && orNil.value == nil && code.value == "LOWW")
    #expect(form.at("Code").text == "loww")
    form.at("Plain").text = ""
    #expect(plain.value == "")
    form.at("Code").blur()
    #expect(form.at("Code").text == "LOWW")
  }

  @Test("Who types and clears has changed nothing, whether there was nil or an empty text before")
  func cleared() {
    let (nothing, empty) = (Field<String>("Nothing"), Field<String>("Empty", value: ""))
    let code = Field<String>("Code").text(as: .uppercased)
    let tags = *Field<String>("Tags")
    let form = FormModel {
      nothing; empty; code
      tags
    }
    for field in form.fields {
      field.text = "a"
      #expect(form.isModified)
      field.text = ""
      #expect(!form.isModified && field.isEdited)
    }
    #expect(nothing.value == nil && nothing.isKnown && empty.value == "")
    #expect(code.value == nil && tags.value == nil)
    form.rebaseline()
    nothing.value = "b"
    form.rebaseline()
    form.at("Nothing").text = ""
    #expect(nothing.value == "" && form.isModified)
  }

  @Test("A date has the text of its transformer, and nothing when it can't be written")
  func dates() {
    let born = Field<Date>("Born").transform(with: .date(format: "yyyy-MM-dd"))
    let form = FormModel { born }
    let field = form.at("Born")
    born.value = Date(timeIntervalSince1970: 86_400)
    #expect(field.text == "1970-01-02")
    field.text = "1970-02-30"
    #expect(field.codes == ["malformed"] && field.text == "1970-02-30")
    #expect(born.value == Date(timeIntervalSince1970: 86_400))
    field.text = "2000-02-29"
    #expect(born.value == Date(timeIntervalSince1970: 951_782_400))
    field.text = ""
    #expect(born.value == nil)
  }

  @Test("A format of one's own throws what is wrong, as it is or as not valid")
  func own() {
    struct Odd: Error {}
    let format = FieldTextFormat<Int>(
      kind: .phone,
      parse: { text in
        if text == "issue" { throw FieldIssue("is odd", code: "odd") }
        if text == "error" { throw Odd() }
        return text.isEmpty ? nil : text.count
      }, print: { String(repeating: "|", count: $0) })
    let tally = Field<Int>("Tally").text(as: format)
    let form = FormModel { tally }
    let field = form.at("Tally")
    #expect(field.kind == .phone && field.keyboard == .phone)
    field.text = "||"
    #expect(tally.value == 2 && field.text == "||")
    field.text = "issue"
    #expect(field.messages == ["is odd"])
    field.text = "error"
    #expect(field.codes == ["invalid"] && field.messages == ["is not valid"] && tally.value == 2)
  }
}
