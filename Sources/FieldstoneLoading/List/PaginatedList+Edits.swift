extension PaginatedList {
  /// Changes the item with an id, in O(items of its page).
  ///
  /// A load that began before does not overwrite the change; a later load replaces it.
  ///
  /// - Parameters:
  ///   - id: the id of the item.
  ///   - change: called once; it must not change the id.
  /// - Returns: whether the item was changed; false if there is no such item, or its id would
  ///   change.
  @discardableResult
  public func update(_ id: Item.ID, _ change: (inout Item) -> Void) -> Bool {
    guard var item = machine.item(id) else { return false }
    change(&item)
    guard item.id == id else { return false }
    return edit(id) { $0.replace(item) }
  }

  /// Inserts an item, or replaces the value of the item with the same id.
  ///
  /// A page that contains the item does not move it. Costs O(pages + items of the page at the place).
  ///
  /// - Returns: whether the item is in the list; false if its place names an id that is not.
  @discardableResult
  public func insert(_ item: Item, at place: ItemPlace<Item.ID> = .start) -> Bool {
    edit(item.id) { $0.insert(item, at: place) }
  }

  /// Removes the item with an id, in O(pages + items of its page).
  ///
  /// Later pages do not add it again, but a reload that begins later does.
  ///
  /// - Returns: whether the item was in the list.
  @discardableResult
  public func remove(_ id: Item.ID) -> Bool {
    edit(id) { $0.remove(id) }
  }
}

// MARK: Storing

extension PaginatedList {
  /// The items and cursors as a value to store, in O(pages).
  public var snapshot: PaginatedListSnapshot<Item, Cursor> {
    machine.snapshot
  }

  /// Replaces everything with a stored snapshot; calls under way end as superseded.
  ///
  /// Loading continues where the snapshot ended. For duplicate ids, the first place and the last
  /// value count. Costs O(n).
  public func restore(_ snapshot: PaginatedListSnapshot<Item, Cursor>) {
    perform(machine.restore(snapshot))
  }
}

/// The place in a list at which an item is inserted.
public indirect enum ItemPlace<ID> {
  // Indirect, so that all ids have one size: the code is then small and not generic.

  /// Before all other items.
  case start
  /// After all other loaded items.
  case end
  /// Before the item with an id.
  case before(ID)
  /// After the item with an id.
  case after(ID)
}

extension ItemPlace: Sendable where ID: Sendable {}
extension ItemPlace: Equatable where ID: Equatable {}
extension ItemPlace: Hashable where ID: Hashable {}
