/// The life of a call: prepared, perhaps waiting, running, and ended exactly once.
///
/// Calls, operations and page loads share this machine; only their shells differ. A transition
/// changes the state and returns the shell's next action; it runs no user's code. An event that
/// does not fit the state, such as a result after the end, changes nothing.
package struct CallStateMachine<Success> {
  /// The state of the call.
  package enum State {
    /// Not started.
    case prepared
    /// Started; the work waits for a time or for its turn.
    case waiting
    /// The work is under way.
    case running
    /// Ended; the state is final.
    case ended(Outcome<Success>)
  }

  /// The shell's task after a transition.
  package enum Action {
    /// Nothing.
    case none
    /// Wait, and then call ``CallStateMachine/proceed()``.
    case wait
    /// Begin the work, and then call ``CallStateMachine/finish(with:)``.
    case run
    /// Notify all observers of the end; if `stopping`, stop the wait or the work first.
    case end(Outcome<Success>, stopping: Bool)
  }

  /// The state of the call.
  package private(set) var state: State

  /// Prepares a call.
  package init() {
    state = .prepared
  }

  /// The outcome of the call, or nil before its end.
  package var outcome: Outcome<Success>? {
    if case .ended(let outcome) = state { outcome } else { nil }
  }

  /// Whether the call was started and has not ended.
  package var isUnderWay: Bool {
    switch state {
    case .waiting, .running: true
    case .prepared, .ended: false
    }
  }

  /// Starts the call; its work begins at once, or after it has waited.
  package mutating func start(waiting: Bool) -> Action {
    guard case .prepared = state else { return .none }
    state = waiting ? .waiting : .running
    return waiting ? .wait : .run
  }

  /// Ends the wait.
  package mutating func proceed() -> Action {
    guard case .waiting = state else { return .none }
    state = .running
    return .run
  }

  /// Ends the call with the outcome of its work; ignored after the end.
  package mutating func finish(with outcome: Outcome<Success>) -> Action {
    if case .ended = state { return .none }
    state = .ended(outcome)
    return .end(outcome, stopping: false)
  }

  /// Ends the call with an outcome; a cancellation stops the work, any other outcome came from it.
  package mutating func end(with outcome: Outcome<Success>) -> Action {
    if case .cancelled(let reason) = outcome { cancel(reason) } else { finish(with: outcome) }
  }

  /// Ends the call at once, even if its work ignores the cancellation.
  package mutating func cancel(_ reason: CancellationReason) -> Action {
    if case .ended = state { return .none }
    let stopping = isUnderWay
    state = .ended(.cancelled(reason))
    return .end(.cancelled(reason), stopping: stopping)
  }
}

extension CallStateMachine: Sendable where Success: Sendable {}
extension CallStateMachine.State: Sendable where Success: Sendable {}
extension CallStateMachine.Action: Sendable where Success: Sendable {}
