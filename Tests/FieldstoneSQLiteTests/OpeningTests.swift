#if SQLite
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneSQLite
  import FieldstoneTesting
  import Foundation
  import GRDB
  import Testing

  @Suite("Opening a journal", .timeLimit(.minutes(20)))
  struct OpeningTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    private var noJournal: JournalError { .noJournal(folder.path) }

    private func execute(_ sql: String) throws {
      let queue = try DatabaseQueue(path: folder.path)
      try queue.write { try $0.execute(sql: sql) }
      try queue.close()
    }

    @Test("What was written is there when it is opened again")
    func reopening() async throws {
      var journal: SQLiteJournal? = try SQLiteJournal(path: folder.path)
      let ids = try await journal?.start(3) ?? []
      let before = try await journal?.claim(2)
      try await journal?.close()
      journal = nil
      let again = try SQLiteJournal(path: folder.path)
      #expect(try await again.runs(RunQuery()).runs.map(\.id) == ids.reversed())
      for record in before ?? [] { #expect(try await again.run(record.id) == record) }
    }

    @Test("Closed by its last user, all of it is in one file")
    func closing() async throws {
      let journals = [try SQLiteJournal(path: folder.path), try SQLiteJournal(path: folder.path)]
      let id = try await journals[0].start(1)[0]
      for journal in journals { #expect(try await journal.run(id) != nil) }
      try await journals[0].close()
      #expect(folder.names.contains("journal.sqlite-wal"))
      try await journals[1].close()
      #expect(!folder.names.contains { $0.hasSuffix("-wal") || $0.hasSuffix("-shm") })
    }

    @Test(
      "A file that holds something else is refused and left as it is", arguments: [false, true])
    func somethingElse(isToRead: Bool) throws {
      try folder.write(String(repeating: "This is a letter and no database. ", count: 200))
      let before = folder.bytes()
      #expect(throws: noJournal) { try open(isToRead) }
      #expect(folder.bytes() == before)
    }

    @Test("Another program's database is refused and left as it is", arguments: [false, true])
    func anotherDatabase(isToRead: Bool) throws {
      try execute("CREATE TABLE letter (text TEXT); INSERT INTO letter VALUES ('Dear')")
      let before = folder.bytes()
      #expect(throws: noJournal) { try open(isToRead) }
      #expect(folder.bytes() == before)
      #expect(folder.names.allSatisfy { !$0.hasSuffix("-wal") })
    }

    @Test("A journal can join an app's tables where that is wanted")
    func joining() async throws {
      try execute("CREATE TABLE letter (text TEXT); PRAGMA user_version = 7")
      let journal = try SQLiteJournal(
        path: folder.path, options: SQLiteJournalOptions(joinsOtherTables: true))
      let id = try await journal.start(1)[0]
      // From then on it is a journal.
      let again = try SQLiteJournal(path: folder.path)
      #expect(try await again.run(id) != nil)
      let queue = try DatabaseQueue(path: folder.path)
      let numbers = try await queue.read { database in
        try ["user_version", "application_id"].map {
          try Int.fetchOne(database, sql: "PRAGMA \($0)")
        }
      }
      #expect(numbers == [7, 0])
    }

    @Test("In a database that the app has open the header stays the app's, also when it is empty")
    func headerOfTheApp() async throws {
      let pool = try DatabasePool(path: folder.path)
      try await pool.write { try $0.execute(sql: "PRAGMA application_id = 77") }
      let journal = try SQLiteJournal(in: pool)
      try await journal.start(1)
      let number = try await pool.read { try Int.fetchOne($0, sql: "PRAGMA application_id") }
      #expect(number == 77)
    }

    @Test("A database that orders texts otherwise than by the bytes of UTF-8 is refused")
    func encoding() throws {
      var configuration = Configuration()
      configuration.prepareDatabase { try $0.execute(sql: "PRAGMA encoding = 'UTF-16'") }
      let pool = try DatabasePool(path: folder.path, configuration: configuration)
      try pool.write { try $0.execute(sql: "CREATE TABLE note (text TEXT)") }
      let error = #expect(throws: JournalError.self) { try SQLiteJournal(in: pool) }
      #expect(error?.message.hasSuffix("name a database in UTF-8.") == true)
      #expect(try pool.read { try $0.tableExists("fieldstone_journal") } == false)
    }

    @Test("A journal of newer code is told apart", arguments: [false, true])
    func newerSchema(isToRead: Bool) async throws {
      try await SQLiteJournal(path: folder.path).close()
      try execute("UPDATE fieldstone_journal SET schema = 99")
      #expect(throws: JournalError.newerSchema(found: 99, known: 4)) { try open(isToRead) }
    }

    @Test("Newer code that changes the tables meanwhile ends the claims of older code")
    func changedMeanwhile() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      try await journal.start(2)
      #expect(try await journal.claim(1).count == 1)
      try execute("UPDATE fieldstone_journal SET schema = 99")
      await #expect(throws: JournalError.newerSchema(found: 99, known: 4)) {
        try await journal.claim(1)
      }
      #expect(JournalError.newerSchema(found: 99, known: 4).isTransient == false)
    }

    @Test("A file of a journal's own says in its header what it is")
    func header() async throws {
      try await SQLiteJournal(path: folder.path).close()
      #expect(folder.bytes()?[68..<72] == Data("Fldj".utf8))
    }

    @Test("A folder, no path and a path without a folder are refused")
    func impossiblePaths() throws {
      let url = folder.url.path(percentEncoded: false)
      #expect(throws: JournalError.self) { try SQLiteJournal(path: url) }
      #expect(throws: JournalError.noJournal("An empty path")) { try SQLiteJournal(path: "") }
      #expect(throws: JournalError.self) { try SQLiteJournal(in: DatabaseQueue()) }
      let missing = folder["nowhere/journal.sqlite"]
      for (path, name) in [
        (":memory:", "“:memory:”, which is no file,"),
        (missing, "\(missing), whose folder does not exist,"),
      ] {
        let error = #expect(throws: JournalError.self) { try SQLiteJournal(path: path) }
        #expect(error?.message == "\(name) is no journal of Fieldstone; check the path.")
        #expect(error?.isTransient == false)
      }
    }

    @Test(
      "Opened through a link to a file that does not exist yet, all files are beside the target",
      arguments: ["data/orders.sqlite", "/data/orders.sqlite", "other.sqlite"])
    func danglingLink(target: String) async throws {
      try makeFolder("data")
      try link("other.sqlite", to: "data/../data/orders.sqlite")
      let isAbsolute = target.hasPrefix("/")
      try link("journal.sqlite", to: isAbsolute ? folder[String(target.dropFirst())] : target)
      let journal = try SQLiteJournal(path: folder.path)
      #expect(journal.path == folder["data/orders.sqlite"])
      try await journal.start(1)
      #expect(try await journal.claim(1).count == 1)
      // The lock files of the writers and of the worker are none of these.
      #expect(folder.names == ["data", "journal.sqlite", "other.sqlite"])
      #expect(try SQLiteJournal(path: folder.path).path == journal.path)
    }

    @Test("Links that form a circle, and a link into a missing folder, are refused")
    func impossibleLinks() throws {
      try link("journal.sqlite", to: "other.sqlite")
      try link("other.sqlite", to: "journal.sqlite")
      let circle = JournalError.noJournal("\(folder.path), whose symbolic links form a circle,")
      for isToRead in [false, true] { #expect(throws: circle) { try open(isToRead) } }
      try link("lost.sqlite", to: "nowhere/orders.sqlite")
      let error = #expect(throws: JournalError.self) {
        try SQLiteJournal(path: folder["lost.sqlite"])
      }
      #expect(
        error?.message == "\(folder["lost.sqlite"]), a symbolic link to "
          + "\(folder["nowhere/orders.sqlite"]), whose folder does not exist, is no journal of "
          + "Fieldstone; check the path.")
      #expect(folder.names == ["journal.sqlite", "lost.sqlite", "other.sqlite"])
    }

    @Test("A path that is refused gets no lock files beside it")
    func leavesNothing() throws {
      try folder.write("Dear journal")
      try makeFolder("folder")
      try #require(mkfifo(folder["pipe"], 0o600) == 0)
      let letters = try DatabaseQueue(path: folder["letters"])
      try letters.write { try $0.execute(sql: "CREATE TABLE letter (text TEXT)") }
      try letters.close()
      let before = folder.names
      for name in before {
        #expect(throws: JournalError.noJournal(folder[name])) {
          try SQLiteJournal(path: folder[name])
        }
      }
      #expect(folder.names == before && before.count == 4)
    }

    @Test("To look at a journal that is not there makes none")
    func missing() throws {
      #expect(throws: noJournal) { try SQLiteJournal.reader(path: folder.path) }
      try Data().write(to: URL(filePath: folder.path))
      #expect(throws: noJournal) { try SQLiteJournal.reader(path: folder.path) }
      #expect(folder.names == ["journal.sqlite"])
    }

    @Test("A damaged journal is called damaged", arguments: [1, 2, 3])
    func damaged(page: Int) async throws {
      let journal = try SQLiteJournal(path: folder.path)
      try await journal.start(200)
      try await journal.close()
      var bytes = try #require(folder.bytes())
      // Not the header, whose loss would make it something else.
      let pages = page == 1 ? 0..<1 : page == 2 ? 1..<bytes.count / 4_096 : 3..<4
      for page in pages {
        for index in 100..<1_000 { bytes[page * 4_096 + index] = 0xA5 }
        if page > 0 { bytes[page * 4_096] = 0xA5 }
      }
      try bytes.write(to: URL(filePath: folder.path))
      var errors: [JournalError] = []
      do {
        let again = try SQLiteJournal(path: folder.path)
        for number in 0..<200 {
          do { _ = try await again.run(sampleID(number)) } catch let error as JournalError {
            errors.append(error)
          }
        }
        do { _ = try await again.claim(200) } catch let error as JournalError {
          errors.append(error)
        }
      } catch let error as JournalError {
        errors.append(error)
      }
      #expect(!errors.isEmpty)
      #expect(
        errors.allSatisfy { error in
          if case .corrupt = error { true } else { false }
        }, "\(errors)")
    }

    @Test("A column that holds nonsense is damage, not a crash")
    func nonsense() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      let ids = try await journal.start(2)
      try execute("UPDATE fieldstone_run SET state = 99 WHERE id = '\(ids[0])'")
      try execute("UPDATE fieldstone_run SET id = 'nonsense' WHERE id = '\(ids[1])'")
      await #expect(throws: JournalError.self) { try await journal.run(ids[0]) }
      let error = await #expect(throws: JournalError.self) { try await journal.claim(5) }
      guard case .corrupt = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }

    @Test("It commits as durably as it is told to")
    func durability() async throws {
      for (durability, number) in [(SQLiteDurability.full, 2), (.normal, 1)] {
        let journal = try SQLiteJournal(
          path: folder["\(durability).sqlite"],
          options: SQLiteJournalOptions(durability: durability))
        try await journal.start(1)
        let run = try await journal.claim(1)[0]
        let found = Locked<Int?>(nil)
        let look = CheckpointWrite { transaction in
          let database = try #require(transaction as? Database)
          let value = try Int.fetchOne(database, sql: "PRAGMA synchronous")
          found.withLock { $0 = value }
        }
        try await journal.checkpoint(run.checkpoint(writes: [look]), at: .at(1))
        #expect(found.withLock { $0 } == number)
      }
    }

    @Test("A journal in the app's own database commits as durably as the app has set it")
    func ownDurability() async throws {
      let pool = try DatabasePool(path: folder.path)
      try await pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
      let journal = try SQLiteJournal(in: pool)
      #expect(try await journal.write { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == 2)
    }

    @Test("What is called while it closes has its result, or is refused as closed")
    func callsWhileClosing() async throws {
      for round in 0..<20 {
        let journal = try SQLiteJournal(path: folder["closing-\(round).sqlite"])
        let id = try await journal.start(1)[0]
        let results = await withTaskGroup(of: (any Error)?.self) { group in
          for number in 0..<40 {
            group.addTask {
              do {
                if number == 20 {
                  try await journal.close()
                } else if number.isMultiple(of: 2) {
                  _ = try await journal.run(id)
                } else {
                  try await journal.start(1, from: number)
                }
                return nil
              } catch {
                return error
              }
            }
          }
          return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.allSatisfy { $0 == nil || $0 as? JournalError == .closed }, "\(results)")
        await #expect(throws: JournalError.closed) { _ = try await journal.run(id) }
      }
    }

    @Test("A journal in the app's own database shares its one writer and its transactions")
    func appDatabase() async throws {
      let pool = try DatabasePool(path: folder.path)
      try await pool.write { try $0.execute(sql: "CREATE TABLE letter (text TEXT)") }
      let journal = try SQLiteJournal(in: pool)
      let id = try await journal.start(1)[0]
      let run = try await journal.claim(1)[0]
      let write = CheckpointWrite { transaction in
        try (transaction as? Database)?.execute(sql: "INSERT INTO letter VALUES ('Dear')")
      }
      try await journal.checkpoint(run.checkpoint(writes: [write]), at: .at(1))
      let letters = try await pool.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM letter") }
      #expect(letters == 1)
      try await journal.close()
      // It is the app's, and goes on.
      let runs = try await pool.read { database in
        try String.fetchAll(database, sql: "SELECT id FROM fieldstone_run")
      }
      #expect(runs == [id.description])
    }

    private func makeFolder(_ name: String) throws {
      try FileManager.default.createDirectory(
        atPath: folder[name], withIntermediateDirectories: false)
    }

    private func link(_ name: String, to target: String) throws {
      try FileManager.default.createSymbolicLink(
        atPath: folder[name], withDestinationPath: target)
    }

    private func open(_ isToRead: Bool) throws {
      _ =
        isToRead
        ? try SQLiteJournal.reader(path: folder.path) : try SQLiteJournal(path: folder.path)
    }
  }
#endif
