#if SQLite && (os(macOS) || os(Linux))
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneSQLite
  import FieldstoneTesting
  import Foundation
  import GRDB
  import Testing

  /// Bounded here; `Scripts/crash` asks for the full number.
  @Suite("Processes that are killed", .timeLimit(.minutes(20)))
  struct CrashTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    static let seed: UInt64 = 0xC4A5_4ED0
    static let kills =
      ProcessInfo.processInfo.environment["FIELDSTONE_CRASH_KILLS"].flatMap { Int($0) } ?? 40

    @Test("A writer that is killed at any time loses nothing that was answered")
    func killedWriters() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      let id = try await journal.start(1)[0]
      var random = SeededGenerator(seed: Self.seed)
      let path = folder.path
      var told = 0
      for round in 0..<Self.kills {
        let (lines, spin) = (
          Int.random(in: 1...20, using: &random), Int.random(in: 0..<100_000, using: &random)
        )
        told = try await onThread { [told] in
          let writer = try OtherProcess("write", path)
          #expect(writer.line()?.hasPrefix("\(id) ") == true, "seed \(Self.seed), round \(round)")
          var last = told
          for _ in 0..<lines { last = writer.line().flatMap { Int($0) } ?? -1 }
          // Somewhere within the next checkpoints.
          spinFor(spin)
          writer.send(SIGKILL)
          for line in writer.end() { last = Int(line) ?? -1 }
          return last
        }
        let record = try #require(try await journal.run(id))
        let chain = try await journal.chain(of: id)
        // What was told is there; one more may be, whose telling was cut off.
        guard told > 0, (told...told + 1).contains(record.sequence),
          chain.map(\.sequence) == Array(0..<record.sequence), record.fence == round + 1
        else {
          Issue.record(
            """
            seed \(Self.seed), round \(round): sequence \(record.sequence), fence \(record.fence) \
            after \(told) was told; \(chain.count) links
            """)
          return
        }
        told = record.sequence
      }
    }

    @Test("Workers that are killed at random lose no run, break no chain, and repeat little")
    func killedWorkers() async throws {
      let (runs, stages) = (100, max(20, Self.kills))
      let journal = try await makeHops(runs, stages: stages)
      var random = SeededGenerator(seed: Self.seed)
      let path = folder.path
      var kills = 0
      while kills < Self.kills {
        let (lines, spin) = (
          Int.random(in: 0...30, using: &random), Int.random(in: 0..<200_000, using: &random)
        )
        let complaints = try await onThread {
          let worker = try OtherProcess("work", path)
          var told: [String] = []
          for _ in 0..<lines { told.append(worker.line() ?? "ended") }
          spinFor(spin)
          worker.send(SIGKILL)
          return (told + worker.end()).filter { $0 != "finished" }
        }
        #expect(complaints.isEmpty, "seed \(Self.seed), kill \(kills)")
        kills += 1
      }
      try await finish(with: 1)
      try await examine(journal, runs: runs, stages: stages, repeatedAtMost: kills)
    }

    @Test("Workers that are killed at random lose no child and no wake-up, and double no child")
    func killedFamilies() async throws {
      // More lines than are read: a worker with nothing to do says nothing.
      let (runs, stages, fork) = (2 * Self.kills, 3, 4)
      let journal = try await makeHops(runs, stages: stages, fork: fork)
      var random = SeededGenerator(seed: Self.seed ^ 1)
      let path = folder.path
      for number in 0..<Self.kills {
        let (lines, spin) = (
          Int.random(in: 0...8, using: &random), Int.random(in: 0..<200_000, using: &random)
        )
        try await onThread {
          let worker = try OtherProcess("work", path)
          for _ in 0..<lines { _ = worker.line() }
          spinFor(spin)
          worker.send(SIGKILL)
          worker.end()
        }
        let state = try await JournalState(of: journal)
        #expect(state.isUnbroken, "seed \(Self.seed), kill \(number): \(state)")
      }
      try await finish(with: 2)
      var keys: Set<String> = []
      for number in 0..<runs {
        let id = sampleID(number)
        #expect(try await journal.run(id)?.state == .completed)
        let children = try await journal.children(of: id, at: nil, after: nil, limit: 100).children
        #expect(children.map(\.place.ordinal) == Array(0..<fork))
        #expect(children.allSatisfy { $0.end == .completed })
        keys.formUnion((0..<stages).map { "\(id)-\($0)" } + children.map { "\($0.id)-0" })
      }
      let queue = try DatabaseQueue(path: folder.path)
      let effects = try await queue.read { database in
        try String.fetchAll(database, sql: "SELECT key FROM effect")
      }
      #expect(effects.count == keys.count && Set(effects) == keys)
    }

    @Test("What was under way as its process was killed twice is given at once, not one by one")
    func drained() async throws {
      let count = 16
      let journal = try await makeHops(count, stages: 1)
      let path = folder.path
      for _ in 0..<2 {
        let begun = try await onThread {
          let worker = try OtherProcess("hold", path)
          let lines = (0..<count).map { _ in worker.line() ?? "ended" }
          worker.send(SIGKILL)
          return lines + worker.end()
        }
        #expect(begun == Array(repeating: "begun", count: count))
      }
      let told = try await onThread { try OtherProcess("drain", path).end() }
      // Two crashes make it suspected: it is tried in groups, of which this is the first.
      #expect(told.filter { $0.hasPrefix("given") } == ["given \(count)"])
      #expect(told.last == "ended")
      for number in 0..<count {
        let record = try #require(try await journal.run(sampleID(number)))
        #expect(record.state == .completed && record.fence == 3)
      }
      #expect(try await journal.findings() == [])
    }

    @Test("Four workers on 400 runs do everything once")
    func fourWorkers() async throws {
      let journal = try await makeHops(400, stages: 3)
      try await finish(with: 4)
      try await examine(journal, runs: 400, stages: 3, repeatedAtMost: 0)
    }

    @Test("A worker that was stopped past its lease is refused")
    func stalledWorker() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      let id = try await journal.start(1)[0]
      let path = folder.path
      let worker = try await onThread {
        let worker = try OtherProcess("stall", path, lease: 3_600_000)
        #expect(worker.line() == "\(id) 0")
        worker.send(SIGSTOP)
        return worker
      }
      // It is alive: its lease decides.
      #expect(try await journal.claim(1, at: .real).isEmpty)
      var later = JournalTime.real
      later.uptime += .seconds(7_200)
      let mine = try #require(try await journal.claim(1, at: later).first)
      #expect(mine.fence == 2)
      let answer = try await onThread {
        worker.send(SIGCONT)
        worker.say("go")
        return worker.end()
      }
      #expect(answer == ["refused"])
      try await journal.checkpoint(mine.checkpoint(), at: later)
      #expect(try await journal.chain(of: id).map(\.fence) == [2])
    }

    @Test("Workers that are stopped past their leases and go on later break nothing")
    func stalledWorkers() async throws {
      let (runs, stages, count) = (30, 20, 4)
      let journal = try await makeHops(runs, stages: stages)
      let path = folder.path
      let stopped = try await onThread {
        try (0..<count).map { _ in
          // Not within a write: nobody can write while one is stopped there.
          let worker = try OtherProcess("pause", path, lease: 2_000)
          while let line = worker.line(), line != "paused" {}
          worker.send(SIGSTOP)
          return worker
        }
      }
      try await finish(with: 1)
      try await onThread {
        for worker in stopped {
          worker.send(SIGCONT)
          worker.endInput()
        }
        for worker in stopped { worker.end() }
      }
      try await examine(journal, runs: runs, stages: stages, repeatedAtMost: count)
    }

    /// Starts runs of the helper program's flow.
    private func makeHops(
      _ runs: Int, stages: Int, fork: Int? = nil
    ) async throws -> SQLiteJournal {
      let queue = try DatabaseQueue(path: folder.path)
      try await queue.write { try $0.execute(sql: "CREATE TABLE effect (key TEXT)") }
      try queue.close()
      let journal = try SQLiteJournal(
        path: folder.path, options: SQLiteJournalOptions(joinsOtherTables: true))
      for number in 0..<runs {
        let start = RunStart(
          id: sampleID(number), flow: "hops", version: 1,
          payload: Data("{\"left\":\(stages)\(fork.map { ",\"fork\":\($0)" } ?? "")}".utf8))
        _ = try await journal.start(start, at: .real)
      }
      return journal
    }

    /// Lets so many processes work until all is done.
    func finish(with count: Int, command: String = "finish") async throws {
      let path = folder.path
      let ended = try await onThread {
        let processes = try (0..<count).map { _ in try OtherProcess(command, path) }
        return processes.map { $0.end().filter { $0 != "finished" } }
      }
      #expect(ended == Array(repeating: ["ended"], count: count))
    }

    private func examine(
      _ journal: SQLiteJournal, runs: Int, stages: Int, repeatedAtMost most: Int
    ) async throws {
      #expect(try await journal.findings() == [])
      var keys: Set<String> = []
      for number in 0..<runs {
        let id = sampleID(number)
        let record = try #require(try await journal.run(id))
        let chain = try await journal.chain(of: id)
        #expect(record.state == .completed && record.sequence == stages)
        #expect(record.payload == Data("\(stages)".utf8))
        #expect(chain.map(\.sequence) == Array(0..<stages))
        #expect(chain.map(\.fence) == chain.map(\.fence).sorted())
        keys.formUnion((0..<stages).map { "\(id)-\($0)" })
      }
      // Outside: each at least once, and twice at most for each kill.
      let lines = String(
        decoding: folder.bytes(of: "journal.sqlite-effects") ?? Data(), as: UTF8.self
      )
      .split(whereSeparator: \.isWhitespace).map(String.init)
      #expect(Set(lines) == keys)
      #expect(lines.count - keys.count <= most)
      // In the transaction of the checkpoint: each exactly once.
      let queue = try DatabaseQueue(path: folder.path)
      let effects = try await queue.read { database in
        try String.fetchAll(database, sql: "SELECT key FROM effect")
      }
      #expect(effects.count == keys.count && Set(effects) == keys)
    }
  }

  /// Lets some time pass without sleeping.
  func spinFor(_ count: Int) {
    var sum = 0
    for number in 0..<count { sum = sum &* 31 &+ number }
    if sum == 42 { sched_yield() }
  }
#endif
