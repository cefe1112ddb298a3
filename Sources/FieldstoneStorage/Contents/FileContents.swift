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
