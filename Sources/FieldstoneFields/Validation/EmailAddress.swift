/// What looks like an email address.
enum EmailAddress {
  /// Whether it is a name, `@` and a domain with a dot, all within the lengths of RFC 5321.
  static func isPlausible(_ text: String) -> Bool {
    guard text.utf8.count <= 254, let at = text.lastIndex(of: "@") else { return false }
    return isName(text[..<at]) && isDomain(text[text.index(after: at)...])
  }

  private static func isName(_ name: Substring) -> Bool {
    guard !name.isEmpty, name.utf8.count <= 64 else { return false }
    guard name.allSatisfy(isNameCharacter) else { return false }
    return !name.hasPrefix(".") && !name.hasSuffix(".") && !name.contains("..")
  }

  private static func isNameCharacter(_ character: Character) -> Bool {
    if character.isLetter || character.isNumber { return true }
    return ".!#$%&'*+-/=?^_`{|}~".contains(character)
  }

  private static func isDomain(_ domain: Substring) -> Bool {
    let labels = domain.split(separator: ".", omittingEmptySubsequences: false)
    guard labels.count >= 2, labels.allSatisfy(isLabel), let last = labels.last else {
      return false
    }
    return last.count >= 2 && !last.allSatisfy(\.isNumber)
  }

  private static func isLabel(_ label: Substring) -> Bool {
    guard !label.isEmpty, label.utf8.count <= 63 else { return false }
    guard !label.hasPrefix("-"), !label.hasSuffix("-") else { return false }
    return label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
  }
}
