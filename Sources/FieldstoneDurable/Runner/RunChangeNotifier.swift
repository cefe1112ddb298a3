import FieldstoneCore
import Foundation

/// Wakes this process's waiters of runs: at once for local changes, by polling for all others.
///
/// One poll of the journal asks for all changes since the previous poll, so its cost does not
/// depend on the number of waiters. Polling begins when the first listener waits, and stops when the
/// last one leaves.
final class RunChangeNotifier: Sendable {
  /// What a listener is woken for.
  enum Interest: Sendable {
    /// The run is over, dead or blocked, or an operator has changed it.
    case rest
    /// The run has reached another stage, or one of the states of `rest`.
    case stages
    /// The run has a new report, or a change as in `stages`.
    case reports
  }

  private struct Listener {
    let wakeEvent: WakeEvent
    let interest: Interest
    let takesCompletion: Bool
  }

  private struct State {
    var listeners: [RunID: [ObjectIdentifier: Listener]] = [:]
    /// The payloads of runs that this runner has completed, for the listeners that take them.
    var completions: [RunID: Data] = [:]
    /// The runs that could not be read when requested.
    var unread: Set<RunID> = []
    var isPolling = false
  }

  private let state = Locked(State())
  private let journal: any Journal
  private let time: TimeSource
  private let interval: Duration
  private let executor: (any TaskExecutor)?
  /// Signalled when the last listener has left during a poll, and when the journal announces changes.
  private let pollEvent = WakeEvent()

  init(journal: any Journal, time: TimeSource, options: DurableRunnerOptions) {
    self.journal = journal
    self.time = time
    interval = max(.milliseconds(1), options.pollInterval)
    executor = options.executor
  }

  /// Wakes the listeners of a run.
  ///
  /// - Parameter isAtRest: true for a change as in `Interest.rest`, false for another stage.
  func notify(_ id: RunID, isAtRest: Bool = true) {
    let listeners = state.withLock { $0.listeners[id] } ?? [:]
    for listener in listeners.values where isAtRest || listener.interest != .rest {
      listener.wakeEvent.signal()
    }
  }

  /// Keeps a run's completion for its listeners, which then need not read it.
  ///
  /// A completed run never changes. The listeners are woken by `notify`.
  func complete(_ id: RunID, with payload: Data) {
    state.withLock { state in
      let isTaken = state.listeners[id]?.values.contains { $0.takesCompletion } ?? false
      if isTaken { state.completions[id] = payload }
    }
  }

  /// Wakes the listeners to the reports of runs.
  func notifyReports(of ids: [RunID]) {
    let listeners = state.withLock { state in
      ids.flatMap { state.listeners[$0]?.values.map(\.self) ?? [] }
    }
    for listener in listeners where listener.interest == .reports { listener.wakeEvent.signal() }
  }

  private func notifyAll() {
    let listeners = state.withLock { $0.listeners.values.flatMap(\.values) }
    for listener in listeners { listener.wakeEvent.signal() }
  }

  /// Wakes the listeners of a run at the next poll, because it could not be read now.
  func couldNotRead(_ id: RunID) {
    state.withLock { _ = $0.unread.insert(id) }
  }
}

extension RunChangeNotifier {
  fileprivate func add(
    _ wakeEvent: WakeEvent, for id: RunID, interest: Interest, takesCompletion: Bool
  ) {
    state.withLock { state in
      state.listeners[id, default: [:]][ObjectIdentifier(wakeEvent)] = Listener(
        wakeEvent: wakeEvent, interest: interest, takesCompletion: takesCompletion)
    }
  }

  fileprivate func completion(of id: RunID) -> Data? { state.withLock { $0.completions[id] } }

  /// Waits for a wake event until an uptime, and polls meanwhile.
  fileprivate func wait(for wakeEvent: WakeEvent, until deadline: Duration?) async {
    let isFirst = state.withLock { state in
      defer { state.isPolling = true }
      return !state.isPolling
    }
    if isFirst { Task(executorPreference: executor) { await self.poll() } }
    await wakeEvent.wait(until: deadline, by: time, on: executor)
  }

  fileprivate func remove(_ wakeEvent: WakeEvent, for id: RunID) {
    let isLast = state.withLock { state in
      var listeners = state.listeners[id] ?? [:]
      listeners[ObjectIdentifier(wakeEvent)] = nil
      state.listeners[id] = listeners.isEmpty ? nil : listeners
      if !listeners.values.contains(where: \.takesCompletion) { state.completions[id] = nil }
      return state.isPolling && state.listeners.isEmpty
    }
    if isLast { pollEvent.signal() }
  }

  private func poll() async {
    var mark: JournalMark?
    let wakeUps = (journal as? any WakeUpSource)?.onWakeUp { [pollEvent] in pollEvent.signal() }
    defer { wakeUps?.cancel() }
    while true {
      await pollEvent.wait(until: time.uptime + interval, by: time, on: executor)
      let (isOver, unread) = state.withLock { state in
        let isOver = state.listeners.isEmpty
        if isOver { state.isPolling = false }
        defer { state.unread = [] }
        return (isOver, state.unread)
      }
      if isOver { return }
      do {
        let changes = try await journal.changes(since: mark)
        // No answer includes changes before the first mark.
        if mark != nil, let runs = changes.runs {
          for (id, state) in runs { notify(id, isAtRest: state.isAtRest) }
          for id in unread { notify(id) }
        } else {
          notifyAll()
        }
        mark = changes.mark
      } catch {
        // An unavailable journal is asked again. If it is unusable for good, the listeners are
        // woken and get the error from their own read.
        state.withLock { $0.unread.formUnion(unread) }
        if (error as? JournalError)?.isTransient != true { notifyAll() }
      }
    }
  }
}

/// A listener, until it is released.
final class RunListener: Sendable {
  private let wakeEvent = WakeEvent()
  private let id: RunID
  private let news: RunChangeNotifier

  init(
    _ id: RunID, of news: RunChangeNotifier, interest: RunChangeNotifier.Interest,
    takesCompletion: Bool = false
  ) {
    self.id = id
    self.news = news
    news.add(wakeEvent, for: id, interest: interest, takesCompletion: takesCompletion)
  }

  deinit { news.remove(wakeEvent, for: id) }

  /// The run's completion, if this runner has made it while a listener that takes it was there.
  var completion: Data? { news.completion(of: id) }

  /// Waits for a change since the previous wait, until an uptime, or until the task is cancelled.
  ///
  /// One task waits at a time.
  func wait(until deadline: Duration? = nil) async {
    await withTaskCancellationHandler {
      await news.wait(for: wakeEvent, until: deadline)
    } onCancel: {
      wakeEvent.signal()
    }
  }
}
