public import AirfieldDirectory

/// That an airport was saved.
public struct AirportChange: Sendable, Equatable {
  /// The code that it had before; nil where it is new.
  public let before: String?

  /// What is stored now.
  public let record: AirportRecord

  /// Makes a change.
  public init(before: String?, record: AirportRecord) {
    self.before = before
    self.record = record
  }
}
