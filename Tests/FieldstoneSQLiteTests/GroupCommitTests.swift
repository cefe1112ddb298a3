#if SQLite
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneSQLite
  import FieldstoneTesting
  import Foundation
  import GRDB
  import Testing

  @Suite("Writes that share a commit", .timeLimit(.minutes(20)))
  struct GroupCommitTests {
    let folder: Folder
    let journal: SQLiteJournal

    init() async throws {
      folder = try Folder()
      journal = try SQLiteJournal(path: folder.path)
    }

    private struct Refusal: Error, Equatable {}

    /// Makes a checkpoint that waits, in its transaction, until so many others wait for the next one.
    private func checkpoint(_ run: RunRecord, until count: Int, gate: Gate) async throws {
      let journal = journal
      let wait = CheckpointWrite { _ in
        gate.open()
        while journal.waitingWrites < count { sched_yield() }
      }
      try await journal.checkpoint(run.checkpoint(writes: [wait]), at: .at(1))
    }

    /// Makes checkpoints of the runs in one commit.
    ///
    /// - Returns: what became of each.
    private func together(
      _ checkpoints: [Checkpoint], from number: Int = 1_000
    ) async throws -> [Result<Void, any Error>] {
      try await journal.start(1, from: number)
      let first = try await journal.claim(1, worker: "first")[0]
      let journal = journal
      let gate = Gate()
      return try await withThrowingTaskGroup(of: (Int, Result<Void, any Error>).self) { group in
        async let opening: Void = checkpoint(first, until: checkpoints.count, gate: gate)
        await gate.wait()
        for (index, checkpoint) in checkpoints.enumerated() {
          group.addTask {
            do {
              try await journal.checkpoint(checkpoint, at: .at(1))
              return (index, .success(()))
            } catch {
              return (index, .failure(error))
            }
          }
        }
        var results: [Int: Result<Void, any Error>] = [:]
        for try await (index, result) in group { results[index] = result }
        try await opening
        return checkpoints.indices.compactMap { results[$0] }
      }
    }

    @Test("One that has lost its claim is refused, and the others are committed")
    func lostClaim() async throws {
      try await journal.start(8)
      let runs = try await journal.claim(8)
      let results = try await together(
        runs.enumerated().map { $1.checkpoint(fence: $0 == 3 ? 99 : nil) })
      for (index, run) in runs.enumerated() {
        let (record, chain) = (try await journal.run(run.id), try await journal.chain(of: run.id))
        if index == 3 {
          #expect(throws: JournalError.claimLost(run.id)) { try results[index].get() }
          #expect(record == run && chain.isEmpty)
        } else {
          #expect(throws: Never.self) { try results[index].get() }
          #expect(record?.sequence == 1 && chain.map(\.sequence) == [0])
        }
      }
    }

    @Test(
      "Children that end in one commit are all counted, those with writes of their own too",
      arguments: JoinPolicy.allCases, [0, 1])
    func children(policy: JoinPolicy, unended: Int) async throws {
      try await journal.start(1)
      let parent = try #require(try await journal.claim(1).first)
      let starts = (1...9).map { ChildStart(.sample($0)) }
      try await journal.checkpoint(
        parent.checkpoint(.joining(Data("{}".utf8), Checkpoint.Join(starts, when: policy))),
        at: .at(1))
      let children = try await journal.claim(9, at: .at(1)).filter { $0.id != parent.id }
      #expect(children.count == 9)
      let refused = CheckpointWrite { _ in throw Refusal() }
      let checkpoints = children.dropFirst(unended).enumerated().map { index, child in
        var checkpoint = child.checkpoint(.completion(Data("\(index)".utf8)))
        if index % 3 == 1 { checkpoint.writes = [CheckpointWrite { _ in }] }
        if index == 7 { checkpoint.writes = [refused] }
        return checkpoint
      }
      let results = try await together(checkpoints)
      let failed = results.indices.filter { (try? results[$0].get()) == nil }
      #expect(failed == [7])
      #expect(try await journal.findings() == [])

      let isOver = policy == .first
      var record = try #require(try await journal.run(parent.id))
      #expect(record.join?.policy == (isOver ? nil : policy))
      #expect(record.join?.open == (isOver ? 8 : 1 + unended))
      let ended = try await journal.children(of: parent.id, at: 0, after: nil, limit: 9).children
        .count { $0.end == .completed }
      #expect(ended == (isOver ? 1 : 8 - unended))
      #expect(try await journal.claim(9, at: .at(2)).map(\.id) == (isOver ? [parent.id] : []))
      if isOver { return }
      let rest = [children[unended + 7]] + children.prefix(unended)
      _ = try await together(rest.map { $0.checkpoint(.completion(Data("9".utf8))) }, from: 2_000)
      record = try #require(try await journal.run(parent.id))
      #expect(record.join?.open == 0)
      #expect(try await journal.claim(9, at: .at(2)).map(\.id) == [parent.id])
      #expect(try await journal.findings() == [])
    }

    @Test(
      "One whose own write fails is undone, and the others are committed",
      arguments: ["throws", "rolls back", "commits", "breaks a rule at the end"])
    func failingWrite(how: String) async throws {
      let queue = try DatabaseQueue(path: folder.path)
      try await queue.write { database in
        try database.execute(
          sql: """
            CREATE TABLE parent (id INTEGER PRIMARY KEY);
            CREATE TABLE note (
              text TEXT, parent INTEGER REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
            """)
      }
      try await journal.start(6)
      let runs = try await journal.claim(6)
      let bad = CheckpointWrite { transaction in
        let database = try #require(transaction as? Database)
        try database.execute(sql: "INSERT INTO note VALUES ('bad', NULL)")
        switch how {
        case "throws": throw Refusal()
        case "rolls back": try database.execute(sql: "ROLLBACK")
        case "commits":
          try database.execute(sql: "ROLLBACK")
          try database.execute(sql: "BEGIN")
          throw Refusal()
        default: try database.execute(sql: "UPDATE note SET parent = 7 WHERE text = 'bad'")
        }
      }
      let results = try await together(
        runs.enumerated().map { index, run in
          let good = CheckpointWrite { transaction in
            try (transaction as? Database)?.execute(
              sql: "INSERT INTO note VALUES (?, NULL)", arguments: ["\(index)"])
          }
          return run.checkpoint(writes: index == 2 ? [good, bad] : [good])
        })
      for (index, run) in runs.enumerated() {
        let record = try await journal.run(run.id)
        let chain = try await journal.chain(of: run.id)
        #expect(record?.sequence == (index == 2 ? 0 : 1))
        #expect(chain.count == (index == 2 ? 0 : 1))
        #expect((try? results[index].get()) == nil ? index == 2 : index != 2)
      }
      if how == "throws" { #expect(throws: Refusal()) { try results[2].get() } }
      if how.hasPrefix("breaks") {
        let error = #expect(throws: DatabaseError.self) { try results[2].get() }
        #expect(error?.resultCode == .SQLITE_CONSTRAINT)
      }
      let notes = try await queue.read { database in
        try String.fetchAll(database, sql: "SELECT text FROM note ORDER BY text")
      }
      #expect(notes == ["0", "1", "3", "4", "5"])
    }

    @Test("One that is stopped after its first statement is undone, and the others are committed")
    func stoppedHalfway() async throws {
      try await journal.start(6)
      let runs = try await journal.claim(6)
      let stopped = runs[2].id
      try await journal.write { database in
        try database.execute(
          sql: """
            CREATE TRIGGER stop BEFORE UPDATE OF sequence ON fieldstone_run
              WHEN NEW.id = '\(stopped)' BEGIN SELECT RAISE(ABORT, 'stopped'); END
            """)
      }
      let results = try await together(runs.map { $0.checkpoint() })
      for (index, run) in runs.enumerated() {
        let count = run.id == stopped ? 0 : 1
        #expect(try await journal.run(run.id)?.sequence == count)
        #expect(try await journal.chain(of: run.id).count == count)
        let isRefused = (try? results[index].get()) == nil
        #expect(isRefused == (run.id == stopped))
      }
    }

    @Test("A write that fails by itself, alone in its commit, leaves nothing")
    func alone() async throws {
      try await journal.start(1)
      let run = try await journal.claim(1)[0]
      let bad = CheckpointWrite { transaction in
        try (transaction as? Database)?.execute(sql: "CREATE TABLE note (text TEXT)")
        throw Refusal()
      }
      await #expect(throws: Refusal()) {
        try await journal.checkpoint(run.checkpoint(writes: [bad]), at: .at(1))
      }
      #expect(try await journal.run(run.id) == run)
      let queue = try DatabaseQueue(path: folder.path)
      #expect(try await queue.read { try $0.tableExists("note") } == false)
      try await journal.checkpoint(run.checkpoint(), at: .at(2))
    }

    @Test("Runs that work at the same time all get on, each in order")
    func manyAtOnce() async throws {
      let journal = journal
      try await journal.start(16)
      let runs = try await journal.claim(16)
      try await withThrowingTaskGroup { group in
        for run in runs {
          group.addTask {
            var record = run
            for number in 0..<40 {
              try await journal.checkpoint(record.checkpoint("\(number)"), at: .at(1))
              record.sequence += 1
            }
          }
        }
        try await group.waitForAll()
      }
      for run in runs {
        let chain = try await journal.chain(of: run.id)
        #expect(chain.map(\.sequence) == Array(0..<40))
        #expect(chain.dropFirst().map(\.payload) == (0..<39).map { Data("\($0)".utf8) })
      }
    }

    @Test(
      "What a write throws reaches the caller as it is, and what the disk throws as unavailable")
    func errors() async throws {
      try await journal.start(1)
      let run = try await journal.claim(1)[0]
      let wrong = CheckpointWrite { transaction in
        try (transaction as? Database)?.execute(sql: "INSERT INTO nowhere VALUES (1)")
      }
      await #expect(throws: DatabaseError.self) {
        try await journal.checkpoint(run.checkpoint(writes: [wrong]), at: .at(1))
      }
      let full = CheckpointWrite { _ in throw DatabaseError(resultCode: .SQLITE_FULL) }
      let error = await #expect(throws: JournalError.self) {
        try await journal.checkpoint(run.checkpoint(writes: [full]), at: .at(1))
      }
      #expect(error?.isTransient == true)
      #expect(try await journal.run(run.id) == run)
    }

    @Test(
      "A mistake in a write of one's own is its own, and not the journal's",
      arguments: [
        "INSERT INTO note VALUES (?)", "INSERT INTO note VALUES (7)", "DROP TABLE sqlite_schema",
        "SELEC", "BEGIN",
      ], [false, true])
    func mistakes(sql: String, isTogether: Bool) async throws {
      let queue = try DatabaseQueue(path: folder.path)
      try await queue.write { database in
        try database.execute(
          sql: """
            CREATE TABLE parent (id INTEGER PRIMARY KEY);
            CREATE TABLE note (parent INTEGER REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
            """)
      }
      try await journal.start(2)
      let runs = try await journal.claim(2)
      let wrong = CheckpointWrite { transaction in
        try (transaction as? Database)?.execute(sql: sql)
      }
      let checkpoints = [runs[0].checkpoint(writes: [wrong]), runs[1].checkpoint()]
      if isTogether {
        let results = try await together(checkpoints)
        #expect(throws: DatabaseError.self) { try results[0].get() }
        #expect(throws: Never.self) { try results[1].get() }
      } else {
        await #expect(throws: DatabaseError.self) {
          try await journal.checkpoint(checkpoints[0], at: .at(1))
        }
      }
      #expect(try await journal.run(runs[0].id) == runs[0])
    }

    @Test("Closed twice at once, it is closed when either returns")
    func closingTwice() async throws {
      let id = try await journal.start(1)[0]
      let (isWriting, mayEnd) = (Gate(), DispatchSemaphore(value: 0))
      let writing = Task { [journal] in
        try await journal.write { _ in
          isWriting.open()
          mayEnd.wait()
        }
      }
      await isWriting.wait()
      let closes = (0..<2).map { _ in
        Task { [journal, folder] in
          try await journal.close()
          return FileManager.default.fileExists(atPath: folder.path + "-wal")
        }
      }
      // Both are under way when a journal that is closed refuses.
      while (try? await journal.run(id)) != nil { await Task.yield() }
      mayEnd.signal()
      try await writing.value
      for close in closes { #expect(try await close.value == false) }
    }

    @Test("A closed journal answers what came before, and refuses what comes after")
    func closing() async throws {
      let id = try await journal.start(1)[0]
      try await journal.close()
      try await journal.close()
      await #expect(throws: JournalError.self) { try await journal.start(.sample(2), at: .at(0)) }
      await #expect(throws: JournalError.self) { try await journal.run(id) }
      let again = try SQLiteJournal(path: folder.path)
      #expect(try await again.run(id)?.sequence == 0)
    }
  }
#endif
