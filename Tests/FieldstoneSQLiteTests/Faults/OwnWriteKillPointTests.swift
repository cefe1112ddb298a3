#if SQLite && (os(macOS) || os(Linux))
  import FieldstoneDurable
  import FieldstoneSQLite
  import Foundation
  import GRDB
  import Testing

  /// Some points here; `Scripts/crash` asks for all.
  @Suite(
    "A process that is killed while it starts runs with rows of its own", .timeLimit(.minutes(20)))
  struct OwnWriteKillPointTests {
    private static let seed: UInt64 = 0x5E11_E500
    private let command = KillableCommand(name: "sell")

    @Test("A run and its signal are there if and only if the app's row is")
    func everyPoint() async throws {
      let all = try await command.points()
      #expect(all.count > 40)
      for point in Thoroughness.some(24, of: all, "points to be killed at", seed: Self.seed) {
        let folder = try Folder()
        let told = try await command.run(folder, point)
        try await examine(folder, after: told, "killed \(point), seed \(Self.seed)")
      }
    }

    private func examine(
      _ folder: Folder, after told: [String], _ context: String
    ) async throws {
      let journal = try SQLiteJournal(path: folder.path)
      let state = try await JournalState(of: journal)
      #expect(state.isUnbroken, "\(context)")
      let runs = try await journal.runs(RunQuery()).runs.map(\.id.description).sorted()
      let (rows, signals) = try await journal.write { database in
        guard try database.tableExists("sale") else { return ([String](), 0) }
        return (
          try String.fetchAll(database, sql: "SELECT run FROM sale ORDER BY run"),
          try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM fieldstone_signal") ?? 0
        )
      }
      try await journal.close()
      #expect(runs == rows && signals == rows.count, "\(runs), \(rows), \(signals), \(context)")
      let sold = told.filter { $0.hasPrefix("sold") }.count
      // One more may be committed, whose telling was cut off.
      #expect((sold...sold + 1).contains(rows.count), "\(told), \(rows), \(context)")
    }
  }
#endif
