import FieldstoneCore

extension ListMachine {
  /// Puts another value in the place of the item with its id.
  ///
  /// - Returns: the shell's actions, or nil where the item is not there.
  package mutating func replace(_ item: Item) -> [ListAction<Cursor>]? {
    guard let location = content.location(of: item.id) else { return nil }
    content.replace(item, at: location)
    note(item.id, shift: 0)
    refresh?.edits.append(.update(item))
    return [.tell(.items)]
  }

  /// Inserts an item, or puts it in the place where its id is already.
  ///
  /// - Returns: the shell's actions, or nil where the place is not there.
  package mutating func insert(
    _ item: Item, at place: ItemPlace<Item.ID>
  ) -> [ListAction<Cursor>]? {
    if let actions = replace(item) { return actions }
    guard content.insert(item, at: place, shifting: true) else { return nil }
    note(item.id, shift: 1)
    refresh?.edits.append(.insert(item, place))
    return [.tell(.items)]
  }

  /// Removes the item with an id.
  ///
  /// - Returns: the shell's actions, or nil where the item is not there.
  package mutating func remove(_ id: Item.ID) -> [ListAction<Cursor>]? {
    guard let location = content.location(of: id) else { return nil }
    content.remove(at: location, shifting: true)
    note(id, shift: -1)
    refresh?.edits.append(.remove(id))
    let wasInSight = inSight.remove(id) != nil
    // The item that takes the removed one's place at the edge is in sight and will not appear.
    return [.tell(.items)] + (wasInSight ? loadInSight() : [])
  }

  /// Takes note for what is under way that it does not know of an edit.
  private mutating func note(_ id: Item.ID, shift: Int) {
    next?.shift += shift
    next?.edited.insert(id)
    previous?.edited.insert(id)
    refresh?.note(shift: shift)
  }
}

// MARK: What is in sight

extension ListMachine {
  /// Takes note that an item is in sight, and loads a page when it is near an edge.
  package mutating func appeared(_ id: Item.ID) -> [ListAction<Cursor>] {
    guard let location = content.location(of: id) else { return [] }
    inSight.insert(id)
    guard refresh == nil else { return [] }
    let index = content.index(of: location)
    var actions: [ListAction<Cursor>] = []
    if content.items.count - 1 - index <= options.prefetchDistance {
      actions += loadAutomatically(.next)
    }
    if index <= options.prefetchDistance { actions += loadAutomatically(.previous) }
    return actions
  }

  /// Takes note that an item is no longer in sight.
  package mutating func disappeared(_ id: Item.ID) {
    inSight.remove(id)
  }

  /// Loads at the edges that are in sight.
  mutating func loadInSight() -> [ListAction<Cursor>] {
    guard refresh == nil, !inSight.isEmpty else { return [] }
    var actions: [ListAction<Cursor>] = []
    let items = content.items
    let near = options.prefetchDistance < items.count ? options.prefetchDistance + 1 : items.count
    if items.suffix(near).contains(where: { inSight.contains($0.id) }) {
      actions += loadAutomatically(.next)
    }
    if items.prefix(near).contains(where: { inSight.contains($0.id) }) {
      actions += loadAutomatically(.previous)
    }
    return actions
  }

  private mutating func loadAutomatically(_ direction: PageDirection) -> [ListAction<Cursor>] {
    guard load(direction) == nil, failure(direction) == nil, hasMore(direction) else {
      return []
    }
    // A call that no caller holds, so that no other call can stop the work by leaving it.
    return load(direction, for: nextNumber())
  }
}

// MARK: Restoring

extension ListMachine {
  /// Takes what was stored in the place of everything.
  package mutating func restore(
    _ snapshot: PaginatedListSnapshot<Item, Cursor>
  ) -> [ListAction<Cursor>] {
    let actions = stopAll(.superseded)
    content = ListContent(snapshot)
    (refreshFailure, nextFailure, previousFailure) = (nil, nil, nil)
    inSight = []
    return actions + [.tell(.all)]
  }
}
