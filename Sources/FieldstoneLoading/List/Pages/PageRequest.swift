/// Which page of a list to load.
public struct PageRequest<Cursor> {
  /// Towards which edge.
  public var direction: PageDirection

  /// What the neighbouring page said of where to go on, or nil for the first page.
  public var cursor: Cursor?

  /// By how many items local inserts (more) and removes (fewer) have moved that place since the
  /// cursor was given.
  ///
  /// Who counts adds it; a cursor that names a place, such as an id, needs no such correction.
  public var shift: Int

  /// Makes a request; one without a cursor is for the first page.
  @inlinable
  public init(_ direction: PageDirection = .next, cursor: Cursor? = nil, shift: Int = 0) {
    self.direction = direction
    self.cursor = cursor
    self.shift = shift
  }
}

extension PageRequest: Sendable where Cursor: Sendable {}
extension PageRequest: Equatable where Cursor: Equatable {}
extension PageRequest: Hashable where Cursor: Hashable {}
extension PageRequest: Encodable where Cursor: Encodable {}
extension PageRequest: Decodable where Cursor: Decodable {}
