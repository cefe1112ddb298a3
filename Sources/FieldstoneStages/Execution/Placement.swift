public import Dispatch

/// Where a stage or a completion runs.
public enum Placement: Sendable {
  /// Where everything else of the execution runs.
  case automatic
  /// In a task of its own, at a priority.
  case priority(TaskPriority)
  /// On a dispatch queue, which may be a serial one.
  ///
  /// What a stage starts while it suspends goes on where that was started; the stage itself comes
  /// back to the queue.
  case queue(DispatchQueue)
  /// On a task executor.
  case executor(any TaskExecutor)
}

extension Placement {
  /// Runs a body there, as a child of the current task.
  @usableFromInline
  func run<Value: Sendable>(
    _ body: @escaping @Sendable @concurrent () async throws -> Value
  ) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
      switch self {
      case .automatic: group.addTask { try await body() }
      case .priority(let priority): group.addTask(priority: priority) { try await body() }
      case .queue(let queue):
        group.addTask(executorPreference: DispatchQueueExecutor(queue)) { try await body() }
      case .executor(let executor):
        group.addTask(executorPreference: executor) { try await body() }
      }
      for try await value in group { return value }
      // A group of one child gives one value or throws; only a cancelled one can be empty.
      throw CancellationError()
    }
  }

  /// Whether nothing has to be done to be there.
  @usableFromInline
  var isAutomatic: Bool {
    if case .automatic = self { true } else { false }
  }
}
