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

  /// Words in the language of the full-text index: each stands in quotes, where that knows no
  /// operators.
  static func pattern(_ words: [String]) -> String {
    words.map { "\"" + $0 + "\"*" }.joined(separator: " ")
  }

  /// The words as the index has them; none where there is nothing to search for.
  ///
  /// They are folded as what is indexed was. Characters that the index takes for gaps are made gaps
  /// here, so that no word is empty.
  var words: [String] {
    SortKey.folded(text).unicodeScalars.split { !Self.isIndexed($0) }.map { String($0) }
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
