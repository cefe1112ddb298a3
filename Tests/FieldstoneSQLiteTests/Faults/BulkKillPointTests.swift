#if SQLite && (os(macOS) || os(Linux))
  import FieldstoneDurable
  import FieldstoneSQLite
  import Foundation
  import Testing

  /// Some points here; `Scripts/crash` asks for all.
  @Suite("A process that is killed while it changes many runs", .timeLimit(.minutes(20)))
  struct BulkKillPointTests {
    private static let seed: UInt64 = 0x57EE_4000
    private static let runs = 6
    private let command = KillableCommand(name: "steer")

    @Test("Each change is whole with its audit row or not there, and goes on without a second one")
    func everyPoint() async throws {
      try await command.killAndGoOn(seed: Self.seed, examine: examine) { found, context in
        #expect(found == (Self.runs, Self.runs), "\(found), \(context)")
      }
    }

    /// - Returns: how many runs are cancelled, and how many are forks.
    private func examine(
      _ folder: Folder, _ context: String
    ) async throws -> (cancelled: Int, forks: Int) {
      let journal = try SQLiteJournal(path: folder.path)
      let state = try await JournalState(of: journal)
      #expect(state.isUnbroken, "\(context)")
      let runs = try await journal.runs(RunQuery(limit: 1_000)).runs
      let rows = try await journal.audit(AuditQuery(limit: 1_000)).records
      try await journal.close()
      var wanted: Set<AuditSubject> = []
      for run in runs where run.origin != nil || run.state == .cancelled {
        wanted.insert(.run(run.id))
        let actions = rows.filter { $0.subject == .run(run.id) }.map(\.action)
        #expect(actions == [run.origin == nil ? .cancel : .fork], "\(actions), \(context)")
      }
      #expect(Set(rows.map(\.subject)) == wanted, "\(context)")
      #expect(rows.allSatisfy { $0.actor == "ada" }, "\(context)")
      return (
        runs.count { $0.state == .cancelled }, runs.count { $0.origin != nil }
      )
    }
  }
#endif
