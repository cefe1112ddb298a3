/// The value of a header with its parameters, such as `form-data; name="a"`.
struct HeaderValue {
  private var values: [String: String] = [:]

  /// Parses a value; nil if it differs from `value`, is malformed, or repeats a parameter.
  init?(_ bytes: ArraySlice<UInt8>, of value: String) {
    var rest = bytes
    Self.skipBlanks(&rest)
    let first = Self.token(&rest)
    guard first.lowercased() == value else { return nil }
    Self.skipBlanks(&rest)
    while let next = rest.popFirst() {
      guard next == UInt8(ascii: ";") else { return nil }
      Self.skipBlanks(&rest)
      // Some clients send a semicolon at the end.
      if rest.isEmpty { break }
      let name = Self.token(&rest).lowercased()
      guard !name.isEmpty, rest.popFirst() == UInt8(ascii: "="), let value = Self.value(&rest),
        values.updateValue(value, forKey: name) == nil
      else { return nil }
      Self.skipBlanks(&rest)
    }
  }

  subscript(name: String) -> String? { values[name] }

  /// A token, or a quoted text.
  private static func value(_ rest: inout ArraySlice<UInt8>) -> String? {
    guard rest.first == quote else {
      let token = token(&rest)
      return token.isEmpty ? nil : token
    }
    rest.removeFirst()
    var text: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == quote { return String(decoding: text, as: UTF8.self) }
      // Browsers write a quote as %22; other clients escape it with a backslash. A backslash before
      // any other character is literal, because old clients send whole paths.
      if byte == UInt8(ascii: "\\"), rest.first == quote {
        rest.removeFirst()
        text.append(quote)
      } else {
        text.append(byte)
      }
    }
    return nil
  }

  private static func token(_ rest: inout ArraySlice<UInt8>) -> String {
    let token = rest.prefix { !" \t;=\"".utf8.contains($0) }
    rest = rest[token.endIndex...]
    return String(decoding: token, as: UTF8.self)
  }

  private static func skipBlanks(_ rest: inout ArraySlice<UInt8>) {
    rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == 9 }
  }

  private static let quote = UInt8(ascii: "\"")
}
