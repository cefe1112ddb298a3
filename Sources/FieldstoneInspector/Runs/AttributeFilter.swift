#if INSPECTOR
  import FieldstoneDurable
  import Foundation

  /// An attribute of runs as a person types it and an address has it: `customer=ada`.
  ///
  /// A whole number, `true` and `false`, and a moment such as `2026-11-24T15:30:00Z` are what they look
  /// like; in quotes they are texts, as in `customer="17"`.
  struct AttributeFilter: Hashable {
    let name: String
    let value: RunAttribute
    /// What was typed.
    let text: String

    /// Reads a name and a value.
    ///
    /// - Throws: `InspectorRefusal` for a text without an equals sign or a name.
    init(_ text: String) throws(InspectorRefusal) {
      guard let mark = text.firstIndex(of: "="), mark > text.startIndex else {
        throw InspectorRefusal(
          400,
          "“\(text.prefix(64))” is no attribute; write its name and its value, as customer=ada.")
      }
      self.text = text
      name = String(text[..<mark])
      value = Self.value(of: String(text[text.index(after: mark)...]))
    }

    /// Finds the runs that have the same value of an attribute; nil where no text says it exactly, as for a
    /// part of a millisecond or an equals sign in the name.
    init?(_ name: String, _ value: RunAttribute) {
      guard let filter = try? Self("\(name)=\(Self.text(of: value))"), filter.name == name,
        filter.value == value
      else { return nil }
      self = filter
    }

    private static func value(of text: String) -> RunAttribute {
      if text.count > 1, text.hasPrefix("\""), text.hasSuffix("\"") {
        return .string(String(text.dropFirst().dropLast()))
      }
      if text == "true" || text == "false" { return .boolean(text == "true") }
      if let number = Int(text) { return .integer(number) }
      for style in [style, style.year().month().day().time(includingFractionalSeconds: false)] {
        if let date = try? style.parse(text) { return .date(date) }
      }
      return .string(text)
    }

    /// The value as it can be typed.
    static func text(of value: RunAttribute) -> String {
      switch value {
      case .integer(let number): "\(number)"
      case .boolean(let isSo): "\(isSo)"
      case .date(let date): date.formatted(style)
      case .string(let text): Self.value(of: text) == .string(text) ? text : "\"\(text)\""
      }
    }

    /// Milliseconds and all, as ticks have them.
    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
  }
#endif
