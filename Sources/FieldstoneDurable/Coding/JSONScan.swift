import Foundation

/// The tokens of JSON text, as bytes: numbers and strings keep their spelling, to the last digit.
///
/// It accepts any bytes, such as the beginning of a long payload, and never fails. O(n).
package struct JSONScan {
  package let bytes: [UInt8]
  /// The places of the tokens: strings, brackets, colons, commas and literals.
  package let tokens: [Range<Int>]

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var tokens: [Range<Int>] = []
    var index = 0
    while index < bytes.count {
      let start = index
      switch bytes[index] {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
        index += 1
        continue
      case UInt8(ascii: "\""):
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
          index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        index += 1
      case let byte where "{}[],:".utf8.contains(byte): index += 1
      default:
        while index < bytes.count, !" \n\r\t{}[],:\"".utf8.contains(bytes[index]) { index += 1 }
      }
      index = min(index, bytes.count)
      tokens.append(start..<index)
    }
    self.tokens = tokens
  }

  package func text(_ token: Int) -> String {
    String(decoding: bytes[tokens[token]], as: UTF8.self)
  }

  package func byte(_ token: Int) -> UInt8 { bytes[tokens[token].lowerBound] }

  /// The text of a string token; nil for another token, and for a string that is not valid.
  package func string(_ token: Int) -> String? {
    let place = tokens[token]
    guard place.count > 1, byte(token) == UInt8(ascii: "\""),
      bytes[place.upperBound - 1] == UInt8(ascii: "\"")
    else { return nil }
    let content = bytes[place.lowerBound + 1..<place.upperBound - 1]
    guard content.contains(UInt8(ascii: "\\")) else {
      return String(decoding: content, as: UTF8.self)
    }
    let data = Data(bytes[place])
    return try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) as? String
  }

  /// The token after a value.
  package func end(ofValueAt start: Int) -> Int {
    var depth = 0
    var token = start
    while token < tokens.count {
      switch byte(token) {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        // A bracket in place of a value ends the members around it.
        if depth == 0 { return token }
        depth -= 1
      case UInt8(ascii: ","), UInt8(ascii: ":"):
        if depth == 0 { return token }
      default: break
      }
      token += 1
      if depth == 0 { return token }
    }
    return token
  }

  /// The bytes of a range of tokens, with the whitespace between them.
  package func bytes(of tokens: Range<Int>) -> ArraySlice<UInt8> {
    let (first, last) = (self.tokens[tokens.lowerBound], self.tokens[tokens.upperBound - 1])
    return bytes[first.lowerBound..<last.upperBound]
  }
}
