#if INSPECTOR
  import FieldstoneRunDisplay
  import Foundation

  /// A line of indented JSON; numbers and strings keep their spelling in the journal, to the last
  /// digit.
  struct JSONLine: Hashable {
    var indent: Int
    /// The name of a member, as a JSON string; empty in an array.
    var key = ""
    /// A value, or a bracket.
    var value = ""
    /// Whether a comma ends the line.
    var hasComma = false

    /// Whether two lines are equal, apart from their commas.
    func isSame(as other: Self) -> Bool {
      indent == other.indent && key == other.key && value == other.value
    }

    /// The line as text.
    var text: String {
      String(repeating: "  ", count: indent) + (key.isEmpty ? "" : key + ": ") + value
        + (hasComma ? "," : "")
    }

    /// The lines of a payload; a payload that is not JSON is one line of text.
    ///
    /// O(n) in the number of bytes, up to a limit.
    static func lines(of payload: Data, limit: Int = .max) -> [Self] {
      // A truncated JSON text is not valid JSON, but is parsed as JSON.
      guard payload.count > limit || StageText.isJSON(payload) else {
        return [Self(indent: 0, value: String(decoding: payload, as: UTF8.self))]
      }
      var lines = [Self(indent: 0)]
      let tokens = tokens(of: Array(payload.prefix(limit)))
      for (index, token) in tokens.enumerated() {
        let depth = lines[lines.count - 1].indent
        switch token {
        case "{", "[":
          lines[lines.count - 1].value += token
          let next = index + 1 < tokens.count ? tokens[index + 1] : ""
          // Deep nesting is not indented further: otherwise the text would grow quadratically.
          if next != "}" && next != "]" { lines.append(Self(indent: min(depth + 1, 32))) }
        case "}", "]":
          let before = index > 0 ? tokens[index - 1] : ""
          if before == "{" || before == "[" {
            lines[lines.count - 1].value += token
          } else {
            lines.append(Self(indent: max(depth - 1, 0), value: token))
          }
        case ",":
          lines[lines.count - 1].hasComma = true
          lines.append(Self(indent: depth))
        case ":":
          let last = lines.count - 1
          (lines[last].key, lines[last].value) = (lines[last].value, "")
        default: lines[lines.count - 1].value += token
        }
      }
      return lines
    }

    /// JSON without whitespace between its tokens; other data stays unchanged.
    static func compact(_ payload: Data) -> Data {
      guard StageText.isJSON(payload) else { return payload }
      return Data(tokens(of: Array(payload)).joined().utf8)
    }

    private static func tokens(of bytes: [UInt8]) -> [String] {
      var tokens: [String] = []
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
        tokens.append(String(decoding: bytes[start..<index], as: UTF8.self))
      }
      return tokens
    }
  }
#endif
