/// Stops work under way, in whatever order the work and the cancellation arrive.
///
/// Work that is kept after ``stop()`` is stopped at once. The first of ``stop()`` and ``end()``
/// counts, and it releases the kept handlers and tasks. Handlers are called and released outside
/// the lock.
package final class WorkStop: Sendable {
  /// The phase of the work.
  package enum Phase: Sendable, Hashable {
    case underWay
    case stopped
    case ended
  }

  private enum Kept: Sendable {
    case task(Task<Void, Never>)
    case handler(@Sendable () -> Void)

    func stop() {
      switch self {
      case .task(let task): task.cancel()
      case .handler(let handler): handler()
      }
    }
  }

  private struct State {
    var phase = Phase.underWay
    var kept: [Kept] = []
  }

  private let state = Locked(State())

  package init() {}

  package var phase: Phase { state.withLock { $0.phase } }

  /// Keeps a task, which `stop` cancels.
  package func keep(_ task: Task<Void, Never>) { keep(.task(task)) }

  /// Keeps a handler that stops the work.
  package func keep(_ handler: @escaping @Sendable () -> Void) { keep(.handler(handler)) }

  private func keep(_ kept: Kept) {
    let phase = state.withLock { state in
      if state.phase == .underWay { state.kept.append(kept) }
      return state.phase
    }
    if phase == .stopped { kept.stop() }
  }

  /// Stops the kept tasks and handlers, and any that are kept later.
  ///
  /// - Parameter tell: called first if the work is under way, because stopping may take time.
  /// - Returns: the previous phase; only work under way was stopped by this call.
  @discardableResult
  package func stop(telling tell: () -> Void = {}) -> Phase {
    let (before, kept) = close(as: .stopped)
    if before == .underWay { tell() }
    for kept in kept { kept.stop() }
    return before
  }

  /// Notes that the work has ended, even after it was stopped, and releases the kept handlers.
  ///
  /// - Returns: the previous phase; only work under way has ended by this call.
  @discardableResult
  package func end() -> Phase {
    close(as: .ended).before
  }

  private func close(as phase: Phase) -> (before: Phase, kept: [Kept]) {
    state.withLock { state in
      let before = state.phase
      // Stopped work may still report its end, and is not stopped again.
      if before == .underWay || phase == .ended { state.phase = phase }
      defer { state.kept = [] }
      return (before, state.kept)
    }
  }
}

/// The single answer of a callback API: the first answer counts.
///
/// Releasing the last reference without an answer counts as one, too. `LoadCompletion` and
/// `Resolver` share this type.
package final class CallbackAnswer<Value: Sendable>: Sendable {
  /// The reception of an answer.
  package enum Reception: Sendable, Hashable {
    case taken
    /// The work was cancelled before the answer.
    case late
    /// The work was answered before; with the number of ignored answers.
    case repeated(Int)
  }

  private let work: WorkStop
  private let deliver: @Sendable (Outcome<Value>) -> Void
  private let dropped: @Sendable () -> any Error
  private let ignored = Locked(0)

  /// Makes the answer to work that ``WorkStop`` stops.
  ///
  /// - Parameters:
  ///   - dropped: makes the error for an answer that never comes.
  ///   - deliver: receives the answer, or that error.
  package init(
    to work: WorkStop, dropped: @escaping @Sendable () -> any Error,
    deliver: @escaping @Sendable (Outcome<Value>) -> Void
  ) {
    self.work = work
    self.dropped = dropped
    self.deliver = deliver
  }

  /// Takes an answer, from any thread.
  package func end(with outcome: Outcome<Value>) -> Reception {
    switch work.end() {
    case .underWay:
      deliver(outcome)
      return .taken
    case .stopped: return .late
    case .ended:
      return .repeated(
        ignored.withLock { ignored in
          ignored += 1
          return ignored
        })
    }
  }

  /// The number of answers that were ignored because they were not the first.
  package var ignoredCount: Int { ignored.withLock { $0 } }

  deinit {
    if work.end() == .underWay { deliver(.failure(dropped())) }
  }
}
