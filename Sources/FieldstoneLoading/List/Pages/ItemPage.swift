/// A page of items from its source, with the cursors of its neighbours.
public struct ItemPage<Item, Cursor> {
  /// The items in list order, for either direction of loading.
  public var items: [Item]

  /// The cursor of the next page, or nil if there is none.
  public var next: Cursor?

  /// The cursor of the previous page, or nil if there is none.
  ///
  /// It is always nil for a list that grows only at its end.
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

/// An edge of a list, and the direction towards it.
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

/// A request for a page of a list.
public struct PageRequest<Cursor> {
  /// The edge at which the page is added.
  public var direction: PageDirection

  /// The cursor, if there is one.
  ///
  /// An array has one size for any element, and so has a request. A list's code for requests is
  /// therefore compiled once for all cursors, which saves every program 50 KB.
  @usableFromInline var cursors: [Cursor]

  /// The cursor from the neighbouring page, or nil for the first page.
  @inlinable public var cursor: Cursor? {
    get { cursors.first }
    set { cursors = newValue.map { [$0] } ?? [] }
  }

  /// The number of items by which local edits have moved the page's place since the cursor was
  /// made.
  ///
  /// Inserts increase it, removes decrease it. A source with offsets adds it to the cursor, and to
  /// the place of its first page, whose request has no cursor. A cursor that names a place, such as
  /// an id, needs no such correction.
  public var shift: Int

  /// The number of items by which local edits have made the page itself longer since it was loaded.
  ///
  /// It is zero for a page that is loaded for the first time. A source with offsets adds it to the
  /// limit, so that a page that a `pageLimit` dropped comes back whole.
  public var growth = 0

  /// Makes a request; without a cursor it is for the first page.
  @inlinable
  public init(_ direction: PageDirection = .next, cursor: Cursor? = nil, shift: Int = 0) {
    self.direction = direction
    self.cursors = cursor.map { [$0] } ?? []
    self.shift = shift
  }

  /// Whether edits have moved its place against its direction, or shortened its page.
  ///
  /// A source with offsets then gives a cursor again, for another place.
  @usableFromInline var isMovedBack: Bool {
    if growth < 0 { return true }
    if cursors.isEmpty { return shift != 0 }  // It leads in both directions.
    return direction == .next ? shift < 0 : shift > 0
  }
}

extension PageRequest: Sendable where Cursor: Sendable {}
extension PageRequest: Equatable where Cursor: Equatable {}
extension PageRequest: Hashable where Cursor: Hashable {}

// Keys within a generic type are generic, too, which adds 3 KB to every program for each type.
private enum PageRequestKey: CodingKey {
  case direction, cursor, shift, growth
}

extension PageRequest: Encodable where Cursor: Encodable {
  /// Encodes the request; the cursor is omitted if there is none, and growth if it is zero.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: PageRequestKey.self)
    try container.encode(direction, forKey: .direction)
    try container.encodeIfPresent(cursor, forKey: .cursor)
    try container.encode(shift, forKey: .shift)
    if growth != 0 { try container.encode(growth, forKey: .growth) }
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
    growth = try container.decodeIfPresent(Int.self, forKey: .growth) ?? 0
  }
}
