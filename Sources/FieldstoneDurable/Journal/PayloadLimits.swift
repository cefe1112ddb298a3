/// How many bytes a stage, a completion or a signal may have as JSON, and how many a key.
///
/// They are set in one place: at the journal. Above the warning a runner tells an event. Above the
/// error an attempt has failed; as the same work would come to the same, the run is dead at once
/// unless its policy says otherwise.
public struct PayloadLimits: Sendable, Hashable {
  /// Above this there is a warning.
  public var warning: Int
  /// Above this it is refused.
  public var error: Int
  /// How many bytes a run's key may have in UTF-8, and a signal's name and identifier; more are
  /// refused.
  public var key: Int

  /// Makes limits; 256 KB and 1 MB, and 1 KB for keys, unless told otherwise.
  public init(warning: Int = 256 * 1024, error: Int = 1024 * 1024, key: Int = 1024) {
    self.warning = warning
    self.error = error
    self.key = key
  }
}
