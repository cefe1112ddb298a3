#if SQLite
  import FieldstoneCore
  import FieldstoneDurable

  /// Notifies runners of runs that the app's own transactions have started or signalled.
  final class WriteObservers: Sendable {
    private struct State {
      var bodies: [Int: @Sendable ([RunID]) -> Void] = [:]
      var last = 0
    }

    private let state = Locked(State())

    func add(_ body: @escaping @Sendable ([RunID]) -> Void) -> Registration {
      let number = state.withLock { state in
        state.last += 1
        state.bodies[state.last] = body
        return state.last
      }
      return Registration { [weak self] in
        // Released outside the lock: it may be the last reference to a runner.
        _ = self?.state.withLock { $0.bodies.removeValue(forKey: number) }
      }
    }

    func notify(_ ids: [RunID]) {
      let bodies = state.withLock { $0.bodies.sorted { $0.key < $1.key }.map(\.value) }
      for body in bodies { body(ids) }
    }
  }
#endif
