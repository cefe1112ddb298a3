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
/// Each of the three things that can be under way has a state of its own: ``refreshState``,
/// ``appendState`` and ``prependState``. Pages are loaded off the main actor and come in on it.
/// Items are identified by their id across all pages: one that comes again keeps its place and
/// takes the newer value. A failed or cancelled load leaves items and cursors as they were, and a
/// late result is dropped. Adding a page costs the same for any number of pages, also while other
/// code holds ``items``. Releasing the list ends its calls as released. Reads of its state are
/// tracked. (Seed: ModelBlocks' `PaginatedList`.)
@MainActor
public final class PaginatedList<Item: Identifiable & Sendable, Cursor: Hashable & Sendable>:
  Observable
where Item.ID: Sendable {
  @usableFromInline var machine: ListMachine<Item, Cursor>
  private let provider: AnyProvider<PageRequest<Cursor>, ItemPage<Item, Cursor>>
  /// The type of the provider, by which observers know its activities.
  private let origin: Any.Type
  private var tasks: [Int: Task<Void, Never>] = [:]
  private var calls: [Int: ListCall] = [:]

  /// Made by the first observer.
  private var observers: ListObservers?
  @usableFromInline var isObserved = false

  // Made by the first read. One for each part: a view of a spinner need not hear of items.
  private var itemsTracker: StateTracker?
  private var refreshTracker: StateTracker?
  private var nextTracker: StateTracker?
  private var previousTracker: StateTracker?

  /// Makes a list without items, which loads nothing until it is asked to.
  ///
  /// - Parameters:
  ///   - provider: where pages come from. Its progress and early values are dropped: a page comes
  ///     whole, and once. To begin with stored items, ``restore(_:)`` them and reload.
  ///   - pageLimit: how many pages are kept, or nil for all. A page that is added at one edge then
  ///     drops one at the other, which can be loaded again. Less than one counts as one.
  ///   - skipLimit: how many pages without new items one load skips before it ends with nothing
  ///     added; less than zero counts as zero.
  ///   - prefetchDistance: the distance from an edge, in items, at which an appearing item loads
  ///     the next page. Zero is the last item itself; less than zero counts as zero.
  ///   - beginsWithReload: whether only a reload loads the first page. Then ``loadMore()`` does
  ///     nothing before, and succeeds with nothing added.
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

  /// Makes a list of a source that counts.
  ///
  /// - Parameters:
  ///   - offsetProvider: the source of the parts; its progress and early values are dropped.
  ///   - pageSize: how many items a page has; less than one counts as one.
  ///   - start: how many items come before the first page; those can be prepended.
  ///   - pageLimit: how many pages are kept, or nil for all.
  ///   - skipLimit: how many pages without new items one load skips.
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

// MARK: What is shown

extension PaginatedList {
  /// The items that are loaded, local edits included, from the start to the end.
  public var items: ListItems<Item> {
    track(&itemsTracker)
    return machine.items
  }

  /// Where the reloading stands.
  public var refreshState: ListRefreshState {
    track(&refreshTracker)
    return machine.refreshState
  }

  /// Where the loading at the end stands.
  public var appendState: ListEdgeState {
    track(&nextTracker)
    return machine.edgeState(.next)
  }

  /// Where the loading at the start stands.
  public var prependState: ListEdgeState {
    track(&previousTracker)
    return machine.edgeState(.previous)
  }

  /// Whether there is more at the end, also while it is loaded and when that failed.
  public var hasMore: Bool {
    track(&nextTracker)
    return machine.hasMore(.next)
  }

  /// Whether there is more at the start, also while it is loaded and when that failed.
  public var hasPrevious: Bool {
    track(&previousTracker)
    return machine.hasMore(.previous)
  }

  /// Whether it is known what there is, also if that is nothing.
  package var hasLoaded: Bool {
    track(&itemsTracker)
    track(&nextTracker)
    return machine.content.hasBegun || !machine.hasMore(.next)
  }

  /// How many items have come again since the list began or was reloaded.
  public var duplicateCount: Int {
    track(&itemsTracker)
    return machine.duplicateCount
  }

  /// The item with an id, or nil; in O(items of a page).
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

// MARK: What is heard

extension PaginatedList {
  /// Observes the ends of loads, on the main actor: items that were loaded, and loads that failed.
  ///
  /// The list has its new state by then, and the call has ended. Cancelled and superseded loads,
  /// edits and restores are no events; a pushed page is one. Observers are notified in the order in
  /// which they registered, and of one event after the other.
  ///
  /// - Parameter body: takes an event; it may use the list.
  /// - Returns: the registration, to keep as long as events are needed.
  public func observe(_ body: @escaping @MainActor (ListEvent) -> Void) -> Registration {
    let observers = observers ?? ListObservers()
    self.observers = observers
    isObserved = true
    return observers.add(body)
  }
}

// MARK: What is done

extension PaginatedList {
  /// Makes a call of a transition, and does what it asks for.
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
    // Others may act on the list from here on: everything that it does by itself is under way.
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
