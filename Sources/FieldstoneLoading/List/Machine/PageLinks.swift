public import FieldstoneCore

/// The links of a page to its neighbours, stored separately from its items.
@usableFromInline
struct PageLinks<Cursor> {
  /// The request that loaded it, or nil if it has only local inserts.
  @usableFromInline var request: PageRequest<Cursor>?
  @usableFromInline var next: PageRequest<Cursor>?
  @usableFromInline var previous: PageRequest<Cursor>?

  /// The cursors of skipped pages between this page and its link.
  @usableFromInline var skipped: [Cursor] = []

  @inlinable
  init(
    request: PageRequest<Cursor>? = nil, next: PageRequest<Cursor>? = nil,
    previous: PageRequest<Cursor>? = nil
  ) {
    self.request = request
    self.next = next
    self.previous = previous
  }

  @inlinable
  subscript(direction: PageDirection) -> PageRequest<Cursor>? {
    get { direction == .next ? next : previous }
    set {
      switch direction {
      case .next: next = newValue
      case .previous: previous = newValue
      }
    }
  }

  /// Records items that were inserted or removed in this page, or in one before it.
  ///
  /// A link towards the start marks the start of a page, which edits within the page do not move.
  mutating func shift(by count: Int, within: Bool) {
    next?.shift &+= count
    if within {
      request?.growth &+= count
      if request?.direction == .previous { request?.shift &+= count }
    } else {
      request?.shift &+= count
      previous?.shift &+= count
    }
  }
}

extension PageLinks: Sendable where Cursor: Sendable {}

/// An error in the pages of a source.
public enum PaginatedListError: DescribedError, Hashable {
  /// A page's cursor had led to a page before, so the list would never end.
  ///
  /// The whole page is dropped.
  case cursorLoop(cursor: String)

  /// The failure, then the remedy.
  public var message: String {
    switch self {
    case .cursorLoop(let cursor):
      "A page says that the list goes on at \(cursor), where it went on before: let the source give nil after the last page, and another cursor after each page before it."
    }
  }
}
