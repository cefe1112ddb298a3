public import Foundation

/// What a store finds in the place of its file.
///
/// Only ``missing`` is a reason to go on with a default: in the other cases there is something
/// that a save would destroy, so saves throw until that is resolved.
public indirect enum FileContents<Value: Sendable>: Sendable {
  // Indirect, so that it has one size for all values: its code is then not generic, and small.

  /// There is no file.
  case missing
  /// The value in the file, migrated where the file is older than the schema.
  case value(Value)
  /// The content is damaged, or is none that the store could have written.
  case corrupt(CorruptFile)
  /// The file is there and could not be read, or not be migrated; it was left alone.
  case unreadable(FileStoreError)
  /// A newer version of the program wrote it, with this version of the schema; it was left alone.
  case newer(schema: Int)

  /// The value, otherwise nil.
  public var value: Value? {
    guard case .value(let value) = self else { return nil }
    return value
  }
}

extension FileContents: Equatable where Value: Equatable {
  /// Whether two contents are of one kind and, where they are values, equal; why a file is corrupt
  /// or unreadable counts by its code and place.
  public static func == (one: FileContents, other: FileContents) -> Bool {
    switch (one, other) {
    case (.missing, .missing): true
    case (.value(let one), .value(let other)): one == other
    case (.corrupt(let one), .corrupt(let other)): one.setAside == other.setAside
    case (.unreadable(let one), .unreadable(let other)):
      one.code == other.code && one.path == other.path
    case (.newer(let one), .newer(let other)): one == other
    default: false
    }
  }
}

/// A file whose content can't be read, and where it is now.
public struct CorruptFile: Sendable {
  /// Why it counts as corrupt.
  public let reason: FileStoreError

  /// Where it was moved to, beside its old place; nil where it could not be moved and still is in
  /// its place.
  public let setAside: URL?

  /// Makes the description of a corrupt file.
  public init(reason: FileStoreError, setAside: URL?) {
    self.reason = reason
    self.setAside = setAside
  }
}

/// What to do about a file that is corrupt, unreadable or newer.
public enum FileResolution: Sendable, Hashable, CaseIterable {
  /// Begin without it: it is kept under another name beside its place, and nothing is there then.
  case startOver
  /// Look again: a corrupt file that was set aside goes back to its place first.
  case tryAgain
}

/// A change of the file of a store.
public struct FileChange<Value: Sendable>: Sendable {
  /// The part that changed a file.
  public enum Origin: Sendable, Hashable, CaseIterable {
    /// This store did.
    case here
    /// Another store, another process or a person did.
    case elsewhere
  }

  /// The part that changed the file.
  public let origin: Origin

  /// What is there now.
  public let contents: FileContents<Value>

  /// Makes a change.
  public init(origin: Origin, contents: FileContents<Value>) {
    self.origin = origin
    self.contents = contents
  }
}
