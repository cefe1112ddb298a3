import FieldstoneCore

/// Work that runs in a task of its own and may be cancelled before it begins or while it runs.
final class CancellableWork: Sendable {
  private struct State {
    var isCancelled = false
    var task: Task<Void, Never>?
  }

  private let state = Locked(State())

  func run(_ work: @escaping @Sendable () async -> Void) async {
    let task = Task(priority: .userInitiated) { await work() }
    let isCancelled = state.withLock { state in
      state.task = task
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
    await task.value
    let ended = state.withLock { $0.task.take() }
    withExtendedLifetime(ended) {}
  }

  func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
  }
}
