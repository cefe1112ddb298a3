import FieldstoneCore

/// Wakes those in this process that wait for a run: at once for what happens here, by one poll of
/// the journal for what happens elsewhere.
///
/// The poll asks what has changed since the one before, so that its cost does not depend on how many
/// wait. It ends with the last that waits.
final class RunChangeNotifier: Sendable {
  /// What a listener is woken for.
  enum Interest: Sendable {
    /// The run has come to rest: it is over, dead or blocked, or an operator has changed it.
    case rest
    /// The run has come to another stage, or to rest.
    case stages
  }

  private struct Listener {
    let wakeEvent: WakeEvent
    let interest: Interest
  }

  private struct State {
    var listeners: [RunID: [ObjectIdentifier: Listener]] = [:]
    /// The runs that could not be read when they were asked for.
    var unread: Set<RunID> = []
    var isPolling = false
  }

  private let state = Locked(State())
  private let journal: any Journal
  private let time: TimeSource
  private let interval: Duration
  private let executor: (any TaskExecutor)?
  /// Rung when the last listener has left, and when the journal tells of changes.
  private let pollEvent = WakeEvent()

  init(journal: any Journal, time: TimeSource, options: DurableRunnerOptions) {
    self.journal = journal
    self.time = time
    interval = max(.milliseconds(1), options.pollInterval)
    executor = options.executor
  }

  /// Wakes the listeners of a run.
  ///
  /// - Parameter isAtRest: whether it has come to rest or was changed, and not only to another stage.
  func notify(_ id: RunID, isAtRest: Bool = true) {
    let listeners = state.withLock { $0.listeners[id] } ?? [:]
    for listener in listeners.values where isAtRest || listener.interest == .stages {
      listener.wakeEvent.signal()
    }
  }

  private func notifyAll() {
    let listeners = state.withLock { $0.listeners.values.flatMap(\.values) }
    for listener in listeners { listener.wakeEvent.signal() }
  }

  /// Wakes the listeners of a run at the next poll, as it could not be read now.
  func couldNotRead(_ id: RunID) {
    state.withLock { _ = $0.unread.insert(id) }
  }
}

extension RunChangeNotifier {
  fileprivate func add(_ wakeEvent: WakeEvent, for id: RunID, interest: Interest) {
    let isFirst = state.withLock { state in
      state.listeners[id, default: [:]][ObjectIdentifier(wakeEvent)] = Listener(
        wakeEvent: wakeEvent, interest: interest)
      defer { state.isPolling = true }
      return !state.isPolling
    }
    if isFirst { Task(executorPreference: executor) { await self.poll() } }
  }

  fileprivate func remove(_ wakeEvent: WakeEvent, for id: RunID) {
    let isLast = state.withLock { state in
      state.listeners[id]?[ObjectIdentifier(wakeEvent)] = nil
      if state.listeners[id]?.isEmpty == true { state.listeners[id] = nil }
      return state.listeners.isEmpty
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
        // What happened before the first mark is in no answer.
        if mark != nil, let runs = changes.runs {
          for (id, state) in runs { notify(id, isAtRest: state.isAtRest) }
          for id in unread { notify(id) }
        } else {
          notifyAll()
        }
        mark = changes.mark
      } catch {
        // A journal that can't be used now is asked again. For one that never can be, the listeners
        // are woken and meet the error when they read it.
        state.withLock { $0.unread.formUnion(unread) }
        if (error as? JournalError)?.isTransient != true { notifyAll() }
      }
    }
  }
}

/// A listener, until it is released.
final class RunListener: Sendable {
  let wakeEvent = WakeEvent()
  private let id: RunID
  private let news: RunChangeNotifier

  init(_ id: RunID, of news: RunChangeNotifier, interest: RunChangeNotifier.Interest) {
    self.id = id
    self.news = news
    news.add(wakeEvent, for: id, interest: interest)
  }

  deinit { news.remove(wakeEvent, for: id) }
}
