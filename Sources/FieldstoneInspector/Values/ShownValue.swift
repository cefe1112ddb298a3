#if INSPECTOR
  /// A value as pages show it: structured like JSON, truncated if it is too large.
  ///
  /// It is a class, so that a value whose encoding fails halfway is shown up to that point.
  final class ShownValue {
    enum Content {
      /// Nothing was encoded.
      case nothing
      /// A number, `true`, `false` or `null`.
      case literal(String)
      case text(String)
      case object([(name: String, value: ShownValue)])
      case array([ShownValue])
      /// The redaction rule hides it.
      case redacted
      /// It exceeds the limits.
      case cut
    }

    var content: Content

    init(_ content: Content = .nothing) {
      self.content = content
    }

    /// The value as indented text; valid JSON if nothing was truncated or redacted.
    var text: String {
      var text = ""
      write(to: &text, indent: 0)
      return text
    }

    private func write(to text: inout String, indent: Int) {
      switch content {
      case .nothing: text += "{}"
      case .literal(let literal): text += literal
      case .text(let string): text += Self.quoted(string)
      case .redacted: text += "•••"
      case .cut: text += "…"
      case .object(let members):
        write(members.map { (Self.quoted($0.name) + ": ", $0.value) }, "{", "}", &text, indent)
      case .array(let items): write(items.map { ("", $0) }, "[", "]", &text, indent)
      }
    }

    private func write(
      _ items: [(prefix: String, value: ShownValue)], _ open: String, _ close: String,
      _ text: inout String, _ indent: Int
    ) {
      text += open
      for (index, item) in items.enumerated() {
        text += (index > 0 ? ",\n" : "\n") + String(repeating: "  ", count: indent + 1)
        text += item.prefix
        item.value.write(to: &text, indent: indent + 1)
      }
      if !items.isEmpty { text += "\n" + String(repeating: "  ", count: indent) }
      text += close
    }

    /// A text as a JSON string; control and formatting characters are escaped.
    private static func quoted(_ text: String) -> String {
      var quoted = "\""
      for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": quoted += "\\\""
        case "\\": quoted += "\\\\"
        case "\n": quoted += "\\n"
        case "\r": quoted += "\\r"
        case "\t": quoted += "\\t"
        default:
          switch scalar.properties.generalCategory {
          case .control, .format, .lineSeparator, .paragraphSeparator:
            for unit in String(scalar).utf16 {
              let digits = String(unit, radix: 16)
              quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
          default: quoted.unicodeScalars.append(scalar)
          }
        }
      }
      return quoted + "\""
    }
  }
#endif
