import Foundation

/// The CPU time that this process has taken, of all its threads.
enum ProcessorTime {
  /// In nanoseconds.
  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }

  /// Waits until the process has next to nothing to do.
  static func settle() async throws {
    var quiet = 0
    while quiet < 3 {
      let before = now
      try await Task.sleep(for: .milliseconds(20))
      quiet = now - before < 2_000_000 ? quiet + 1 : 0
    }
  }
}
