// What Mold had of strings and the platform still lacks.

extension StringProtocol {
  /// The text without white space and line breaks at both ends; O(n).
  public var trimmed: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }

  /// The text without white space at both ends, or nil when nothing is left of it; O(n).
  public var nonEmpty: String? {
    let trimmed = trimmed
    return trimmed.isEmpty ? nil : trimmed
  }
}
