import FieldstoneCore
import Foundation

/// The thread that renews leases and takes in claimed runs; it never runs a stage's work.
final class RenewalThread: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var isEnded = false
  }

  private let state = Locked(State())
  private let work = DispatchSemaphore(value: 0)

  init(name: String) {
    let thread = Thread { self.runJobs() }
    thread.name = name
    thread.qualityOfService = .userInitiated
    thread.start()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isEnded = state.withLock { state in
      if !state.isEnded { state.jobs.append(job) }
      return state.isEnded
    }
    if isEnded {
      let executor = asUnownedTaskExecutor()
      DispatchQueue.global().async { job.runSynchronously(on: executor) }
    } else {
      work.signal()
    }
  }

  /// Ends the thread once its queued jobs are done.
  func end() {
    state.withLock { $0.isEnded = true }
    work.signal()
  }

  private func runJobs() {
    let executor = asUnownedTaskExecutor()
    while true {
      work.wait()
      let (jobs, isEnded) = state.withLock { state in
        defer { state.jobs = [] }
        return (state.jobs, state.isEnded)
      }
      for job in jobs { job.runSynchronously(on: executor) }
      if isEnded { return }
    }
  }
}
