import FieldstoneFields
import Foundation

/// The way a value is typed and displayed as text.
public struct FieldTextFormat<Value>: Sendable {
  /// Makes a value from typed text; nil means no value, and an error becomes an issue.
  public let parse: @Sendable (String) throws -> Value?

  /// Makes the text of a value.
  public let print: @Sendable (Value) -> String

  /// How such a value is entered.
  public let kind: FieldKind

  /// Whether its texts suit a web page's control of this kind.
  var isForWebControls = false

  /// The time zone of its texts; nil where it is not known, or the texts are no dates.
  var timeZone: TimeZone?

  /// Whether a comma inside of its texts is usual, so that in a list it does not separate.
  var hasCommas = false

  /// Makes a format.
  ///
  /// - Parameters:
  ///   - kind: how such a value is entered.
  ///   - parse: makes a value from typed text. A thrown `FieldIssue` is reported as it is; any
  ///     other error becomes an issue with the code `invalid`.
  ///   - print: makes the text of a value.
  public init(
    kind: FieldKind = .text, parse: @escaping @Sendable (String) throws -> Value?,
    print: @escaping @Sendable (Value) -> String
  ) {
    self.kind = kind
    self.parse = parse
    self.print = print
  }

  /// A value that is displayed as text and can't be typed, because it has its own control.
  ///
  /// ```swift
  /// let place = Field<Coordinate>("Place").text(as: .shown { "\($0.latitude), \($0.longitude)" })
  /// ```
  ///
  /// Typed text is an issue with the code `notTyped`.
  ///
  /// - Parameter print: makes the text of a value; empty by default.
  public static func shown(
    _ print: @escaping @Sendable (Value) -> String = { _ in "" }
  ) -> FieldTextFormat {
    FieldTextFormat(parse: { _ in throw FieldIssue(code: "notTyped") }, print: print)
  }

  /// Reads a value from typed text; every error becomes an issue.
  func value(of text: String) throws(FieldIssue) -> Value? {
    do {
      return try parse(text)
    } catch {
      if let issue = error as? FieldIssue { throw issue }
      throw FieldIssue(code: "invalid", parameters: ["reason": FieldIssue.reason(error)])
    }
  }

  /// The text that a transformer makes, for types whose JSON is a text or a whole number.
  static func transformed(by transformer: FieldTransformer<Value>) -> FieldTextFormat {
    var format = FieldTextFormat(
      kind: kind(of: transformer),
      parse: { text in
        text.isEmpty ? nil : try value(of: text, by: transformer)
      },
      print: { value in text(of: value, by: transformer) ?? "" })
    format.timeZone = transformer.timeZone
    return format
  }

  /// The value that a transformer reads from a text, or from the whole number in it.
  private static func value(
    of text: String, by transformer: FieldTransformer<Value>
  ) throws -> Value? {
    do {
      return try transformer.importing(.string(text))
    } catch {
      guard (error as? FieldIssue)?.code == "malformed", let number = Int64(text) else {
        throw error
      }
      return try transformer.importing(.integer(number))
    }
  }

  private static func text(of value: Value, by transformer: FieldTransformer<Value>) -> String? {
    switch try? transformer.exporting(value) {
    case .string(let text)?: text
    case .integer(let number)?: "\(number)"
    default: nil
    }
  }

  private static func kind(of transformer: FieldTransformer<Value>) -> FieldKind {
    if Value.self is any CaseIterable.Type { return .choice(options(of: transformer)) }
    return Value.self == Date.self ? .date : .text
  }

  /// All values of an enum as options.
  private static func options(of transformer: FieldTransformer<Value>) -> [FieldOption] {
    guard let type = Value.self as? any CaseIterable.Type else { return [] }
    func all<Case: CaseIterable>(_ type: Case.Type) -> [Any] { Array(type.allCases) }
    return all(type).compactMap { value in
      guard let value = value as? Value else { return nil }
      return text(of: value, by: transformer).map { FieldOption($0) }
    }
  }
}

extension FieldTextFormat {
  /// The standard format of the type, if it has one.
  static var standard: FieldTextFormat? {
    guard let type = Value.self as? any TextFormattable.Type else { return nil }
    func format<Known: TextFormattable>(of type: Known.Type) -> Any { type.standardTextFormat }
    return format(of: type) as? FieldTextFormat
  }
}

/// A type with a standard text format.
protocol TextFormattable {
  static var standardTextFormat: FieldTextFormat<Self> { get }
}

extension FieldTextFormat where Value == String {
  /// The text as typed, even an empty one; the standard format of strings.
  ///
  /// An emptied control sets the empty text and not nil, so that it is sent as empty and validated
  /// by the rules. If the form was filled with nil, it sets nil again: typing and clearing a text
  /// changes nothing. If empty always means nil, use ``emptyIsNil``.
  public static var plain: FieldTextFormat {
    FieldTextFormat(parse: { $0 }, print: { $0 })
  }

  /// The text as typed; an empty one means nil.
  public static var emptyIsNil: FieldTextFormat {
    FieldTextFormat(parse: { $0.isEmpty ? nil : $0 }, print: { $0 })
  }

  /// The text in capitals, as codes are written.
  public static var uppercased: FieldTextFormat {
    FieldTextFormat(parse: { $0.uppercased() }, print: { $0 })
  }
}

extension FieldTextFormat where Value: FixedWidthInteger & Sendable {
  /// A whole number in digits of any script; spaces around it are ignored, and a text without digits
  /// is nil.
  public static var integer: FieldTextFormat {
    FieldTextFormat(kind: .integer) {
      try WholeNumber.read($0)
    } print: {
      "\($0)"
    }
  }
}

extension FieldTextFormat where Value == Bool {
  /// The words true and false; `on`, `yes` and `1` are read as true, as browsers send them.
  public static var toggle: FieldTextFormat {
    FieldTextFormat(kind: .toggle) { text in
      switch text.lowercased() {
      case "": nil
      case "true", "on", "yes", "1": true
      case "false", "off", "no", "0": false
      default: throw FieldIssue(code: "invalid")
      }
    } print: {
      $0 ? "true" : "false"
    }
  }
}

extension FieldIssue {
  static func notANumber(code: String, example: String) -> FieldIssue {
    FieldIssue(code: code, parameters: ["example": example])
  }
}

extension String: TextFormattable {
  static var standardTextFormat: FieldTextFormat<String> { .plain }
}

extension Bool: TextFormattable {
  static var standardTextFormat: FieldTextFormat<Bool> { .toggle }
}

extension Double: TextFormattable {
  static var standardTextFormat: FieldTextFormat<Double> { .decimal() }
}

extension Float: TextFormattable {
  static var standardTextFormat: FieldTextFormat<Float> { .decimal() }
}

extension TextFormattable where Self: FixedWidthInteger & Sendable {
  static var standardTextFormat: FieldTextFormat<Self> { .integer }
}

extension Int: TextFormattable {}
extension Int8: TextFormattable {}
extension Int16: TextFormattable {}
extension Int32: TextFormattable {}
extension Int64: TextFormattable {}
extension UInt: TextFormattable {}
extension UInt8: TextFormattable {}
extension UInt16: TextFormattable {}
extension UInt32: TextFormattable {}
extension UInt64: TextFormattable {}

extension String {
  /// The text with ASCII digits and minus signs in place of those of other scripts and of typesetters,
  /// and without the marks of direction that keyboards set beside them.
  var withPlainDigits: String {
    if utf8.allSatisfy({ $0 < 0x80 }) { return self }
    var plain = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar {
      case "\u{200E}", "\u{200F}", "\u{061C}": continue
      case "\u{2212}":
        plain.append("-")
        continue
      default: break
      }
      let properties = scalar.properties
      if properties.numericType == .decimal, let value = properties.numericValue {
        plain.append(contentsOf: "\(Int(value))".unicodeScalars)
      } else {
        plain.append(scalar)
      }
    }
    return String(plain)
  }
}

/// A whole number in typed text.
///
/// Every width is read by one parser and then narrowed: a parser for each of Swift's ten types
/// would add 40 KB to every program.
enum WholeNumber {
  /// The characters of the texts that are read.
  static let characters = FieldCharacters { character in
    FieldCharacters.integer.contains(character)
      || !character.isASCII
        && FieldCharacters.integer.containsAll(of: String(character).withPlainDigits)
  }

  /// Reads a number; nil for a text without digits.
  ///
  /// - Throws: a ``FieldIssue`` with the problem of the text.
  static func read<Value: FixedWidthInteger>(_ text: String) throws -> Value? {
    let digits = text.withPlainDigits.trimmingCharacters(in: .whitespaces)
    if digits.isEmpty { return nil }
    if Value.bitWidth > 64 {
      if let number = Value(digits) { return number }
    } else if let number = parse(digits), let narrowed = Value(exactly: number) {
      return narrowed
    }
    throw issue(with: digits, minimum: "\(Value.min)", maximum: "\(Value.max)")
  }

  @inline(never)
  private static func parse(_ digits: String) -> Int128? { Int128(digits) }

  @inline(never)
  private static func issue(with digits: String, minimum: String, maximum: String) -> FieldIssue {
    let isWhole = digits.allSatisfy { $0.isASCII && $0.isNumber || "+-".contains($0) }
    if Double(digits) == nil || !isWhole {
      return FieldIssue(code: "notWhole", parameters: ["example": "12"])
    }
    return digits.hasPrefix("-")
      ? FieldIssue(code: "tooSmall", parameters: ["minimum": minimum])
      : FieldIssue(code: "tooLarge", parameters: ["maximum": maximum])
  }
}
