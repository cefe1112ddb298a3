import FieldstoneCore
import Foundation

/// Wakes the one who waits for it; rung before, it is heard at the next wait.
final class Bell: Sendable {
  private struct State {
    var isRung = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  /// When waiting ends without a ring.
  enum Deadline: Sendable {
    case uptime(Duration)
    case date(Date)
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

  /// Waits for a ring or a time, whichever is first.
  func wait(
    until deadline: Deadline?, by time: TimeSource, on executor: (any TaskExecutor)?
  ) async {
    guard let deadline else { return await wait() }
    let timer = Task(executorPreference: executor) {
      switch deadline {
      case .uptime(let uptime): try await time.sleep(untilUptime: uptime)
      case .date(let date): try await time.sleep(until: date)
      }
      self.ring()
    }
    await wait()
    timer.cancel()
    // A timer that is still under way could ring for a wait that is not its own.
    _ = await timer.result
  }
}
