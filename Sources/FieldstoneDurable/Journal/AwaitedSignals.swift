/// The names of the signals that a run awaits, as the text of a journal's column.
///
/// One name is the text itself, as in older journals. Several follow a separator each, which no
/// awaited name contains.
package enum AwaitedSignals {
  /// More names are refused.
  package static let maximumCount = 16
  /// Stands before each of several names.
  package static let separator = "\u{1F}"

  private static let byte = UInt8(0x1F)

  /// The text; nil without names.
  package static func text(_ names: [String]) -> String? {
    if names.count < 2 { return names.first }
    return names.map { separator + $0 }.joined()
  }

  /// The names of a text.
  package static func names(_ text: String?) -> [String] {
    guard let text else { return [] }
    guard text.utf8.first == byte else { return [text] }
    return text.utf8.dropFirst().split(separator: byte, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// Throws for a number of names that a stage can't await, and for names with a separator.
  package static func check(_ names: [String]) throws(JournalError) {
    guard 1...maximumCount ~= names.count, !names.contains(where: { $0.utf8.contains(byte) }) else {
      throw .invalidSignalNames(names)
    }
  }
}

extension [String] {
  /// Whether a name is among them, by its bytes.
  package func hasName(_ name: String) -> Bool {
    contains { $0.utf8.elementsEqual(name.utf8) }
  }

  /// The names in quotation marks, for a message.
  package func quoted(separator: String = ", ") -> String {
    map { "“\($0)”" }.joined(separator: separator)
  }
}
