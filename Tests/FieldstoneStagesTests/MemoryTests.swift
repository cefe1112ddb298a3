import FieldstoneStages
import Foundation
import Testing

@Suite("A million stages")
struct MemoryTests {
  // In a process of their own: what other tests allocate must not count.
  @Test("They run in constant memory and without stack growth, asynchronous")
  func asynchronous() async {
    await #expect(processExitsWith: .success) {
      _ = try await Countdown.from(1_000).execute()
      let before = peakMemory()
      #expect(try await Countdown.from(1_000_000).execute() == 1_000_000)
      #expect(peakMemory() - before < 4 << 20)
    }
  }

  @Test("They run in constant memory and without stack growth, synchronous")
  func synchronous() async {
    await #expect(processExitsWith: .success) {
      _ = try await SynchronousCountdown.from(1_000).execute()
      let before = peakMemory()
      #expect(try await SynchronousCountdown.from(1_000_000).execute() == 1_000_000)
      #expect(peakMemory() - before < 4 << 20)
    }
  }

  @Test("They run in constant memory and without stack growth, as a sequence")
  func sequence() async {
    await #expect(processExitsWith: .success) {
      for try await _ in Countdown.from(1_000).stages {}
      let before = peakMemory()
      var count = 0
      for try await _ in Countdown.from(1_000_000).stages { count += 1 }
      #expect(count == 1_000_001)
      #expect(peakMemory() - before < 4 << 20)
    }
  }
}

/// The most memory that this process has had, in bytes.
private func peakMemory() -> Int {
  var usage = rusage()
  #if canImport(Darwin)
    getrusage(RUSAGE_SELF, &usage)
    return usage.ru_maxrss
  #else
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss * 1024
  #endif
}
