/// A part of a counted list.
public struct OffsetPage<Item> {
  /// The items of the part.
  public var items: [Item]

  /// How many items there are in all, or nil where the source does not say.
  ///
  /// Then a part with fewer items than were asked for is the last one.
  public var total: Int?

  /// Makes a part.
  public init(_ items: [Item], total: Int? = nil) {
    self.items = items
    self.total = total
  }
}

extension OffsetPage: Sendable where Item: Sendable {}
extension OffsetPage: Equatable where Item: Equatable {}
