public import FieldstoneCore
public import FieldstoneLoading
public import Foundation
public import Observation

/// What a screen shows, as it loads, refreshes, fails and is tried again.
///
/// ```swift
/// let users = Integrator(provider: UserSearch(), model: Users.self)
/// let screen = ScreenModel(users, parameters: "apple", timing: .calm) { $0.items.isEmpty }
/// screen.appear()  // the first appearance loads
/// ```
///
/// A screen that is to wait for the person is made with `loadsOnAppear: false`: it shows its initial
/// view until ``retry()`` or ``refresh()`` is called. Reads of ``state`` are tracked, and
/// ``states()`` is a sequence of them. Releasing the model ends what it has under way. (Seed: Mold's
/// stateful view controllers.)
@MainActor
@Observable
public final class ScreenModel {
  /// What the screen shows now.
  public private(set) var state: ScreenState = .initial

  @ObservationIgnored private let source: any ScreenSource
  @ObservationIgnored private let time: TimeSource
  @ObservationIgnored private var indicator: LoadingIndicatorTiming<ScreenState>
  @ObservationIgnored private let loadsOnAppear: Bool
  @ObservationIgnored private var hasAppeared = false

  /// True until the first appearance is over: the person has not seen the content yet.
  @ObservationIgnored private var isUnseen = true
  @ObservationIgnored private let timer = ScreenTimer()
  @ObservationIgnored private var streams = StateStreams<ScreenState>()
  @ObservationIgnored private var waiting: [AsyncStream<Void>.Continuation] = []

  /// Makes a screen over anything that can say what is known.
  ///
  /// - Parameters:
  ///   - source: where its content comes from.
  ///   - loadsOnAppear: whether the first appearance loads.
  ///   - timing: when the screen says that it is loading.
  ///   - time: what the timing goes by.
  public init(
    source: any ScreenSource, loadsOnAppear: Bool = true, timing: LoadingTiming = .immediate,
    time: TimeSource = .system
  ) {
    self.source = source
    self.loadsOnAppear = loadsOnAppear
    self.time = time
    indicator = LoadingIndicatorTiming(timing, showing: .initial)
    follow()
  }

  /// Makes a screen over an integrator.
  ///
  /// - Parameters:
  ///   - integrator: what loads.
  ///   - parameters: what it loads, asked for at each load.
  ///   - loadsOnAppear: whether the first appearance loads.
  ///   - timing: when the screen says that it is loading.
  ///   - time: what the timing goes by.
  ///   - isEmpty: whether there is nothing in a value.
  public convenience init<Parameters, Value>(
    _ integrator: Integrator<Parameters, Value>,
    parameters: @escaping @autoclosure () -> Parameters, loadsOnAppear: Bool = true,
    timing: LoadingTiming = .immediate,
    time: TimeSource = .system, isEmpty: @escaping (Value) -> Bool
  ) {
    let source = IntegratorSource(integrator, parameters: parameters, isEmpty: isEmpty)
    self.init(source: source, loadsOnAppear: loadsOnAppear, timing: timing, time: time)
  }

  /// Makes a screen over an integrator of a collection, which has no results when it is empty.
  ///
  /// - Parameters:
  ///   - integrator: what loads.
  ///   - parameters: what it loads, asked for at each load.
  ///   - loadsOnAppear: whether the first appearance loads.
  ///   - timing: when the screen says that it is loading.
  ///   - time: what the timing goes by.
  public convenience init<Parameters, Value: Collection>(
    _ integrator: Integrator<Parameters, Value>,
    parameters: @escaping @autoclosure () -> Parameters, loadsOnAppear: Bool = true,
    timing: LoadingTiming = .immediate,
    time: TimeSource = .system
  ) {
    self.init(
      integrator, parameters: parameters(), loadsOnAppear: loadsOnAppear, timing: timing,
      time: time, isEmpty: \.isEmpty)
  }

  /// Makes a screen over a closure that loads and says what there is to show then.
  ///
  /// - Parameters:
  ///   - loadsOnAppear: whether the first appearance loads.
  ///   - timing: when the screen says that it is loading.
  ///   - time: what the timing goes by.
  ///   - load: loads; a newer load cancels the one under way.
  public convenience init(
    loadsOnAppear: Bool = true, timing: LoadingTiming = .immediate, time: TimeSource = .system,
    load: @escaping @MainActor () async throws -> ScreenKnowledge.Content
  ) {
    self.init(source: ClosureSource(load), loadsOnAppear: loadsOnAppear, timing: timing, time: time)
  }

  /// Makes a screen over a list, which has no results when it was loaded and holds no items.
  ///
  /// The first appearance and a refresh reload the list; a retry tries again what has failed. Once
  /// there are items, a page that is loaded at an edge, and its failure, are for the rows there to
  /// show and not for the screen.
  ///
  /// - Parameters:
  ///   - list: what loads.
  ///   - mode: how much of it is reloaded.
  ///   - loadsOnAppear: whether the first appearance loads.
  ///   - timing: when the screen says that it is loading.
  ///   - time: what the timing goes by.
  public convenience init<Item, Cursor>(
    _ list: PaginatedList<Item, Cursor>, reloading mode: ReloadMode = .firstPage,
    loadsOnAppear: Bool = true, timing: LoadingTiming = .immediate, time: TimeSource = .system
  ) {
    self.init(
      source: ListSource(list, mode: mode), loadsOnAppear: loadsOnAppear, timing: timing, time: time
    )
  }

  /// Makes a screen over an operation, which is made anew for each load, as one runs only once.
  ///
  /// ```swift
  /// let screen = ScreenModel(
  ///   operation: { [unowned self] in LoadMessages(user).onSuccess { messages = $0 } },
  ///   isEmpty: \.isEmpty)
  /// ```
  ///
  /// The handlers of the operation have returned when the screen shows how it ended. A newer load
  /// cancels the one under way.
  ///
  /// - Parameters:
  ///   - operation: makes an operation that was not started.
  ///   - queue: where it runs; on a queue of the screen's own where it is nil.
  ///   - loadsOnAppear: whether the first appearance loads.
  ///   - timing: when the screen says that it is loading.
  ///   - time: what the timing goes by.
  ///   - isEmpty: whether there is nothing in an output.
  public convenience init<Output>(
    operation: @escaping @MainActor () -> StatefulOperation<Output>,
    on queue: OperationQueue? = nil, loadsOnAppear: Bool = true, timing: LoadingTiming = .immediate,
    time: TimeSource = .system, isEmpty: @escaping (Output) -> Bool
  ) {
    let source = OperationSource(queue: queue) { ScreenOperation(operation(), isEmpty: isEmpty) }
    self.init(source: source, loadsOnAppear: loadsOnAppear, timing: timing, time: time)
  }

  /// Makes a screen over an operation that may not be there: where none is made, nothing is loaded
  /// and what is shown stays.
  ///
  /// - Parameters:
  ///   - operation: makes an operation that was not started, for each load, or none.
  ///   - queue: where it runs; on a queue of the screen's own where it is nil.
  ///   - loadsOnAppear: whether the first appearance loads.
  ///   - timing: when the screen says that it is loading.
  ///   - time: what the timing goes by.
  public convenience init(
    makingOperation operation: @escaping @MainActor () -> ScreenOperation?,
    on queue: OperationQueue? = nil, loadsOnAppear: Bool = true,
    timing: LoadingTiming = .immediate, time: TimeSource = .system
  ) {
    self.init(
      source: OperationSource(queue: queue, operation), loadsOnAppear: loadsOnAppear,
      timing: timing, time: time)
  }

  /// Makes a screen over an operation with a collection, which has no results when it is empty.
  ///
  /// - Parameters:
  ///   - operation: makes an operation that was not started, for each load.
  ///   - queue: where it runs; on a queue of the screen's own where it is nil.
  ///   - loadsOnAppear: whether the first appearance loads.
  ///   - timing: when the screen says that it is loading.
  ///   - time: what the timing goes by.
  public convenience init<Output: Collection>(
    operation: @escaping @MainActor () -> StatefulOperation<Output>,
    on queue: OperationQueue? = nil, loadsOnAppear: Bool = true, timing: LoadingTiming = .immediate,
    time: TimeSource = .system
  ) {
    self.init(
      operation: operation, on: queue, loadsOnAppear: loadsOnAppear, timing: timing, time: time,
      isEmpty: \.isEmpty)
  }

  deinit {
    streams.finish()
    MainDispatch.inPlaceOrLater { [source] in source.cancel() }
  }

  /// What it shows, as an asynchronous sequence; its first element is the state as it is now.
  ///
  /// For a terminal, a test or a server, where no view follows ``state``. A slow consumer gets
  /// the latest state and none of those between; a newer error counts as a newer state. It ends
  /// when the model is released.
  ///
  /// ```swift
  /// screen.appear()
  /// for await state in screen.states() { print(state.view) }
  /// ```
  public func states() -> AsyncStream<ScreenState> { streams.stream(from: state) }

  package var followerCount: Int { streams.count }

  /// Says that the screen is there; the first time it loads, unless it was made not to.
  public func appear() {
    guard !hasAppeared else { return }
    hasAppeared = true
    if loadsOnAppear { load() }
    isUnseen = false
  }

  /// Loads again, after an error or because there were no results.
  public func retry() {
    source.retry()
    update()
  }

  /// Loads again while what is there stays.
  public func refresh() { load() }

  /// Loads again while what is there stays, and returns when nothing is under way any more.
  ///
  /// What became of it is in ``state``. Where the calling task is cancelled, it returns at once and
  /// the load goes on: pulling a list down may end before what it asked for.
  public func refreshAndWait() async {
    load()
    await waitUntilIdle()
  }

  /// Returns when nothing is under way, or the calling task is cancelled.
  func waitUntilIdle() async {
    guard source.knowledge.isLoading else { return }
    let (turns, continuation) = AsyncStream.makeStream(of: Void.self)
    waiting.append(continuation)
    for await _ in turns {}
  }

  private func load() {
    source.load()
    update()
  }

  /// Hears of every change of what is known.
  private func follow() {
    let known = withObservationTracking {
      source.knowledge
    } onChange: { [weak self] in
      // The change is about to be made: it is there in the main actor's next turn.
      Task { @MainActor in self?.follow() }
    }
    update(known)
  }

  private func update() { update(source.knowledge) }

  private func update(_ known: ScreenKnowledge) {
    let wanted = ScreenState(known)
    let isBlank = isUnseen && indicator.shown.view == .initial
    let next = indicator.update(
      wanted, isLoading: wanted.view == .loading, at: time.uptime, blank: isBlank ? .blank : nil)
    let isNews = !state.looksLike(indicator.shown)
    state = indicator.shown
    if isNews { streams.tell(state) }
    if !known.isLoading {
      let waiting = waiting
      self.waiting = []
      for continuation in waiting { continuation.finish() }
    }
    timer.set(next, time: time) { [weak self] in self?.update() }
  }
}
