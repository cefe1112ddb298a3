public import Dispatch

/// The place where the work of a stage runs.
///
/// It is not a `HandlerExecutor`: the work is asynchronous, and runs there as a task.
public enum StagePlacement: Sendable {
  /// Together with the other stages of the execution.
  case automatic
  /// In a separate task with this priority.
  case priority(TaskPriority)
  /// On a dispatch queue, which may be serial.
  ///
  /// A function that the stage awaits runs on its own executor; the stage then returns to the
  /// queue.
  case queue(DispatchQueue)
  /// On a task executor.
  case executor(any TaskExecutor)
}

extension StagePlacement {
  /// Runs a body there, and passes the cancellation of the current task on to it.
  ///
  /// It is an unstructured task: on Linux a child of a task group runs at its parent's priority
  /// (seen with Swift 6.3).
  @usableFromInline
  func run<Value: Sendable>(
    _ body: @escaping @Sendable @concurrent () async throws -> Value
  ) async throws -> Value {
    // A task that is cancelled right after its creation may already have begun.
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

  /// Whether the work needs no task of its own.
  @usableFromInline
  var isAutomatic: Bool {
    if case .automatic = self { true } else { false }
  }
}

/// A dispatch queue as a task executor.
///
/// Dispatch's own executor (`DispatchSerialQueue`) does not exist on Linux, and is for actors.
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
