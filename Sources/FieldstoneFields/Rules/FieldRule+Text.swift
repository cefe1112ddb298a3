import Foundation

extension FieldRule where Value == String {
  /// Not nil, and not only white space and characters without a visible form: code `blank`.
  public static var notBlank: FieldRule {
    FieldRule(named: "notBlank", acceptsNil: false) {
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
  /// - Parameter pattern: evaluated once for each field that has the rule, as a `Regex` is not
  ///   `Sendable`.
  public static func pattern<Output>(
    _ pattern: @escaping @Sendable @autoclosure () -> Regex<Output>
  ) -> FieldRule {
    FieldRule(named: "pattern") {
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

  /// An email address in the usual form: code `email`.
  ///
  /// It is a name, `@`, and a domain with a dot; letters of all scripts are accepted. Comments,
  /// quotes and addresses without a domain, which the standard allows, are refused. Only a message
  /// can show whether the address is in use.
  public static var email: FieldRule {
    FieldRule(named: "email") {
      let issues = [FieldIssue(code: "email", message: nil)]
      return { EmailAddress.isPlausible($0) ? nil : issues }
    }
  }

  /// An absolute web address with a host: code `url`.
  ///
  /// - Parameter schemes: the accepted schemes, in lower case.
  public static func url(schemes: [String] = ["https", "http"]) -> FieldRule {
    FieldRule(named: "url") {
      let example = "\(schemes.first ?? "https")://example.org"
      let issues = [FieldIssue(code: "url", message: nil, parameters: ["example": example])]
      return { WebAddress.isPlausible($0, schemes: schemes) ? nil : issues }
    }
  }

  /// An absolute web address with a host, `https` or `http`: code `url`.
  public static var url: FieldRule { url() }
}

/// The check of an email address.
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

/// The check of an absolute web address.
enum WebAddress {
  /// Whether it has one of the schemes and a host, and only characters that a URL may have.
  static func isPlausible(_ text: String, schemes: [String]) -> Bool {
    // Foundation escapes invalid characters instead of refusing them.
    guard text.allSatisfy(belongs), let address = URLComponents(string: text),
      let scheme = address.scheme?.lowercased(), schemes.contains(scheme), let host = address.host
    else { return false }
    if let port = address.port, !(1...65_535).contains(port) { return false }
    return !host.isEmpty && !host.hasPrefix(".") && !host.contains("..")
  }

  /// Letters of all scripts are accepted: the client that follows the address escapes them.
  private static func belongs(_ character: Character) -> Bool {
    !character.isWhitespace && !#""<>\^`{|}"#.contains(character)
  }
}

extension FieldRule where Value == String {
  /// Only characters of a set: code `wrongCharacter`, with the first other character as the
  /// parameter `character`.
  ///
  /// ```swift
  /// let code = Field<String>("Code").require(.characters(in: .letters.union(.digits)))
  /// ```
  ///
  /// A character without a visible form is named by its number, such as `U+0007`.
  public static func characters(in allowed: FieldCharacters) -> FieldRule {
    FieldRule(named: "characters") {
      { text in
        guard let wrong = text.first(where: { !allowed.contains($0) }) else { return nil }
        let name = wrong.visibleName
        return [FieldIssue(code: "wrongCharacter", message: nil, parameters: ["character": name])]
      }
    }
  }

  /// At least one character of a set: code `missingCharacter`.
  ///
  /// A message catalogue can't name the set, so give the rule its own message:
  ///
  /// ```swift
  /// let password = Field<String>("Password")
  ///   .require(.containsCharacter(in: .digits), message: "must contain a digit")
  /// ```
  public static func containsCharacter(in wanted: FieldCharacters) -> FieldRule {
    FieldRule(named: "containsCharacter") {
      let issues = [FieldIssue(code: "missingCharacter", message: nil)]
      return { wanted.containsAny(of: $0) ? nil : issues }
    }
  }
}

extension FieldRule {
  /// Applies a rule to a value made from the field's value. (Seed: MagneticFields'
  /// `TransformerRule`.)
  ///
  /// ```swift
  /// let title = Field<String>("Title").require(.of(\.trimmed, .length(1...20)))
  /// let tags = Field<[String]>("Tags").require(.of({ Set($0).count }, .range(1...5)))
  /// ```
  ///
  /// A nil value passes if the inner rule accepts nil, and so does a nil part.
  ///
  /// - Parameters:
  ///   - part: makes the part that the rule checks. When it throws, the value "could not be
  ///     validated".
  ///   - rule: the rule for the part.
  public static func of<Part>(
    _ part: @escaping @Sendable (Value) throws -> Part?, _ rule: FieldRule<Part>
  ) -> FieldRule {
    FieldRule(named: rule.name, acceptsNil: rule.acceptsNil) {
      let check = rule.makeCheck()
      return { value in
        do {
          guard let part = try part(value) else { return rule.acceptsNil ? nil : [.required] }
          return check(part)
        } catch {
          return .failure(error)
        }
      }
    }
  }
}

extension Character {
  /// The character itself, or the number of its first scalar if it has no visible form.
  fileprivate var visibleName: String {
    guard let scalar = unicodeScalars.first else { return "" }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .unassigned:
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "U+\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)"
    default: return String(self)
    }
  }
}
