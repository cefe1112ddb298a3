import FieldstoneCore

/// Wakes the one who waits for it; rung before, it is heard at the next wait.
final class Bell: Sendable {
  private struct State {
    var isRung = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Locked(State())

  func ring() {
    let waiter = state.withLock { state in
      let waiter = state.waiter.take()
      if waiter == nil { state.isRung = true }
      return waiter
    }
    waiter?.resume()
  }

  /// Waits for a ring, however long; only one waits at a time.
  func wait() async {
    await withCheckedContinuation { continuation in
      let isRung = state.withLock { state in
        if state.isRung {
          state.isRung = false
          return true
        }
        state.waiter = continuation
        return false
      }
      if isRung { continuation.resume() }
    }
  }

  /// Waits for a ring or an uptime, whichever is first.
  func wait(
    until deadline: Duration?, by time: TimeSource, on executor: (any TaskExecutor)?
  ) async {
    guard let deadline else { return await wait() }
    let alarm = time.alarm(atUptime: deadline, on: executor) { self.ring() }
    await wait()
    // One that is still under way could ring for a wait that is not its own.
    await alarm.cancelAndWait()
  }
}
