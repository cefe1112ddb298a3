/// A fingerprint of an error: a hash of its text without numbers, identifiers and quoted parts.
///
/// Errors with the same cause have the same fingerprint.
///
/// ```swift
/// ErrorFingerprint(of: "Order 17 timed out after 3.5 s") == ErrorFingerprint(of: "Order 9 timed out after 12 s")
/// ```
///
/// Journals store it for dead and blocked runs, so that an index answers ``RunQuery/error`` and
/// ``Journal/errorGroups(atMost:)``. It is the same in every version of this package, on every
/// machine.
public struct ErrorFingerprint: Sendable, Hashable {
  /// The hash, as stored in a database.
  package let code: Int

  package init(code: Int) { self.code = code }

  /// Makes the fingerprint of an error's text, of which the first 2,000 characters count.
  ///
  /// O(n) in the text's length.
  public init(of text: String) {
    // FNV-1a with 64 bits; never change it, because journals store it.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in Self.pattern(of: text).utf8 {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    code = Int(truncatingIfNeeded: hash)
  }
}

extension ErrorFingerprint: LosslessStringConvertible, Codable {
  /// Sixteen hexadecimal digits.
  public var description: String {
    let digits = String(UInt64(bitPattern: Int64(code)), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Reads sixteen hexadecimal digits; nil for any other text.
  public init?(_ description: String) {
    guard description.utf8.count == 16, description.utf8.allSatisfy(Self.isHexadecimal),
      let hash = UInt64(description, radix: 16)
    else { return nil }
    code = Int(truncatingIfNeeded: hash)
  }

  /// Reads the fingerprint from a string.
  ///
  /// - Throws: `DecodingError` if the string is no fingerprint.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let value = Self(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "This is no fingerprint of an error.")
    }
    self = value
  }

  /// Writes the fingerprint as a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
}

extension ErrorFingerprint {
  /// The text with `#` for each word that has a digit, `…` for each quoted part, and single spaces.
  ///
  /// The digits, letters, spaces and quotation marks are defined here, because a library's
  /// definitions change.
  package static func pattern(of text: String) -> String {
    let scalars = Array(text.unicodeScalars.prefix(2_000))
    var pattern = String.UnicodeScalarView()
    var place = 0
    // The opening marks that have no end after them, for which there is no need to look again.
    var unended: Set<Unicode.Scalar> = []
    while place < scalars.count {
      let scalar = scalars[place]
      if isSpace(scalar) {
        place += 1
        if let last = pattern.last, last != " " { pattern.append(" ") }
      } else if let end = endOfQuotation(scalars, from: place, unended: &unended) {
        pattern.append("…")
        place = end
      } else if isWord(scalar) {
        let end = scalars[place...].firstIndex { !isWord($0) } ?? scalars.count
        if scalars[place..<end].contains(where: isDigit) {
          appendNumber(to: &pattern)
        } else {
          pattern.append(contentsOf: scalars[place..<end])
        }
        place = end
      } else {
        pattern.append(scalar)
        place += 1
      }
    }
    if pattern.last == " " { pattern.removeLast() }
    return String(pattern)
  }

  /// One `#` also stands for numbers with a mark between them: a time, a version, an address.
  private static func appendNumber(to pattern: inout String.UnicodeScalarView) {
    if pattern.count >= 2, let mark = pattern.last, ".,:/+".unicodeScalars.contains(mark),
      pattern[pattern.index(pattern.endIndex, offsetBy: -2)] == "#"
    {
      pattern.removeLast()
    } else if pattern.last != "#" {
      pattern.append("#")
    }
  }

  /// The index after a quotation that begins at an index; nil if none does, or if it has no end.
  private static func endOfQuotation(
    _ scalars: [Unicode.Scalar], from begin: Int, unended: inout Set<Unicode.Scalar>
  ) -> Int? {
    guard let closing = closings[scalars[begin]], !unended.contains(scalars[begin]) else {
      return nil
    }
    let isApostrophe = scalars[begin] == "'"
    if isApostrophe, begin > 0, isWord(scalars[begin - 1]) { return nil }
    var place = begin + 1
    while place < scalars.count {
      let isEnd =
        closing.contains(scalars[place])
        && !(isApostrophe && place + 1 < scalars.count && isWord(scalars[place + 1]))
      if isEnd { return place + 1 }
      place += 1
    }
    unended.insert(scalars[begin])
    return nil
  }

  private static let closings: [Unicode.Scalar: Set<Unicode.Scalar>] = [
    "\"": ["\""], "'": ["'"], "`": ["`"], "“": ["”"], "„": ["“", "”"], "‘": ["’"], "«": ["»"],
    "»": ["«"],
  ]

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x20, 0x7F, 0x85, 0xA0, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x3000: true
    default: false
    }
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "0"..."9", "a"..."z", "A"..."Z", "_", "-": true
    default:
      scalar.value >= 0x80 && !isSpace(scalar) && closings[scalar] == nil && scalar != "”"
        && scalar != "’" && scalar != "…"
    }
  }
}
