extension String {
  /// The text with other texts in place of some scalars; O(n).
  ///
  /// For texts that programs read. For Swift, a combining mark and the sign before it are one
  /// character; for a shell or a parser the sign is still there.
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
