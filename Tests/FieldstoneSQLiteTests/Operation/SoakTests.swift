#if SQLite
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

      init?(_ line: String) {
        let numbers = line.split(separator: " ").compactMap { Int($0) }
        guard numbers.count == 4 else { return nil }
        (runs, purged, kilobytes, bytes) = (numbers[0], numbers[1], numbers[2], numbers[3])
      }
    }

    @Test("Memory stays flat, and the file is as large as what is kept")
    func flat() async throws {
      let path = folder.path
      let lines = try await onThread { try OtherProcess("soak", path, lease: Self.runs).end() }
      #expect(lines.last == "ended")
      let readings = lines.compactMap { Reading($0) }
      let last = try #require(readings.last)
      #expect(last.runs == Self.runs)
      #expect(readings.map(\.purged).reduce(0, +) == Self.runs)
      // A third of the way everything has been made that is made once.
      let early = try #require(readings.first { $0.runs * 3 >= Self.runs })
      let growth = last.kilobytes - early.kilobytes
      let words = """
        \(Self.runs) runs: \(early.kilobytes) KB at a third, \(last.kilobytes) KB at the end; \
        files \(early.bytes) B, \(last.bytes) B
        """
      print(words)
      // In full, some sixty bytes that were kept for each run would show, and in the bounded form
      // two thousand. Sanitizers keep what is freed.
      #if !ASAN && !TSAN
        #expect(growth < 4_096, "\(words)")
      #endif
      #expect(last.bytes <= early.bytes + 1_048_576, "\(words)")
    }
  }
#endif
