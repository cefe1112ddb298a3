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
