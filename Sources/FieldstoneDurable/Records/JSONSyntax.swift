package import Foundation

/// The syntax of JSON text, by RFC 8259 and in UTF-8.
///
/// Foundation's parsers also take a comma before a closing bracket and other encodings. Other
/// programs refuse such text, so a journal must not keep it.
package struct JSONSyntax {
  /// The largest depth of brackets, as in Foundation's parsers.
  private static let deepest = 512

  private let bytes: [UInt8]
  private var index = 0

  /// Whether bytes are one JSON value, with nothing but blanks around it.
  ///
  /// O(n).
  package static func isValid(_ data: Data) -> Bool {
    guard String(validating: data, as: UTF8.self) != nil else { return false }
    var syntax = Self(bytes: Array(data))
    return syntax.isText()
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  /// A loop, because the depth of calls must not depend on the text.
  private mutating func isText() -> Bool {
    // The bytes that close the open brackets.
    var open: [UInt8] = []
    var isValueNext = true
    while true {
      skipBlanks()
      if isValueNext {
        isValueNext = false
        if skip("{") || skip("[") {
          let closing = bytes[index - 1] + 2
          guard open.count < Self.deepest else { return false }
          skipBlanks()
          if skip(closing) { continue }
          open.append(closing)
          if closing == UInt8(ascii: "}"), !skipName() { return false }
          isValueNext = true
        } else if !skipScalar() {
          return false
        }
      } else if let closing = open.last {
        if skip(closing) {
          open.removeLast()
        } else {
          guard skip(",") else { return false }
          if closing == UInt8(ascii: "}"), !skipName() { return false }
          isValueNext = true
        }
      } else {
        return index == bytes.count
      }
    }
  }

  private var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func skipBlanks() {
    while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
  }

  private mutating func skip(_ expected: UInt8) -> Bool {
    guard byte == expected else { return false }
    index += 1
    return true
  }

  private mutating func skip(_ expected: Unicode.Scalar) -> Bool { skip(UInt8(ascii: expected)) }

  /// A member's name with its colon.
  private mutating func skipName() -> Bool {
    skipBlanks()
    guard skipString() else { return false }
    skipBlanks()
    return skip(":")
  }

  private mutating func skipScalar() -> Bool {
    if byte == UInt8(ascii: "\"") { return skipString() }
    for literal in ["true", "false", "null"] where bytes[index...].starts(with: literal.utf8) {
      index += literal.utf8.count
      return true
    }
    return skipNumber()
  }

  /// A number that is too large for a `Double` is none: no parser of Foundation reads it.
  private mutating func skipNumber() -> Bool {
    let start = index
    _ = skip("-")
    if !skip("0"), !skipDigits() { return false }
    if skip("."), !skipDigits() { return false }
    let hasExponent = skip("e") || skip("E")
    if hasExponent {
      _ = skip("+") || skip("-")
      if !skipDigits() { return false }
    }
    guard hasExponent || index - start > 300 else { return true }
    return Double(String(decoding: bytes[start..<index], as: UTF8.self))?.isFinite ?? false
  }

  private mutating func skipDigits() -> Bool {
    let start = index
    while let byte, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { index += 1 }
    return index > start
  }

  private mutating func skipString() -> Bool {
    guard skip("\"") else { return false }
    // Most bytes of large texts are in strings, so they are read without a call for each.
    var next = index
    while next < bytes.count {
      let byte = bytes[next]
      next += 1
      if byte < 0x20 { return false }
      if byte == UInt8(ascii: "\"") {
        index = next
        return true
      }
      if byte == UInt8(ascii: "\\") {
        index = next
        guard skipEscape() else { return false }
        next = index
      }
    }
    return false
  }

  /// What follows a backslash.
  ///
  /// A surrogate without its other half is no character.
  private mutating func skipEscape() -> Bool {
    if !skip("u") {
      guard let byte, "\"\\/bfnrt".utf8.contains(byte) else { return false }
      index += 1
      return true
    }
    guard let unit = takeUnit() else { return false }
    if !(0xD800..<0xE000).contains(unit) { return true }
    guard unit < 0xDC00, skip("\\"), skip("u"), let second = takeUnit() else { return false }
    return (0xDC00..<0xE000).contains(second)
  }

  private mutating func takeUnit() -> UInt16? {
    guard bytes.count - index >= 4 else { return nil }
    let digits = bytes[index..<index + 4]
    index += 4
    guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
    return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}
