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
/// Reads of ``state`` are tracked, and ``states()`` is a sequence of them. Releasing the model ends what it has under way. (Seed: Mold's
/// stateful view controllers.)
@MainActor
@Observable
public final class ScreenModel {
  /// What the screen shows now.
  public private(set) var state: ScreenState = .initial

  @ObservationIgnored private let source: any ScreenSource
  @ObservationIgnored private let time: TimeSource
  @ObservationIgnored private var curtain: LoadingCurtain<ScreenState>
  @ObservationIgnored private var hasAppeared = false
  @ObservationIgnored private let timer = ScreenTimer()
  @ObservationIgnored private var streams = StateStreams<ScreenState>()

  /// Makes a screen over anything that can say what is known.
  ///
  /// - Parameters:
  ///   - source: where its content comes from.
  ///   - timing: when the screen says that it is loading.
  ///   - time: what the timing goes by.
  public init(
    source: any ScreenSource, timing: LoadingTiming = .immediate, time: TimeSource = .system
  ) {
    self.source = source
    self.time = time
    curtain = LoadingCurtain(timing, showing: .initial)
    follow()
  }

  /// Makes a screen over an integrator.
  ///
  /// - Parameters:
  ///   - integrator: what loads.
  ///   - parameters: what it loads, asked for at each load.
  ///   - timing: when the screen says that it is loading.
  ///   - time: what the timing goes by.
  ///   - isEmpty: whether there is nothing in a value.
  public convenience init<Parameters, Value>(
    _ integrator: Integrator<Parameters, Value>,
    parameters: @escaping @autoclosure () -> Parameters, timing: LoadingTiming = .immediate,
    time: TimeSource = .system, isEmpty: @escaping (Value) -> Bool
  ) {
    let source = IntegratorSource(integrator, parameters: parameters, isEmpty: isEmpty)
    self.init(source: source, timing: timing, time: time)
  }

  /// Makes a screen over an integrator of a collection, which has no results when it is empty.
  ///
  /// - Parameters:
  ///   - integrator: what loads.
  ///   - parameters: what it loads, asked for at each load.
  ///   - timing: when the screen says that it is loading.
  ///   - time: what the timing goes by.
  public convenience init<Parameters, Value: Collection>(
    _ integrator: Integrator<Parameters, Value>,
    parameters: @escaping @autoclosure () -> Parameters, timing: LoadingTiming = .immediate,
    time: TimeSource = .system
  ) {
    self.init(
      integrator, parameters: parameters(), timing: timing, time: time, isEmpty: \.isEmpty)
  }

  /// Makes a screen over a closure that loads and says what there is to show then.
  ///
  /// - Parameters:
  ///   - timing: when the screen says that it is loading.
  ///   - time: what the timing goes by.
  ///   - load: loads; a newer load cancels the one under way.
  public convenience init(
    timing: LoadingTiming = .immediate, time: TimeSource = .system,
    load: @escaping @MainActor () async throws -> ScreenKnowledge.Content
  ) {
    self.init(source: ClosureSource(load), timing: timing, time: time)
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
  ///   - timing: when the screen says that it is loading.
  ///   - time: what the timing goes by.
  public convenience init<Item, Cursor>(
    _ list: PaginatedList<Item, Cursor>, reloading mode: ReloadMode = .firstPage,
    timing: LoadingTiming = .immediate, time: TimeSource = .system
  ) {
    self.init(source: ListSource(list, mode: mode), timing: timing, time: time)
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
  ///   - timing: when the screen says that it is loading.
  ///   - time: what the timing goes by.
  ///   - isEmpty: whether there is nothing in an output.
  public convenience init<Output>(
    operation: @escaping @MainActor () -> StatefulOperation<Output>,
    on queue: OperationQueue? = nil, timing: LoadingTiming = .immediate,
    time: TimeSource = .system, isEmpty: @escaping (Output) -> Bool
  ) {
    let source = OperationSource(operation, queue: queue, isEmpty: isEmpty)
    self.init(source: source, timing: timing, time: time)
  }

  /// Makes a screen over an operation with a collection, which has no results when it is empty.
  ///
  /// - Parameters:
  ///   - operation: makes an operation that was not started, for each load.
  ///   - queue: where it runs; on a queue of the screen's own where it is nil.
  ///   - timing: when the screen says that it is loading.
  ///   - time: what the timing goes by.
  public convenience init<Output: Collection>(
    operation: @escaping @MainActor () -> StatefulOperation<Output>,
    on queue: OperationQueue? = nil, timing: LoadingTiming = .immediate,
    time: TimeSource = .system
  ) {
    self.init(operation: operation, on: queue, timing: timing, time: time, isEmpty: \.isEmpty)
  }

  deinit {
    streams.finish()
    MainDispatch.inPlaceOrLater { [source] in source.cancel() }
  }

  /// What it shows, as an asynchronous sequence; its first element is the state as it is now.
  ///
  /// For a terminal, a test or a server, where no view follows ``state``. Who is slow gets the
  /// latest state and none of those between; a newer error counts as a newer state. It ends when
  /// the model is released.
  ///
  /// ```swift
  /// screen.appear()
  /// for await state in screen.states() { print(state.view) }
  /// ```
  public func states() -> AsyncStream<ScreenState> { streams.stream(from: state) }

  package var followerCount: Int { streams.count }

  /// Says that the screen is there; the first time, it loads.
  public func appear() {
    guard !hasAppeared else { return }
    hasAppeared = true
    load()
  }

  /// Loads again, after an error or because there were no results.
  public func retry() {
    source.retry()
    update()
  }

  /// Loads again while what is there stays.
  public func refresh() { load() }

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
    let next = curtain.update(
      ScreenState(known), isLoading: ScreenState(known).view == .loading, at: time.uptime)
    let isNews = !state.looksLike(curtain.shown)
    state = curtain.shown
    if isNews { streams.tell(state) }
    timer.set(next, time: time) { [weak self] in self?.update() }
  }
}
