import Foundation

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
