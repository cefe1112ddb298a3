extension FieldRule where Value == String {
  /// Characters of a set and no others: code `wrongCharacter`, with the first one that is not in
  /// the set as the parameter `character`.
  ///
  /// ```swift
  /// let code = Field<String>("Code").require(.characters(in: .letters.union(.digits)))
  /// ```
  ///
  /// A character without a visible form is named by its number, such as `U+0007`.
  public static func characters(in allowed: FieldCharacters) -> FieldRule {
    FieldRule {
      { text in
        guard let wrong = text.first(where: { !allowed.contains($0) }) else { return nil }
        let name = wrong.visibleName
        return [FieldIssue(code: "wrongCharacter", message: nil, parameters: ["character": name])]
      }
    }
  }

  /// At least one character of a set: code `missingCharacter`.
  ///
  /// A catalogue can't name the set, so give the rule words of its own:
  ///
  /// ```swift
  /// let password = Field<String>("Password")
  ///   .require(.containsCharacter(in: .digits), message: "must contain a digit")
  /// ```
  public static func containsCharacter(in wanted: FieldCharacters) -> FieldRule {
    FieldRule {
      let issues = [FieldIssue(code: "missingCharacter", message: nil)]
      return { wanted.containsAny(of: $0) ? nil : issues }
    }
  }
}

extension FieldRule {
  /// A rule over something that is made of the value. (Seed: MagneticFields' `TransformerRule`.)
  ///
  /// ```swift
  /// let title = Field<String>("Title").require(.of(\.trimmed, .length(1...20)))
  /// let tags = Field<[String]>("Tags").require(.of({ Set($0).count }, .range(1...5)))
  /// ```
  ///
  /// Nil passes where the inner rule accepts it, of the value as of the part.
  ///
  /// - Parameters:
  ///   - part: makes what is judged. When it throws, the value "could not be validated".
  ///   - rule: what the part has to be.
  public static func of<Part>(
    _ part: @escaping @Sendable (Value) throws -> Part?, _ rule: FieldRule<Part>
  ) -> FieldRule {
    FieldRule(acceptsNil: rule.acceptsNil) {
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
  /// The character itself, or the number of its first scalar where it can't be seen.
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
