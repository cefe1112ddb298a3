public import FieldstoneCore

/// What a list keeps of a page besides its items.
@usableFromInline
struct PageLinks<Cursor> {
  /// What loaded it, or nil where only local inserts made it.
  @usableFromInline var request: PageRequest<Cursor>?
  @usableFromInline var next: PageRequest<Cursor>?
  @usableFromInline var previous: PageRequest<Cursor>?

  /// The cursors of pages without anything new, between this one and where it leads.
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

  /// Takes note of items that came or went in this page, or in one before it.
  ///
  /// What leads on towards the start says where a page begins, and items within it do not move
  /// that.
  mutating func shift(by count: Int, within: Bool) {
    next?.shift &+= count
    if within {
      if request?.direction == .previous { request?.shift &+= count }
    } else {
      request?.shift &+= count
      previous?.shift &+= count
    }
  }
}

extension PageLinks: Sendable where Cursor: Sendable {}

/// What can be wrong with the pages of a source.
public enum PaginatedListError: DescribedError, Hashable {
  /// A page led to a cursor that had led to a page before, so there would be no end.
  ///
  /// The page is dropped as a whole.
  case cursorLoop(cursor: String)

  /// What is wrong and what to do about it.
  public var message: String {
    switch self {
    case .cursorLoop(let cursor):
      "A page says that the list goes on at \(cursor), where it went on before: let the source give nil after the last page, and another cursor after each page before it."
    }
  }
}
