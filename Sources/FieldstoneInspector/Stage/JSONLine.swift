#if INSPECTOR
  import FieldstoneDurable
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
    /// The redacted value that dots stand for; it is compared, and never shown.
    var hidden: String?

    /// Whether two lines are equal, apart from their commas.
    func isSame(as other: Self) -> Bool {
      indent == other.indent && key == other.key && value == other.value
        && hidden == other.hidden
    }

    /// The line as text.
    var text: String {
      String(repeating: "  ", count: indent) + (key.isEmpty ? "" : key + ": ") + value
        + (hasComma ? "," : "")
    }

    /// The lines of a payload; a payload that is not JSON is one line of text.
    ///
    /// O(n) in the number of bytes, up to a limit.
    ///
    /// - Parameters:
    ///   - payload: the payload.
    ///   - limit: the number of bytes to read.
    ///   - rule: the names of the members whose values are dots; nil for a text without redaction.
    static func lines(of payload: Data, limit: Int = .max, hiding rule: RedactionRule?) -> [Self] {
      // A truncated JSON text is not valid JSON, but is parsed as JSON.
      guard payload.count > limit || StageText.isJSON(payload) else {
        let text = rule?.redacted(payload) ?? payload
        return [Self(indent: 0, value: String(decoding: text, as: UTF8.self))]
      }
      var lines = [Self(indent: 0)]
      let tokens = tokens(of: Array(payload.prefix(limit)), hiding: rule)
      for (index, (token, hidden)) in tokens.enumerated() {
        if let hidden { lines[lines.count - 1].hidden = hidden }
        let depth = lines[lines.count - 1].indent
        switch token {
        case "{", "[":
          lines[lines.count - 1].value += token
          let next = index + 1 < tokens.count ? tokens[index + 1].text : ""
          // Deep nesting is not indented further: otherwise the text would grow quadratically.
          if next != "}" && next != "]" { lines.append(Self(indent: min(depth + 1, 32))) }
        case "}", "]":
          let before = index > 0 ? tokens[index - 1].text : ""
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
      return Data(tokens(of: Array(payload), hiding: nil).map(\.text).joined().utf8)
    }

    /// The tokens, with dots and the hidden text in place of redacted values.
    private static func tokens(
      of bytes: [UInt8], hiding rule: RedactionRule?
    ) -> [(text: String, hidden: String?)] {
      let scan = JSONScan(bytes)
      var hidden = (rule.map(scan.hiddenValues) ?? [])[...]
      var tokens: [(text: String, hidden: String?)] = []
      var token = 0
      while token < scan.tokens.count {
        if let place = hidden.first, place.lowerBound == token {
          hidden.removeFirst()
          // Compact, so that a change of whitespace is no difference.
          let text = place.map(scan.text).joined()
          tokens.append(("\"\(RedactedJSON.dots)\"", text))
          token = place.upperBound
        } else {
          tokens.append((scan.text(token), nil))
          token += 1
        }
      }
      return tokens
    }
  }
#endif
