#if PostgreSQL && (os(macOS) || os(Linux))
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstonePostgres
  import FieldstoneTesting
  import Foundation
  import JournalModel
  import Testing

  @Suite(
    "A journal in PostgreSQL against a model of what is promised",
    .enabled(if: PostgresServer.isWanted, Comment(rawValue: PostgresServer.reasonForNone ?? "")),
    .timeLimit(.minutes(20)))
  struct PostgresModelTests {
    @Test(
      "Random requests with stale claims and a clock that is set, also without a session's state",
      arguments: [false, true])
    func sequences(isPooled: Bool) async throws {
      let now = Locked(Date.distantPast)
      let journal = try await PostgresServer.shared.journal(
        options: PostgresJournalOptions(isPooled: isPooled), serverClock: { now.withLock { $0 } })
      var trial = RandomRequestTrial(isInDatabase: true)
      // The quotas need some rounds, also under a sanitizer.
      let count = UInt64(max(40, Rounds.of(400)))
      for seed in (isPooled ? count : 0)..<(isPooled ? 2 * count : count) {
        _ = try await journal.texts(Self.empty)
        let failure = try await trial.failure(of: journal, seed: seed) { date in
          now.withLock { $0 = date }
        }
        if let failure {
          Issue.record("\(failure)")
          return
        }
      }
      #expect(trial.missing(usual: Rounds.of(8), seldom: nil) == [])
      await journal.close()
    }

    @Test(
      "The wait for children whose time is out behind a full key ends with the claim",
      arguments: [false, true])
    func timeOutBehindAFullKey(allEnd: Bool) async throws {
      let now = Locked(Date.distantPast)
      let journal = try await PostgresServer.shared.journal(
        serverClock: { now.withLock { $0 } })
      var trial = RandomRequestTrial(isInDatabase: true)
      let failure = try await trial.failureOfTimeOutBehindAFullKey(of: journal, allEnd: allEnd) {
        date in now.withLock { $0 = date }
      }
      #expect(failure == nil)
    }

    /// A journal for each seed would take longer than its requests.
    static let empty = """
      DO $$ DECLARE name text; BEGIN FOR name IN SELECT tablename FROM pg_tables \
      WHERE schemaname = current_schema() AND tablename <> 'journal' \
      LOOP EXECUTE format('DELETE FROM %I', name); END LOOP; \
      UPDATE journal SET minimum_protocol = 1; END $$
      """
  }
#endif
