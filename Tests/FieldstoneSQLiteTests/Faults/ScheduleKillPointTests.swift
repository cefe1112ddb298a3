#if SQLite && (os(macOS) || os(Linux))
  import FieldstoneDurable
  import FieldstoneSQLite
  import Foundation
  import Testing

  /// Some points here; `Scripts/crash` asks for all.
  @Suite(
    "A process that is killed while it starts the runs of a schedule", .timeLimit(.minutes(20)))
  struct ScheduleKillPointTests {
    private static let seed: UInt64 = 0x71C_5000
    private static let ticks = 4
    private static let begin = Date(timeIntervalSince1970: 1_800_000_000)
    private let command = KillableCommand(name: "keep-time")

    @Test("Each tick has one run: none is lost, and none comes twice")
    func everyPoint() async throws {
      try await command.killAndGoOn(seed: Self.seed, examine: examine) { runs, context in
        #expect(runs.map(\.state) == Array(repeating: .completed, count: Self.ticks), "\(context)")
      }
    }

    /// Expects the runs of the first ticks, and the schedule at the one after them.
    private func examine(_ folder: Folder, _ context: String) async throws -> [RunRecord] {
      let journal = try SQLiteJournal(path: folder.path)
      let state = try await JournalState(of: journal)
      #expect(state.isUnbroken, "\(context)")
      let runs = try await journal.runs(RunQuery(flow: "chimes", limit: 1_000)).runs
      let schedules = try await DurableRunner(journal: journal, flows: []).schedules()
      try await journal.close()
      let ticks = (1...Self.ticks + 1).map { Self.begin + Double($0) * 3_600 }
      #expect(runs.map(\.startedAt).sorted() == Array(ticks.prefix(runs.count)), "\(context)")
      if let schedule = schedules.first {
        #expect(schedule.progress.nextTick == ticks[runs.count], "\(context)")
      } else {
        #expect(runs.isEmpty, "\(context)")
      }
      return runs
    }
  }
#endif
