#if SQLite
  import FieldstoneDurable
  import FieldstoneSQLite
  import FieldstoneTesting
  import Foundation
  import Testing

  /// Some places here; `Scripts/crash` asks for all.
  @Suite("A write-ahead log that is damaged", .timeLimit(.minutes(20)))
  struct DamagedLogTests {
    private static let seed: UInt64 = 0xDA_4A6ED
    private static let header = 32
    private static let frame = 24 + 4_096

    /// A journal's files, and what it said when the log was so long.
    private struct Written {
      var database: Data
      var log: Data
      var states: [(length: Int, state: JournalState)]

      /// What the first bytes of the log say.
      func state(at length: Int) -> JournalState {
        states.last { $0.length <= length }?.state ?? JournalState()
      }

      var boundaries: [Int] {
        Array(stride(from: DamagedLogTests.header, through: log.count, by: DamagedLogTests.frame))
      }
    }

    private func write() async throws -> Written {
      let folder = try Folder()
      var scribe = Scribe(seed: Self.seed)
      // What is not in the log any more, but in the database.
      let first = try SQLiteJournal(path: folder.path)
      for _ in 0..<15 { try await scribe.ask(first) }
      try await first.close()
      let journal = try SQLiteJournal(path: folder.path)
      var states = [(0, try await JournalState(of: journal))]
      var log: Data { folder.bytes(of: "journal.sqlite-wal") ?? Data() }
      for _ in 0..<30 {
        try await scribe.ask(journal)
        states.append((log.count, try await JournalState(of: journal)))
      }
      let database = try #require(folder.bytes())
      return Written(database: database, log: log, states: states)
    }

    /// Opens a journal with such a log, reads it, and writes to it.
    private func open(_ written: Written, log: Data) async throws -> JournalState {
      let folder = try Folder()
      try written.database.write(to: URL(filePath: folder.path))
      try log.write(to: URL(filePath: folder["journal.sqlite-wal"]))
      let journal = try SQLiteJournal(path: folder.path)
      let state = try await JournalState(of: journal)
      try await journal.start(1, from: 9_000)
      let again = try await JournalState(of: journal)
      #expect(again.isUnbroken && again != state)
      try await journal.close()
      return state
    }

    @Test("Cut at or beside the end of any frame, it says what was committed before")
    func cut() async throws {
      let written = try await write()
      #expect(written.boundaries.count > 60 && written.boundaries.last == written.log.count)
      let cuts = written.boundaries.flatMap { [$0 - 1, $0, $0 + 1] }
        .filter { $0 <= written.log.count }
      for cut in Thoroughness.some(60, of: cuts, "cuts", seed: Self.seed) {
        let state = try await open(written, log: written.log.prefix(cut))
        #expect(state == written.state(at: cut), "cut at \(cut), seed \(Self.seed)")
      }
    }

    @Test("With a bit flipped anywhere, it says what was committed before that place")
    func flipped() async throws {
      let written = try await write()
      var random = SeededGenerator(seed: Self.seed)
      var bits = (0..<Self.header * 8).map { $0 }
      for boundary in written.boundaries.dropLast() {
        // In the head of the frame, and in the page.
        for range in [0..<24 * 8, 24 * 8..<Self.frame * 8] {
          for _ in 0..<8 { bits.append(boundary * 8 + Int.random(in: range, using: &random)) }
        }
      }
      for bit in Thoroughness.some(60, of: bits, "bits", seed: Self.seed) {
        var log = written.log
        log[bit / 8] ^= 1 << UInt8(bit % 8)
        // A frame that can't be read, and all that follow, are as if they had not been written.
        let frame = (bit / 8 - Self.header) / Self.frame
        let length = bit / 8 < Self.header ? 0 : Self.header + frame * Self.frame
        let state = try await open(written, log: log)
        #expect(state == written.state(at: length), "bit \(bit), seed \(Self.seed)")
      }
    }
  }
#endif
