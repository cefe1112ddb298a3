#if SQLite && (os(macOS) || os(Linux))
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneSQLite
  import Foundation
  import Testing

  @Suite("Processes whose stages block their threads", .timeLimit(.minutes(20)))
  struct StarvationTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    @Test("Two workers begin each work once, though more stages block than there are cores")
    func blocked() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      let cores = ProcessInfo.processInfo.activeProcessorCount
      // Longer than two leases; one never suspends, one only sleeps.
      let stages =
        Array(repeating: #"{"kind":"block","milliseconds":9000}"#, count: 2 * cores + 1) + [
          #"{"kind":"spin","milliseconds":9000}"#, #"{"kind":"suspend","milliseconds":3000}"#,
        ]
      for (number, stage) in stages.enumerated() {
        let start = RunStart(
          id: sampleID(number), flow: "blockages", version: 1, payload: Data(stage.utf8))
        _ = try await journal.start(start, at: .real)
      }
      let path = folder.path
      // A process under a sanitizer, beside many others, may not get a core for four seconds.
      #if ASAN || TSAN
        let lease = 10_000
      #else
        let lease = 4_000
      #endif
      let ended = try await onThread {
        let processes = try (0..<2).map { _ in try OtherProcess("starve", path, lease: lease) }
        return processes.map { $0.end() }
      }
      #expect(ended == [["ended"], ["ended"]])
      for number in stages.indices {
        let record = try #require(try await journal.run(sampleID(number)))
        #expect(record.state == .completed && record.fence == 1)
      }
      let lines = String(
        decoding: folder.bytes(of: "journal.sqlite-effects") ?? Data(), as: UTF8.self
      )
      .split(whereSeparator: \.isWhitespace).map(String.init)
      #expect(lines.sorted() == stages.indices.map { "\(sampleID($0))-0" }.sorted())
    }
  }
#endif
