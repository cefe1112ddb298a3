/// Which part of a counted list to load.
public struct OffsetRequest: Sendable, Hashable, Codable {
  /// How many items come before the part, local inserts and removes taken into account.
  public var offset: Int

  /// How many items the part has at most.
  public var limit: Int

  /// Makes a request; what is below zero, or below one for the limit, is raised to that.
  public init(offset: Int, limit: Int) {
    self.offset = max(0, offset)
    self.limit = max(1, limit)
  }
}
