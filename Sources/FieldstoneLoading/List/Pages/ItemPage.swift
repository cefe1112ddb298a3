/// A page of items as its source gave it, and where to go on from it.
public struct ItemPage<Item, Cursor> {
  private typealias CodingKeys = ItemPageKey

  /// The items, from the start of the list towards its end, whichever way they were loaded.
  public var items: [Item]

  /// Where the page after this one begins, or nil where there is none.
  public var next: Cursor?

  /// Where the page before this one ends, or nil where there is none.
  ///
  /// A list that only grows at its end never gives it.
  public var previous: Cursor?

  /// Makes a page.
  @inlinable
  public init(_ items: [Item], next: Cursor? = nil, previous: Cursor? = nil) {
    self.items = items
    self.next = next
    self.previous = previous
  }

  @inlinable
  func cursor(_ direction: PageDirection) -> Cursor? {
    switch direction {
    case .next: next
    case .previous: previous
    }
  }
}

// Keys within a generic type are generic, too, and cost every program 3 KB for each type.
private enum ItemPageKey: CodingKey {
  case items, next, previous
}

extension ItemPage: Sendable where Item: Sendable, Cursor: Sendable {}
extension ItemPage: Equatable where Item: Equatable, Cursor: Equatable {}
extension ItemPage: Encodable where Item: Encodable, Cursor: Encodable {}
extension ItemPage: Decodable where Item: Decodable, Cursor: Decodable {}
