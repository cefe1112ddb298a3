/// How work under way is stopped, for work and a cancellation that come in any order.
///
/// Work that is kept after ``stop()`` is stopped at once. Of ``stop()`` and ``end()`` the first
/// counts, and it releases what was kept. Handlers are called and released outside the lock.
package final class WorkStop: Sendable {
  /// Where the work stands.
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

  /// Keeps a task, to cancel it.
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

  /// Stops what is kept, and what will be.
  ///
  /// - Parameter tell: called before that, where the work is under way: stopping may take its time.
  /// - Returns: where the work stood before; only work under way was stopped by this.
  @discardableResult
  package func stop(telling tell: () -> Void = {}) -> Phase {
    let (before, kept) = close(as: .stopped)
    if before == .underWay { tell() }
    for kept in kept { kept.stop() }
    return before
  }

  /// Says that the work has ended, also once it was stopped, and releases what was kept.
  ///
  /// - Returns: where the work stood before; only work under way has ended by this.
  @discardableResult
  package func end() -> Phase {
    close(as: .ended).before
  }

  private func close(as phase: Phase) -> (before: Phase, kept: [Kept]) {
    state.withLock { state in
      let before = state.phase
      // Work that was stopped may still say that it has ended, and is not stopped again.
      if before == .underWay || phase == .ended { state.phase = phase }
      defer { state.kept = [] }
      return (before, state.kept)
    }
  }
}

/// The one answer that a callback API owes: the first counts, and releasing the last reference
/// without one is an answer too.
///
/// It is the shared part of `LoadCompletion` and `Resolver`.
package final class CallbackAnswer<Value: Sendable>: Sendable {
  /// The reception of an answer.
  package enum Reception: Sendable, Hashable {
    case taken
    /// The work was cancelled before.
    case late
    /// There was an answer before; with the number of ignored answers.
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
  ///   - deliver: takes the answer, or that error.
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

  /// How many answers were ignored because there was one.
  package var ignoredCount: Int { ignored.withLock { $0 } }

  deinit {
    if work.end() == .underWay { deliver(.failure(dropped())) }
  }
}
