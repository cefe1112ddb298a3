#if INSPECTOR
  /// The names whose values are redacted.
  struct RedactionRule: Sendable, Hashable {
    /// Parts of names, in lower case.
    var names: Set<String>

    /// The defaults: passwords, tokens and similar names.
    static let secrets: Set<String> = [
      "password", "passwort", "passwd", "passcode", "passphrase", "secret", "token",
      "authorization",
      "apikey", "credential", "cookie", "privatekey", "cvv", "cvc",
    ]

    /// Whether the value of a member must be redacted.
    ///
    /// O(n · m) in the length of the name and the number of names.
    func hides(_ name: String) -> Bool {
      let plain = name.lowercased().filter(\.isLetter)
      return names.contains { !$0.isEmpty && plain.contains($0) }
    }
  }
#endif
