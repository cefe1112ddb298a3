#if SQLite
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneSQLite
  import FieldstoneTesting
  import Foundation
  import GRDB
  import Testing

  @Suite("A journal whose file goes away while it is open", .timeLimit(.minutes(20)))
  struct ReplacedFileTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    enum Loss: String, CaseIterable, Sendable {
      case deleted, moved, overwritten, withoutLog

      /// Does to the files what an operator does by mistake.
      func happen(in folder: Folder) throws {
        let files = FileManager.default
        switch self {
        case .deleted: try files.removeItem(atPath: folder.path)
        case .moved: try files.moveItem(atPath: folder.path, toPath: folder["old.sqlite"])
        case .overwritten:
          // As a restore does that renames a backup into place.
          try files.copyItem(atPath: folder.path, toPath: folder["backup.sqlite"])
          try files.removeItem(atPath: folder.path)
          try files.moveItem(atPath: folder["backup.sqlite"], toPath: folder.path)
        case .withoutLog: try files.removeItem(atPath: folder.path + "-wal")
        }
      }
    }

    private var replaced: JournalError { .replaced(folder.path) }

    @Test("Nothing is reported as written any more, and nothing as read", arguments: Loss.allCases)
    func refusals(loss: Loss) async throws {
      let journal = try SQLiteJournal(path: folder.path)
      let id = try await journal.start(2)[0]
      let run = try #require(try await journal.claim(1).first)
      try loss.happen(in: folder)
      await #expect(throws: replaced) { try await journal.checkpoint(run.checkpoint(), at: .at(1)) }
      await #expect(throws: replaced) { try await journal.start(1, from: 9) }
      await #expect(throws: replaced) { try await journal.claim(1) }
      await #expect(throws: replaced) { try await journal.write { _ in } }
      await #expect(throws: replaced) { try await journal.run(id) }
      #expect(!replaced.isTransient)
    }

    @Test("A reader notices too, but for the log, which comes and goes")
    func reader() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      let id = try await journal.start(1)[0]
      let reader = try SQLiteJournal.reader(path: folder.path)
      #expect(try await reader.run(id) != nil)
      try Loss.moved.happen(in: folder)
      await #expect(throws: replaced) { try await reader.run(id) }
    }

    @Test("The database that an app has open is watched too")
    func database() async throws {
      let journal = try SQLiteJournal(in: DatabasePool(path: folder.path))
      try await journal.start(1)
      try Loss.deleted.happen(in: folder)
      await #expect(throws: replaced) { try await journal.start(1, from: 1) }
    }

    @Test("A runner ends with the error, and completes nothing", arguments: Loss.allCases)
    func runner(loss: Loss) async throws {
      let shop = try DiskShop(in: folder)
      let folder = folder
      let runner = try shop.runner { _ in
        try loss.happen(in: folder)
        return .complete("done")
      }
      let run = try await runner.start(DiskTask())
      await #expect(throws: replaced) { try await runner.run() }
      #expect(!shop.events.elements.contains { $0.kind == .completed })
      await #expect(throws: (any Error).self) { try await run.value }
    }

    @Test(
      "Closed, it leaves the log of the journal alone that stands in its place",
      arguments: [true, false])
    func closing(byHand: Bool) async throws {
      var old: SQLiteJournal? = try SQLiteJournal(path: folder.path)
      try await old?.start(1)
      for end in ["", "-wal", "-shm"] {
        try FileManager.default.moveItem(
          atPath: folder.path + end, toPath: folder["old.sqlite"] + end)
      }
      let new = try SQLiteJournal(path: folder.path)
      try await new.start(1, from: 1)
      if byHand { try await old?.close() }
      old = nil
      let id = try await new.start(1, from: 2)[0]
      #expect(folder.names.contains("journal.sqlite-wal"))
      let reader = try SQLiteJournal.reader(path: folder.path)
      #expect(try await reader.run(id) != nil)
    }
  }
#endif
