package import FieldstoneCore

/// The states of a paginated list and every transition between them.
///
/// It runs no user's code, starts nothing and waits for nothing: a transition changes the state and
/// returns the shell's actions. It knows calls and loads by number. The result of a load that it no
/// longer awaits is dropped.
@usableFromInline
package struct ListMachine<Item: Identifiable, Cursor: Hashable> {
  /// The options of a list.
  @usableFromInline
  package struct Options: Sendable {
    /// The number of pages without new items that one load skips.
    package var skipLimit: Int
    /// The maximum number of pages, or nil for all.
    @usableFromInline package var pageLimit: Int?
    /// The distance from an edge, in items, at which the next page is loaded.
    package var prefetchDistance: Int
    /// Whether only a reload loads the first page.
    package var beginsWithReload: Bool

    package init(
      skipLimit: Int = 5, pageLimit: Int? = nil, prefetchDistance: Int = 0,
      beginsWithReload: Bool = false
    ) {
      self.skipLimit = max(0, skipLimit)
      self.pageLimit = pageLimit.map { max(1, $0) }
      self.prefetchDistance = max(0, prefetchDistance)
      self.beginsWithReload = beginsWithReload
    }
  }

  @usableFromInline let options: Options
  @usableFromInline var content: ListContent<Item, Cursor>

  @usableFromInline var refresh: ListReload<Item, Cursor>?
  @usableFromInline var next: EdgeLoad<Item, Cursor>?
  @usableFromInline var previous: EdgeLoad<Item, Cursor>?

  /// The failure of the last reload, with the number of the load that failed.
  var refreshFailure: (error: any Error, mode: ReloadMode, load: Int)?
  @usableFromInline var nextFailure: (any Error)?
  @usableFromInline var previousFailure: (any Error)?

  /// The visible items, as far as the caller has reported them.
  var inSight: Set<Item.ID> = []

  private var lastNumber = 0

  package init(options: Options) {
    self.options = options
    content = ListContent()
  }

  /// A new number for a load or a call.
  package mutating func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }
}

// MARK: Reading the state

extension ListMachine {
  package var items: ListItems<Item> { content.items }
  package var duplicateCount: Int { content.duplicateCount }
  package var snapshot: PaginatedListSnapshot<Item, Cursor> { content.snapshot }

  package var refreshState: ListRefreshState {
    if let refresh { return .loading(refresh.mode) }
    return refreshFailure.map { .failed($0.error, $0.mode) } ?? .idle
  }

  /// The number of the load by which the last reload failed: another failure has another number.
  package var refreshFailureLoad: Int? { refresh == nil ? refreshFailure?.load : nil }

  package func edgeState(_ direction: PageDirection) -> ListEdgeState {
    if load(direction) != nil { return .loading }
    if let error = failure(direction) { return .failed(error) }
    return hasMore(direction) ? .idle : .end
  }

  package func hasMore(_ direction: PageDirection) -> Bool { content[direction].hasMore }

  package func item(_ id: Item.ID) -> Item? {
    content.location(of: id).map { content.item(at: $0) }
  }

  /// Whether no load is under way.
  @inlinable
  package var isQuiet: Bool { refresh == nil && next == nil && previous == nil }

  func load(_ direction: PageDirection) -> EdgeLoad<Item, Cursor>? {
    direction == .next ? next : previous
  }

  func failure(_ direction: PageDirection) -> (any Error)? {
    direction == .next ? nextFailure : previousFailure
  }

  mutating func setLoad(_ load: EdgeLoad<Item, Cursor>?, _ direction: PageDirection) {
    if direction == .next { next = load } else { previous = load }
  }

  /// Changes the calls of a load in place: a copy of them for each change would make n calls
  /// O(n²).
  ///
  /// - Returns: nil if there is no load.
  private mutating func changeCalls<Result>(
    of direction: PageDirection, _ change: (inout Set<Int>) -> Result
  ) -> Result? {
    direction == .next ? next?.changeCalls(change) : previous?.changeCalls(change)
  }

  @inlinable
  mutating func setFailure(_ error: (any Error)?, _ direction: PageDirection) {
    if direction == .next { nextFailure = error } else { previousFailure = error }
  }
}

// MARK: Beginning

extension ListMachine {
  /// Loads a page at an edge for a call, or joins the load under way there.
  package mutating func load(_ direction: PageDirection, for call: Int) -> [ListAction<Cursor>] {
    if refresh != nil { return [.end(call, .cancelled(.busy))] }
    if changeCalls(of: direction, { $0.insert(call).inserted }) != nil { return [] }
    let isTooEarly = options.beginsWithReload && !content.hasBegun
    guard !isTooEarly, let request = content[direction].requests.last else {
      return [.end(call, .success(PageReport()))]
    }
    let number = nextNumber()
    setLoad(EdgeLoad(number: number, request: request, calls: [call]), direction)
    return [.load(number, request), .tell(.edge(direction))]
  }

  /// Reloads for a call; loads under way are superseded.
  package mutating func reload(_ mode: ReloadMode, for call: Int) -> [ListAction<Cursor>] {
    var actions = stopAll(.superseded)
    if mode == .reset {
      content = ListContent()
      (refreshFailure, nextFailure, previousFailure) = (nil, nil, nil)
      inSight = []
    }
    var reload = plan(mode, for: call)
    reload.number = nextNumber()
    refresh = reload
    actions.append(.load(reload.number, reload.request))
    actions.append(.tell(.all))
    return actions
  }

  private func plan(_ mode: ReloadMode, for call: Int) -> ListReload<Item, Cursor> {
    let requests = content.links.compactMap(\.request)
    let forward = requests.filter { $0.direction == .next }
    let backward = requests.filter { $0.direction == .previous }
    var start = PageRequest<Cursor>(shift: content.startShift)
    var fresh = ListContent<Item, Cursor>(next: [start], startShift: content.startShift)
    guard mode == .allLoaded else {
      return ListReload(
        request: start, call: call, mode: mode, content: fresh, direction: .next, wantedNext: 1,
        wantedPrevious: 0)
    }
    // Pages beyond the window are not reloaded; their requests stay.
    if content.hasLostStart, let first = forward.first {
      start = first
      fresh = ListContent(
        next: [first], previous: backward.last.map { [$0] } ?? content[.previous].requests,
        hasLostStart: true,
        startShift: content.startShift)
    } else if content.hasLostStart, let last = backward.last {
      start = last
      fresh = ListContent(
        next: content[.next].requests, previous: [last], hasLostStart: true,
        startShift: content.startShift)
    }
    return ListReload(
      request: start, call: call, mode: mode, content: fresh, direction: start.direction,
      wantedNext: start.direction == .next ? max(1, forward.count) : 0,
      wantedPrevious: backward.count)
  }

  /// The loads that a retry repeats: the reload, or the edges that failed.
  package var retryable: (mode: ReloadMode?, edges: [PageDirection]) {
    if refresh != nil { return (nil, []) }
    // The list was reset when the load began: what was loaded since then stays until this succeeds.
    if let mode = refreshFailure?.mode { return (mode == .reset ? .firstPage : mode, []) }
    return (nil, PageDirection.allCases.filter { failure($0) != nil && load($0) == nil })
  }

  /// Cancels one call; the load stops if no other call waits for it.
  package mutating func cancel(_ call: Int) -> [ListAction<Cursor>] {
    let end = ListAction<Cursor>.end(call, .cancelled(.caller))
    for direction in PageDirection.allCases {
      guard changeCalls(of: direction, { $0.remove(call) != nil }) == true else { continue }
      guard let load = load(direction), load.calls.isEmpty else { return [end] }
      setLoad(nil, direction)
      return [.stop(load.number), end, .tell(.edge(direction))]
    }
    guard let reload = refresh, reload.call == call else { return [] }
    refresh = nil
    return [.stop(reload.number), end, .tell(.refresh)] + loadInSight()
  }

  /// Ends all loads and calls under way.
  package mutating func stopAll(_ reason: CancellationReason) -> [ListAction<Cursor>] {
    var actions = stop(.next, reason) + stop(.previous, reason)
    if let reload = refresh {
      refresh = nil
      actions += [.stop(reload.number), .end(reload.call, .cancelled(reason))]
    }
    return actions
  }

  mutating func stop(
    _ direction: PageDirection, _ reason: CancellationReason
  ) -> [ListAction<Cursor>] {
    guard let load = load(direction) else { return [] }
    setLoad(nil, direction)
    return [.stop(load.number)] + load.end(with: .cancelled(reason))
  }
}
