extension StringProtocol {
  /// The parts of a path between its slashes, without empty ones; O(n).
  ///
  /// By bytes, as the system reads it: in a name that begins with a combining mark, the mark and the
  /// slash before it are one character.
  package var pathParts: [String] {
    utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether it begins with a slash, whatever follows.
  package var isAbsolutePath: Bool { utf8.first == UInt8(ascii: "/") }

  /// The text with other texts in place of some scalars; O(n).
  ///
  /// For texts that a program reads: a combining mark after a quotation mark makes one character of
  /// both, and still it is a quotation mark for the program.
  package func replacingScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
    var text = ""
    for scalar in unicodeScalars {
      if let other = replacement(scalar) {
        text += other
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
