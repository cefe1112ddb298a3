import FieldstoneCore

/// How the work of a future is stopped, kept apart from the resolver so that it does not keep it
/// alive.
final class ResolverCancellation: Sendable {
  private enum State {
    case waiting([@Sendable () -> Void])
    case cancelled
  }

  private let state = Locked(State.waiting([]))

  func register(_ stop: @escaping @Sendable () -> Void) {
    let isCancelled = state.withLock { state in
      guard case .waiting(let stops) = state else { return true }
      state = .waiting(stops + [stop])
      return false
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
}
