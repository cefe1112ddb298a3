/// Which page of a list to load.
public struct PageRequest<Cursor> {
  /// Towards which edge.
  public var direction: PageDirection

  /// The cursor, if there is one.
  ///
  /// An array has one size, whatever its elements are. So has a request, and what a list makes of
  /// requests is compiled once for all cursors, which saves every program 50 KB.
  @usableFromInline var cursors: [Cursor]

  /// What the neighbouring page said of where to go on, or nil for the first page.
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
