import FieldstoneCore

extension ListMachine {
  /// Replaces the item that has the same id.
  ///
  /// - Returns: the shell's actions, or nil if there is no such item.
  package mutating func replace(_ item: Item) -> [ListAction<Cursor>]? {
    guard let location = content.location(of: item.id) else { return nil }
    content.replace(item, at: location)
    note(.update(item), of: item.id, at: location)
    return [.tell(.items)]
  }

  /// Inserts an item, or replaces the item that has the same id.
  ///
  /// - Returns: the shell's actions, or nil if the place does not exist.
  package mutating func insert(
    _ item: Item, at place: ItemPlace<Item.ID>
  ) -> [ListAction<Cursor>]? {
    if let actions = replace(item) { return actions }
    guard let location = content.location(of: place) else { return nil }
    let neighbour = content.neighbour(of: place)
    content.insert(item, at: location, shifting: true)
    note(.insert(item, place), of: item.id, shift: 1, beside: neighbour, at: location)
    return [.tell(.items)]
  }

  /// Removes the item with an id.
  ///
  /// - Returns: the shell's actions, or nil if there is no such item.
  package mutating func remove(_ id: Item.ID) -> [ListAction<Cursor>]? {
    guard let location = content.location(of: id) else { return nil }
    content.remove(at: location, shifting: true)
    note(.remove(id), of: id, shift: -1, beside: id, at: location)
    let wasInSight = inSight.remove(id) != nil
    // The item that moves to the removed one's place is visible already and will not appear again.
    return [.tell(.items)] + (wasInSight ? loadInSight() : [])
  }

  /// Records an edit for the loads under way, whose pages don't include it.
  private mutating func note(
    _ change: ListReload<Item, Cursor>.Edit.Change, of id: Item.ID, shift: Int = 0,
    beside neighbour: Item.ID? = nil, at location: ListContent<Item, Cursor>.Location
  ) {
    next?.shift += shift
    next?.edited.insert(id)
    previous?.edited.insert(id)
    guard refresh != nil else { return }
    refresh?.edits.append(
      .init(
        change: change, id: id, shift: shift, neighbour: neighbour,
        index: content.index(of: location), isPrepended: content.isPrepended(location.page)))
  }
}

// MARK: Visible items

extension ListMachine {
  /// Notes that an item is visible, and loads a page if it is near an edge.
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

  /// Notes that an item is no longer visible.
  package mutating func disappeared(_ id: Item.ID) {
    inSight.remove(id)
  }

  /// Loads at the edges that are visible.
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
    // No caller holds this call, so no other call can stop the load by leaving it.
    return load(direction, for: nextNumber())
  }
}

// MARK: Restoring

extension ListMachine {
  /// Replaces everything with a stored snapshot.
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
