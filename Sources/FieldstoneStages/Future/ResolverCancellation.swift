import FieldstoneCore

/// How the work of a future is stopped, kept apart from the resolver so that it does not keep it
/// alive.
final class ResolverCancellation: Sendable {
  private enum State {
    case waiting([@Sendable () -> Void])
    case cancelled
    case over
  }

  private let state = Locked(State.waiting([]))

  func register(_ stop: @escaping @Sendable () -> Void) {
    let isCancelled = state.withLock { state in
      switch state {
      case .waiting(let stops):
        state = .waiting(stops + [stop])
        return false
      case .cancelled: return true
      case .over: return false
      }
    }
    if isCancelled { stop() }
  }

  func cancel() {
    let stops: [@Sendable () -> Void] = state.withLock { state in
      guard case .waiting(let stops) = state else { return [] }
      state = .cancelled
      return stops
    }
    for stop in stops { stop() }
  }

  /// Lets go of what was registered: whoever keeps the resolver shall not keep that alive, too.
  func end() {
    let released = state.withLock { state in
      defer { state = .over }
      return state
    }
    // Released outside the lock: what was captured may run code of its own.
    withExtendedLifetime(released) {}
  }
}
