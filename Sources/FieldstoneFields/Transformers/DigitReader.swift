/// Reads a text of digits and marks from its beginning.
struct DigitReader {
  private var rest: Substring.UTF8View

  init(_ text: String) {
    rest = Substring(text).utf8
  }

  var isAtEnd: Bool { rest.isEmpty }

  /// Takes one character if it comes next.
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard let next = rest.first, UInt32(next) == character.value else { return false }
    rest.removeFirst()
    return true
  }

  /// Takes a digit if one comes next.
  mutating func digit() -> Int? {
    guard let next = rest.first, UInt8(ascii: "0")...UInt8(ascii: "9") ~= next else { return nil }
    rest.removeFirst()
    return Int(next - UInt8(ascii: "0"))
  }

  /// Takes a number that has just so many digits, at most 18.
  mutating func number(digits: Int) -> Int? {
    var number = 0
    for _ in 0..<digits {
      guard let digit = digit() else { return nil }
      number = number * 10 + digit
    }
    return number
  }

  /// Takes any digits, at least one, as those after a decimal point; from the sixteenth on they are
  /// beyond what a double holds.
  mutating func fraction() -> Double? {
    guard var number = digit() else { return nil }
    var scale = 10.0
    while let digit = digit() {
      guard scale < 1e15 else { continue }
      number = number * 10 + digit
      scale *= 10
    }
    return Double(number) / scale
  }

  /// Takes any digits, at least one; false when there is none.
  mutating func skipDigits() -> Bool {
    guard digit() != nil else { return false }
    while digit() != nil {}
    return true
  }
}
