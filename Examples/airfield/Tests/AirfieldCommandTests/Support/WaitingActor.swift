import Dispatch
import Foundation

/// Where tests wait for other processes: on a thread of their own, for whoever waits on one of the
/// few that all tasks share keeps the tests beside from going on.
@globalActor
actor WaitingActor {
  static let shared = WaitingActor()

  private final class Queue: SerialExecutor {
    private let queue = DispatchQueue(label: "tests that wait for processes")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  }

  private let queue = Queue()

  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }
}

/// Runs what blocks on a thread that nobody else needs, and that begins at once.
func onThread<Result: Sendable>(
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread { continuation.resume(with: Swift.Result { try body() }) }.start()
  }
}
