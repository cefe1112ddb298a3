import FieldstoneCore

/// Wakes the task that waits for it; a signal without a waiter is kept for the next wait.
///
/// Not a promise of the kernel: a promise ends once, and this is signalled and awaited repeatedly.
final class WakeEvent: Sendable {
  private struct State {
    var isSignalled = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Locked(State())

  func signal() {
    let waiter = state.withLock { state in
      let waiter = state.waiter.take()
      if waiter == nil { state.isSignalled = true }
      return waiter
    }
    waiter?.resume()
  }

  /// Waits for a signal, without a time limit; one task waits at a time.
  func wait() async {
    await withCheckedContinuation { continuation in
      let isSignalled = state.withLock { state in
        if state.isSignalled {
          state.isSignalled = false
          return true
        }
        state.waiter = continuation
        return false
      }
      if isSignalled { continuation.resume() }
    }
  }

  /// Waits for a signal or until an uptime, whichever is first.
  func wait(
    until deadline: Duration?, by time: TimeSource, on executor: (any TaskExecutor)?
  ) async {
    guard let deadline else { return await wait() }
    let alarm = time.alarm(atUptime: deadline, on: executor) { self.signal() }
    await wait()
    // An alarm still in progress could end a later wait.
    await alarm.cancelAndWait()
  }
}
