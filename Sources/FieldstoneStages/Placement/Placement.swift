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

extension Placement {
  /// Calls a handler there; nothing waits for it.
  func call(_ handler: @escaping @Sendable () -> Void) {
    switch self {
    case .automatic: handler()
    case .priority(let priority): Task(priority: priority) { @concurrent in handler() }
    case .queue(let queue): queue.async(execute: handler)
    case .executor(let executor): Task(executorPreference: executor) { @concurrent in handler() }
    }
  }
}

/// A dispatch queue as a task executor.
///
/// Dispatch's own (`DispatchSerialQueue`) does not exist on Linux, and is for actors.
final class DispatchQueueExecutor: TaskExecutor {
  private let queue: DispatchQueue

  init(_ queue: DispatchQueue) {
    self.queue = queue
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async {
      job.runSynchronously(on: self.asUnownedTaskExecutor())
    }
  }
}
