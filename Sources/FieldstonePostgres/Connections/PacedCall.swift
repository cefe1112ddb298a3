#if PostgreSQL
  import FieldstoneCore

  /// Calls a closure at once, and then at most once per pause for all requests of that pause.
  ///
  /// The kernel's debounce waits before its first call, and restarts its wait at each request.
  final class PacedCall: Sendable {
    private enum State {
      case idle
      case pausing(isAsked: Bool)
    }

    private let time: TimeSource
    private let pause: Duration
    private let body: @Sendable (PacedCall) -> Void
    private let state = Locked(State.idle)

    /// - Parameter body: receives this paced call, to ask for another one.
    init(
      each pause: Duration, by time: TimeSource, _ body: @escaping @Sendable (PacedCall) -> Void
    ) {
      self.pause = pause
      self.time = time
      self.body = body
    }

    func ask() {
      let isFirst = state.withLock { state in
        if case .pausing = state {
          state = .pausing(isAsked: true)
          return false
        }
        state = .pausing(isAsked: false)
        return true
      }
      guard isFirst else { return }
      body(self)
      Task { await self.callAgain() }
    }

    private func callAgain() async {
      while true {
        try? await time.sleep(for: pause)
        let isAsked = state.withLock { state in
          guard case .pausing(isAsked: true) = state else {
            state = .idle
            return false
          }
          state = .pausing(isAsked: false)
          return true
        }
        guard isAsked else { return }
        body(self)
      }
    }
  }
#endif
