#if INSPECTOR
  import FieldstoneDurable
  import Foundation

  extension JSONScan {
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
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
          letters.append(byte)
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): letters.append(byte | 0x20)
        // Escapes and other scripts take the slow way.
        case 0x80..., UInt8(ascii: "\\"): return scan.string(token).map(rule.hides) ?? true
        default: break
        }
      }
      return names.contains { RedactionRule.contains($0, in: letters) }
    }
  }
#endif
