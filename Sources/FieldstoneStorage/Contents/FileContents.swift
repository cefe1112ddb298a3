public import Foundation

/// The contents of a store's file.
///
/// Only ``missing`` is a reason to use a default. A save would destroy a corrupt, unreadable or
/// newer file, so saves throw until that is resolved.
public indirect enum FileContents<Value: Sendable>: Sendable {
  // Indirect, so that all values have one size: the code is then small and not generic.

  /// The file does not exist.
  case missing
  /// The value in the file, migrated if the file is older than the schema.
  case value(Value)
  /// The content is damaged, or the store can't have written it.
  case corrupt(CorruptFile)
  /// The file exists but can't be read or migrated; it is unchanged.
  case unreadable(FileStoreError)
  /// A newer version of the program wrote the file, with this schema; it is unchanged.
  case newer(schema: Int)

  /// The value, otherwise nil.
  public var value: Value? {
    guard case .value(let value) = self else { return nil }
    return value
  }
}

extension FileContents: Equatable where Value: Equatable {
  /// Whether two contents have the same case and equal values.
  ///
  /// Corrupt files are compared by their place, unreadable ones by code and path.
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

/// A corrupt file, with its new place.
public struct CorruptFile: Sendable {
  /// The reason why the file counts as corrupt.
  public let reason: FileStoreError

  /// The file's new place, beside its old one; nil if it could not be moved.
  public let setAside: URL?

  /// Makes the description of a corrupt file.
  public init(reason: FileStoreError, setAside: URL?) {
    self.reason = reason
    self.setAside = setAside
  }
}

/// A way to resolve a corrupt, unreadable or newer file.
public enum FileResolution: Sendable, Hashable, CaseIterable {
  /// Keeps the file under another name beside its place, and starts without a file.
  case startOver
  /// Reads the file again, after a corrupt one was moved back to its place.
  case tryAgain
}

/// A change of a store's file.
public struct FileChange<Value: Sendable>: Sendable {
  /// The origin of a change.
  public enum Origin: Sendable, Hashable, CaseIterable {
    /// This store changed the file.
    case here
    /// Another store, another process or a person changed the file.
    case elsewhere
  }

  /// The origin of the change.
  public let origin: Origin

  /// The contents after the change.
  public let contents: FileContents<Value>

  /// Makes a change.
  public init(origin: Origin, contents: FileContents<Value>) {
    self.origin = origin
    self.contents = contents
  }
}
