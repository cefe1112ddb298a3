public import FieldstoneCore
public import Observation

/// A list that is loaded page by page, at its end, at its start, or at both.
///
/// ```swift
/// let articles = PaginatedList(provider: ArticlePages())
///
/// articles.reload(.firstPage)
/// articles.itemAppeared(article.id)  // from a row: near the end it loads the next page
/// articles.retry()                   // from a button, where a page failed
/// ```
///
/// A reload, the end and the start each have a state: ``refreshState``, ``appendState`` and
/// ``prependState``. Pages are loaded off the main actor and added on it. Items are identified by
/// their id across all pages: a duplicate keeps its place and takes the newer value. A failed or
/// cancelled load leaves items and cursors as they were, and a late result is dropped. Adding a
/// page at the end costs the same for any number of pages, even while other code holds ``items``; at
/// the start it costs O(pages). Releasing the list cancels its calls as released. Reads of its state
/// are tracked. (Seed: ModelBlocks' `PaginatedList`.)
@MainActor
public final class PaginatedList<Item: Identifiable & Sendable, Cursor: Hashable & Sendable>:
  Observable
where Item.ID: Sendable {
  @usableFromInline var machine: ListMachine<Item, Cursor>
  private let provider: AnyProvider<PageRequest<Cursor>, ItemPage<Item, Cursor>>
  /// The type of the provider, which identifies the list's activities for observers.
  private let origin: Any.Type
  private var tasks: [Int: Task<Void, Never>] = [:]
  private var calls: [Int: ListCall] = [:]

  /// Made by the first observer.
  private var observers: ListObservers?
  @usableFromInline var isObserved = false
  /// Made by the first observer of edits.
  var editObservers: Multicast<@MainActor (ListEdit<Item>) -> Void>?

  // Made by the first read; one for each part, so that a spinner's view is not notified of items.
  private var itemsTracker: StateTracker?
  private var refreshTracker: StateTracker?
  private var nextTracker: StateTracker?
  private var previousTracker: StateTracker?

  /// Makes an empty list, which loads nothing on its own.
  ///
  /// - Parameters:
  ///   - provider: the source of the pages. Its progress and early values are dropped: a page
  ///     arrives whole, and once. To begin with stored items, ``restore(_:)`` them and reload.
  ///   - pageLimit: the maximum number of pages, or nil for all. Adding a page at one edge then
  ///     drops one at the other, which can be loaded again. Less than one counts as one.
  ///   - skipLimit: the number of pages without new items that one load skips before it ends with
  ///     nothing added; less than zero counts as zero.
  ///   - prefetchDistance: the distance from an edge, in items, at which an appearing item loads
  ///     the next page. Zero is the last item itself; less than zero counts as zero.
  ///   - beginsWithReload: whether only a reload loads the first page. Before that, ``loadMore()``
  ///     succeeds with nothing added.
  public init(
    provider: some DataProvider<PageRequest<Cursor>, ItemPage<Item, Cursor>>,
    pageLimit: Int? = nil, skipLimit: Int = 5, prefetchDistance: Int = 0,
    beginsWithReload: Bool = false
  ) {
    self.provider = provider.erased()
    origin = type(of: provider)
    machine = ListMachine(
      options: .init(
        skipLimit: skipLimit, pageLimit: pageLimit, prefetchDistance: prefetchDistance,
        beginsWithReload: beginsWithReload))
  }

  /// Makes a list of a source that is addressed by offset.
  ///
  /// - Parameters:
  ///   - offsetProvider: the source of the parts; its progress and early values are dropped.
  ///   - pageSize: the number of items in a page; less than one counts as one.
  ///   - start: the number of items before the first page, which can be prepended.
  ///   - pageLimit: the maximum number of pages, or nil for all.
  ///   - skipLimit: the number of pages without new items that one load skips.
  ///   - prefetchDistance: the distance from an edge, in items, at which an appearing item loads
  ///     the next page.
  ///   - beginsWithReload: whether only a reload loads the first page.
  public convenience init(
    offsetProvider: some DataProvider<OffsetRequest, OffsetPage<Item>>, pageSize: Int,
    start: Int = 0, pageLimit: Int? = nil, skipLimit: Int = 5, prefetchDistance: Int = 0,
    beginsWithReload: Bool = false
  ) where Cursor == Int {
    self.init(
      provider: OffsetPages(offsetProvider, pageSize: pageSize, start: start),
      pageLimit: pageLimit, skipLimit: skipLimit, prefetchDistance: prefetchDistance,
      beginsWithReload: beginsWithReload)
  }

  deinit {
    for task in tasks.values { task.cancel() }
    guard !calls.isEmpty else { return }
    MainDispatch.inPlaceOrLater { [calls] in
      for call in calls.valuesInOrder { call.end(with: .cancelled(.released)) }
      ActivityTrace.deliver()
    }
  }
}

// MARK: Reading the state

extension PaginatedList {
  /// The loaded items, including local edits, from start to end.
  public var items: ListItems<Item> {
    track(&itemsTracker)
    return machine.items
  }

  /// The state of the reload.
  public var refreshState: ListRefreshState {
    track(&refreshTracker)
    return machine.refreshState
  }

  /// The number of the load by which the last reload failed: another failure has another number.
  package var refreshFailureLoad: Int? {
    track(&refreshTracker)
    return machine.refreshFailureLoad
  }

  /// The state of loading at the end.
  public var appendState: ListEdgeState {
    track(&nextTracker)
    return machine.edgeState(.next)
  }

  /// The state of loading at the start.
  public var prependState: ListEdgeState {
    track(&previousTracker)
    return machine.edgeState(.previous)
  }

  /// Whether there is more at the end, including while it loads or after that failed.
  public var hasMore: Bool {
    track(&nextTracker)
    return machine.hasMore(.next)
  }

  /// Whether there is more at the start, including while it loads or after that failed.
  public var hasPrevious: Bool {
    track(&previousTracker)
    return machine.hasMore(.previous)
  }

  /// Whether the content is known, even if it is empty.
  package var hasLoaded: Bool {
    track(&itemsTracker)
    track(&nextTracker)
    return machine.content.hasBegun || !machine.hasMore(.next)
  }

  /// The number of duplicate items since the list began or was reloaded.
  public var duplicateCount: Int {
    track(&itemsTracker)
    return machine.duplicateCount
  }

  /// The content, whose read is tracked as one of the items.
  var observedContent: ListContent<Item, Cursor> {
    track(&itemsTracker)
    return machine.content
  }

  /// The item with an id, or nil; O(items of a page).
  public func item(_ id: Item.ID) -> Item? {
    track(&itemsTracker)
    return machine.item(id)
  }

  private func track(_ tracker: inout StateTracker?) {
    let tracking = tracker ?? StateTracker()
    tracker = tracking
    tracking.noteAccess()
  }
}

// MARK: Observing

extension PaginatedList {
  /// Observes the ends of loads, on the main actor: loaded items and failures.
  ///
  /// Each event is delivered after the list has its new state and the call has ended. Cancelled and
  /// superseded loads, edits and restores make no events; a pushed page does. Observers are
  /// notified in the order of registration, one event at a time.
  ///
  /// - Parameter body: receives an event; it may use the list.
  /// - Returns: the registration, to keep as long as events are needed.
  public func observe(_ body: @escaping @MainActor (ListEvent) -> Void) -> Registration {
    let observers = observers ?? ListObservers()
    self.observers = observers
    isObserved = true
    return observers.add(body)
  }
}

// MARK: Performing actions

extension PaginatedList {
  /// Makes a call for a transition, and performs its actions.
  func call(
    _ transition: (inout ListMachine<Item, Cursor>, Int) -> [ListAction<Cursor>]
  ) -> ListCall {
    let number = machine.nextNumber()
    let call = ListCall(.make(.pageLoad, named: "\(origin)", owner: ObjectIdentifier(self)))
    calls[number] = call
    call.onCancel { [weak self] in self?.cancel(number) }
    let actions = transition(&machine, number)
    perform(actions)
    return call
  }

  private func cancel(_ number: Int) {
    perform(machine.cancel(number))
  }

  func perform(_ actions: [ListAction<Cursor>]) {
    var changes: ListChanges = []
    for action in actions {
      switch action {
      case .load(let number, let request): start(number, request)
      case .stop(let number): tasks.removeValue(forKey: number)?.cancel()
      case .end, .tell, .notify: break
      }
    }
    // Observers may use the list from here on; all loads that these actions start are under way.
    for action in actions {
      switch action {
      case .end(let number, let outcome): calls.removeValue(forKey: number)?.end(with: outcome)
      case .tell(let parts): changes.formUnion(parts)
      case .load, .stop, .notify: break
      }
    }
    ActivityTrace.deliver()
    tell(changes)
    for case .notify(let event) in actions { notify(event) }
  }

  @usableFromInline
  func notify(_ event: ListEvent) {
    observers?.notify(event)
  }

  @usableFromInline
  func tell(_ changes: ListChanges) {
    if changes.contains(.items) { itemsTracker?.changed() }
    if changes.contains(.refresh) { refreshTracker?.changed() }
    if changes.contains(.next) { nextTracker?.changed() }
    if changes.contains(.previous) { previousTracker?.changed() }
  }

  private func start(_ number: Int, _ request: PageRequest<Cursor>) {
    tasks[number] = Task { @concurrent [weak self, provider] in
      let outcome = await provider.outcome(of: request, reporting: LoadEvents())
      await self?.finish(number, with: outcome)
    }
  }

  private func finish(_ number: Int, with outcome: Outcome<ItemPage<Item, Cursor>>) {
    tasks[number] = nil
    perform(machine.finish(number, with: outcome))
  }
}
