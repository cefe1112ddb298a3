#if PostgreSQL && (os(macOS) || os(Linux))
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstonePostgres
  import Foundation
  import Testing

  @Suite(
    "What is found of children in a damaged journal in PostgreSQL",
    .enabled(if: PostgresServer.isWanted, Comment(rawValue: PostgresServer.reasonForNone ?? "")),
    .timeLimit(.minutes(20)))
  struct PostgresFamilyVerifyTests {
    private let now = JournalTime(.system, boot: "boot")

    /// A parent that waits for two children, the second of which is detached.
    private func fill() async throws -> (journal: PostgresJournal, parent: RunID, child: RunID) {
      let journal = try await PostgresServer.shared.journal()
      let parent = try #require(try await journal.claimed(1, seed: 1, at: now).first)
      let children = [false, true].map { isDetached in
        ChildStart(
          RunStart(id: RunID(at: now.date), flow: "flow", version: 1, payload: Data("0".utf8)),
          isDetached: isDetached)
      }
      try await journal.checkpoint(
        Checkpoint(
          claim: RunClaim(id: parent.id, sequence: 0, fence: parent.fence), version: 1,
          next: .joining(Data("0".utf8), Checkpoint.Join(children)), beganAt: now.date,
          lease: .seconds(60)), at: now)
      return (journal, parent.id, children[0].id)
    }

    private func findings(
      of journal: PostgresJournal, after sql: String = "SELECT 'sound'"
    ) async throws -> [JournalFinding] {
      _ = try await journal.texts(sql)
      var findings: [JournalFinding] = []
      try await journal.verify { findings.append($0) }
      return findings
    }

    @Test("An open child without its parent is one, unless it is detached")
    func orphan() async throws {
      let (journal, parent, child) = try await fill()
      #expect(try await findings(of: journal) == [])
      let found = try await findings(
        of: journal,
        after: """
          WITH s AS (DELETE FROM step WHERE run IN (SELECT id FROM run WHERE parent IS NULL)) \
          DELETE FROM run WHERE parent IS NULL
          """)
      #expect(
        found == [
          JournalFinding(run: child, "its parent is gone, and it is neither over nor detached")
        ], "\(parent)")
    }

    @Test("A child that was cancelled with its parent and then retried is none")
    func retried() async throws {
      let (journal, parent, child) = try await fill()
      try await journal.change(parent, .cancel, by: nil, at: now)
      // Carries out the cancellation.
      _ = try await journal.claim(
        ClaimRequest(
          worker: "b", flows: [.init(flow: "flow", version: 1, limit: 0)], lease: .seconds(60)),
        at: now)
      try await journal.change(child, .retry, by: nil, at: now)
      try await journal.purge(parent, by: nil, at: now)
      #expect(try await findings(of: journal) == [])
      let rows = try await findings(of: journal, after: "DELETE FROM audit")
      #expect(rows.map(\.run) == [child])
    }

    @Test("A child of a stage that its parent has not left is one, and one that is missing")
    func unwritten() async throws {
      let (journal, parent, child) = try await fill()
      let early = try await findings(
        of: journal, after: "UPDATE run SET parent_sequence = 1 WHERE ordinal = 0")
      #expect(
        early.contains(
          JournalFinding(run: child, "it is the child of a stage that its parent has not left")))
      let missing = try await findings(of: journal, after: "DELETE FROM run WHERE ordinal = 0")
      #expect(
        missing.contains(
          JournalFinding(run: parent, "a child is missing among those of its last stage")))
    }
  }
#endif
