#if os(macOS) || os(Linux)
  import FieldstoneCore
  import FieldstoneStages
  import Foundation
  import Testing

  @Suite("A million stages", .enabled(if: memoryIsGivenBack, "this sanitizer keeps what is freed"))
  struct MemoryTests {
    // In a process of their own: what other tests allocate must not count.
    @Test("They run in constant memory and without stack growth, asynchronous")
    func asynchronous() async {
      await #expect(processExitsWith: .success) {
        _ = try await Countdown.from(1_000).execute()
        let before = try peakMemory()
        #expect(try await Countdown.from(1_000_000).execute() == 1_000_000)
        let growth = try peakMemory() - before
        #expect(growth < 4 << 20)
      }
    }

    @Test("They run in constant memory and without stack growth, synchronous")
    func synchronous() async {
      await #expect(processExitsWith: .success) {
        _ = try await SynchronousCountdown.from(1_000).execute()
        let before = try peakMemory()
        #expect(try await SynchronousCountdown.from(1_000_000).execute() == 1_000_000)
        let growth = try peakMemory() - before
        #expect(growth < 4 << 20)
      }
    }

    @Test("Cancelled while they wait in a line they leave nothing behind")
    func cancelledInALine() async {
      await #expect(processExitsWith: .success) {
        let line = ProductionLine<Countdown>(maxConcurrent: 1)
        line.suspend()
        for _ in 0..<1_000 { line.add(.from(1)).cancel() }
        let kept = line.add(.from(1))
        let before = try peakMemory()
        for _ in 0..<300_000 { line.add(.from(1)).cancel() }
        let growth = try peakMemory() - before
        #expect(growth < 4 << 20)
        #expect(line.pendingCount == 1)
        line.resume()
        let value = try await kept.value
        #expect(value == 1)
      }
    }

    @Test("A queue that never gets empty stays as small as what is in it")
    func queue() async {
      await #expect(processExitsWith: .success) {
        var queue = FIFO<Int>()
        for number in 0..<100 { queue.append(number) }
        let before = try peakMemory()
        for number in 0..<1_000_000 {
          queue.append(number)
          _ = queue.popFirst()
        }
        let growth = try peakMemory() - before
        #expect(growth < 4 << 20)
        #expect(queue.count == 100)
      }
    }

    @Test("They run in constant memory and without stack growth, as a sequence")
    func sequence() async {
      await #expect(processExitsWith: .success) {
        for try await _ in Countdown.from(1_000).stages {}
        let before = try peakMemory()
        var count = 0
        for try await _ in Countdown.from(1_000_000).stages { count += 1 }
        #expect(count == 1_000_001)
        let growth = try peakMemory() - before
        #expect(growth < 4 << 20)
      }
    }
  }

  /// The most memory that this process has had, in bytes.
  private func peakMemory() throws -> Int {
    #if canImport(Darwin)
      var usage = rusage()
      getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss
    #else
      // On Linux `getrusage` begins with the peak of the process that started this one.
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
      let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first
      return try #require(kilobytes.flatMap { Int($0) }) * 1024
    #endif
  }

  /// Whether memory that is freed is used again.
  private var memoryIsGivenBack: Bool {
    #if ASAN
      false
    #else
      true
    #endif
  }
#endif
