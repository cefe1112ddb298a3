import FieldstoneCore
import FieldstoneTesting

/// Runs jobs only when the test says so, one at a time, in an order that a seed decides.
final class DrainedExecutor: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var random: SeededGenerator
  }

  private let state: Locked<State>

  init(seed: UInt64) {
    state = Locked(State(random: SeededGenerator(seed: seed)))
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.jobs.append(job) }
  }

  /// Runs what is there, and what comes of it, until there is nothing more.
  func drain() {
    while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  private func next() -> UnownedJob? {
    state.withLock { state in
      guard !state.jobs.isEmpty else { return nil }
      let index = Int.random(in: 0..<state.jobs.count, using: &state.random)
      return state.jobs.remove(at: index)
    }
  }
}
