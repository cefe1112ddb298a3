/// The value of a header with its parameters: `form-data; name="a"`.
struct HeaderValue {
  private var values: [String: String] = [:]

  /// Reads it; nil when the value is another one, is broken or says something twice.
  init?(_ bytes: ArraySlice<UInt8>, of value: String) {
    var rest = bytes
    Self.skipBlanks(&rest)
    let first = Self.token(&rest)
    guard first.lowercased() == value else { return nil }
    Self.skipBlanks(&rest)
    while let next = rest.popFirst() {
      guard next == UInt8(ascii: ";") else { return nil }
      Self.skipBlanks(&rest)
      // Some clients send one semicolon too many.
      if rest.isEmpty { break }
      let name = Self.token(&rest).lowercased()
      guard !name.isEmpty, rest.popFirst() == UInt8(ascii: "="), let value = Self.value(&rest),
        values.updateValue(value, forKey: name) == nil
      else { return nil }
      Self.skipBlanks(&rest)
    }
  }

  subscript(name: String) -> String? { values[name] }

  /// A token, or text in quotes.
  private static func value(_ rest: inout ArraySlice<UInt8>) -> String? {
    guard rest.first == quote else {
      let token = token(&rest)
      return token.isEmpty ? nil : token
    }
    rest.removeFirst()
    var text: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == quote { return String(decoding: text, as: UTF8.self) }
      // Browsers write a quote as %22; others put a backslash before it. Before anything else a
      // backslash is one: old clients send whole paths.
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
