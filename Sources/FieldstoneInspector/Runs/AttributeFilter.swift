#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneRunDisplay

  /// An attribute of runs as in a user's input or an address: `customer=ada`.
  ///
  /// A whole number, `true`, `false`, or a time such as `2026-11-24T15:30:00Z` has its own type; in
  /// quotes it is a text, as in `customer="17"`.
  struct AttributeFilter: Hashable {
    let name: String
    let value: RunAttribute
    /// The typed text.
    let text: String

    /// Parses a name and a value.
    ///
    /// - Throws: `InspectorRefusal` for a text without an equals sign or a name.
    init(_ text: String) throws(InspectorRefusal) {
      // By bytes: a combining mark after the equals sign is one character with it.
      let bytes = text.utf8
      guard let mark = bytes.firstIndex(of: UInt8(ascii: "=")), mark > bytes.startIndex else {
        throw InspectorRefusal(
          400,
          "“\(text.prefix(64))” is no attribute; write its name and its value, as customer=ada.")
      }
      self.text = text
      name = String(decoding: bytes[..<mark], as: UTF8.self)
      value = RunAttribute(
        typed: String(decoding: bytes[bytes.index(after: mark)...], as: UTF8.self))
    }

    /// A filter for the runs with the same value of an attribute; nil if no text expresses it
    /// exactly.
    ///
    /// Examples are a fraction of a millisecond, and an equals sign in the name.
    init?(_ name: String, _ value: RunAttribute) {
      guard let filter = try? Self("\(name)=\(value.typed)"), filter.name == name,
        filter.value == value
      else { return nil }
      self = filter
    }
  }
#endif
