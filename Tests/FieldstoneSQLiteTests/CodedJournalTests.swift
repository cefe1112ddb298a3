#if SQLite
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneDurableTesting
  import FieldstoneSQLite
  import FieldstoneTesting
  import Foundation
  import GRDB
  import Testing

  @Suite("A journal in SQLite with a codec", .timeLimit(.minutes(20)))
  struct CodedJournalTests {
    /// Turns every bit over.
    private struct Inversion: PayloadCodec {
      let maximumOverhead = 0

      func encode(_ payload: Data, for context: PayloadContext) -> Data {
        Data(payload.map { ~$0 })
      }
      func decode(_ bytes: Data, for context: PayloadContext) -> Data { Data(bytes.map { ~$0 }) }
    }

    private let folder: Folder
    private let time = ManualTime()

    init() throws { folder = try Folder() }

    @Test("It keeps what every journal promises, also when two share its file")
    func conforms() async throws {
      let count = Locked(0)
      let options = SQLiteJournalOptions(
        durability: .normal, limits: PayloadLimits(warning: 10, error: 6_000))
      @Sendable func coded(_ path: String) throws -> CodedJournal<SQLiteJournal> {
        CodedJournal(try SQLiteJournal(path: path, options: options), codec: Inversion())
      }
      var suite = JournalConformance {
        let number = count.withLock { count in
          count += 1
          return count
        }
        return try coded(folder["\(number).sqlite"])
      }
      suite.payloadLimit = try coded(folder["limits.sqlite"]).limits.error
      suite.openAnother = { try coded($0.base.path) }
      suite.transactions = .init(
        write: { text in
          CheckpointWrite { transaction in
            let database = try #require(transaction as? Database)
            try database.execute(sql: "CREATE TABLE IF NOT EXISTS note (text TEXT)")
            try database.execute(sql: "INSERT INTO note VALUES (?)", arguments: [text])
          }
        },
        written: { journal in
          let queue = try DatabaseQueue(path: journal.base.path)
          return try await queue.read { database in
            guard try database.tableExists("note") else { return [] }
            return try String.fetchAll(database, sql: "SELECT text FROM note")
          }
        })
      try await suite.check()
    }

    private func runner(
      on journal: CodedJournal<SQLiteJournal>,
      _ body:
        @escaping @Sendable (String, DurableContext<Errand.Script>) async throws -> DurableStep<
          Errand, String
        >
    ) throws -> DurableRunner {
      try DurableRunner(
        journal: journal, flows: [DurableFlow(Errand.self, services: Errand.Script(body: body))],
        options: DurableRunnerOptions(
          pollInterval: .seconds(3_600), shutdownGrace: .zero, boot: "boot"),
        time: time.source)
    }

    @Test("Runs are started and signalled in the app's own transaction, and runners hear of it")
    func ownWrites() async throws {
      let base = try SQLiteJournal(path: folder.path, time: time.source)
      let journal = CodedJournal(base, codec: Inversion())
      try await base.write { try $0.execute(sql: "CREATE TABLE note (text TEXT)") }
      let name = SignalName("go", example: "")
      let written = Recorder<String>()
      let runner = try runner(on: journal) { text, context in
        guard text == "wait" else { return .complete("heard \(try context.signal(name) ?? "")") }
        context.atCheckpoint { (database: Database) in
          written.record(text)
          try database.execute(sql: "INSERT INTO note VALUES ('at checkpoint')")
        }
        return .receive(name, then: Errand("secret"))
      }
      let start = try runner.runStart(Errand("wait"), key: "key")
      let work = Task { try await runner.run() }
      defer { work.cancel() }
      // The clock stands still: no poll would find it.
      let record = try await base.write { database in
        try database.execute(sql: "INSERT INTO note VALUES ('a')")
        return try journal.start(start, in: database)
      }
      #expect(record.id == start.id && record.payload == start.payload)
      let run = runner.handle(start.id, completion: String.self)
      var stages = run.stages.makeAsyncIterator()
      _ = try await stages.next()
      let signal = try runner.signalRecord(name, "secret", id: "one", to: run.id)
      let receipts = try await base.write { database in
        [
          try journal.signal(run.id, signal, in: database),
          try journal.signal(run.id, signal, in: database),
        ]
      }
      #expect(receipts == [.sent, .alreadySent])
      #expect(try await run.value == "heard secret")
      #expect(written.count == 1)
      await runner.shutdown()
      for file in folder.names {
        #expect(folder.bytes(of: file)?.firstRange(of: Data("secret".utf8)) == nil, "\(file)")
      }
    }

    @Test("In a transaction of its own, a start that takes another's place is encoded for that")
    func replaces() async throws {
      let base = try SQLiteJournal(path: folder.path, time: time.source)
      let journal = CodedJournal(base, codec: Inversion())
      let runner = try runner(on: journal) { text, _ in .complete(text) }
      let first = try runner.runStart(Errand("first"), key: "key")
      let options = RunOptions(ifTaken: .replaceUnlessBegun)
      let second = try runner.runStart(Errand("second"), key: "key", options: options)
      let other = try runner.runStart(Errand("other"), key: "other", options: options)
      let ids = try await base.write { database in
        try [first, second, second, other].map { try journal.start($0, in: database).id }
      }
      #expect(ids == [first.id, first.id, first.id, other.id])
      #expect(try await journal.run(first.id)?.payload == second.payload)
      #expect(try await journal.run(other.id)?.payload == other.payload)
      let work = Task { try await runner.run() }
      defer { work.cancel() }
      let run = runner.handle(first.id, completion: String.self)
      #expect(try await run.value == "second")
      await runner.shutdown()
    }
  }
#endif
