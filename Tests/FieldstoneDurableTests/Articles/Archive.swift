import FieldstoneStages
import Foundation

// snippet: durable-blocking-executor
/// Threads for work that blocks.
final class BlockingThreads: TaskExecutor {
  private let queue = DispatchQueue(label: "blocking", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    queue.async { job.runSynchronously(on: executor) }
  }
}
// end

/// What the stages of the article work with.
struct Archive: Sendable {
  let threads = BlockingThreads()

  func compress() -> Int { 42 }
}

/// A stage whose work blocks.
enum Compression: ContextualStage, Codable {
  case compress

  // snippet: durable-blocking-stage
  func next(in archive: Archive) async throws -> Step<Self, Int> {
    let bytes = await withTaskExecutorPreference(archive.threads) {
      archive.compress()  // blocks for minutes
    }
    return .complete(bytes)
  }
  // end
}
