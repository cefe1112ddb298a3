#if SQLite
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneSQLite
  import FieldstoneTesting
  import Foundation
  import GRDB
  import Testing

  @Suite(
    "Runs that are started and signalled in the app's own transaction", .timeLimit(.minutes(20)))
  struct OwnStartTests {
    let folder: Folder
    let time = ManualTime()

    init() throws { folder = try Folder() }

    private struct Refusal: Error, Equatable {}

    private func journalWithNotes() async throws -> SQLiteJournal {
      let journal = try SQLiteJournal(path: folder.path, time: time.source)
      try await journal.write { try $0.execute(sql: "CREATE TABLE note (text TEXT UNIQUE)") }
      return journal
    }

    private func notes() async throws -> [String] {
      let queue = try DatabaseQueue(path: folder.path)
      return try await queue.read { try String.fetchAll($0, sql: "SELECT text FROM note") }
    }

    private func runner(
      on journal: SQLiteJournal,
      _ body:
        @escaping @Sendable (String, DurableContext<Errand.Script>) async throws -> DurableStep<
          Errand, String
        > = { name, _ in .complete(name) }
    ) throws -> DurableRunner {
      try DurableRunner(
        journal: journal, flows: [DurableFlow(Errand.self, services: Errand.Script(body: body))],
        options: DurableRunnerOptions(
          pollInterval: .seconds(3_600), shutdownGrace: .zero, boot: "boot"),
        time: time.source)
    }

    private func working<Value>(
      _ runner: DurableRunner, _ body: () async throws -> Value
    ) async throws -> Value {
      let work = Task { try await runner.run() }
      defer { work.cancel() }
      return try await body()
    }

    @Test("A run is there with the app's rows; runners and handles hear of it after the commit")
    func commits() async throws {
      let journal = try await journalWithNotes()
      let runner = try runner(on: journal)
      // The clock stands still: no poll would find it.
      let value = try await working(runner) {
        let first = try await runner.start(Errand("first"))
        #expect(try await first.value == "first")
        let start = try runner.runStart(Errand("second"), key: "key")
        let record = try await journal.write { database in
          try database.execute(sql: "INSERT INTO note VALUES ('a')")
          return try journal.start(start, in: database)
        }
        #expect(record.id == start.id && record.key == "key" && record.state == .ready)
        let again = try await journal.write { try journal.start(start, in: $0).id }
        #expect(again == start.id)
        return try await runner.handle(start.id, completion: String.self).value
      }
      #expect(value == "second")
      #expect(try await notes() == ["a"])
    }

    @Test("A signal wakes the run that waits for it")
    func signals() async throws {
      let journal = try await journalWithNotes()
      let name = SignalName("go", example: 1)
      let runner = try runner(on: journal) { text, context in
        guard text == "wait" else {
          return .complete("\(text) \(try context.signal(name) ?? 0)")
        }
        return .receive(name, then: Errand("heard"))
      }
      let value = try await working(runner) {
        let run = try await runner.start(Errand("wait"))
        var stages = run.stages.makeAsyncIterator()
        _ = try await stages.next()
        let signal = try runner.signalRecord(name, 7, id: "one", to: run.id)
        let receipts = try await journal.write { database in
          try database.execute(sql: "INSERT INTO note VALUES ('a')")
          return [
            try journal.signal(run.id, signal, in: database),
            try journal.signal(run.id, signal, in: database),
          ]
        }
        #expect(receipts == [.sent, .alreadySent])
        return try await run.value
      }
      #expect(value == "heard 7")
    }

    @Test("A body that throws leaves neither rows nor runs nor signals, and harms no other")
    func rollsBack() async throws {
      let journal = try await journalWithNotes()
      let id = try await journal.start(1)[0]
      let runner = try runner(on: journal)
      let (bad, good) = (try runner.runStart(Errand("bad")), try runner.runStart(Errand("good")))
      let signal = SignalRecord(
        id: "one", name: "go", payload: Data("1".utf8), sentAt: Date(timeIntervalSince1970: 0))
      // All share a commit with the one that waits for them.
      let gate = Gate()
      async let opening: Void = journal.write { _ in
        gate.open()
        while journal.waitingWrites < 2 { sched_yield() }
      }
      await gate.wait()
      async let failing: Void = journal.write { database in
        try database.execute(sql: "INSERT INTO note VALUES ('bad')")
        try journal.start(bad, in: database)
        try journal.signal(id, signal, in: database)
        throw Refusal()
      }
      async let succeeding = journal.write { database in
        try database.execute(sql: "INSERT INTO note VALUES ('good')")
        return try journal.start(good, in: database)
      }
      try await opening
      do {
        try await failing
        Issue.record("It threw nothing.")
      } catch {
        #expect(error is Refusal)
      }
      _ = try await succeeding
      #expect(try await notes() == ["good"])
      #expect(try await journal.run(bad.id) == nil)
      #expect(try await journal.run(good.id)?.flow == Errand.flowName)
      #expect(try await journal.signal(id, signal, at: .at(0)) == .sent)
    }

    @Test("At a checkpoint a run is there if and only if the checkpoint was made")
    func checkpoints() async throws {
      let journal = try await journalWithNotes()
      try await journal.start(1)
      let run = try #require(try await journal.claim(1).first)
      let runner = try runner(on: journal)
      let start = try runner.runStart(Errand("next"))
      func checkpoint(_ isRefused: Bool) -> Checkpoint {
        var checkpoint = run.checkpoint()
        checkpoint.writes = [
          CheckpointWrite { transaction in
            guard let database = transaction as? Database else { throw Refusal() }
            try journal.start(start, in: database)
            if isRefused { throw Refusal() }
          }
        ]
        return checkpoint
      }
      await #expect(throws: Refusal.self) {
        try await journal.checkpoint(checkpoint(true), at: .at(1))
      }
      #expect(try await journal.run(start.id) == nil)
      try await journal.checkpoint(checkpoint(false), at: .at(1))
      #expect(try await journal.run(start.id)?.state == .ready)
      #expect(try await journal.chain(of: run.id).map(\.sequence) == [0])
    }

    @Test("A transaction that the journal has not opened is refused, with the reason")
    func refused() async throws {
      let pool = try DatabasePool(path: folder.path)
      let journal = try SQLiteJournal(in: pool, time: time.source)
      let other = try SQLiteJournal(path: folder.path)
      let (start, id) = (RunStart.sample(5), try await journal.start(1)[0])
      let signal = SignalRecord(
        id: "one", name: "go", payload: Data("1".utf8), sentAt: Date(timeIntervalSince1970: 0))
      #expect(
        JournalError.notInWrite.message.contains("another process may write at the same time"))
      // Past the gate, on the journal's own connection.
      try await pool.write { database in
        _ = #expect(throws: JournalError.notInWrite) { try journal.start(start, in: database) }
        #expect(throws: JournalError.notInWrite) {
          try journal.signal(id, signal, in: database)
        }
      }
      // Of another journal, on the same file.
      try await other.write { database in
        _ = #expect(throws: JournalError.notInWrite) { try journal.start(start, in: database) }
      }
      // After the body has ended the transaction.
      _ = try? await journal.write { database in
        try database.execute(sql: "ROLLBACK")
        #expect(throws: JournalError.notInWrite) { try journal.start(start, in: database) }
      }
      #expect(try await journal.run(start.id) == nil)
      try await journal.close()
      try await other.write { database in
        _ = #expect(throws: JournalError.closed) { try journal.start(start, in: database) }
      }
    }

    @Test("What is refused has changed nothing: the body may go on")
    func passesOver() async throws {
      let journal = try await journalWithNotes()
      let missing = sampleID(9)
      let signal = SignalRecord(
        id: "one", name: "go", payload: Data("1".utf8), sentAt: Date(timeIntervalSince1970: 0))
      var long = RunStart.sample(1)
      long.key = String(repeating: "k", count: 2_000)
      let tooLong = long
      try await journal.write { database in
        #expect(throws: JournalError.noRun(missing)) {
          try journal.signal(missing, signal, in: database)
        }
        #expect(throws: JournalError.keyTooLong(bytes: 2_000, limit: 1_024)) {
          try journal.start(tooLong, in: database)
        }
        try database.execute(sql: "INSERT INTO note VALUES ('a')")
      }
      #expect(try await notes() == ["a"])
      #expect(try await journal.runs(RunQuery()).runs.isEmpty)
    }

    @Test("A start that is refused has not taken the key of the run before it")
    func refusedRestart() async throws {
      let journal = try await journalWithNotes()
      let first = RunStart.sample(1, key: "key")
      _ = try await journal.start(first, at: .at(0))
      try await journal.change(first.id, .cancel, by: nil, at: .at(1))
      let own = first.id.slot
      #expect(
        try await journal.setSlots(from: nil, to: JournalSlots(group: "group", ranges: [own...own]))
      )
      var start = RunStart.sample(2, key: "key")
      start.ifTaken = .restartIfOver
      let restart = start
      #expect(restart.id.slot != own)
      try await journal.write { database in
        #expect(throws: JournalError.foreignSlot) { try journal.start(restart, in: database) }
        try database.execute(sql: "INSERT INTO note VALUES ('a')")
      }
      #expect(try await notes() == ["a"])
      #expect(try await journal.run(first.id)?.key == "key")
      #expect(try await journal.run(restart.id) == nil)
    }

    @Test("Many starts share commits, and one call has them all")
    func many() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      var starts = (0..<1_000).map { RunStart.sample($0, key: "\($0)") }
      starts[500].key = "0"
      let answers = await journal.start(starts, at: .at(0))
      #expect(answers.compactMap { try? $0.get() }.count == 1_000)
      #expect(try answers[500].get().id == starts[0].id)
      #expect(try await journal.claim(2_000).count == 999)
      try await journal.close()
      for answer in await journal.start([.sample(1), .sample(2)], at: .at(0)) {
        #expect(throws: JournalError.closed) { try answer.get() }
      }
    }
  }
#endif
