/// The items and cursors of a list, as a value to store and to restore.
///
/// It excludes loads under way and errors: a restored list has neither. It is `Codable` if items,
/// their ids and cursors are.
public struct PaginatedListSnapshot<Item: Identifiable, Cursor> {
  private typealias CodingKeys = PaginatedListSnapshotKey

  /// A page of a stored list.
  public struct Page {
    private typealias CodingKeys = PaginatedListSnapshotPageKey

    /// Its items, including local edits.
    package var items: [Item]
    /// The request that loaded it, or nil if it has only local inserts.
    package var request: PageRequest<Cursor>?
    /// The request of the next page, if the page has a cursor to it.
    package var next: PageRequest<Cursor>?
    /// The request of the previous page, if the page has a cursor to it.
    package var previous: PageRequest<Cursor>?

    /// Makes a page.
    public init(
      _ items: [Item], request: PageRequest<Cursor>? = nil, next: PageRequest<Cursor>? = nil,
      previous: PageRequest<Cursor>? = nil
    ) {
      self.items = items
      self.request = request
      self.next = next
      self.previous = previous
    }
  }

  /// The pages, from the start of the list.
  package var pages: [Page]
  /// The requests of the pages after them, nearest last; empty at the end of the list.
  package var next: [PageRequest<Cursor>]
  /// The requests of the pages before them, nearest last; empty at the start of the list.
  package var previous: [PageRequest<Cursor>]
  /// The ids of removed items, which later pages do not add again.
  package var removed: Set<Item.ID>
  /// The number of items by which edits in prepended pages moved the first page; nil if by none.
  package var startShift: Int?

  /// Makes a snapshot.
  public init(
    pages: [Page], next: [PageRequest<Cursor>], previous: [PageRequest<Cursor>] = [],
    removed: Set<Item.ID> = []
  ) {
    self.pages = pages
    self.next = next
    self.previous = previous
    self.removed = removed
  }

  package init(
    pages: [Page], next: [PageRequest<Cursor>], previous: [PageRequest<Cursor>],
    removed: Set<Item.ID>, startShift: Int
  ) {
    self.init(pages: pages, next: next, previous: previous, removed: removed)
    self.startShift = startShift == 0 ? nil : startShift
  }

  /// The items of all pages.
  public var items: [Item] { pages.flatMap(\.items) }
}

// Keys within a generic type are generic, too, which adds 3 KB to every program for each type.
private enum PaginatedListSnapshotKey: CodingKey {
  case pages, next, previous, removed, startShift
}
private enum PaginatedListSnapshotPageKey: CodingKey {
  case items, request, next, previous
}

extension PaginatedListSnapshot.Page: Sendable where Item: Sendable, Cursor: Sendable {}
extension PaginatedListSnapshot.Page: Equatable where Item: Equatable, Cursor: Equatable {}
extension PaginatedListSnapshot.Page: Encodable where Item: Encodable, Cursor: Encodable {}
extension PaginatedListSnapshot.Page: Decodable where Item: Decodable, Cursor: Decodable {}

extension PaginatedListSnapshot: Sendable
where Item: Sendable, Item.ID: Sendable, Cursor: Sendable {}
extension PaginatedListSnapshot: Equatable where Item: Equatable, Cursor: Equatable {}
extension PaginatedListSnapshot: Encodable
where Item: Encodable, Item.ID: Encodable, Cursor: Encodable {}
extension PaginatedListSnapshot: Decodable
where Item: Decodable, Item.ID: Decodable, Cursor: Decodable {}
