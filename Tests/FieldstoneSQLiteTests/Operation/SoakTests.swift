#if SQLite && (os(macOS) || os(Linux))
  import Foundation
  import Testing

  /// Bounded here; `Scripts/crash --soak` asks for the full number.
  @Suite("Very many runs, one after the other", .timeLimit(.minutes(60)))
  struct SoakTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    private static let runs =
      ProcessInfo.processInfo.environment["FIELDSTONE_SOAK_RUNS"].flatMap { Int($0) } ?? 3_000

    /// What the other process said after a batch.
    private struct Reading {
      var runs: Int
      var purged: Int
      var kilobytes: Int
      var bytes: Int
      /// What is allocated and not freed, without SQLite's; 0 where the system does not tell.
      var heap: Int

      init?(_ line: String) {
        let numbers = line.split(separator: " ").compactMap { Int($0) }
        guard numbers.count == 5 else { return nil }
        (runs, purged, kilobytes) = (numbers[0], numbers[1], numbers[2])
        (bytes, heap) = (numbers[3], numbers[4])
      }
    }

    @Test("Memory stays flat, and the file is as large as what is kept")
    func flat() async throws {
      let path = folder.path
      // What threads keep for themselves of what was freed, glibc counts as allocated.
      let environment = ["GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"]
      let lines = try await onThread {
        try OtherProcess("soak", path, lease: Self.runs, environment: environment).end()
      }
      #expect(lines.last == "ended")
      let readings = lines.compactMap { Reading($0) }
      let last = try #require(readings.last)
      #expect(last.runs == Self.runs)
      #expect(readings.map(\.purged).reduce(0, +) == Self.runs)
      // A third of the way everything has been made that is made once.
      let early = try #require(readings.first { $0.runs * 3 >= Self.runs })
      let growth = last.kilobytes - early.kilobytes
      // The least of several readings, for whatever is under way at one of them is no leak.
      let third = readings.filter { $0.runs * 3 >= Self.runs && $0.runs * 2 <= Self.runs }
      let end = readings.filter { $0.runs * 6 >= Self.runs * 5 }
      let heap = third.map(\.heap).min() ?? early.heap
      let heapGrowth = (end.map(\.heap).min() ?? last.heap) - heap
      let words = """
        \(Self.runs) runs: \(early.kilobytes) KB at a third, \(last.kilobytes) KB at the end; \
        allocated \(heap) B, and \(heapGrowth) B more at the end; \
        files \(early.bytes) B, \(last.bytes) B
        """
      print(words)
      // Sanitizers keep what is freed.
      #if !ASAN && !TSAN
        // In the bounded form 65 bytes that were kept for each run would show, in full two. The
        // most memory ever used is coarser (2,000, and sixty), but any system tells it.
        #expect(heapGrowth < 98_304, "\(words)")
        #expect(growth < 4_096, "\(words)")
      #endif
      #expect(last.bytes <= early.bytes + 1_048_576, "\(words)")
    }
  }
#endif
