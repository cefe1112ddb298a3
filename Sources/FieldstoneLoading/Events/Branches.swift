import FieldstoneCore

/// The tasks that one load has beside its own: they are all cancelled together, and the load
/// does not wait for one that ignores it.
///
/// They are no children of a task group: that would wait, at a failure and at a cancellation, for
/// the slowest of them. They inherit priority and task locals.
final class Branches: Sendable {
  private struct State {
    var tasks: [Task<Void, Never>] = []
    var isCancelled = false
  }

  private let state = Locked(State())

  /// Starts a branch; one that comes after the cancellation begins as cancelled.
  func start(_ work: @escaping @Sendable () async -> Void) {
    let task = Task { await work() }
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.tasks.append(task) }
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  /// Cancels every branch.
  func cancel() {
    let tasks = state.withLock { state in
      defer { state.tasks = [] }
      state.isCancelled = true
      return state.tasks
    }
    for task in tasks { task.cancel() }
  }
}
