/// The names that a store gives to what it keeps beside its file.
struct FileNames: Sendable {
  /// The name of the file, or a short one in its place.
  private let stem: String

  /// File systems allow 255 bytes; a name that leaves no room for ours is shortened.
  private static let longestStem = 180
  private static let temporaryEnding = ".fieldstone-tmp"
  private static let tokenLength = 16

  init(of name: String) {
    if name.utf8.count <= Self.longestStem {
      stem = name
    } else {
      stem = "long-" + hexadecimal(CRC32C.checksum(Array(name.utf8)))
    }
  }

  /// The file that is locked; it stays, as to remove it would let two hold the lock.
  var lock: String { ".\(stem).fieldstone-lock" }

  /// A new name for a file that becomes another or goes away.
  func temporary() -> String {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    let token = String(repeating: "0", count: Self.tokenLength - digits.count) + digits
    return ".\(stem).\(token)\(Self.temporaryEnding)"
  }

  /// Whether ``temporary()`` may have made a name.
  func isTemporary(_ other: String) -> Bool {
    let (beginning, ending) = (".\(stem).", Self.temporaryEnding)
    guard other.hasPrefix(beginning), other.hasSuffix(ending) else { return false }
    let token = other.dropFirst(beginning.count).dropLast(ending.count)
    return token.utf8.count == Self.tokenLength
      && token.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }

  /// A corrupt file that waits to be resolved; a name that no other program gives.
  var setAside: String { "\(stem).fieldstone-corrupt" }

  /// What is kept for good: the corrupt, unreadable or newer file that a new one took the place of.
  func kept(_ kind: Kept, number: Int) -> String { "\(stem).\(kind.rawValue)-\(number)" }

  enum Kept: String {
    case corrupt, unreadable, newer
  }

  /// The backup of a file with an older version of the schema.
  func backup(schema: Int, number: Int) -> String {
    number == 1 ? "\(stem).schema-\(schema)" : "\(stem).schema-\(schema)-\(number)"
  }
}

/// A number in eight hexadecimal digits.
func hexadecimal(_ number: UInt32) -> String {
  let digits = String(number, radix: 16)
  return String(repeating: "0", count: 8 - digits.count) + digits
}
