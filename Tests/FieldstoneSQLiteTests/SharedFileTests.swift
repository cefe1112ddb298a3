#if SQLite
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneSQLite
  import FieldstoneTesting
  import Foundation
  import GRDB
  import Testing

  @Suite("Several who use one journal", .timeLimit(.minutes(20)))
  struct SharedFileTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    @Test("Two journals on one file give each run to one worker, and see each other's writes")
    func twoJournals() async throws {
      let journals = [try SQLiteJournal(path: folder.path), try SQLiteJournal(path: folder.path)]
      let ids = try await journals[0].start(100)
      let taken = try await withThrowingTaskGroup(of: [RunRecord].self) { group in
        for (index, journal) in journals.enumerated() {
          group.addTask {
            var taken: [RunRecord] = []
            while case let runs = try await journal.claim(3, worker: "worker \(index)"),
              !runs.isEmpty
            {
              for run in runs { try await journal.checkpoint(run.checkpoint(), at: .at(1)) }
              taken += runs
            }
            return taken
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      #expect(taken.map(\.id).sorted() == ids)
      for id in ids {
        let record = try await journals[1].run(id)
        #expect(record?.sequence == 1)
        #expect(try await journals[0].run(id) == record)
      }
    }

    @Test(
      "The runs of a process that has ended are taken over at once, also by one of its name",
      arguments: ["worker", "another"])
    func namesake(_ worker: String) async throws {
      // Closed without parking, it has left what a killed one leaves.
      let before = try SQLiteJournal(path: folder.path)
      let ids = try await before.start(20)
      #expect(try await before.claim(20, lease: .seconds(3_600)).count == 20)
      try await before.close()
      let journal = try SQLiteJournal(path: folder.path)
      let taken = try await journal.claim(15, worker: worker, at: .at(1))
      #expect(taken.map(\.id) == Array(ids.prefix(15)) && taken.allSatisfy { $0.crashes == 1 })
      #expect(try await journal.claim(20, worker: "third", at: .at(2)).map(\.id) == ids.suffix(5))
      // A later claim of its own takes nothing from itself.
      #expect(try await journal.claim(20, worker: worker, at: .at(3)).isEmpty)
    }

    #if os(macOS) || os(Linux)
      @Test(
        "The runs of a worker that is killed are taken over at once, those of one alive are not")
      func takeover() async throws {
        let journal = try SQLiteJournal(path: folder.path)
        let ids = try await journal.start(2)
        let path = folder.path
        let (alive, killed) = try await onThread {
          let alive = try OtherProcess("claim", path)
          #expect(alive.line() == "\(ids[0]) 0")
          let killed = try OtherProcess("claim", path)
          #expect(killed.line() == "\(ids[1]) 0")
          return (alive, killed)
        }
        #expect(try await journal.claim(5, at: .real).isEmpty)
        try await onThread {
          killed.send(SIGKILL)
          killed.end()
        }
        // Its lease has an hour to go.
        let taken = try await journal.claim(5, at: .real)
        #expect(taken.map(\.id) == [ids[1]])
        #expect(taken.first?.fence == 2 && taken.first?.crashes == 1)
        try await onThread {
          alive.endInput()
          alive.end()
        }
        #expect(try await journal.claim(5, at: .real).map(\.id) == [ids[0]])
      }
    #endif

    #if os(macOS) || os(Linux)
      @Test(
        "The lock files of the dead are removed when a new worker comes, those of the living stay")
      func staleLocks() async throws {
        let journal = try SQLiteJournal(path: folder.path)
        let ids = try await journal.start(3)
        let path = folder.path
        let alive = try await onThread {
          for _ in 0..<2 {
            let killed = try OtherProcess("claim", path)
            _ = killed.line()
            killed.send(SIGKILL)
            killed.end()
          }
          let alive = try OtherProcess("claim", path)
          _ = alive.line()
          return alive
        }
        func locks() -> Int { folder.names.filter { $0.contains("-worker-") }.count }
        // Each new one removes those that have lost their runs to others: the second's is the last.
        let first = try await journal.claim(1, worker: "mine/1: ä", at: .real)
        #expect(first.map(\.id) == [ids[1]])
        #expect(locks() == 2)
        let again = try SQLiteJournal(path: folder.path)
        _ = try await again.claim(0, worker: "other", at: .real)
        // The living process and the two workers here.
        #expect(locks() == 3)
        try await onThread {
          alive.endInput()
          alive.end()
        }
        #expect(try await again.claim(9, worker: "other", at: .real).map(\.id) == [ids[0], ids[2]])
      }
    #endif

    @Test(
      "A process that makes a worker for each task keeps the locks of few, and of all that work")
    func manyWorkers() async throws {
      let journals = [try SQLiteJournal(path: folder.path), try SQLiteJournal(path: folder.path)]
      let ids = try await journals[0].start(2)
      #expect(try await journals[0].claim(1, worker: "busy").map(\.id) == [ids[0]])
      for number in 0..<60 {
        let run = try await journals[0].claim(1, worker: "worker \(number)")[0]
        #expect(run.id == ids[1])
        try await journals[0].park(Parking(claim: run.claim, reason: .shutdown), at: .at(0))
      }
      #expect(folder.names.filter { $0.contains("-worker-") }.count <= 20)
      // One whose lock was let go of is as good as any.
      #expect(try await journals[0].claim(1, worker: "worker 1").map(\.id) == [ids[1]])
      #expect(try await journals[1].claim(2, worker: "other").isEmpty)
    }

    @Test("Of the files with names like those of lock files, only lock files are removed")
    func othersFiles() async throws {
      let path = folder.path
      // Another journal, with its own lock files.
      let mail = try SQLiteJournal(path: path + "-worker-mail")
      try await mail.start(1)
      _ = try await mail.claim(1, worker: "theirs")
      for (name, text) in [("notes", "x"), ("gone", ""), ("gone.log", "")] {
        try Data(text.utf8).write(to: URL(filePath: "\(path)-worker-\(name)"))
      }
      let before = Set(folder.names)
      let journal = try SQLiteJournal(path: path)
      _ = try await journal.claim(1, worker: "mine")
      let lost = before.subtracting(folder.names)
      #expect(lost == ["journal.sqlite-worker-gone"])
      #expect(folder.names.contains("journal.sqlite-worker-mine"))
      try await mail.start(1, from: 1)
    }

    @Test("A worker of this process counts as alive for a journal beside it")
    func aliveHere() async throws {
      let journals = [try SQLiteJournal(path: folder.path), try SQLiteJournal(path: folder.path)]
      let ids = try await journals[0].start(1)
      #expect(try await journals[0].claim(1, worker: "a").map(\.id) == ids)
      #expect(try await journals[1].claim(1, worker: "b").isEmpty)
      try await journals[0].close()
      #expect(try await journals[1].claim(1, worker: "b").map(\.id) == ids)
    }

    @Test("Without its lock file a worker has its lease")
    func missingLock() async throws {
      let journals = [try SQLiteJournal(path: folder.path), try SQLiteJournal(path: folder.path)]
      let ids = try await journals[0].start(1)
      #expect(try await journals[0].claim(1, worker: "a").map(\.id) == ids)
      try FileManager.default.removeItem(atPath: folder.path + "-worker-a")
      #expect(try await journals[1].claim(1, worker: "b").isEmpty)
      #expect(try await journals[1].claim(1, worker: "b", at: .at(60)).map(\.id) == ids)
    }

    @Test("Whoever only looks writes nothing, while another process works")
    func looking() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      try await journal.start(5)
      let before = (folder.names, folder.bytes(), folder.bytes(of: "journal.sqlite-wal"))
      let reader = try SQLiteJournal.reader(path: folder.path)
      #expect(try await reader.runs(RunQuery()).runs.count == 5)
      for _ in 0..<3 { await #expect(throws: JournalError.self) { try await reader.start(1) } }
      await #expect(throws: JournalError.self) { try await reader.claim(1) }
      try await reader.close()
      let after = (folder.names, folder.bytes(), folder.bytes(of: "journal.sqlite-wal"))
      #expect(before.0 == after.0 && before.1 == after.1 && before.2 == after.2)
      // It sees what is written meanwhile.
      let other = try SQLiteJournal.reader(path: folder.path)
      try await journal.start(1, from: 5)
      #expect(try await other.runs(RunQuery()).runs.count == 6)
    }

    @Test("Who waits for another process's write gives up when the time is over")
    func closedGate() async throws {
      let time = ManualTime()
      let journal = try SQLiteJournal(path: folder.path, time: time.source)
      try await journal.start(1)
      let gate = open(folder.path + "-writer", O_RDWR | O_CLOEXEC)
      defer { close(gate) }
      #expect(flock(gate, LOCK_EX | LOCK_NB) == 0)
      let late = Task { try await journal.start(1, from: 1) }
      await time.sleepers(atLeast: 1)
      time.advance(by: .seconds(10))
      let error = await #expect(throws: JournalError.self) { try await late.value }
      #expect(error?.isTransient == true)
      // Reading is not concerned.
      #expect(try await journal.runs(RunQuery()).runs.count == 1)
      let soon = Task { try await journal.start(1, from: 2) }
      await time.sleepers(atLeast: 1)
      flock(gate, LOCK_UN)
      time.advance(by: .milliseconds(4))
      #expect(try await soon.value.count == 1)
    }

    @Test("A write has its whole time to wait, also behind one that has waited before")
    func lateBehindAClosedGate() async throws {
      let time = ManualTime()
      let journal = try SQLiteJournal(path: folder.path, time: time.source)
      let gate = open(folder.path + "-writer", O_RDWR | O_CLOEXEC)
      defer { close(gate) }
      #expect(flock(gate, LOCK_EX | LOCK_NB) == 0)
      let early = Task { try await journal.start(1) }
      await time.sleepers(atLeast: 1)
      time.advance(by: .seconds(4.9))
      await time.sleepers(atLeast: 1)
      let late = Task { try await journal.start(1, from: 1) }
      while journal.waitingWrites < 2 { await Task.yield() }
      time.advance(by: .seconds(0.2))
      let error = await #expect(throws: JournalError.self) { try await early.value }
      #expect(error?.isTransient == true)
      await time.sleepers(atLeast: 1)
      #expect(journal.waitingWrites == 1)
      flock(gate, LOCK_UN)
      time.advance(by: .milliseconds(4))
      #expect(try await late.value.count == 1)
    }

    @Test("A process that was stopped while it stood in front does not keep the others out")
    func stoppedInFront() async throws {
      let time = ManualTime()
      let journal = try SQLiteJournal(path: folder.path, time: time.source)
      let front = open(folder.path + "-writer-next", O_RDWR | O_CLOEXEC)
      defer { close(front) }
      #expect(flock(front, LOCK_EX | LOCK_NB) == 0)
      let late = Task { try await journal.start(1) }
      await time.sleepers(atLeast: 1)
      time.advance(by: .seconds(1))
      #expect(try await late.value.count == 1)
      // From then on nobody waits for it.
      for number in 1...3 { try await journal.start(1, from: number) }
      // Once it goes on, or has ended, the turns are as before.
      flock(front, LOCK_UN)
      try await journal.start(1, from: 4)
      #expect(flock(front, LOCK_EX | LOCK_NB) == 0)
      let again = Task { try await journal.start(1, from: 5) }
      await time.sleepers(atLeast: 1)
      time.advance(by: .seconds(1))
      #expect(try await again.value.count == 1)
    }

    @Test("Who opens a journal passes one that was stopped in front, too")
    func stoppedInFrontOfOpening() async throws {
      try await SQLiteJournal(path: folder.path).close()
      let front = open(folder.path + "-writer-next", O_RDWR | O_CLOEXEC)
      defer { close(front) }
      #expect(flock(front, LOCK_EX | LOCK_NB) == 0)
      let options = SQLiteJournalOptions(busyTimeout: .milliseconds(10))
      try await SQLiteJournal(path: folder.path, options: options).start(1)
    }

    @Test("A worker's name that is taken by another is told as what it is")
    func takenName() async throws {
      let journals = [try SQLiteJournal(path: folder.path), try SQLiteJournal(path: folder.path)]
      _ = try await journals[0].claim(1, worker: "a")
      let taken = JournalError.duplicateWorker("a")
      await #expect(throws: taken) { try await journals[1].claim(1, worker: "a") }
      // It ends the runner: waiting would not help.
      #expect(taken.message.contains("worker's name a") && !taken.isTransient)
    }

    @Test("A foreign connection that keeps writing makes the journal unavailable, not broken")
    func busy() async throws {
      let journal = try SQLiteJournal(
        path: folder.path, options: SQLiteJournalOptions(busyTimeout: .milliseconds(1)))
      let queue = try DatabaseQueue(path: folder.path)
      try await queue.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE; ROLLBACK") }
      let foreign = try await onThread {
        let connection = try DatabaseQueue(path: queue.path, configuration: Self.unsafe)
        try connection.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        return connection
      }
      let error = await #expect(throws: JournalError.self) { try await journal.start(1) }
      #expect(error?.isTransient == true)
      try await foreign.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
      try await journal.start(1)
    }

    private static var unsafe: Configuration {
      var configuration = Configuration()
      configuration.allowsUnsafeTransactions = true
      return configuration
    }

    @Test("A full disk makes it unavailable until there is room again")
    func full() async throws {
      let pool = try DatabasePool(path: folder.path)
      let journal = try SQLiteJournal(in: pool)
      let id = try await journal.start(1)[0]
      let run = try await journal.claim(1)[0]
      let pages = try await pool.write { database in
        let count = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
        try database.execute(sql: "PRAGMA max_page_count = \(count)")
        return count
      }
      let large = "\"" + String(repeating: "x", count: 100_000) + "\""
      for _ in 0..<3 {
        let error = await #expect(throws: JournalError.self) {
          try await journal.checkpoint(run.checkpoint(large), at: .at(1))
        }
        #expect(error?.isTransient == true)
        #expect(try await journal.run(id) == run)
      }
      try await pool.write { try $0.execute(sql: "PRAGMA max_page_count = \(pages + 1_000)") }
      try await journal.checkpoint(run.checkpoint(large), at: .at(1))
    }

    @Test("A worker keeps its runs where many others come and go between its claims")
    func workerAmongMany() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      for number in 0..<16 { _ = try await journal.claim(1, worker: "worker \(number)") }
      try await journal.start(1)
      let gate = Gate()
      async let opening: Void = journal.write { _ in
        gate.open()
        while journal.waitingWrites < 2 { sched_yield() }
      }
      await gate.wait()
      let other = ClaimRequest(
        worker: "one more", flows: [.init(flow: "others", version: 1, limit: 1)],
        lease: .seconds(60))
      let late = Task { try await journal.claim(other, at: .at(0)) }
      while journal.waitingWrites < 1 { await Task.yield() }
      async let claimed = journal.claim(1, worker: "worker 3")
      try await opening
      _ = try await late.value
      let run = try #require(try await claimed.first)
      #expect(try await journal.claim(1, worker: "worker 3", at: .at(1)).isEmpty)
      let now = try #require(try await journal.run(run.id))
      #expect(now.fence == run.fence && now.crashes == 0)
    }

    @Test("The write-ahead log is emptied, also when readers have been in the way")
    func logIsBounded() async throws {
      let limit = 256 * 1024
      let journal = try SQLiteJournal(
        path: folder.path, options: SQLiteJournalOptions(logLimit: limit))
      try await journal.start(1)
      var run = try await journal.claim(1)[0]
      func size() -> Int { folder.bytes(of: "journal.sqlite-wal")?.count ?? 0 }
      let payload = "\"" + String(repeating: "x", count: 50_000) + "\""
      func write(_ count: Int) async throws {
        for _ in 0..<count {
          try await journal.checkpoint(run.checkpoint(payload), at: .at(1))
          run.sequence += 1
        }
      }
      do {
        let reader = try DatabaseQueue(path: folder.path, configuration: Self.unsafe)
        try await reader.writeWithoutTransaction { database in
          try database.execute(sql: "BEGIN")
          _ = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM fieldstone_run")
        }
        try await write(20)
        #expect(size() > 4 * limit)
        try await reader.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
      }
      try await write(5)
      #expect(size() < 4 * limit)
    }

    @Test("Once SQLite has restarted a log that had grown, its limit is the first one again")
    func limitAfterGrowth() async throws {
      let limit = 256 * 1024
      let journal = try SQLiteJournal(
        path: folder.path, options: SQLiteJournalOptions(logLimit: limit))
      try await journal.start(1)
      var run = try await journal.claim(1)[0]
      func size() -> Int { folder.bytes(of: "journal.sqlite-wal")?.count ?? 0 }
      let payload = "\"" + String(repeating: "x", count: 50_000) + "\""
      func write(_ count: Int) async throws {
        for _ in 0..<count {
          try await journal.checkpoint(run.checkpoint(payload), at: .at(1))
          run.sequence += 1
        }
      }
      func whileReading(_ body: () async throws -> Void) async throws {
        let reader = try DatabaseQueue(path: folder.path, configuration: Self.unsafe)
        try await reader.writeWithoutTransaction { database in
          try database.execute(sql: "BEGIN")
          _ = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM fieldstone_run")
        }
        try await body()
        try await reader.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
      }
      try await whileReading { try await write(40) }
      let grown = size()
      #expect(grown > 6 * limit)
      // Another connection empties the log.
      let other = try DatabaseQueue(path: folder.path, configuration: Self.unsafe)
      try await other.writeWithoutTransaction {
        _ = try Row.fetchOne($0, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
      }
      try await write(1)
      #expect(size() < limit)
      try await write(12)
      #expect(size() < 3 * limit, "it was emptied long before it had grown as far again")
    }
  }
#endif
