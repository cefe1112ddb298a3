/// How a list goes on at one of its edges.
@usableFromInline
struct ListEdge<Cursor: Hashable> {
  /// What loads the page beyond the edge, the nearest last; none where there is no more.
  ///
  /// There are several only where a window has dropped pages whose neighbours do not say how to
  /// get them back.
  @usableFromInline var requests: [PageRequest<Cursor>] = []

  /// Every cursor that led on from here.
  @usableFromInline var seen: Set<Cursor> = []

  @inlinable
  init(requests: [PageRequest<Cursor>] = []) {
    self.requests = requests
    for request in requests {
      if let cursor = request.cursor { seen.insert(cursor) }
    }
  }

  var hasMore: Bool { !requests.isEmpty }
}

extension ListEdge: Sendable where Cursor: Sendable {}
