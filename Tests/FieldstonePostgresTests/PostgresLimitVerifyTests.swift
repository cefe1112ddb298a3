#if PostgreSQL && (os(macOS) || os(Linux))
  import FieldstoneDurable
  import FieldstonePostgres
  import Foundation
  import Testing

  @Suite(
    "What is found in damaged limits and attributes of PostgreSQL",
    .enabled(if: PostgresServer.isWanted, Comment(rawValue: PostgresServer.reasonForNone ?? "")),
    .timeLimit(.minutes(20)))
  struct PostgresLimitVerifyTests {
    /// A journal with a key of which a run holds the place, one that is behind it, and another key.
    private func journal() async throws -> PostgresJournal {
      let journal = try await PostgresServer.shared.journal()
      let time = JournalTime(date: Date(), uptime: .zero, boot: "boot")
      try await journal.setLimits(
        FlowLimits(runs: 9, counting: .wholeRun, perKey: .init(1)), of: "sample",
        replacing: true, at: time)
      for key in ["a", "a", "b"] {
        var start = RunStart(
          id: RunID(at: Date()), flow: "sample", version: 1,
          payload: Data("0".utf8), concurrencyKey: key)
        start.attributes = ["key": .string(key)]
        _ = try await journal.start(start, at: time)
      }
      _ = try await journal.claim(
        ClaimRequest(
          worker: "worker", flows: [.init(flow: "sample", version: 1, limit: 9)],
          lease: .seconds(60)), at: time)
      return journal
    }

    @Test(
      "A sound journal has no findings; each broken rule of limits and attributes is told",
      arguments: [
        ([], nil),
        (
          ["INSERT INTO attribute VALUES ('key', 's:c', gen_random_uuid())"],
          "its attribute has no run"
        ),
        (
          ["UPDATE run SET flow_place = 0 WHERE concurrency = 'b'"],
          "a worker has it, and it has no place of its limited flow"
        ),
        (
          ["UPDATE run SET flow_place = 1 WHERE state = 0"],
          "it has a place of its flow that no limit lets it keep"
        ),
        (
          ["UPDATE run SET place = 0 WHERE state = 1 AND concurrency = 'b'"],
          "a worker has it, and it has no place of its limited key"
        ),
        (
          [
            "UPDATE run SET state = 5, worker = NULL, lease_end = NULL, check_at = NULL "
              + ", flow_place = 0 WHERE concurrency = 'b'"
          ], "it has a place of its key that no limit lets it keep"
        ),
        (
          ["UPDATE run SET gate = 1 WHERE concurrency = 'b'"],
          "it is behind its key, and can't come in"
        ),
        (
          ["DELETE FROM freed", "UPDATE flow_limit SET key_maximum = 2"],
          "it is behind its key, which has room, and nothing brings it in"
        ),
      ] as [([String], String?)])
    func findings(damage: [String], detail: String?) async throws {
      let journal = try await journal()
      if !damage.isEmpty { _ = try await journal.texts("ALTER TABLE run DISABLE TRIGGER USER") }
      for statement in damage { _ = try await journal.texts(statement) }
      var details: [String] = []
      try await journal.verify { details.append($0.detail) }
      #expect(details == [detail].compactMap(\.self))
      await journal.close()
    }
  }
#endif
