/// What somebody typed to find airports: every word of it must begin a word of the airport.
public struct AirportSearch: Sendable, Hashable {
  /// The longest text that is searched for, in characters; the rest is left aside.
  public static let longest = 100

  /// The text as it was typed, without blanks at its ends.
  public let text: String

  /// Makes a search, or nothing of a text that is blank.
  public init?(_ text: String) {
    let words = text.prefix(Self.longest).split(whereSeparator: \.isWhitespace)
    guard !words.isEmpty else { return nil }
    self.text = words.joined(separator: " ")
  }

  /// The text in the language of the full-text index, or nil where it has nothing to search for.
  ///
  /// Each word stands in quotes, where the index knows no operators; a quote inside is doubled.
  /// It is folded as what is indexed was. Characters that the index takes for gaps are made gaps here, so that no word is empty.
  var pattern: String? {
    let words = SortKey.folded(text).unicodeScalars.split { !Self.isIndexed($0) }
    guard !words.isEmpty else { return nil }
    return words.map { "\"" + String($0) + "\"*" }.joined(separator: " ")
  }

  /// Whether the index keeps a character in its words: letters, digits and the marks on them.
  private static func isIndexed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .nonspacingMark, .spacingMark, .enclosingMark,
      .privateUse:
      true
    default: false
    }
  }
}
