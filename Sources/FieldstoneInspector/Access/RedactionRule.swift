#if INSPECTOR
  /// The names whose values are redacted.
  struct RedactionRule: Sendable, Hashable {
    /// Parts of names: their letters and digits, in lower case.
    let names: Set<String>

    /// Makes a rule for parts of names, of which letters and digits count.
    init(names: Set<String>) {
      self.names = Set(names.map(Self.plain))
    }

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
      var letters: [UInt8] = []
      letters.reserveCapacity(name.utf8.count)
      for byte in name.utf8 {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
          letters.append(byte)
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): letters.append(byte | 0x20)
        // Other scripts take the slow way.
        case 0x80...: return hidesLetters(of: name)
        default: break
        }
      }
      return names.contains { part in
        !part.isEmpty && Self.contains(Array(part.utf8), in: letters)
      }
    }

    private func hidesLetters(of name: String) -> Bool {
      let plain = Self.plain(name)
      return names.contains { !$0.isEmpty && plain.contains($0) }
    }

    private static func plain(_ name: String) -> String {
      name.lowercased().filter { $0.isLetter || $0.isNumber }
    }

    /// Whether bytes are a part of others; O(n · m).
    static func contains(_ part: [UInt8], in letters: [UInt8]) -> Bool {
      guard part.count <= letters.count else { return false }
      return (0...letters.count - part.count).contains { start in
        part.indices.allSatisfy { letters[start + $0] == part[$0] }
      }
    }
  }
#endif
