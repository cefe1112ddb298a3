/// A page was not accepted and will be posted again, for those who watch an export.
public struct ExportPause: Sendable, Equatable {
  /// Why it was not accepted, as a phrase.
  public let reason: String

  /// How long is waited before it is posted again.
  public let delay: Duration

  /// Makes a pause.
  public init(reason: String, delay: Duration) {
    self.reason = reason
    self.delay = delay
  }
}
