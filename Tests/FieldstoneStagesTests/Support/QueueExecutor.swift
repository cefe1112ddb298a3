import Dispatch
import FieldstoneTesting

/// A task executor on a queue of its own, outside the pool that all other tests share.
final class QueueExecutor: TaskExecutor {
  private let jobs = Recorder<Void>()
  private let queue = DispatchQueue(label: "fieldstone.tests.executor")

  /// How many jobs it was given.
  var jobCount: Int { jobs.count }

  func enqueue(_ job: consuming ExecutorJob) {
    jobs.record(())
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
