#if PostgreSQL && (os(macOS) || os(Linux))
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstonePostgres
  import FieldstoneTesting
  import Foundation
  import Testing

  @Suite(
    "Connections to PostgreSQL",
    .enabled(if: PostgresServer.isWanted, Comment(rawValue: PostgresServer.reasonForNone ?? "")),
    .timeLimit(.minutes(20)))
  struct PostgresConnectionTests {
    @Test(
      "A server that can't be reached, and a text that can't be read, tell no secret",
      arguments: [
        "postgresql://user:hush@127.0.0.1:1/none", "host=127.0.0.1 password=hush port",
        "postgresql://user:hush@[::1/none", "hush", "host=127.0.0.1 port=1 password=hush",
      ])
    func refused(text: String) async throws {
      do {
        _ = try await PostgresJournal(text)
        Issue.record("It connected.")
      } catch let error as JournalError {
        #expect(error.isTransient)
        #expect(!error.message.contains("hush"))
        #expect(!String(reflecting: error).contains("hush"))
      }
    }

    @Test(
      "Beyond the loopback address the certificate is verified unless the text says otherwise",
      arguments: [
        ("postgresql://db.example.org/a", "verify-full"), ("host=127.example.org", "verify-full"),
        ("host=127.0.0.1,b", "verify-full"), ("service=orders", "verify-full"),
        ("host=127.0.0.1,localhost,::1,/tmp", nil), ("dbname=a", nil),
        ("host=b sslmode=require", nil),
        ("host=db.example.org hostaddr=''", "verify-full"),
        ("postgresql://db.example.org/a?hostaddr=", "verify-full"),
        ("host=localhost,db.example.org hostaddr=127.0.0.1,", "verify-full"),
        ("host=db.example.org,db.example.org hostaddr=127.0.0.1,::1", nil),
        ("host=localhost hostaddr=10.0.0.5", "verify-full"), ("host='' hostaddr=''", nil),
      ] as [(String, String?)])
    func encrypted(text: String, wanted: String?) throws {
      #expect(try ConnectionText(text, environment: [:]).encryption == wanted)
    }

    @Test(
      "An address or a host in the environment counts where the text names none",
      arguments: [
        ("dbname=a", ["PGHOSTADDR": "", "PGHOST": "db.example.org"], "verify-full"),
        ("host=localhost", ["PGHOSTADDR": "10.0.0.5"], "verify-full"),
        ("host=localhost hostaddr=''", ["PGHOSTADDR": "10.0.0.5"], nil),
        ("host=localhost", ["PGHOST": "db.example.org"], nil),
        ("dbname=a", ["PGHOST": "", "PGHOSTADDR": ""], nil),
      ] as [(String, [String: String], String?)])
    func encryptedByEnvironment(
      text: String, environment: [String: String], wanted: String?
    ) throws {
      #expect(try ConnectionText(text, environment: environment).encryption == wanted)
    }

    @Test("A database that can't hold every text is refused")
    func encoding() async throws {
      let server = PostgresServer.shared
      let journal = try await server.journal()
      _ = try await journal.texts(
        "CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'")
      do {
        _ = try await PostgresJournal(server.text() + " dbname=latin")
        Issue.record("It was opened.")
      } catch let error as JournalError {
        #expect(error.message.contains("UTF8"))
      }
    }

    @Test("Calls that follow each other use the connection that was opened first")
    func oldestFirst() async throws {
      let journal = try await PostgresServer.shared.journal()
      func process() async throws -> [String] {
        try await journal.texts("SELECT pg_backend_pid()::text")
      }
      let first = try await process()
      // Two calls that wait for each other need two connections.
      let (one, other) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      async let left: Void = journal.write { _ in
        one.signal()
        other.wait()
      }
      async let right: Void = journal.write { _ in
        other.signal()
        one.wait()
      }
      _ = try await (left, right)
      for _ in 0..<20 { #expect(try await process() == first) }
      await journal.close()
    }

    @Test("A hundred thousand calls that wait for a connection are made in their order")
    func longLine() async throws {
      let text = try ConnectionText("host=127.0.0.1 port=1")
      let (begun, goOn) = (Gate(), DispatchSemaphore(value: 0))
      let made = Recorder<Int>()
      let line = ConnectionLine<Int>(
        name: "test", threads: 1, largestBatch: 3,
        makeConnection: {
          PostgresConnection(text, schema: "none", isPooled: false, lockWait: .short, clock: nil)
        },
        perform: { batch, _, _ in
          for work in batch { made.record(work) }
          if batch.first == 0 {
            begun.open()
            goOn.wait()
          }
        })
      #expect(line.add(0))
      await begun.wait()
      for work in 1...100_000 { #expect(line.add(work)) }
      #expect(line.waiting == 100_000)
      goOn.signal()
      line.end()
      await line.waitUntilEnded()
      #expect(!line.add(7) && line.waiting == 0)
      #expect(made.elements == Array(0...100_000))
    }

    @Test("Work is taken together up to a weight; one that is heavier goes alone")
    func heavyLine() async throws {
      let text = try ConnectionText("host=127.0.0.1 port=1")
      let (begun, goOn) = (Gate(), DispatchSemaphore(value: 0))
      let made = Recorder<[Int]>()
      let line = ConnectionLine<Int>(
        name: "test", threads: 1, largestBatch: 5, heaviestBatch: 4, weight: { $0 },
        makeConnection: {
          PostgresConnection(text, schema: "none", isPooled: false, lockWait: .short, clock: nil)
        },
        perform: { batch, _, _ in
          made.record(batch)
          if batch.first == 0 {
            begun.open()
            goOn.wait()
          }
        })
      #expect(line.add(0))
      await begun.wait()
      for work in [1, 1, 1, 1, 1, 1, 9, 2, 1, 9, 9, 2, 2] { #expect(line.add(work)) }
      goOn.signal()
      line.end()
      await line.waitUntilEnded()
      #expect(made.elements == [[0], [1, 1, 1, 1], [1, 1], [9], [2, 1], [9], [9], [2, 2]])
    }

    @Test("Heavy checkpoints that wait for a connection are not one statement")
    func heavyCheckpoints() async throws {
      var options = PostgresJournalOptions()
      options.checkpointConnections = 1
      let journal = try await PostgresServer.shared.journal(options: options)
      let time = JournalTime(.system, boot: "boot")
      let runs = try await journal.claimed(10, seed: 5, at: time)
      let (begun, goOn) = (Gate(), DispatchSemaphore(value: 0))
      let payload = Data("\"\(String(repeating: "0", count: 1_000_000))\"".utf8)
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          try await journal.goOn(runs[0], .stage(Data("1".utf8)), at: time) {
            begun.open()
            goOn.wait()
          }
        }
        await begun.wait()
        for run in runs.dropFirst() {
          group.addTask { try await journal.goOn(run, .stage(payload), at: time) }
        }
        while journal.waitingCheckpoints < 9 { await Task.yield() }
        goOn.signal()
        try await group.waitForAll()
      }
      // Each statement is a transaction of its own.
      let sql = "SELECT count(*)::text FROM step WHERE sequence = 1 GROUP BY xid ORDER BY count(*)"
      #expect(try await journal.texts(sql) == ["1", "1", "4", "4"])
      await journal.close()
    }

    @Test("A call succeeds though the server has ended the idle connections before")
    func endedWhileIdle() async throws {
      let server = PostgresServer.shared
      let direct = try await server.journal()
      let name = "idle-" + server.newSchema().replacing(" ", with: "-")
      let journal = try await PostgresJournal(server.text(as: name), options: direct.options)
      let time = JournalTime(.system, boot: "boot")
      let runs = try await direct.claimed(3, seed: 6, at: time)
      // It opens a connection for calls, and one for checkpoints.
      try await journal.change(runs[0].id, .cancel, at: time)
      try await journal.goOn(runs[1], .stage(Data("1".utf8)), at: time)
      let idle = try await direct.texts(
        "SELECT pid::text FROM pg_stat_activity WHERE application_name = '\(name)'")
      #expect(idle.count >= 2)
      for process in idle {
        _ = try await direct.texts("SELECT pg_terminate_backend(\(process))::text")
      }
      let left =
        "SELECT pid::text FROM pg_stat_activity WHERE pid IN (\(idle.joined(separator: ", ")))"
      while try await !direct.texts(left).isEmpty {}
      // None of these is repeated after a loss.
      try await journal.change(runs[1].id, .cancel, at: time)
      try await journal.goOn(runs[2], .stage(Data("1".utf8)), at: time)
      #expect(try await direct.run(runs[1].id)?.state == .cancelled)
      #expect(try await direct.run(runs[2].id)?.sequence == 1)
      await journal.close()
    }

    @Test("Journals that are opened at once make one set of tables")
    func openedAtOnce() async throws {
      let server = PostgresServer.shared
      let text = try await server.text()
      let options = PostgresJournalOptions(schema: server.newSchema() + "\" ü")
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<8 {
          group.addTask { _ = try await PostgresJournal(text, options: options) }
        }
        try await group.waitForAll()
      }
    }

    @Test("A schema with other tables, and one of newer code, are refused")
    func otherSchemas() async throws {
      let server = PostgresServer.shared
      let text = try await server.text()
      let journal = try await server.journal()
      var options = journal.options
      options.schema = server.newSchema()
      _ = try await journal.texts("CREATE SCHEMA \"\(options.schema)\"")
      _ = try await journal.texts("CREATE TABLE \"\(options.schema)\".other (number int)")
      await #expect(throws: JournalError.noJournal("The schema \(options.schema)")) {
        _ = try await PostgresJournal(text, options: options)
      }
      // Newer code has only added to the tables: this code goes on.
      _ = try await journal.texts("UPDATE journal SET schema = 99")
      let request = ClaimRequest(worker: "worker", flows: [], lease: .seconds(60))
      _ = try await PostgresJournal(text, options: journal.options)
        .claim(request, at: JournalTime(.system, boot: "boot"))
      _ = try await journal.texts("UPDATE journal SET oldest = 98")
      await #expect(throws: JournalError.newerSchema(found: 99, known: 1)) {
        _ = try await PostgresJournal(text, options: journal.options)
      }
      await #expect(throws: JournalError.newerSchema(found: 99, known: 1)) {
        _ = try await journal.claim(request, at: JournalTime(.system, boot: "boot"))
      }
    }

    /// What can go wrong in a stage's own write.
    enum Trouble: CaseIterable {
      case breaksARule, isWrong, ends, passesOver, holdsNUL, hasTooMany

      func happen(in transaction: PostgresTransaction) throws {
        switch self {
        case .breaksARule: try transaction.execute("INSERT INTO note VALUES ('there')")
        case .isWrong: try transaction.execute("INSERT INTO nothing VALUES ($1)", [nil])
        case .ends: try transaction.execute("ROLLBACK")
        case .holdsNUL: try transaction.execute("INSERT INTO note VALUES ($1)", ["cut\0off"])
        case .hasTooMany:
          try transaction.execute("SELECT 1", [String?](repeating: "", count: 70_000))
        case .passesOver: _ = try? transaction.execute("INSERT INTO note VALUES ('there')")
        }
      }

      func isMet(by error: any Error) -> Bool {
        switch self {
        case .breaksARule: (error as? PostgresError)?.sqlState == "23505"
        case .isWrong: (error as? PostgresError)?.sqlState == "42P01"
        case .holdsNUL: (error as? PostgresError)?.sqlState == "22021"
        case .hasTooMany: (error as? PostgresError)?.sqlState == "54000"
        case .ends, .passesOver:
          (error as? any DescribedError)?.message.contains("transaction") == true
        }
      }
    }

    @Test(
      "A write that fails leaves nothing, throws its own error, and harms no other checkpoint",
      arguments: Trouble.allCases)
    func fails(trouble: Trouble) async throws {
      let journal = try await PostgresServer.shared.journal()
      _ = try await journal.texts("CREATE TABLE note (text text UNIQUE)")
      _ = try await journal.texts("INSERT INTO note VALUES ('there')")
      let time = JournalTime(.system, boot: "boot")
      let runs = try await journal.claimed(4, seed: 1, at: time)
      let errors = await withTaskGroup(of: (Int, (any Error)?).self) { group in
        for (number, run) in runs.enumerated() {
          var checkpoint = Checkpoint(
            claim: RunClaim(id: run.id, sequence: run.sequence, fence: run.fence), version: 1,
            next: .stage(Data("1".utf8)), beganAt: time.date, lease: .seconds(60))
          if number == 1 {
            checkpoint.writes = [
              CheckpointWrite { transaction in
                guard let transaction = transaction as? PostgresTransaction else { return }
                try transaction.execute("INSERT INTO note VALUES ('new')")
                try trouble.happen(in: transaction)
              }
            ]
          }
          let given = checkpoint
          group.addTask {
            do {
              try await journal.checkpoint(given, at: time)
              return (number, nil)
            } catch { return (number, error) }
          }
        }
        return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
      }
      #expect(errors.keys.sorted() == [1])
      #expect(try trouble.isMet(by: #require(errors[1])))
      var sequences: [Int] = []
      for run in runs { sequences.append(try await journal.run(run.id)?.sequence ?? -1) }
      #expect(sequences == [1, 0, 1, 1])
      #expect(try await journal.texts("SELECT text FROM note") == ["there"])
    }
  }
#endif
