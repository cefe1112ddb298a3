#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file, given by its folder and its name there.
struct FilePlace: Sendable, Equatable {
  /// The absolute path of the folder, without a slash at its end.
  let folder: String
  let name: String

  /// Splits a path; nil if it is not absolute or names no file.
  init?(path: String) {
    guard path.isAbsolutePath, !path.utf8.contains(0) else { return nil }
    let parts = path.pathParts
    guard let name = parts.last, name != ".", name != ".." else { return nil }
    self.folder = "/" + parts.dropLast().joined(separator: "/")
    self.name = name
  }

  var path: String { pathBeside(name) }

  /// The path of another name in the same folder.
  func pathBeside(_ name: String) -> String {
    folder == "/" ? "/\(name)" : "\(folder)/\(name)"
  }
}

extension FilePlace {
  /// The largest number of links to follow before they count as a circle, as on Linux.
  private static let mostLinks = 40

  /// The place of the content, after following all symbolic links.
  func following(
    _ policy: SymbolicLinkPolicy, with calls: SystemCalls
  ) throws(FileStoreError) -> FilePlace {
    if policy == .replace { return self }
    var place = self
    for _ in 0..<Self.mostLinks {
      guard let target = try place.linkTarget(with: calls) else { return place }
      if policy == .refuse { throw FileStoreError(.notAFile, path: path) }
      let path = target.isAbsolutePath ? target : place.pathBeside(target)
      guard let next = FilePlace(path: path) else {
        throw FileStoreError(.notAFile, path: path)
      }
      place = next
    }
    throw FileStoreError(.find, path, SystemError(ELOOP))
  }

  private func linkTarget(with calls: SystemCalls) throws(FileStoreError) -> String? {
    // These errors mean that it is no link, or no file yet; opening the file reports any other
    // error.
    try at(.find, path, nilFor: [EINVAL, ENOENT, ENOTDIR]) { () throws(SystemError) in
      try calls.readLink(path)
    }
  }
}

/// The names of the files that a store keeps beside its file.
struct FileNames: Sendable {
  /// The name of the file, or a shorter one if it is too long.
  private let stem: String

  /// File systems allow 255 bytes; a longer name is shortened to leave room for the suffixes.
  private static let longestStem = 180
  private static let tokenLength = 16
  static let temporaryEnding = ".fieldstone-tmp"

  init(of name: String) {
    if name.utf8.count <= Self.longestStem {
      stem = name
    } else {
      // FNV-1a with 64 bits; never change it, because the names of locks depend on it.
      let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
        ($0 ^ UInt64($1)) &* 0x100_0000_01B3
      }
      let ending = "-" + hexadecimal(hash)
      var size = ending.utf8.count
      let beginning = name.prefix { character in
        size += character.utf8.count
        return size <= Self.longestStem
      }
      stem = beginning + ending
    }
  }

  /// The lock file, which is never removed: otherwise two writers could hold the lock.
  var lock: String { ".\(stem).fieldstone-lock" }

  /// A name for a temporary file.
  func temporary(_ token: UInt64) -> String {
    ".\(stem).\(hexadecimal(token))\(Self.temporaryEnding)"
  }

  /// Whether ``temporary(_:)`` may have made a name.
  func isTemporary(_ other: String) -> Bool {
    // Bytes are compared: Swift takes names for equal that many file systems do not.
    let (beginning, ending) = (Array(".\(stem).".utf8), Array(Self.temporaryEnding.utf8))
    let name = Array(other.utf8)
    guard name.count == beginning.count + Self.tokenLength + ending.count,
      Array(name.prefix(beginning.count)) == beginning, Array(name.suffix(ending.count)) == ending
    else { return false }
    return name[beginning.count..<name.count - ending.count].allSatisfy {
      (48...57).contains($0) || (97...102).contains($0)
    }
  }

  /// The name of a corrupt file that waits for a resolution; no other program uses it.
  var setAside: String { "\(stem).fieldstone-corrupt" }

  /// The name of a corrupt, unreadable or newer file that is kept permanently.
  func kept(_ kind: Kept, number: Int) -> String { "\(stem).\(kind.rawValue)-\(number)" }

  enum Kept: String {
    case corrupt, unreadable, newer
  }

  /// The backup of a file with an older version of the schema.
  func backup(schema: Int, number: Int) -> String {
    number == 1 ? "\(stem).schema-\(schema)" : "\(stem).schema-\(schema)-\(number)"
  }
}

/// A number with all its hexadecimal digits.
func hexadecimal(_ number: some FixedWidthInteger) -> String {
  let digits = String(number, radix: 16)
  return String(repeating: "0", count: number.bitWidth / 4 - digits.count) + digits
}
