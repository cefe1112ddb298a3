import Foundation
import GRDB
import Synchronization

/// The words by which an airport is found, in the form in which names are ordered.
///
/// The index folds marks by itself, but only where Unicode takes letters apart: Łódź has an ł that
/// it would leave alone. So words are folded before they are indexed, and what is typed as well.
enum SearchWords {
  /// The words of what a file says of an airport.
  static func of(_ airport: Airport, countryName: String) -> String {
    let words = [
      airport.icao, airport.iata, airport.localCode, airport.name, airport.city, airport.region,
      airport.country, countryName,
    ]
    return SortKey.folded(words.compactMap(\.self).joined(separator: " "))
  }

  static func of(_ tags: [String]) -> String {
    SortKey.folded(tags.joined(separator: " "))
  }

  /// The rows that a search finds; of what was most likely meant, where it finds none.
  static func rows(of search: AirportSearch, _ db: Database) throws -> RowSet {
    let words = search.words
    guard !words.isEmpty else { return RowSet() }
    let found = try rows(with: words, db)
    guard found.isEmpty, let meant = try SpellingGuess(db).corrected(words) else { return found }
    return try rows(with: meant, db)
  }

  private static func rows(with words: [String], _ db: Database) throws -> RowSet {
    try db.rowSet(
      "SELECT rowid AS row FROM airportSearch WHERE airportSearch MATCH ?",
      [AirportSearch.pattern(words)])
  }
}

/// The form in which names are ordered: small letters without their marks.
///
/// Letters that Unicode does not take apart are spelled as they are where a keyboard lacks them, so
/// that Þingeyri stands among the names in Th. The database compares the form byte by byte, and no
/// locale is asked: a name has the same form on every machine.
enum SortKey {
  static func folded(_ name: String) -> String {
    // Nearly all names are ASCII, and looking at the scalars of each would slow an import down.
    if name.utf8.allSatisfy({ $0 < 0x80 }) { return name.lowercased() }
    var key = ""
    for scalar in name.decomposedStringWithCanonicalMapping.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .format: continue
      default:
        let small = scalar.properties.lowercaseMapping
        key += spellings[small] ?? small
      }
    }
    return key
  }

  /// The form as a function in SQL, for names of which there are few: it remembers them.
  static let function = DatabaseFunction("folded", argumentCount: 1, pure: true) { values in
    guard let name = String.fromDatabaseValue(values[0]) else { return nil }
    if let known = remembered.withLock({ $0[name] }) { return known }
    let key = folded(name)
    remembered.withLock { names in
      // What somebody puts in place of names may be of any number.
      if names.count >= 1_000 { names = [:] }
      names[name] = key
    }
    return key
  }

  private static let remembered = Mutex<[String: String]>([:])

  /// How small Latin letters that Unicode does not take apart are spelled without them.
  private static let spellings = [
    "æ": "ae", "ð": "d", "đ": "d", "ħ": "h", "ı": "i", "ł": "l", "ø": "o", "œ": "oe", "ß": "ss",
    "þ": "th", "ŧ": "t",
  ]
}

/// What was most likely meant by words that no airport has: words that differ by one typo.
struct SpellingGuess {
  private let db: Database

  /// The most words that one search has looked up: enough for 85 to 105 misspelt ASCII letters.
  private static let mostLookUps = 8_000

  init(_ db: Database) {
    self.db = db
  }

  /// The words, each that begins no word of any airport in the place of the commonest one that is one
  /// typo away; nil where nothing is to be put right.
  ///
  /// It costs about 75 look-ups a letter of each that is wrong, and more where letters of other scripts
  /// have others nearby. A word for which ``mostLookUps`` do not suffice stays as it is.
  func corrected(_ words: [String]) throws -> [String]? {
    var left = Self.mostLookUps
    let guesses = try words.map { try isKnown($0) ? $0 : nearest(to: $0, within: &left) ?? $0 }
    return guesses == words ? nil : guesses
  }

  private func isKnown(_ word: String) throws -> Bool {
    try Bool.fetchOne(
      db, sql: "SELECT EXISTS (SELECT 1 FROM airportTerm WHERE term >= ? AND term < ?)",
      arguments: [word, word + "\u{10FFFF}"]) ?? false
  }

  private func nearest(to word: String, within left: inout Int) throws -> String? {
    let letters = Array(word.unicodeScalars)
    // A short word is one typo away from too much, and none has so many letters.
    guard 4...40 ~= letters.count else { return nil }
    let alphabet = Self.alphabet(of: letters)
    let lookUps = (letters.count + 1) * (2 * alphabet.count + 2)
    guard lookUps <= left else { return nil }
    left -= lookUps
    let known = try String.fetchAll(
      db,
      sql: """
        SELECT value FROM json_each(?) WHERE EXISTS (
          SELECT 1 FROM airportSearch WHERE airportSearch MATCH '"' || value || '"')
        """, arguments: [try Self.json(Self.oneTypo(from: letters, alphabet))])
    // To count the airports of a word takes a look at each of them.
    guard known.count > 1 else { return known.first }
    return try String.fetchOne(
      db,
      sql: """
        SELECT term FROM airportTerm WHERE term IN (SELECT value FROM json_each(?))
        ORDER BY doc DESC, term
        """, arguments: [try Self.json(known)])
  }

  private static func json(_ words: some Sequence<String>) throws -> String {
    String(decoding: try JSONEncoder().encode(Array(words)), as: UTF8.self)
  }

  /// What words are with one letter too many, too few or wrong, or with two that changed places.
  private static func oneTypo(
    from letters: [Unicode.Scalar], _ alphabet: Set<Unicode.Scalar>
  ) -> Set<String> {
    var words: Set<String> = []
    func insert(_ start: ArraySlice<Unicode.Scalar>, _ end: ArraySlice<Unicode.Scalar>) {
      var word = String.UnicodeScalarView(start)
      word.append(contentsOf: end)
      words.insert(String(word))
    }
    for index in 0...letters.count {
      let (start, rest) = (letters[..<index], letters[index...])
      insert(start, rest.dropFirst())
      for letter in alphabet {
        insert(start + [letter], rest)
        insert(start + [letter], rest.dropFirst())
      }
      if rest.count > 1 {
        insert(start + [rest[index + 1], rest[index]], rest.dropFirst(2))
      }
    }
    return words
  }

  /// The letters that may have been meant: those of a keyboard, and in other scripts those nearby.
  private static func alphabet(of letters: [Unicode.Scalar]) -> Set<Unicode.Scalar> {
    var alphabet = Set("abcdefghijklmnopqrstuvwxyz0123456789".unicodeScalars)
    for letter in letters where !letter.isASCII {
      for value in letter.value - 32...letter.value + 32 {
        guard let near = Unicode.Scalar(value), near.properties.isAlphabetic else { continue }
        alphabet.insert(near)
      }
    }
    return alphabet
  }
}
