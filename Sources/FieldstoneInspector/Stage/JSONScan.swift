#if INSPECTOR
  import Foundation

  /// The tokens of JSON text, and the values of its members with redacted names.
  ///
  /// It accepts any bytes, such as the beginning of a long payload, and never fails. O(n).
  struct JSONScan {
    let bytes: [UInt8]
    /// The places of the tokens: strings, brackets, colons, commas and literals.
    let tokens: [Range<Int>]

    init(_ bytes: [UInt8]) {
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

    func text(_ token: Int) -> String { String(decoding: bytes[tokens[token]], as: UTF8.self) }

    func byte(_ token: Int) -> UInt8 { bytes[tokens[token].lowerBound] }

    /// The text of a string token; nil for another token, and for a string that is not valid.
    func string(_ token: Int) -> String? {
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

    /// The tokens of each value whose member has a redacted name, in order.
    ///
    /// A value within a redacted one is not listed.
    func hiddenValues(_ rule: RedactionRule) -> [Range<Int>] {
      let matcher = NameMatcher(rule)
      var hidden: [Range<Int>] = []
      var token = 1
      while token < tokens.count {
        defer { token += 1 }
        guard byte(token) == UInt8(ascii: ":"), token + 1 < tokens.count,
          matcher.hides(name: token - 1, of: self)
        else { continue }
        let end = self.end(ofValueAt: token + 1)
        guard end > token + 1 else { continue }
        hidden.append(token + 1..<end)
        token = end - 1
      }
      return hidden
    }

    /// The token after a value.
    private func end(ofValueAt start: Int) -> Int {
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
    func bytes(of tokens: Range<Int>) -> ArraySlice<UInt8> {
      let (first, last) = (self.tokens[tokens.lowerBound], self.tokens[tokens.upperBound - 1])
      return bytes[first.lowerBound..<last.upperBound]
    }
  }

  /// A redaction rule for the names of many members.
  private struct NameMatcher {
    let rule: RedactionRule
    private let names: [[UInt8]]

    init(_ rule: RedactionRule) {
      self.rule = rule
      names = rule.names.filter { !$0.isEmpty }.map { Array($0.utf8) }
    }

    func hides(name token: Int, of scan: JSONScan) -> Bool {
      let place = scan.tokens[token]
      guard scan.byte(token) == UInt8(ascii: "\"") else { return false }
      var letters: [UInt8] = []
      letters.reserveCapacity(place.count)
      for byte in scan.bytes[place] {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): letters.append(byte)
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): letters.append(byte | 0x20)
        // Escapes and other scripts take the slow way.
        case 0x80..., UInt8(ascii: "\\"): return scan.string(token).map(rule.hides) ?? true
        default: break
        }
      }
      return names.contains { contains($0, in: letters) }
    }

    private func contains(_ part: [UInt8], in letters: [UInt8]) -> Bool {
      guard part.count <= letters.count else { return false }
      return (0...letters.count - part.count).contains { start in
        part.indices.allSatisfy { letters[start + $0] == part[$0] }
      }
    }
  }
#endif
