import Dispatch

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
