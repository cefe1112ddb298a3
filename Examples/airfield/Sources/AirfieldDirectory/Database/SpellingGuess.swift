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
  /// It costs a look through all words there are for each that is wrong.
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
    // A short word is one typo away from too much.
    guard letters.count >= 4 else { return nil }
    let terms = try Row.fetchCursor(
      db, sql: "SELECT term, doc FROM airportTerm WHERE length(term) BETWEEN ? AND ?",
      arguments: [letters.count - 1, letters.count + 1])
    var best: (term: String, count: Int)?
    while let row = try terms.next() {
      let (term, count) = (try row.value(0, String.self), try row.value(1, Int.self))
      if count > best?.count ?? 0, Self.isOneTypo(letters, Array(term.unicodeScalars)) {
        best = (term, count)
      }
    }
    return best?.term
  }

  /// Whether one letter too many, too few, wrong, or two that changed places make one of the other.
  static func isOneTypo(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar]) -> Bool {
    if first.count > second.count { return isOneTypo(second, first) }
    guard second.count - first.count <= 1, first != second else { return false }
    let begin = zip(first, second).prefix { $0 == $1 }.count
    let (one, two) = (first[begin...], second[begin...])
    if one.count < two.count { return one.elementsEqual(two.dropFirst()) }
    if one.dropFirst().elementsEqual(two.dropFirst()) { return true }
    return one.count > 1 && one.first == two.dropFirst().first && two.first == one.dropFirst().first
      && one.dropFirst(2).elementsEqual(two.dropFirst(2))
  }
}
