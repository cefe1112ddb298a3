#if SQLite
  import FieldstoneDurable
  import FieldstoneSQLite
  import Foundation
  import GRDB
  import Testing

  @Suite("What is found of children in a damaged file", .timeLimit(.minutes(20)))
  struct FamilyVerifyTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    /// A parent that waits for two children, the second of which is detached.
    private func fill() async throws -> (journal: SQLiteJournal, parent: RunRecord) {
      let journal = try SQLiteJournal(path: folder.path)
      try await journal.start(1)
      let parent = try #require(try await journal.claim(1).first)
      let join = Checkpoint.Join([
        ChildStart(.sample(1)), ChildStart(.sample(2), isDetached: true),
      ])
      try await journal.checkpoint(
        parent.checkpoint(.joining(Data("{}".utf8), join)), at: .at(1))
      return (journal, parent)
    }

    private func findings(after sql: String) async throws -> [JournalFinding] {
      let queue = try DatabaseQueue(path: folder.path)
      try await queue.write { try $0.execute(sql: sql) }
      try queue.close()
      return try await SQLiteJournal.reader(path: folder.path).findings()
    }

    @Test("A sound family has none")
    func sound() async throws {
      _ = try await fill()
      #expect(try await findings(after: "SELECT 1") == [])
    }

    @Test("An open child without its parent is one, unless it is detached")
    func orphan() async throws {
      _ = try await fill()
      let found = try await findings(
        after: """
          DELETE FROM fieldstone_step WHERE run = 1; DELETE FROM fieldstone_run WHERE number = 1
          """)
      #expect(
        found == [
          JournalFinding(
            run: sampleID(1), "its parent is gone, and it is neither over nor detached")
        ])
    }

    @Test("A child that was cancelled with its parent and then retried is none")
    func retried() async throws {
      let (journal, parent) = try await fill()
      try await journal.change(parent.id, .cancel, at: .at(2))
      // Carries out the cancellation.
      _ = try await journal.claim(0, at: .at(3))
      #expect(try await journal.run(sampleID(1))?.state == .cancelled)
      try await journal.change(sampleID(1), .retry, at: .at(4))
      try await journal.purge(parent.id, by: nil, at: .at(5))
      #expect(try await journal.run(parent.id) == nil)
      #expect(try await findings(after: "SELECT 1") == [])
      let rows = try await findings(after: "DELETE FROM fieldstone_audit")
      #expect(rows.map(\.run) == [sampleID(1)])
    }

    @Test("A child of a stage that its parent has not left is one")
    func early() async throws {
      _ = try await fill()
      let found = try await findings(
        after: "UPDATE fieldstone_run SET parent_sequence = 1 WHERE parent IS NOT NULL")
      let detail = "it is the child of a stage that its parent has not left"
      #expect(Set(found.filter { $0.detail == detail }.map(\.run)) == [sampleID(1), sampleID(2)])
    }

    @Test("A child that is missing among others is one")
    func missing() async throws {
      let (_, parent) = try await fill()
      let found = try await findings(
        after: """
          DELETE FROM fieldstone_run WHERE ordinal = 0; \
          UPDATE fieldstone_run SET open_children = 1 WHERE number = 1
          """)
      #expect(
        found == [
          JournalFinding(run: parent.id, "a child is missing among those of its last stage")
        ])
    }

    @Test("No child can have the place of another")
    func doubled() async throws {
      _ = try await fill()
      await #expect(throws: DatabaseError.self) {
        try await findings(after: "UPDATE fieldstone_run SET ordinal = 0 WHERE ordinal = 1")
      }
    }
  }
#endif
