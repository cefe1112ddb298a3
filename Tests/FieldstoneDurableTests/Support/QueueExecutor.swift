import Foundation

/// Runs everything on a queue, one after the other: what blocks there blocks all.
final class QueueExecutor: TaskExecutor {
  private static let key = DispatchSpecificKey<String>()
  private let queue: DispatchQueue

  init(_ name: String) {
    queue = DispatchQueue(label: name)
    queue.setSpecific(key: Self.key, value: name)
  }

  var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) == queue.label }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    queue.async { job.runSynchronously(on: executor) }
  }

  func drain() { queue.sync {} }
}
