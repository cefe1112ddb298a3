#if PostgreSQL && (os(macOS) || os(Linux))
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstonePostgres
  import Foundation
  import Testing

  @Suite(
    "Verifying a journal in PostgreSQL",
    .enabled(if: PostgresServer.isWanted, Comment(rawValue: PostgresServer.reasonForNone ?? "")),
    .timeLimit(.minutes(20)))
  struct PostgresVerifyTests {
    private static let signal = "INSERT INTO signal (run, id, name, sent_at, payload, consumed_by)"

    @Test(
      "A sound journal has no findings, and each broken rule is one",
      arguments: [
        (
          "INSERT INTO step (run, sequence, version, payload) "
            + "VALUES (gen_random_uuid(), 0, 1, '0')", "its step has no run"
        ),
        (
          "\(signal) VALUES (gen_random_uuid(), 'a', 'a', now(), '0', NULL)",
          "its signal has no run"
        ),
        (
          "INSERT INTO replacement VALUES (gen_random_uuid(), gen_random_uuid())",
          "a start that has replaced"
        ),
        ("DELETE FROM step", "its stage is not there"),
        ("\(signal) SELECT id, 'a', 'a', now(), '0', 0 FROM run", "a signal was consumed by"),
        (
          "WITH s AS (\(signal) SELECT id, 'a', 'a', now(), '0', NULL FROM run) "
            + "UPDATE run SET waits = 1, awaited = 'a'", "the signal is there that it awaits"
        ),
        (
          "WITH s AS (\(signal) SELECT id, 'a', 'b', now(), '0', NULL FROM run) "
            + "UPDATE run SET waits = 1, awaited = E'\\x1fa\\x1fb'",
          "the signal is there that it awaits"
        ),
        ("UPDATE run SET worker = 'a'", "a lease is there without a worker"),
        ("UPDATE run SET lease_end = now()", "a lease is there without a worker"),
        ("UPDATE run SET join_policy = 0, open_children = 1", "it awaits another number"),
        ("UPDATE run SET quarantine = 1, state = 2", "it is in quarantine"),
      ])
    func rules(damage: String, wanted: String) async throws {
      let journal = try await PostgresServer.shared.journal()
      let now = JournalTime(.system, boot: "boot")
      let start = RunStart(
        id: RunID(at: now.date), flow: "flow", version: 1,
        payload: Data("0".utf8))
      _ = try await journal.start(start, at: now)
      var details: [String] = []
      #expect(try await journal.verify { details.append($0.detail) } == 1)
      #expect(details == [])
      _ = try await journal.texts(damage)
      _ = try await journal.verify { details.append($0.detail) }
      #expect(details.contains { $0.hasPrefix(wanted) }, "\(details)")
    }
  }
#endif
