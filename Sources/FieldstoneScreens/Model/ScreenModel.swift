public import FieldstoneCore
public import FieldstoneLoading
public import Foundation
public import Observation

/// The model of a screen that loads its content, refreshes it and retries after errors.
///
/// ```swift
/// let users = Integrator(provider: UserSearch(), model: Users.self)
/// let screen = ScreenModel(users, parameters: "apple", timing: .calm) { $0.items.isEmpty }
/// screen.appear()  // the first appearance loads
/// ```
///
/// With `loadsOnAppear: false` the screen shows its initial view until ``retry()`` or ``refresh()``
/// is called. Reads of ``state`` are tracked; ``states()`` is a sequence of them. Deallocating the
/// model cancels its loads. (Seed: Mold's
/// stateful view controllers.)
@MainActor
@Observable
public final class ScreenModel {
  /// The present state.
  public private(set) var state: ScreenState = .initial

  @ObservationIgnored private let source: any ScreenSource
  @ObservationIgnored private let time: TimeSource
  @ObservationIgnored private var indicator: LoadingIndicatorTiming<ScreenState>
  @ObservationIgnored private let loadsOnAppear: Bool
  @ObservationIgnored private var hasAppeared = false

  /// True until the end of the first appearance.
  @ObservationIgnored private var isUnseen = true
  /// The number of the load whose error is shown, if the source has one.
  @ObservationIgnored private var failure: Int?
  /// The number of errors that were shown: the same text may be that of a new error.
  @ObservationIgnored package private(set) var failureCount = 0
  /// The text of the error that was counted last.
  @ObservationIgnored private var failureText: String?
  /// Whether a load, or a state without an error, came since then.
  @ObservationIgnored private var mayFailAnew = true
  @ObservationIgnored private let timer = ScreenTimer()
  @ObservationIgnored private var streams = StateStreams<ScreenState>()
  @ObservationIgnored private var waiting: [AsyncStream<Void>.Continuation] = []
  /// Whether an outcome is there, and the loading state is shown for its minimum time.
  @ObservationIgnored private var isHeld = false

  /// Makes a screen over a source of your own.
  ///
  /// - Parameters:
  ///   - source: the source of the content.
  ///   - loadsOnAppear: true when the first appearance loads.
  ///   - timing: the delay and minimum time of the loading state.
  ///   - time: the clock of the timing.
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
  ///   - integrator: the integrator that loads.
  ///   - parameters: the parameters, evaluated for each load.
  ///   - loadsOnAppear: true when the first appearance loads.
  ///   - timing: the delay and minimum time of the loading state.
  ///   - time: the clock of the timing.
  ///   - isEmpty: true for a value without content.
  public convenience init<Parameters, Value>(
    _ integrator: Integrator<Parameters, Value>,
    parameters: @escaping @autoclosure () -> Parameters, loadsOnAppear: Bool = true,
    timing: LoadingTiming = .immediate,
    time: TimeSource = .system, isEmpty: @escaping (Value) -> Bool
  ) {
    let source = IntegratorSource(integrator, parameters: parameters, isEmpty: isEmpty)
    self.init(source: source, loadsOnAppear: loadsOnAppear, timing: timing, time: time)
  }

  /// Makes a screen over an integrator of a collection.
  ///
  /// - Parameters:
  ///   - integrator: the integrator that loads.
  ///   - parameters: the parameters, evaluated for each load.
  ///   - loadsOnAppear: true when the first appearance loads.
  ///   - timing: the delay and minimum time of the loading state.
  ///   - time: the clock of the timing.
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

  /// Makes a screen over a closure that loads and returns the kind of the content.
  ///
  /// - Parameters:
  ///   - loadsOnAppear: true when the first appearance loads.
  ///   - timing: the delay and minimum time of the loading state.
  ///   - time: the clock of the timing.
  ///   - load: loads the content. A new load cancels the one before.
  public convenience init(
    loadsOnAppear: Bool = true, timing: LoadingTiming = .immediate, time: TimeSource = .system,
    load: @escaping @MainActor () async throws -> ScreenKnowledge.Content
  ) {
    self.init(source: ClosureSource(load), loadsOnAppear: loadsOnAppear, timing: timing, time: time)
  }

  /// Makes a screen over a list.
  ///
  /// The first appearance and a refresh reload the list; a retry repeats the loads that failed.
  /// While there are items, the screen does not show loads and errors of pages at the edges: rows
  /// of the list show them.
  ///
  /// - Parameters:
  ///   - list: the list.
  ///   - mode: the part of the list that is reloaded.
  ///   - loadsOnAppear: true when the first appearance loads.
  ///   - timing: the delay and minimum time of the loading state.
  ///   - time: the clock of the timing.
  public convenience init<Item, Cursor>(
    _ list: PaginatedList<Item, Cursor>, reloading mode: ReloadMode = .firstPage,
    loadsOnAppear: Bool = true, timing: LoadingTiming = .immediate, time: TimeSource = .system
  ) {
    self.init(
      source: ListSource(list, mode: mode), loadsOnAppear: loadsOnAppear, timing: timing, time: time
    )
  }

  /// Makes a screen over operations, with a new one for each load.
  ///
  /// ```swift
  /// let screen = ScreenModel(
  ///   operation: { [unowned self] in LoadMessages(user).onSuccess { messages = $0 } },
  ///   isEmpty: \.isEmpty)
  /// ```
  ///
  /// The operation's handlers return before the screen shows its outcome. A new load cancels the
  /// operation before.
  ///
  /// - Parameters:
  ///   - operation: makes an operation, and does not start it.
  ///   - queue: the queue of the operations; nil for the screen's own queue.
  ///   - loadsOnAppear: true when the first appearance loads.
  ///   - timing: the delay and minimum time of the loading state.
  ///   - time: the clock of the timing.
  ///   - isEmpty: true for an output without content.
  public convenience init<Output>(
    operation: @escaping @MainActor () -> StatefulOperation<Output>,
    on queue: OperationQueue? = nil, loadsOnAppear: Bool = true, timing: LoadingTiming = .immediate,
    time: TimeSource = .system, isEmpty: @escaping (Output) -> Bool
  ) {
    let source = OperationSource(queue: queue) { ScreenOperation(operation(), isEmpty: isEmpty) }
    self.init(source: source, loadsOnAppear: loadsOnAppear, timing: timing, time: time)
  }

  /// Makes a screen over optional operations; without one the state stays.
  ///
  /// - Parameters:
  ///   - operation: makes an operation for each load, and does not start it; nil loads nothing.
  ///   - queue: the queue of the operations; nil for the screen's own queue.
  ///   - loadsOnAppear: true when the first appearance loads.
  ///   - timing: the delay and minimum time of the loading state.
  ///   - time: the clock of the timing.
  package convenience init(
    makingOperation operation: @escaping @MainActor () -> ScreenOperation?,
    on queue: OperationQueue? = nil, loadsOnAppear: Bool = true,
    timing: LoadingTiming = .immediate, time: TimeSource = .system
  ) {
    self.init(
      source: OperationSource(queue: queue, operation), loadsOnAppear: loadsOnAppear,
      timing: timing, time: time)
  }

  /// Makes a screen over operations with a collection as their output.
  ///
  /// - Parameters:
  ///   - operation: makes an operation for each load, and does not start it.
  ///   - queue: the queue of the operations; nil for the screen's own queue.
  ///   - loadsOnAppear: true when the first appearance loads.
  ///   - timing: the delay and minimum time of the loading state.
  ///   - time: the clock of the timing.
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

  /// The states as an asynchronous sequence, beginning with the present one.
  ///
  /// It is for a terminal, a test or a server, where no view follows ``state``. A slow consumer gets
  /// only the latest state; a new error counts as a new state. A consumer on the main actor takes a
  /// state that is there without leaving the actor, so it gets the present one however short that
  /// lasts. The sequence ends when the model is deallocated.
  ///
  /// ```swift
  /// screen.appear()
  /// for await state in screen.states() { print(state.view) }
  /// ```
  public func states() -> some AsyncSequence<ScreenState, Never> & Sendable {
    streams.stream(from: state)
  }

  package var followerCount: Int { streams.count }

  /// Reports an appearance of the screen; the first one loads, unless `loadsOnAppear` is false.
  public func appear() {
    guard !hasAppeared else { return }
    hasAppeared = true
    if loadsOnAppear { load() }
    isUnseen = false
  }

  /// Loads again after an error or without results.
  public func retry() {
    source.retry()
    update()
  }

  /// Loads again and keeps the present content meanwhile.
  public func refresh() { load() }

  /// Loads again, keeps the present content meanwhile, and returns when ``state`` has the outcome.
  ///
  /// That is when no load is running and the minimum time of the loading state is over. When the
  /// calling task is cancelled, the method returns at once and the load continues, as SwiftUI may
  /// cancel a pull to refresh early.
  public func refreshAndWait() async {
    load()
    await waitUntilIdle()
  }

  /// Returns when no load is running and its outcome is shown, or the calling task is cancelled.
  func waitUntilIdle() async {
    guard source.knowledge.isLoading || isHeld else { return }
    let (turns, continuation) = AsyncStream.makeStream(of: Void.self)
    waiting.append(continuation)
    for await _ in turns {}
  }

  private func load() {
    source.load()
    update()
  }

  /// Observes the source.
  private func follow() {
    let known = withObservationTracking {
      source.knowledge
    } onChange: { [weak self] in
      // The change is made after this, before the main actor's next job.
      Task { @MainActor in self?.follow() }
    }
    update(known)
  }

  private func update() { update(source.knowledge) }

  private func update(_ known: ScreenKnowledge) {
    if known.isLoading || known.error == nil { mayFailAnew = true }
    let wanted = ScreenState(known)
    let isBlank = isUnseen && indicator.shown.view == .initial
    let next = indicator.update(
      wanted, isLoading: wanted.view == .loading, at: time.uptime, blank: isBlank ? .blank : nil)
    show(indicator.shown, of: known)
    // The loading state may have a minimum time.
    isHeld = !known.isLoading && next != nil
    if !known.isLoading, !isHeld {
      let waiting = waiting
      self.waiting = []
      for continuation in waiting { continuation.finish() }
    }
    timer.set(next, time: time) { [weak self] in self?.update() }
  }

  /// Shows a state, and tells it unless it looks like the one before.
  ///
  /// Views follow the state and the content; a set of the same state would show the content twice.
  private func show(_ next: ScreenState, of known: ScreenKnowledge) {
    // During the delay of a load the state stays.
    guard indicator.isTaken else { return }
    let before = failure
    failure = next.error == nil ? nil : known.failure
    let isSameError = failure != nil && failure == before && next.view == state.view
    guard !isSameError, !state.looksLike(next) else { return }
    if let error = next.error {
      // Without a number of the failure, the same text is another error only after a load.
      let text = error.localizedDescription
      if known.failure != nil || mayFailAnew || text != failureText { failureCount += 1 }
      failureText = text
      mayFailAnew = false
    }
    state = next
    streams.tell(next)
  }
}
