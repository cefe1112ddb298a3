import FieldstoneFields
import FieldstoneForms
import FieldstoneTesting
import Foundation
import Testing

@Suite("Decimals of several languages")
@MainActor
struct DecimalFormatTests {
  /// What becomes of a text that is typed.
  enum Reading: Sendable, Equatable {
    case number(Double)
    case ambiguous(String, String)
    case unreadable
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let format: Format
    let text: String
    let reading: Reading
    var testDescription: String { "“\(text)” \(format)" }

    init(_ format: Format, _ text: String, _ reading: Reading) {
      (self.format, self.text, self.reading) = (format, text, reading)
    }
  }

  enum Format: String, Sendable, CaseIterable {
    /// Of doubles unless told otherwise.
    case standard
    case comma, english, german, french, swiss, indian

    var format: FieldTextFormat<Double> {
      switch self {
      case .standard: .decimal()
      case .comma: .decimal(separator: ",")
      case .english: .decimal(locale: Locale(identifier: "en_US"))
      case .german: .decimal(locale: Locale(identifier: "de_DE"))
      case .french: .decimal(locale: Locale(identifier: "fr_FR"))
      case .swiss: .decimal(locale: Locale(identifier: "de_CH"))
      case .indian: .decimal(locale: Locale(identifier: "en_IN"))
      }
    }
  }

  private func reading(of text: String, in format: Format) -> Reading {
    let number = Field<Double>("Number", value: -1)
    if format != .standard { number.text(as: format.format) }
    let form = FormModel { number }
    let field = form.fields[0]
    field.text = text
    guard let issue = field.issues.first else { return .number(number.value ?? .nan) }
    // What can't be read changes nothing.
    #expect(number.value == -1 && field.text == text && field.issues.count == 1)
    if issue.code == "ambiguousNumber" {
      return .ambiguous(issue.parameters["fraction"] ?? "", issue.parameters["thousands"] ?? "")
    }
    #expect(issue.code == "notANumber")
    return .unreadable
  }

  @Test(
    "A lone mark before three digits has two readings, unless it is the format's own",
    arguments: [
      Case(.standard, "1,234", .ambiguous("1.234", "1234")),
      Case(.standard, "1.234", .number(1.234)),
      Case(.comma, "1.234", .ambiguous("1,234", "1234")), Case(.comma, "1,234", .number(1.234)),
      Case(.english, "1,234", .number(1234)), Case(.english, "1.234", .number(1.234)),
      Case(.german, "1.234", .number(1234)), Case(.german, "1,234", .number(1.234)),
      Case(.french, "1.234", .ambiguous("1,234", "1234")), Case(.french, "1,234", .number(1.234)),
      Case(.swiss, "1,234", .ambiguous("1.234", "1234")), Case(.swiss, "1.234", .number(1.234)),
      Case(.standard, "-12,500", .ambiguous("-12.500", "-12500")),
      Case(.standard, "123,456e2", .ambiguous("123.456e2", "123456e2")),
    ])
  func loneMark(_ tested: Case) {
    #expect(reading(of: tested.text, in: tested.format) == tested.reading)
  }

  @Test(
    "A text with one reading is read in every format, whatever the language",
    arguments: [
      ("1,234.5", 1234.5), ("1.234,5", 1234.5), ("1 234,5", 1234.5), ("1\u{202F}234,5", 1234.5),
      ("1’234.50", 1234.5), ("1'234.5", 1234.5), ("1,234,567", 1_234_567),
      ("1.234.567", 1_234_567), ("1 234 567", 1_234_567), ("12,34,567", 1_234_567),
      ("12,34,567.8", 1_234_567.8), ("48,1", 48.1), ("48.1", 48.1), ("48,1234", 48.1234),
      ("48.1234", 48.1234), ("0,125", 0.125), ("0.125", 0.125), (",125", 0.125), (".125", 0.125),
      ("1234,567", 1234.567), ("1234.567", 1234.567), ("\u{2212}7,5", -7.5), ("+7,5", 7.5),
      ("1 234", 1234), ("1e3", 1000), ("7,", 7), ("7.", 7), ("1,5E-1", 0.15),
    ] as [(String, Double)])
  func oneReading(text: String, number: Double) {
    for format in Format.allCases {
      #expect(reading(of: text, in: format) == .number(number), "\(format)")
    }
  }

  @Test(
    "The marks of Arabic numbers have one meaning each, in every format",
    arguments: [
      ("١٢٫٥", .number(12.5)), ("12٫5", .number(12.5)), ("١٢٫٣٤٥", .number(12.345)),
      ("١٬٢٣٤", .number(1234)), ("١٬٢٣٤٫٥", .number(1234.5)), ("1٬234.5", .number(1234.5)),
      ("1,234٫5", .number(1234.5)), ("٫٥", .number(0.5)), ("-١٬٢٣٤٬٥٦٧", .number(-1_234_567)),
      ("1٫234٫567", .unreadable), ("1٫234,5", .unreadable), ("1٫5٬000", .unreadable),
      ("12٬5", .unreadable), ("1234٬567", .unreadable),
    ] as [(String, Reading)])
  func arabicMarks(text: String, expected: Reading) {
    for format in Format.allCases {
      #expect(reading(of: text, in: format) == expected, "\(format)")
    }
  }

  @Test(
    "A text without a reading is refused in every format",
    arguments: [
      "1,23.4", "1.23,4", "1,2,3", "1.234.5", "1,2345,678", "1234,567,890", "12,34,56", "1 2",
      "1 2345", ",234,567", ",234.5", ".", ",", "-", "1e", "1e400", "e3", "1,5e1,5", "nan", "inf",
      "0x1p3", "²", "½", "四", "1;5", "--1", "1-", "1,234 567",
    ])
  func noReading(text: String) {
    for format in Format.allCases {
      #expect(reading(of: text, in: format) == .unreadable, "\(format)")
    }
  }

  @Test(
    "Digits of other scripts are read, with the marks of their language",
    arguments: [
      ("ar_EG", "٣٫٥", 3.5), ("ar_EG", "\u{61C}-١٬٢٣٤٫٥", -1234.5), ("fa_IR", "۱٬۲۳۴٫۵", 1234.5),
      ("fa_IR", "\u{200E}\u{2212}۷", -7), ("hi_IN", "१२,३४,५६७.८", 1_234_567.8), ("en_US", "٣", 3),
      ("ja_JP", "１２.５", 12.5),
    ])
  func scripts(locale: String, text: String, number: Double) throws {
    let format = FieldTextFormat<Double>.decimal(locale: Locale(identifier: locale))
    #expect(try format.parse(text) == number)
  }

  @Test(
    "Whole numbers are read in the digits of any script", arguments: ["７", "٧", " ۷ ", "७", "+7"])
  func wholeNumbers(text: String) throws {
    #expect(try FieldTextFormat<Int>.integer.parse(text) == 7)
    #expect(try FieldTextFormat<UInt8>.integer.parse(text) == 7)
  }

  @Test("What a form shows, it reads", arguments: Format.allCases)
  func shownIsRead(_ format: Format) {
    let seed: UInt64 = 17
    var random = SeededGenerator(seed: seed)
    let number = Field<Double>("Number").text(as: format.format)
    let form = FormModel(undoLimit: 0) { number }
    for round in 0..<1_000 {
      // Numbers with three digits after the separator are those that might be thousands.
      let value =
        round % 2 == 0
        ? Double(Int.random(in: -999_999...999_999, using: &random)) / 1000
        : Double(bitPattern: random.next())
      guard value.isFinite else { continue }
      number.value = value
      let text = form.fields[0].text
      number.value = nil
      form.fields[0].text = text
      #expect(number.value == value, "seed \(seed): \(text)")
    }
  }

  @Test("Both readings of an ambiguous number can be typed, and are said as they are typed")
  func readings() throws {
    for format in [Format.standard, .comma, .french, .swiss] {
      for text in ["1,234", "1.234"] {
        guard case .ambiguous(let fraction, let thousands) = reading(of: text, in: format) else {
          continue
        }
        #expect(reading(of: fraction, in: format) == .number(1.234), "\(format)")
        #expect(reading(of: thousands, in: format) == .number(1234), "\(format)")
      }
    }
    let form = FormModel { Field<Double>("Height") }
    form.fields[0].text = "1,908"
    #expect(form.fields[0].messages == ["can mean 1.908 or 1908; type the one that is meant"])
    // The field has a point, also where the words are German.
    form.language = .german
    #expect(
      form.fields[0].messages == ["kann 1.908 oder 1908 bedeuten; bitte das Gemeinte eingeben"])
  }

  @Test("A text that can't be read stays after an ambiguous one, and a clear one takes its place")
  func corrected() {
    let height = Field<Double>("Height", value: 10)
    let form = FormModel { height }
    let field = form.fields[0]
    field.text = "1,908"
    #expect(height.value == 10 && form.invalidCount == 1)
    field.text = "1908"
    #expect(height.value == 1908 && form.invalidCount == 0)
  }
}
