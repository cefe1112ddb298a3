/// What storing airports came to.
public struct StoreResult: Sendable, Equatable {
  /// Airports that were not there before.
  public var stored = 0

  /// Airports of which something changed.
  public var updated = 0

  /// Airports that were there already, the same in everything.
  public var unchanged = 0

  /// Makes a result of nothing.
  public init() {}
}
