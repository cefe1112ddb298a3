import Foundation
import GRDB

/// What was most likely meant by words that no airport has: words that differ by one typo.
struct SpellingGuess {
  private let db: Database

  init(_ db: Database) {
    self.db = db
  }

  /// The words, each that begins no word of any airport in the place of the commonest one that is one
  /// typo away; nil where nothing is to be put right.
  ///
  /// It costs some hundred look-ups for each that is wrong, however many words there are.
  func corrected(_ words: [String]) throws -> [String]? {
    let guesses = try words.map { try isKnown($0) ? $0 : nearest(to: $0) ?? $0 }
    return guesses == words ? nil : guesses
  }

  private func isKnown(_ word: String) throws -> Bool {
    try Bool.fetchOne(
      db, sql: "SELECT EXISTS (SELECT 1 FROM airportTerm WHERE term >= ? AND term < ?)",
      arguments: [word, word + "\u{10FFFF}"]) ?? false
  }

  private func nearest(to word: String) throws -> String? {
    let letters = Array(word.unicodeScalars)
    // A short word is one typo away from too much, and none has so many letters.
    guard 4...40 ~= letters.count else { return nil }
    let words = String(
      decoding: try JSONEncoder().encode(Self.oneTypo(from: letters)), as: UTF8.self)
    return try String.fetchOne(
      db,
      sql: """
        SELECT term FROM airportTerm WHERE term IN (SELECT value FROM json_each(?))
        ORDER BY doc DESC, term
        """, arguments: [words])
  }

  /// What words are with one letter too many, too few or wrong, or with two that changed places.
  private static func oneTypo(from letters: [Unicode.Scalar]) -> Set<String> {
    var words: Set<String> = []
    func insert(_ start: ArraySlice<Unicode.Scalar>, _ end: ArraySlice<Unicode.Scalar>) {
      var word = String.UnicodeScalarView(start)
      word.append(contentsOf: end)
      words.insert(String(word))
    }
    let alphabet = alphabet(of: letters)
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
