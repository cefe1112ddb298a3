/// How many bytes a stage, a completion or a signal may have as JSON.
public struct PayloadLimits: Sendable, Hashable {
  /// Above this there is a warning.
  public var warning: Int
  /// Above this it is refused.
  public var error: Int

  /// Makes limits; 256 KB and 1 MB unless told otherwise.
  public init(warning: Int = 256 * 1024, error: Int = 1024 * 1024) {
    self.warning = warning
    self.error = error
  }
}
