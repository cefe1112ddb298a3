import Foundation
import Synchronization

/// Tells which time zones exist.
///
/// Asking Foundation reads a file for each zone, so answers are kept; not more than a thousand, as a
/// column that has slipped may have any number of names.
enum TimeZoneCatalog {
  private static let answers = Mutex<[String: Bool]>([:])

  /// How many answers are kept.
  static var count: Int { answers.withLock { $0.count } }

  /// The identifiers of places that are known by themselves, in their order.
  static let identifiers = TimeZone.knownTimeZoneIdentifiers.sorted()

  private static let known = Set(identifiers)

  private static let spellings = Dictionary(
    identifiers.map { ($0.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })

  /// An identifier as it is spelled, where it is known in other letters: "europe/vienna".
  static func spelled(_ identifier: String) -> String {
    spellings[identifier.lowercased().replacing(" ", with: "_")] ?? identifier
  }

  static func contains(_ identifier: String) -> Bool {
    if known.contains(identifier) { return true }
    guard isPlain(identifier) else { return false }
    return answers.withLock { answers in
      if let answer = answers[identifier] { return answer }
      if answers.count >= 1_000 { answers = [:] }
      let answer = TimeZone(identifier: identifier) != nil
      answers[identifier] = answer
      return answer
    }
  }

  /// Whether all characters are those of names, and no more than a name has: once it knows a zone,
  /// Foundation on Linux also takes its name with a NUL and anything behind it.
  private static func isPlain(_ identifier: String) -> Bool {
    1...64 ~= identifier.utf8.count
      && identifier.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "/_+-".utf8.contains(byte)
        }
      }
  }
}
