import Foundation

/// The text of a list: its items, one after the other.
///
/// Commas separate the items: `alpine, grass`. Where an item contains a comma or a semicolon,
/// semicolons do, and one ends the text of a single item: `Vienna, Austria; Rome`. A semicolon
/// inside an item is doubled.
///
/// A text with a semicolon is split at semicolons only. In lists of numbers with a decimal comma, a
/// comma separates only before a space or at the end. Spaces around items, and empty items, are
/// ignored.
enum ListText {
  /// The text of items, from which ``items(in:haveCommas:)`` reads the same items.
  static func joining(_ items: [String]) -> String {
    guard items.contains(where: { $0.contains { $0 == "," || $0 == ";" } }) else {
      return items.joined(separator: ", ")
    }
    let text = items.map { $0.replacing(";", with: ";;") }.joined(separator: "; ")
    return items.count == 1 ? text + ";" : text
  }

  /// The texts of the items.
  ///
  /// - Parameter haveCommas: whether a comma inside an item is usual, as in German numbers.
  static func items(in text: String, haveCommas: Bool) -> [String] {
    let parts =
      text.contains(";")
      ? splitAtSemicolons(text) : splitAtCommas(text, onlyBeforeSpaces: haveCommas)
    return parts.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }

  private static func splitAtSemicolons(_ text: String) -> [String] {
    var parts = [""]
    var isAfterSemicolon = false
    for character in text {
      let isSemicolon = character == ";"
      if isSemicolon, !isAfterSemicolon {
        isAfterSemicolon = true
        continue
      }
      if isAfterSemicolon, !isSemicolon { parts.append("") }
      isAfterSemicolon = false
      parts[parts.count - 1].append(character)
    }
    return parts
  }

  private static func splitAtCommas(_ text: String, onlyBeforeSpaces: Bool) -> [String] {
    var parts: [String] = []
    for piece in text.split(separator: ",", omittingEmptySubsequences: false) {
      if onlyBeforeSpaces, let last = parts.last, let first = piece.first, !first.isWhitespace {
        parts[parts.count - 1] = "\(last),\(piece)"
      } else {
        parts.append(String(piece))
      }
    }
    return parts
  }
}
