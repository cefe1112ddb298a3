/// Which airports are asked for: what was typed, and what they are narrowed down to.
struct AirportQuery: Sendable, Hashable {
  var search: AirportSearch?
  var country: String?
  var kind: CodeKind?

  /// What they are listed by; nil for how much they are what was searched for, and then by name.
  var order: AirportOrder?

  /// Whether it asks for all airports, in any order.
  var isForAll: Bool { unordered == AirportQuery() }

  /// The same airports in the order that nobody has asked for.
  var unordered: AirportQuery { AirportQuery(search: search, country: country, kind: kind) }
}

/// What somebody typed to find airports: every word of it must begin a word of the airport.
struct AirportSearch: Sendable, Hashable {
  /// The longest text that is searched for, in characters; the rest is left aside.
  static let longest = 100

  /// The text as it was typed, without blanks at its ends.
  let text: String

  /// Makes a search, or nothing of a text that is blank.
  init?(_ text: String) {
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

enum CodeKind: String, Sendable, CaseIterable, Codable {
  /// Three characters, given by the International Air Transport Association.
  case iata
  /// Four letters, as the International Civil Aviation Organization gives them.
  case icao
  /// A code that the country itself gives.
  case local

  /// The rows whose airports have such a code, as a condition in SQL.
  var condition: String {
    switch self {
    case .iata: "airport.iata IS NOT NULL"
    case .icao: "airport.icao GLOB '[A-Z][A-Z][A-Z][A-Z]'"
    case .local: "airport.localCode IS NOT NULL"
    }
  }
}

/// The first airports that a query finds, and how many there are.
struct AirportResults: Sendable, Equatable {
  let query: AirportQuery
  let total: Int
  let airports: [Airport]

  /// Where those after them begin; nil where there are none.
  let next: AirportCursor?

  /// The number of the last change that they know of.
  var change = 0

  static func none(of query: AirportQuery) -> AirportResults {
    AirportResults(query: query, total: 0, airports: [], next: nil)
  }
}

/// Airports in a row, and where those after them begin.
struct AirportSlice: Sendable, Equatable {
  let airports: [Airport]

  /// Where those after them begin; nil where there are none.
  let next: AirportCursor?
}

/// The place of an airport among those that a query finds; what comes after it is the next page.
///
/// It names the airport and no number, so that airports that come or go meanwhile move nothing.
struct AirportCursor: Sendable, Hashable, Codable {
  /// How much of what was searched for it is, 0 for the most; see ``SearchRelevance``.
  let relevance: Int

  /// What the list is sorted by, where somebody has asked for an order; see ``AirportOrder``.
  let key: String
  let sortName: String
  let icao: String
}

/// A page of airports, with where it stands among the others.
struct DirectoryPage: Sendable, Equatable {
  let number: Int

  /// The number of the last page; 1 also where nothing was found.
  let last: Int
  let total: Int
  let airports: [Airport]

  /// The number of the last change that it knows of.
  var change = 0

  static let none = DirectoryPage(number: 1, last: 1, total: 0, airports: [])
}

struct CountryCount: Sendable, Equatable {
  let code: String
  let name: String
  let count: Int
}
