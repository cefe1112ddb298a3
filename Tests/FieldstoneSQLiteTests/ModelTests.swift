#if SQLite
  import FieldstoneDurable
  import FieldstoneSQLite
  import FieldstoneTesting
  import Foundation
  import JournalModel
  import Testing

  @Suite("A journal in SQLite against a model of what is promised", .timeLimit(.minutes(20)))
  struct ModelTests {
    @Test("Random requests with stale claims and clocks that are set")
    func sequences() async throws {
      var trial = RandomRequestTrial(isInDatabase: true)
      let folder = try Folder()
      // The quota needs some rounds, also under a sanitizer.
      for seed in 0..<UInt64(max(60, Rounds.of(1_000))) {
        let journal = try SQLiteJournal(
          path: folder["\(seed).sqlite"], options: SQLiteJournalOptions(durability: .normal))
        let failure = try await trial.failure(of: journal, seed: seed)
        try await journal.close()
        for name in folder.names { try FileManager.default.removeItem(atPath: folder[name]) }
        if let failure {
          Issue.record("\(failure)")
          return
        }
      }
      #expect(trial.missing(usual: Rounds.of(20), seldom: nil) == [])
    }

    @Test(
      "The wait for children whose time is out behind a full key ends with the claim",
      arguments: [false, true])
    func timeOutBehindAFullKey(allEnd: Bool) async throws {
      let folder = try Folder()
      let journal = try SQLiteJournal(path: folder["journal.sqlite"])
      var trial = RandomRequestTrial(isInDatabase: true)
      let failure = try await trial.failureOfTimeOutBehindAFullKey(of: journal, allEnd: allEnd)
      #expect(failure == nil)
      try await journal.close()
    }
  }
#endif
