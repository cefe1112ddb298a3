package import FieldstoneCore

/// A copy of a list for tools that show it: its items, its pages and its local edits.
///
/// Making it costs O(1), and changes of the list meanwhile copy no items.
package struct ListStanding<Item: Identifiable & Sendable, Cursor: Hashable & Sendable>: Sendable
where Item.ID: Sendable {
  /// The items, including local edits.
  package let items: ListItems<Item>
  /// The ids of items that were inserted locally, and that no page has contained since.
  package let added: Set<Item.ID>
  /// The ids of other items that were changed locally, and that no page has replaced since.
  package let changed: Set<Item.ID>
  /// The ids of items that were removed locally.
  package let removed: Set<Item.ID>
  /// The cursor of the next page to load at the end.
  package let next: Cursor?
  /// The cursor of the next page to load at the start.
  package let previous: Cursor?
  private let links: [PageLinks<Cursor>]

  init(_ content: ListContent<Item, Cursor>) {
    next = content.next.requests.last?.cursor
    previous = content.previous.requests.last?.cursor
    (items, links) = (content.items, content.links)
    (added, changed, removed) = (content.added, content.changed, content.removed)
  }

  /// A page and its links.
  package struct Page: Sendable {
    /// Its place among the loaded pages, from zero.
    package let number: Int
    /// The index of its first item.
    package let start: Int
    package let count: Int
    /// The cursor that it was loaded with; nil for a first page.
    package let cursor: Cursor?
    package let next: Cursor?
    package let previous: Cursor?
  }

  /// The number of loaded pages.
  package var pageCount: Int { links.count }

  /// Pages in order, beginning with the one that holds the item at an index; O(log pages) and the
  /// number of pages that are returned.
  package func pages(from index: Int, atMost limit: Int) -> [Page] {
    guard !links.isEmpty else { return [] }
    let first = items.indices.contains(index) ? items.chunkIndex(ofItemAt: index) : 0
    return links.indices.dropFirst(first).prefix(limit).map { number in
      let links = links[number]
      return Page(
        number: number, start: items.startIndex(ofChunkAt: number),
        count: items.chunk(at: number).items.count, cursor: links.request?.cursor,
        next: links.next?.cursor, previous: links.previous?.cursor)
    }
  }
}

/// A local edit of a list, for tools that show it.
package struct ListEdit<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  package let id: Item.ID
  /// Nil if the item was inserted.
  package let old: Item?
  /// Nil if the item was removed.
  package let new: Item?
  /// Whether the item had no local edit before.
  package let isFirst: Bool
}

extension PaginatedList {
  /// A copy of the list for tools that show it, in O(1).
  package var standing: ListStanding<Item, Cursor> { ListStanding(observedContent) }

  /// Whether an item has a local edit that no page has replaced.
  package func hasEdit(_ id: Item.ID) -> Bool { machine.content.isEdited(id) }

  /// Observes local edits, on the main actor, after each has taken effect.
  ///
  /// - Returns: the registration, to keep as long as edits are needed.
  package func observeEdits(
    _ body: @escaping @MainActor (ListEdit<Item>) -> Void
  ) -> Registration {
    let observers = editObservers ?? Multicast()
    editObservers = observers
    return observers.add(body)
  }

  /// Makes a local edit, and tells its observers of it.
  ///
  /// - Parameter edit: the edit; nil for one that is not possible.
  func edit(
    _ id: Item.ID, _ edit: (inout ListMachine<Item, Cursor>) -> [ListAction<Cursor>]?
  ) -> Bool {
    guard let observers = editObservers else {
      guard let actions = edit(&machine) else { return false }
      perform(actions)
      return true
    }
    let (old, wasEdited) = (machine.item(id), machine.content.isEdited(id))
    guard let actions = edit(&machine) else { return false }
    let new = machine.item(id)
    perform(actions)
    let note = ListEdit(id: id, old: old, new: new, isFirst: !wasEdited)
    observers.invokeEach { $0(note) }
    return true
  }
}

extension ListContent {
  /// Whether an item has a local edit that no page has replaced.
  fileprivate func isEdited(_ id: Item.ID) -> Bool {
    added.contains(id) || changed.contains(id) || removed.contains(id)
  }
}
