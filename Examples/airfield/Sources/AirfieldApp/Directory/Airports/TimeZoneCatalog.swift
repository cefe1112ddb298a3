import Foundation
import Synchronization

/// Tells which time zones exist.
///
/// Asking Foundation reads a file for each zone, so every answer is kept.
final class TimeZoneCatalog: Sendable {
  private let answers: Mutex<[String: Bool]>

  init() {
    let known = TimeZone.knownTimeZoneIdentifiers.map { ($0, true) }
    answers = Mutex(Dictionary(known, uniquingKeysWith: { first, _ in first }))
  }

  /// The identifiers of places that are known by themselves, in their order.
  static let identifiers = TimeZone.knownTimeZoneIdentifiers.sorted()

  private static let spellings = Dictionary(
    identifiers.map { ($0.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })

  /// An identifier as it is spelled, where it is known in other letters: "europe/vienna".
  static func spelled(_ identifier: String) -> String {
    spellings[identifier.lowercased().replacing(" ", with: "_")] ?? identifier
  }

  func contains(_ identifier: String) -> Bool {
    answers.withLock { answers in
      if let answer = answers[identifier] { return answer }
      let answer = isPlain(identifier) && TimeZone(identifier: identifier) != nil
      answers[identifier] = answer
      return answer
    }
  }

  /// Whether all characters are those of names: once it knows a zone, Foundation on Linux also takes
  /// its name with a NUL and anything behind it.
  private func isPlain(_ identifier: String) -> Bool {
    !identifier.isEmpty
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
