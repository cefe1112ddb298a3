extension PaginatedList {
  /// Changes the item with an id, in O(items of its page).
  ///
  /// A load that began before does not overwrite it; one that begins later brings the newer value.
  ///
  /// - Parameters:
  ///   - id: whose item.
  ///   - change: is called once; it must leave the id as it is.
  /// - Returns: whether it was changed; not where the id is not there, or would be another.
  @discardableResult
  public func update(_ id: Item.ID, _ change: (inout Item) -> Void) -> Bool {
    guard var item = machine.item(id) else { return false }
    change(&item)
    guard item.id == id, let actions = machine.replace(item) else { return false }
    perform(actions)
    return true
  }

  /// Inserts an item; where its id is there already, its value is replaced in its place.
  ///
  /// A page that brings it does not move it. Costs O(pages).
  ///
  /// - Returns: whether the item is in the list; not where its place names an id that is not.
  @discardableResult
  public func insert(_ item: Item, at place: ItemPlace<Item.ID> = .start) -> Bool {
    guard let actions = machine.insert(item, at: place) else { return false }
    perform(actions)
    return true
  }

  /// Removes the item with an id, in O(pages).
  ///
  /// Later pages do not bring it back; a reload that begins later does.
  ///
  /// - Returns: whether it was there.
  @discardableResult
  public func remove(_ id: Item.ID) -> Bool {
    guard let actions = machine.remove(id) else { return false }
    perform(actions)
    return true
  }
}

// MARK: Storing

extension PaginatedList {
  /// Items and cursors as a value to store, in O(pages).
  public var snapshot: PaginatedListSnapshot<Item, Cursor> {
    machine.snapshot
  }

  /// Puts what was stored in the place of everything; what is under way ends as superseded.
  ///
  /// Loading goes on where it stood. Of ids that are there twice the first place and the last value
  /// count. Costs O(n).
  public func restore(_ snapshot: PaginatedListSnapshot<Item, Cursor>) {
    perform(machine.restore(snapshot))
  }
}

/// Where in a list an item is inserted.
public indirect enum ItemPlace<ID> {
  // Indirect, so that it has one size for all ids: its code is then not generic, and small.

  /// Before all others.
  case start
  /// After all others that are loaded.
  case end
  /// Before the item with an id.
  case before(ID)
  /// After the item with an id.
  case after(ID)
}

extension ItemPlace: Sendable where ID: Sendable {}
extension ItemPlace: Equatable where ID: Equatable {}
extension ItemPlace: Hashable where ID: Hashable {}
