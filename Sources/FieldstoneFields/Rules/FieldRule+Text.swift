import Foundation

extension FieldRule where Value == String {
  /// Not nil, and something else than white space: code `blank`.
  public static var notBlank: FieldRule {
    FieldRule(acceptsNil: false) {
      let issues = [FieldIssue(code: "blank", message: nil)]
      return { text in text.isBlank ? issues : nil }
    }
  }

  /// The whole text matches a pattern: code `pattern`.
  ///
  /// ```swift
  /// let icao = Field<String>("ICAO").require(.pattern(/[A-Z]{4}/))
  /// ```
  ///
  /// - Parameter pattern: made once for each field that has the rule, as a `Regex` can't be sent
  ///   from one isolation to another.
  public static func pattern<Output>(
    _ pattern: @escaping @Sendable @autoclosure () -> Regex<Output>
  ) -> FieldRule {
    FieldRule {
      let regex = pattern()
      let issues = [FieldIssue(code: "pattern", message: nil)]
      return { text in
        do {
          return try regex.wholeMatch(in: text) == nil ? issues : nil
        } catch {
          // A capture's own transform has thrown.
          return [.couldNotValidate(error)]
        }
      }
    }
  }

  /// An email address as people write them: code `email`.
  ///
  /// It is a name, `@`, and a domain with a dot; what the standard allows besides (comments,
  /// quotes, addresses without a domain) is refused, letters of all scripts are accepted. Only
  /// a message can tell whether the address is in use.
  public static var email: FieldRule {
    FieldRule {
      let issues = [FieldIssue(code: "email", message: nil)]
      return { EmailAddress.isPlausible($0) ? nil : issues }
    }
  }

  /// An absolute web address with a host: code `url`.
  ///
  /// - Parameter schemes: those that are accepted, in lower case.
  public static func url(schemes: [String] = ["https", "http"]) -> FieldRule {
    FieldRule {
      let example = "\(schemes.first ?? "https")://example.org"
      let issues = [FieldIssue(code: "url", message: nil, parameters: ["example": example])]
      return { WebAddress.isPlausible($0, schemes: schemes) ? nil : issues }
    }
  }

  /// An absolute web address with a host, `https` or `http`: code `url`.
  public static var url: FieldRule { url() }
}

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

/// What looks like an absolute address on the web.
enum WebAddress {
  /// Whether it has one of the schemes and a host, and nothing that does not belong in a URL.
  static func isPlausible(_ text: String, schemes: [String]) -> Bool {
    // Foundation reads what it can and escapes the rest.
    guard text.allSatisfy(belongs), let address = URLComponents(string: text),
      let scheme = address.scheme?.lowercased(), schemes.contains(scheme), let host = address.host
    else { return false }
    if let port = address.port, !(1...65_535).contains(port) { return false }
    return !host.isEmpty && !host.hasPrefix(".") && !host.contains("..")
  }

  /// Letters of all scripts are escaped by the client that follows the address.
  private static func belongs(_ character: Character) -> Bool {
    !character.isWhitespace && !#""<>\^`{|}"#.contains(character)
  }
}
