import FieldstoneCore

/// What decides between an answer and a cancellation: whichever comes first.
final class CallbackState<Output: Sendable>: Sendable {
  private enum State {
    case beginning
    case running(stop: (@Sendable () -> Void)?)
    /// Cancelled before `begin` returned what stops it.
    case cancelledWhileBeginning
    case over
  }

  private let channel: LoadChannel<Output>
  let location: String
  private let state = Locked(State.beginning)

  init(channel: LoadChannel<Output>, location: String) {
    self.channel = channel
    self.location = location
  }

  /// Takes what stops the load; it is stopped at once when it was cancelled meanwhile.
  func began(stop: (@Sendable () -> Void)?) {
    let isLate = state.withLock { state in
      switch state {
      case .beginning:
        state = .running(stop: stop)
        return false
      case .cancelledWhileBeginning:
        state = .over
        return true
      case .running, .over: return false
      }
    }
    if isLate { stop?() }
  }

  /// Claims the answer; false when there was one, or the load was cancelled.
  func answer() -> Bool {
    let before = state.withLock { state in
      defer {
        if case .cancelledWhileBeginning = state {} else { state = .over }
      }
      return state
    }
    // What stops the load may hold objects: they go outside the lock.
    switch before {
    case .beginning, .running: return true
    case .cancelledWhileBeginning, .over: return false
    }
  }

  func end(with outcome: Outcome<Output>) {
    channel.end(with: outcome)
  }

  func cancel() {
    let before = state.withLock { state in
      defer {
        switch state {
        case .beginning: state = .cancelledWhileBeginning
        case .running: state = .over
        case .cancelledWhileBeginning, .over: break
        }
      }
      return state
    }
    // First the end: what stops the work may take its time.
    channel.cancel()
    if case .running(let stop) = before { stop?() }
  }
}
