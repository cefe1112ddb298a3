import FieldstoneCore

extension PaginatedList {
  /// Reloads the list, as one transaction over items and cursors.
  ///
  /// A page or a reload under way ends as superseded; its late result is dropped. The new items
  /// replace the old ones only once all of them are loaded. A reload that fails or is cancelled
  /// leaves items and cursors as they were (as ``ReloadMode/reset`` left them), and loading can
  /// continue from them. Edits made during the reload are applied to the new items.
  @discardableResult
  public func reload(_ mode: ReloadMode) -> ListCall {
    call { $0.reload(mode, for: $1) }
  }

  /// Loads the page after the last one, or the first page.
  ///
  /// A list that begins with a reload does not load its first page this way. A second call joins
  /// the first. During a reload the call is cancelled as busy. At the end of the list it succeeds
  /// at once, with nothing added. A failed edge is tried again.
  @discardableResult
  public func loadMore() -> ListCall {
    call { $0.load(.next, for: $1) }
  }

  /// Loads the page before the first one, as ``loadMore()`` does at the other edge.
  ///
  /// Both edges can load at once.
  @discardableResult
  public func loadPrevious() -> ListCall {
    call { $0.load(.previous, for: $1) }
  }

  /// Retries only the failed loads, for example when the network is available again.
  ///
  /// A failed reload is repeated in its mode; otherwise each failed edge loads its page. During a
  /// reload it does nothing.
  ///
  /// - Returns: the calls of the repeated loads.
  @discardableResult
  public func retry() -> [ListCall] {
    let (mode, edges) = machine.retryable
    if let mode { return [reload(mode)] }
    return edges.map { edge in call { $0.load(edge, for: $1) } }
  }

  /// Adds a page from elsewhere, for example pushed by a server, as if the list had loaded it.
  ///
  /// A load under way at that edge ends as superseded. If the list had no more pages there,
  /// ``ReloadMode/allLoaded`` does not load the pushed page again, because no cursor leads to it.
  /// Costs O(items of the page, and of the pages that have some of them already), amortised.
  ///
  /// - Throws: ``PaginatedListError`` if the page leads in a circle, and
  ///   ``/FieldstoneCore/CallCancelled`` as busy during a reload; nothing has changed then.
  @inlinable
  @discardableResult
  public func receive(
    _ page: ItemPage<Item, Cursor>, at direction: PageDirection = .next
  ) throws -> PageReport {
    if !machine.isQuiet { return try receiveWhileLoading(page, at: direction) }
    let report = try machine.receive(page, at: direction).report
    tell([.items, .next, .previous])
    if isObserved { notify(.loaded(.page(direction), report)) }
    return report
  }

  @usableFromInline
  func receiveWhileLoading(
    _ page: ItemPage<Item, Cursor>, at direction: PageDirection
  ) throws -> PageReport {
    if machine.refresh != nil { throw CallCancelled(.busy) }
    let (report, hasTrimmed) = try machine.receive(page, at: direction)
    let stopped = machine.stopLoads([direction] + (hasTrimmed ? [direction.opposite] : []))
    perform(
      stopped + [
        .tell([.items, .next, .previous]), .notify(.loaded(.page(direction), report)),
      ])
    return report
  }
}

// MARK: Visible items

extension PaginatedList {
  /// Notes that an item is shown, and loads the next page if it is near an edge.
  ///
  /// The page is loaded once, however often the item appears, and once more after a reload if the
  /// edge is still visible. A failed edge waits for ``retry()``. An unknown id is ignored.
  public func itemAppeared(_ id: Item.ID) {
    perform(machine.appeared(id))
  }

  /// Notes that an item is no longer shown.
  ///
  /// Without this call, every item that has appeared counts as visible, and a reload may load one
  /// page more than needed.
  public func itemDisappeared(_ id: Item.ID) {
    machine.disappeared(id)
  }
}
