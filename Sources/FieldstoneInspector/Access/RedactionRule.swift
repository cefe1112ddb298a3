#if INSPECTOR
  /// Names whose values are never shown.
  struct RedactionRule: Sendable, Hashable {
    /// Parts of names, in small letters.
    var names: Set<String>

    /// Passwords, tokens and the like.
    static let secrets: Set<String> = [
      "password", "passwort", "passwd", "passcode", "passphrase", "secret", "token",
      "authorization",
      "apikey", "credential", "cookie", "privatekey", "cvv", "cvc",
    ]

    /// Whether the value of a member must not be shown.
    ///
    /// O(n · m) in the length of the name and the number of names.
    func hides(_ name: String) -> Bool {
      let plain = name.lowercased().filter(\.isLetter)
      return names.contains { !$0.isEmpty && plain.contains($0) }
    }
  }
#endif
