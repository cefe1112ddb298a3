/// What became of the rows of a file so far; the header is none of them.
public struct ImportCounts: Sendable, Equatable, Codable {
  /// Rows read.
  public var read = 0

  /// Rows that became new airports.
  public var stored = 0

  /// Rows that changed an airport.
  public var updated = 0

  /// Rows whose airport was there already, the same in everything.
  public var unchanged = 0

  /// Rows that became none.
  public var rejected = 0

  /// Makes counts of nothing.
  public init() {}
}
