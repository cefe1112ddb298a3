/// A page of items from its source, with the cursors of its neighbours.
public struct ItemPage<Item, Cursor> {
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

extension ItemPage: Sendable where Item: Sendable, Cursor: Sendable {}
extension ItemPage: Equatable where Item: Equatable, Cursor: Equatable {}

/// One of the two edges of a list, and the way to it.
public enum PageDirection: String, Sendable, Hashable, Codable, CaseIterable {
  /// Towards the end: pages are appended.
  case next
  /// Towards the start: pages are prepended.
  case previous

  @inlinable
  var opposite: PageDirection {
    switch self {
    case .next: .previous
    case .previous: .next
    }
  }
}

/// Which page of a list to load.
public struct PageRequest<Cursor> {
  /// Towards which edge.
  public var direction: PageDirection

  /// The cursor, if there is one.
  ///
  /// An array has one size, whatever its elements are. So has a request, and what a list makes of
  /// requests is compiled once for all cursors, which saves every program 50 KB.
  @usableFromInline var cursors: [Cursor]

  /// The cursor that the neighbouring page gave, or nil for the first page.
  @inlinable public var cursor: Cursor? {
    get { cursors.first }
    set { cursors = newValue.map { [$0] } ?? [] }
  }

  /// By how many items local inserts (more) and removes (fewer) have moved that place since the
  /// cursor was given.
  ///
  /// A source that counts items adds it to the cursor; a cursor that names a place, such as an id,
  /// needs no such correction.
  public var shift: Int

  /// Makes a request; one without a cursor is for the first page.
  @inlinable
  public init(_ direction: PageDirection = .next, cursor: Cursor? = nil, shift: Int = 0) {
    self.direction = direction
    self.cursors = cursor.map { [$0] } ?? []
    self.shift = shift
  }
}

extension PageRequest: Sendable where Cursor: Sendable {}
extension PageRequest: Equatable where Cursor: Equatable {}
extension PageRequest: Hashable where Cursor: Hashable {}

// Keys within a generic type are generic, too, and cost every program 3 KB for each type.
private enum PageRequestKey: CodingKey {
  case direction, cursor, shift
}

extension PageRequest: Encodable where Cursor: Encodable {
  /// Encodes the request; without its cursor where there is none.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: PageRequestKey.self)
    try container.encode(direction, forKey: .direction)
    try container.encodeIfPresent(cursor, forKey: .cursor)
    try container.encode(shift, forKey: .shift)
  }
}

extension PageRequest: Decodable where Cursor: Decodable {
  /// Decodes a request.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: PageRequestKey.self)
    self.init(
      try container.decode(PageDirection.self, forKey: .direction),
      cursor: try container.decodeIfPresent(Cursor.self, forKey: .cursor),
      shift: try container.decode(Int.self, forKey: .shift))
  }
}
