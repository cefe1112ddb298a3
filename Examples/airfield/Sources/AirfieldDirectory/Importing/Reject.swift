/// A row that did not become an airport.
public struct Reject: Sendable, Equatable {
  /// The row's number, from 1 for the first under the header; blank lines do not count.
  public let record: Int

  /// The line of the file on which the row begins, from 1.
  public let line: Int

  /// Why it was rejected.
  public let reason: String
}
