import FieldstoneCore

extension PaginatedList {
  /// Loads the list anew, as one transaction over items and cursors.
  ///
  /// A page or a reload under way ends as superseded; its late result is dropped. The new items
  /// replace the old ones only once all of them are there. A reload that fails or is cancelled
  /// leaves items and cursors as they were (as ``ReloadMode/reset`` left them), and they can be
  /// gone on from. Edits that are made meanwhile are applied to the new items.
  @discardableResult
  public func reload(_ mode: ReloadMode) -> ListCall {
    call { $0.reload(mode, for: $1) }
  }

  /// Loads the page after the last one; the first page where nothing has been loaded, unless the
  /// list begins with a reload.
  ///
  /// A second call joins the first. During a reload it ends as cancelled, being busy. At the end of
  /// the list it succeeds at once, with nothing added. An edge that has failed is tried again.
  @discardableResult
  public func loadMore() -> ListCall {
    call { $0.load(.next, for: $1) }
  }

  /// Loads the page before the first one, as ``loadMore()`` does at the other edge; both can be
  /// under way at once.
  @discardableResult
  public func loadPrevious() -> ListCall {
    call { $0.load(.previous, for: $1) }
  }

  /// Retries failed loads, and nothing else; also for when the network comes back.
  ///
  /// A failed reload is made again in its mode; otherwise each edge that failed loads its page.
  /// During a reload nothing is done.
  ///
  /// - Returns: the calls that were made.
  @discardableResult
  public func retry() -> [ListCall] {
    let (mode, edges) = machine.retryable
    if let mode { return [reload(mode)] }
    return edges.map { edge in call { $0.load(edge, for: $1) } }
  }

  /// Takes a page that came from elsewhere, pushed by a server for one, as if it had been loaded.
  ///
  /// A load that is under way at that edge ends as superseded. A page that is pushed where there was
  /// no more does not count as one that ``ReloadMode/allLoaded`` loads again: nothing leads to it.
  /// Costs O(items of the page), amortised.
  ///
  /// - Throws: ``PaginatedListError`` where the page leads in a circle, and
  ///   ``/FieldstoneCore/CallCancelled`` as busy during a reload; then nothing has changed.
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

// MARK: What is in sight

extension PaginatedList {
  /// Takes note that an item is shown, and loads the next page when it is near an edge.
  ///
  /// The page is loaded once, however often the item appears; once more after a reload where the
  /// edge is still in sight. An edge that has failed waits for ``retry()``. An id that is not there
  /// is ignored.
  public func itemAppeared(_ id: Item.ID) {
    perform(machine.appeared(id))
  }

  /// Takes note that an item is no longer shown.
  ///
  /// Without it every item that has appeared counts as in sight, and a reload may be followed by
  /// one page more than is needed.
  public func itemDisappeared(_ id: Item.ID) {
    machine.disappeared(id)
  }
}
