/// Which airports are asked for: what was typed, and what they are narrowed down to.
public struct AirportQuery: Sendable, Hashable {
  /// What somebody typed; nil for nothing.
  public var search: AirportSearch?

  /// The two-letter code of the only country asked for.
  public var country: String?

  /// The only kind of code asked for.
  public var kind: CodeKind?

  /// What they are listed by; nil for how much they are what was searched for, and then by name.
  public var order: AirportOrder?

  /// Makes a query; without anything it asks for all airports.
  public init(
    search: AirportSearch? = nil, country: String? = nil, kind: CodeKind? = nil,
    order: AirportOrder? = nil
  ) {
    self.search = search
    self.country = country
    self.kind = kind
    self.order = order
  }

  /// Whether it asks for all airports, in any order.
  public var isForAll: Bool { unordered == AirportQuery() }

  /// The same airports in the order that nobody has asked for.
  public var unordered: AirportQuery { AirportQuery(search: search, country: country, kind: kind) }
}

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

/// A kind of code that airports have.
public enum CodeKind: String, Sendable, CaseIterable, Codable {
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
public struct AirportResults: Sendable, Equatable {
  /// What was asked.
  public let query: AirportQuery

  /// How many airports it finds.
  public let total: Int

  /// How many airports there are in all.
  public let count: Int

  /// The first of them.
  public let airports: [Airport]

  /// Where those after them begin; nil where there are none.
  public let next: AirportCursor?

  /// Makes results.
  public init(
    query: AirportQuery, total: Int, count: Int, airports: [Airport], next: AirportCursor?
  ) {
    self.query = query
    self.total = total
    self.count = count
    self.airports = airports
    self.next = next
  }
}

/// Airports in a row, and where those after them begin.
public struct AirportSlice: Sendable, Equatable {
  /// The airports, by name.
  public let airports: [Airport]

  /// Where those after them begin; nil where there are none.
  public let next: AirportCursor?
}

/// The place of an airport among those that a query finds; what comes after it is the next page.
///
/// It names the airport and no number, so that airports that come or go meanwhile move nothing.
public struct AirportCursor: Sendable, Hashable, Codable {
  /// How much of what was searched for it is, 0 for the most; see ``SearchRelevance``.
  let relevance: Int

  /// What the list is sorted by, where somebody has asked for an order; see ``AirportOrder``.
  let key: String
  let sortName: String
  let icao: String
}

/// A page of airports, with where it stands among the others.
public struct DirectoryPage: Sendable, Equatable {
  /// The number of this page, from 1.
  public let number: Int

  /// The number of the last page; 1 also where nothing was found.
  public let last: Int

  /// How many airports all pages have together.
  public let total: Int

  /// The airports of this page, by name.
  public let airports: [Airport]

  /// Makes a page.
  public init(number: Int, last: Int, total: Int, airports: [Airport]) {
    self.number = number
    self.last = last
    self.total = total
    self.airports = airports
  }
}

/// A country, and how many airports it has.
public struct CountryCount: Sendable, Equatable {
  /// Its two-letter code (ISO 3166-1).
  public let code: String

  /// Its English name.
  public let name: String

  /// How many airports it has.
  public let count: Int

  /// Makes a country.
  public init(code: String, name: String, count: Int) {
    self.code = code
    self.name = name
    self.count = count
  }
}
