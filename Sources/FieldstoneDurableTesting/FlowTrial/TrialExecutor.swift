import FieldstoneCore
import Foundation

/// Runs the jobs of a trial one at a time, in order, and signals when there are none.
final class TrialExecutor: TaskExecutor {
  private struct Waiter {
    let continuation: CheckedContinuation<Void, Never>
    /// The job in which the wait began, if that job must not end it.
    let unless: Int?
  }

  private struct State {
    var pending = 0
    /// The number of the current or last job.
    var job = 0
    var waiter: Waiter?
    var isInterrupted = false
  }

  private let queue = DispatchQueue(label: "fieldstone.trial")
  private let state = Locked(State())

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.pending += 1 }
    queue.async { self.run(job) }
  }

  private func run(_ job: UnownedJob) {
    state.withLock { $0.job += 1 }
    job.runSynchronously(on: asUnownedTaskExecutor())
    let waiter: Waiter? = state.withLock { state in
      state.pending -= 1
      guard state.pending == 0, state.waiter?.unless != state.job else { return nil }
      return state.waiter.take()
    }
    waiter?.continuation.resume()
  }

  /// Waits, in a task of this executor, until there are no jobs; one task waits at a time.
  ///
  /// - Parameter afterMore: whether at least one job of another task, from elsewhere, must have run
  ///   before.
  func quiet(afterMore: Bool = false) async {
    await withCheckedContinuation { continuation in
      let isInterrupted = state.withLock { state in
        if state.isInterrupted { return true }
        state.waiter = Waiter(continuation: continuation, unless: afterMore ? state.job : nil)
        return false
      }
      if isInterrupted { continuation.resume() }
    }
  }

  /// Ends the current wait and later ones, until ``goOn()``.
  func interrupt() {
    let waiter = state.withLock { state in
      state.isInterrupted = true
      return state.waiter.take()
    }
    waiter?.continuation.resume()
  }

  /// Whether waits end at once.
  var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

  /// Makes waits effective again.
  func goOn() {
    state.withLock { $0.isInterrupted = false }
  }
}
