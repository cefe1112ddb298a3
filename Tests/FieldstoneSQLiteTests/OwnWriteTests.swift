#if SQLite
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneSQLite
  import FieldstoneTesting
  import Foundation
  import GRDB
  import Testing

  @Suite("Writes of the app's own", .timeLimit(.minutes(20)))
  struct OwnWriteTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    private struct Refusal: Error, Equatable {}

    private func journalWithNotes(_ time: TimeSource = .system) async throws -> SQLiteJournal {
      let journal = try SQLiteJournal(path: folder.path, time: time)
      try await journal.write { try $0.execute(sql: "CREATE TABLE note (text TEXT UNIQUE)") }
      return journal
    }

    private func notes() async throws -> [String] {
      let queue = try DatabaseQueue(path: folder.path)
      return try await queue.read { database in
        try String.fetchAll(database, sql: "SELECT text FROM note ORDER BY text")
      }
    }

    @Test("What the body returns comes back once it is committed")
    func returns() async throws {
      let journal = try await journalWithNotes()
      let count = try await journal.write { database in
        try database.execute(sql: "INSERT INTO note VALUES ('a'), ('b')")
        return database.changesCount
      }
      #expect(count == 2)
      #expect(try await notes() == ["a", "b"])
    }

    /// What can go wrong in a body.
    enum Trouble: CaseIterable {
      case refuses, breaksARule, isWrong, ends

      func happen(in database: Database) throws {
        switch self {
        case .refuses: throw Refusal()
        case .breaksARule: try database.execute(sql: "INSERT INTO note VALUES ('bad')")
        case .isWrong: try database.execute(sql: "INSERT INTO note VALUES (?)")
        case .ends: try database.execute(sql: "ROLLBACK")
        }
      }

      func isMet(by error: any Error) -> Bool {
        switch self {
        case .refuses: error is Refusal
        case .breaksARule: (error as? DatabaseError)?.resultCode == .SQLITE_CONSTRAINT
        case .isWrong: (error as? DatabaseError)?.resultCode == .SQLITE_MISUSE
        case .ends: (error as? any DescribedError)?.message.contains("transaction") == true
        }
      }
    }

    @Test(
      "One that fails leaves nothing, throws its own error, and harms none that share its commit",
      arguments: Trouble.allCases)
    func fails(trouble: Trouble) async throws {
      let journal = try await journalWithNotes()
      try await journal.start(2)
      let runs = try await journal.claim(2)
      // All that follow wait for the commit after the one that waits for them.
      let gate = Gate()
      async let opening: Void = journal.write { _ in
        gate.open()
        while journal.waitingWrites < 4 { sched_yield() }
      }
      await gate.wait()
      async let first = journal.checkpoint(runs[0].checkpoint(), at: .at(1))
      async let bad: Void = journal.write { database in
        try database.execute(sql: "INSERT INTO note VALUES ('bad')")
        try trouble.happen(in: database)
      }
      async let second = journal.checkpoint(runs[1].checkpoint(), at: .at(1))
      async let good: Void = journal.write { database in
        try database.execute(sql: "INSERT INTO note VALUES ('good')")
      }
      try await opening
      _ = try await first
      do {
        try await bad
        Issue.record("It threw nothing.")
      } catch {
        #expect(trouble.isMet(by: error), "\(error)")
      }
      _ = try await second
      try await good
      #expect(try await notes() == ["good"])
      for run in runs { #expect(try await journal.chain(of: run.id).map(\.sequence) == [0]) }
    }

    @Test(
      "One that fails alone leaves nothing, and throws its own error", arguments: Trouble.allCases)
    func failsAlone(trouble: Trouble) async throws {
      let journal = try await journalWithNotes()
      do {
        try await journal.write { database in
          try database.execute(sql: "INSERT INTO note VALUES ('bad')")
          try trouble.happen(in: database)
        }
        Issue.record("It threw nothing.")
      } catch {
        #expect(trouble.isMet(by: error), "\(error)")
      }
      #expect(try await notes() == [])
      try await journal.start(1)
    }

    @Test(
      "One that ignores an error with which SQLite has rolled it back changes nothing more",
      arguments: [true, false])
    func ignoresRollback(isAlone: Bool) async throws {
      let journal = try await journalWithNotes()
      try await journal.start(1)
      let run = try await journal.claim(1)[0]
      let bodies = Recorder<Bool>()
      let gate = Gate()
      async let opening: Void = journal.write { _ in
        gate.open()
        while !isAlone, journal.waitingWrites < 2 { sched_yield() }
      }
      await gate.wait()
      if isAlone { try await opening }
      async let other = isAlone ? nil : journal.checkpoint(run.checkpoint(), at: .at(1))
      do {
        try await journal.write { database in
          // SQLite rolls back by itself where a rule says so, as where a disk is full.
          try? database.execute(
            sql: "INSERT OR ROLLBACK INTO note VALUES ('a'), ('a')")
          bodies.record(true)
          try database.execute(sql: "INSERT INTO note VALUES ('b')")
        }
        Issue.record("It threw nothing.")
      } catch {}
      do {
        try await journal.write { database in
          try database.execute(sql: "INSERT INTO note VALUES ('c')")
          try? database.execute(
            sql: "INSERT OR ROLLBACK INTO note VALUES ('a'), ('a')")
        }
        Issue.record("It threw nothing.")
      } catch {
        #expect((error as? any DescribedError)?.message.contains("throw such errors") == true)
      }
      if !isAlone { try await opening }
      _ = try await other
      #expect(bodies.count > 0)
      #expect(try await notes() == [])
    }

    @Test("It stands behind the gate, as the journal's own writes do")
    func gated() async throws {
      let time = ManualTime()
      let journal = try await journalWithNotes(time.source)
      let door = open(folder.path + "-writer", O_RDWR | O_CLOEXEC)
      defer { close(door) }
      #expect(flock(door, LOCK_EX | LOCK_NB) == 0)
      let isBegun = Locked(false)
      let write = Task {
        try await journal.write { database in
          isBegun.withLock { $0 = true }
          try database.execute(sql: "INSERT INTO note VALUES ('a')")
        }
      }
      await time.sleepers(atLeast: 1)
      #expect(!isBegun.withLock { $0 })
      flock(door, LOCK_UN)
      time.advance(by: .milliseconds(4))
      try await write.value
      #expect(try await notes() == ["a"])
    }

    @Test(
      "What the disk does not take is unavailable, as is a journal to be read only; a closed one is closed"
    )
    func unavailable() async throws {
      let journal = try await journalWithNotes()
      func expectUnavailable(
        _ journal: SQLiteJournal, _ body: @escaping @Sendable (Database) throws -> Void
      ) async {
        let error = await #expect(throws: JournalError.self) { try await journal.write(body) }
        #expect(error?.isTransient == true)
      }
      await expectUnavailable(journal) { _ in throw DatabaseError(resultCode: .SQLITE_FULL) }
      let isRun: @Sendable (Database) throws -> Void = { _ in Issue.record("It was run.") }
      await expectUnavailable(try SQLiteJournal.reader(path: folder.path), isRun)
      try await journal.close()
      await #expect(throws: JournalError.closed) { try await journal.write(isRun) }
    }

    @Test("In a database that the app has open it takes turns with the app's direct writes")
    func inAnAppsDatabase() async throws {
      let pool = try DatabasePool(path: folder.path)
      let journal = try SQLiteJournal(in: pool)
      try await journal.write { try $0.execute(sql: "CREATE TABLE note (text TEXT UNIQUE)") }
      try await withThrowingTaskGroup { group in
        for number in 0..<50 {
          let sql = "INSERT INTO note VALUES (\(number))"
          group.addTask { try await journal.write { try $0.execute(sql: sql) } }
          let other = "INSERT INTO note VALUES ('direct \(number)')"
          group.addTask { try await pool.write { try $0.execute(sql: other) } }
        }
        try await group.waitForAll()
      }
      #expect(try await notes().count == 100)
    }
  }
#endif
