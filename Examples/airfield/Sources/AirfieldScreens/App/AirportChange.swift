public import AirfieldDirectory

/// That an airport was saved or deleted.
public struct AirportChange: Sendable, Equatable {
  /// The code that it had before; nil where it is new.
  public let before: String?

  /// What is stored now; nil where it was deleted.
  public let record: AirportRecord?

  /// Makes a change.
  public init(before: String?, record: AirportRecord?) {
    self.before = before
    self.record = record
  }
}
