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
