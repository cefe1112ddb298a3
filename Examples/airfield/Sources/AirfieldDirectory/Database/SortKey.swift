import Foundation
import GRDB
import Synchronization

/// The form in which names are ordered: small letters without their marks.
///
/// Letters that Unicode does not take apart are spelled as they are where a keyboard lacks them, so
/// that Þingeyri stands among the names in Th. The database compares the form byte by byte, and no
/// locale is asked: a name has the same form on every machine.
enum SortKey {
  /// The form of a name.
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
