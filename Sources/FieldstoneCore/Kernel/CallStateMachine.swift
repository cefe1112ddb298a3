/// The life of a call: prepared, perhaps waiting, running, and ended exactly once.
///
/// It is the one machine of calls, operations and page loads; only the shells around it differ. A
/// transition changes the state and says what the shell has to do; it runs no user's code. An event
/// that does not fit the state, such as a result after the end, changes nothing.
package struct CallStateMachine<Success> {
  /// Where the call stands.
  package enum State {
    /// It has not been started.
    case prepared
    /// It was started, and its work waits for a time or for its turn.
    case waiting
    /// Its work is under way.
    case running
    /// It is over, once and for all.
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
    /// Notify all observers of the end; stop the waiting or the work first where it is still under
    /// way.
    case end(Outcome<Success>, stopping: Bool)
  }

  /// Where the call stands.
  package private(set) var state: State

  /// Prepares a call.
  package init() {
    state = .prepared
  }

  /// How the call ended, or nil while it has not.
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

  /// Says that the waiting is over.
  package mutating func proceed() -> Action {
    guard case .waiting = state else { return .none }
    state = .running
    return .run
  }

  /// Takes what the work came to; too late after the end.
  package mutating func finish(with outcome: Outcome<Success>) -> Action {
    if case .ended = state { return .none }
    state = .ended(outcome)
    return .end(outcome, stopping: false)
  }

  /// Ends the call with an outcome: a cancellation stops the work, anything else came from it.
  package mutating func end(with outcome: Outcome<Success>) -> Action {
    if case .cancelled(let reason) = outcome { cancel(reason) } else { finish(with: outcome) }
  }

  /// Ends the call at once, whether or not its work heeds that.
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
