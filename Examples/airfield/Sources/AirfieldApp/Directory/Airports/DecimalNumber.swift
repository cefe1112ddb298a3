/// Decimal numbers as a data file may have them.
///
/// Swift's own conversion also takes hexadecimal, `inf` and `nan`, which no airport has.
enum DecimalNumber {
  /// The number that the whole text spells: digits with an optional sign, fraction and exponent.
  static func parse(_ text: String) -> Double? {
    var rest = text.utf8[...]
    takeSign(&rest)
    let whole = takeDigits(&rest)
    var fraction = 0
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      fraction = takeDigits(&rest)
      guard fraction > 0 else { return nil }
    }
    guard whole > 0 else { return nil }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest.removeFirst()
      takeSign(&rest)
      guard takeDigits(&rest) > 0 else { return nil }
    }
    return rest.isEmpty ? Double(text) : nil
  }

  /// The shortest text that spells a number, which is finite.
  static func text(_ number: Double) -> String {
    let text = number.description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  private static func takeSign(_ text: inout Substring.UTF8View) {
    if text.first == UInt8(ascii: "-") || text.first == UInt8(ascii: "+") { text.removeFirst() }
  }

  private static func takeDigits(_ text: inout Substring.UTF8View) -> Int {
    let digits = text.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    text = text[digits.endIndex...]
    return digits.count
  }
}
