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
