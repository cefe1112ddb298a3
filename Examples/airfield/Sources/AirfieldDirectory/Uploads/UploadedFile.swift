/// A file that was taken in whole.
public struct UploadedFile: Sendable, Equatable {
  /// What whoever gave it calls it.
  public let name: String

  /// The path under which it is kept; its content names it.
  public let path: String

  /// How many bytes it has.
  public let size: Int
}
