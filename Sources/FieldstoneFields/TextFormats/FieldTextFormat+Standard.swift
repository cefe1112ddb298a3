import Foundation

extension FieldTextFormat where Value == String {
  /// The text as it is, an empty one included; what strings are typed as unless told otherwise.
  ///
  /// An emptied control gives the empty text and not nil, so that it is sent as empty and judged by
  /// the rules. Only where the form was filled with nil does it give nil again: a person who types
  /// and clears has changed nothing. Where empty means nil, use ``emptyIsNil``.
  public static var plain: FieldTextFormat {
    FieldTextFormat(parse: { $0 }, print: { $0 })
  }

  /// The text as it is, where an empty one means nil.
  public static var emptyIsNil: FieldTextFormat {
    FieldTextFormat(parse: { $0.isEmpty ? nil : $0 }, print: { $0 })
  }

  /// The text in capitals, as codes are written.
  public static var uppercased: FieldTextFormat {
    FieldTextFormat(parse: { $0.uppercased() }, print: { $0 })
  }
}

extension FieldTextFormat where Value: FixedWidthInteger & Sendable {
  /// A whole number in digits; spaces around it are nothing, and no digits mean nil.
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

/// A whole number as it is typed.
///
/// Every width is read by one parser and then narrowed: a parser for each of Swift's ten types costs
/// every program 40 KB.
enum WholeNumber {
  /// Reads a number; nil where there are no digits.
  ///
  /// - Throws: a ``FieldIssue`` that says what is wrong with the text.
  static func read<Value: FixedWidthInteger>(_ text: String) throws -> Value? {
    let digits = text.trimmingCharacters(in: .whitespaces)
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
