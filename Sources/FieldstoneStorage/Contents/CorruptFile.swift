public import Foundation

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
