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
  /// Runs a body there, and passes the cancellation of the current task on to it.
  ///
  /// It is a task and not a child of a group: on Linux a group's child runs at the priority of
  /// its parent, whatever it is given (seen with Swift 6.3).
  @usableFromInline
  func run<Value: Sendable>(
    _ body: @escaping @Sendable @concurrent () async throws -> Value
  ) async throws -> Value {
    // A task that is cancelled as soon as it exists may have begun before.
    try Task.checkCancellation()
    let task: Task<Value, any Error> =
      switch self {
      case .automatic: Task(operation: body)
      case .priority(let priority): Task(priority: priority, operation: body)
      case .queue(let queue):
        Task(executorPreference: DispatchQueueExecutor(queue), operation: body)
      case .executor(let executor): Task(executorPreference: executor, operation: body)
      }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Whether nothing has to be done to be there.
  @usableFromInline
  var isAutomatic: Bool {
    if case .automatic = self { true } else { false }
  }
}
