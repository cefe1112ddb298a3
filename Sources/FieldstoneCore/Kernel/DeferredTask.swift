/// A task that is made now and gets its work later, or never.
///
/// The work has the task-local values and the priority of the task that made it. A task that is made
/// only when the turn comes has those of the work before, which may belong to another caller.
package final class DeferredTask: Sendable {
  package typealias Work = @Sendable () async -> Void

  /// The work until the task has taken it; it is not kept, because it may retain its owner.
  private struct State {
    var work: Work?
    var isSettled = false
    var waiter: CheckedContinuation<Work?, Never>?
  }

  private let state: Locked<State>
  private let task: Task<Void, Never>

  package init(priority: TaskPriority? = nil) {
    let state = Locked(State())
    self.state = state
    task = Task(priority: priority) { @concurrent in
      let work = await withCheckedContinuation { waiter in
        let (work, isSettled) = state.withLock { state in
          if !state.isSettled { state.waiter = waiter }
          return (state.work.take(), state.isSettled)
        }
        if isSettled { waiter.resume(returning: work) }
      }
      await work?()
    }
  }

  deinit { settle(nil) }

  /// Begins the work; only the first call has an effect.
  package func begin(_ work: @escaping Work) { settle(work) }

  /// Cancels the task; the work still begins, and finds that it is cancelled.
  package func cancel() { task.cancel() }

  private func settle(_ work: Work?) {
    let waiter = state.withLock { state -> CheckedContinuation<Work?, Never>? in
      guard !state.isSettled else { return nil }
      state.isSettled = true
      if state.waiter == nil { state.work = work }
      return state.waiter.take()
    }
    waiter?.resume(returning: work)
  }
}
