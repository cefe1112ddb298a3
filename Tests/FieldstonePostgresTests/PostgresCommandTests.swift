#if PostgreSQL && CommandLineTool && (os(macOS) || os(Linux))
  import FieldstoneDurable
  import FieldstonePostgres
  import Foundation
  import Testing

  #if SQLite
    import FieldstoneSQLite
  #endif
  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  /// The command `fieldstone`, in a process of its own, on a journal in PostgreSQL.
  @Suite(
    "fieldstone --journal postgresql://…",
    .enabled(if: PostgresServer.isWanted, Comment(rawValue: PostgresServer.reasonForNone ?? "")),
    .timeLimit(.minutes(20)))
  struct PostgresCommandTests {
    private struct Result: Sendable {
      var status: Int32
      var output: String
      var complaint: String
    }

    /// It stands beside the bundle of the tests.
    private static var program: URL {
      let bundles = Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
      return (bundles.first ?? URL(filePath: CommandLine.arguments[0]))
        .deletingLastPathComponent().appending(path: "fieldstone")
    }

    private func fieldstone(
      _ arguments: [String], schema: String, isPooled: Bool = false, output place: String? = nil
    ) async throws -> Result {
      let program = Self.program
      return try await withCheckedThrowingContinuation { continuation in
        Thread {
          continuation.resume(
            with: Swift.Result {
              let process = Process()
              let (output, complaint) = (Pipe(), Pipe())
              process.executableURL = program
              process.arguments = arguments
              process.environment = ProcessInfo.processInfo.environment.merging(
                ["FIELDSTONE_SCHEMA": schema, "FIELDSTONE_POOLED": "\(isPooled)"]
              ) { $1 }
              process.standardOutput = place.flatMap { FileHandle(forWritingAtPath: $0) } ?? output
              process.standardError = complaint
              process.standardInput = FileHandle.nullDevice
              try process.run()
              // Run with another output, the process does not have it, so nothing else ends the pipe.
              if place != nil { try output.fileHandleForWriting.close() }
              let said = output.fileHandleForReading.readDataToEndOfFile()
              let complained = complaint.fileHandleForReading.readDataToEndOfFile()
              process.waitUntilExit()
              return Result(
                status: process.terminationStatus, output: String(decoding: said, as: UTF8.self),
                complaint: String(decoding: complained, as: UTF8.self))
            })
        }.start()
      }
    }

    private func url() async throws -> String {
      let server = PostgresServer.shared
      _ = try await server.text()
      let folder = server.folder.replacing("/", with: "%2F")
      return "postgresql://fieldstone:hush@/postgres?host=\(folder)"
    }

    @Test("It lists, shows and changes runs")
    func works() async throws {
      let journal = try await PostgresServer.shared.journal()
      let schema = journal.options.schema
      let text = try await url()
      let runner = try DurableRunner(
        journal: journal, flows: [DurableFlow(Errand.self, services: Errand.Script())])
      let run = try await runner.start(Errand(name: "one", number: 1), key: "one")
      let list = try await fieldstone(["runs", "list", "--journal", text], schema: schema)
      #expect(list.status == 0 && list.output.contains("\(run.id)"), "\(list)")
      let show = try await fieldstone(
        ["runs", "show", "\(run.id)", "--journal", text], schema: schema)
      #expect(show.status == 0 && show.output.contains("errand"), "\(show)")
      let cancel = try await fieldstone(
        ["runs", "cancel", "\(run.id)", "--journal", text], schema: schema)
      #expect(cancel.status == 0, "\(cancel)")
      #expect(try await journal.run(run.id)?.state == .cancelled)
    }

    @Test(
      "It works behind a pooler in a database whose transactions are serializable",
      .enabled(if: PostgresServer.hasPooler || PostgresServer.isInCI, "PgBouncer is not installed"))
    func pooled() async throws {
      try #require(PostgresServer.hasPooler)
      let server = PostgresServer.shared
      let direct = try await server.journal()
      _ = try await direct.texts("CREATE DATABASE serializable TEMPLATE template0")
      _ = try await direct.texts(
        "ALTER DATABASE serializable SET default_transaction_isolation = 'serializable'")
      let schema = server.newSchema()
      let text = "dbname=serializable host=\(server.folder)/pool port=5432 user=fieldstone"
      let options = PostgresJournalOptions(schema: schema, isPooled: true)
      // It starts beside the server.
      var opened: PostgresJournal?
      while opened == nil { opened = try? await PostgresJournal(text, options: options) }
      let journal = try #require(opened)
      let levels = try await journal.texts("SELECT current_setting('transaction_isolation')")
      #expect(levels == ["read committed"])
      let runner = try DurableRunner(
        journal: journal, flows: [DurableFlow(Errand.self, services: Errand.Script())])
      let run = try await runner.start(Errand(name: "one", number: 1), key: "one")
      let folder = server.folder.replacing("/", with: "%2F")
      let url = "postgresql://fieldstone@/serializable?host=\(folder)%2Fpool&port=5432"
      // Several calls, which the pooler gives to different sessions.
      for _ in 0..<3 {
        let list = try await fieldstone(
          ["runs", "list", "--journal", url], schema: schema, isPooled: true)
        #expect(list.status == 0 && list.output.contains("\(run.id)"), "\(list)")
      }
      await journal.close()
    }

    @Test("It asks for a URL where a connection string has keywords")
    func keywords() async throws {
      let result = try await fieldstone(
        ["runs", "list", "--journal", "host=db dbname=orders password=hush"], schema: "any")
      #expect(result.status == 2 && result.complaint.contains("postgresql://"), "\(result)")
      #expect(!result.complaint.contains("hush"))
    }

    #if INSPECTOR
      @Test("It serves the pages of a journal")
      func serves() async throws {
        let journal = try await PostgresServer.shared.journal()
        let schema = journal.options.schema
        let text = try await url()
        let runner = try DurableRunner(
          journal: journal, flows: [DurableFlow(Errand.self, services: Errand.Script())])
        let run = try await runner.start(Errand(name: "one", number: 1), key: "one")
        let process = Process()
        defer { process.terminate() }
        let line = try await withCheckedThrowingContinuation { continuation in
          let output = Pipe()
          process.executableURL = Self.program
          process.arguments = ["serve", "--journal", text, "--port", "0"]
          process.environment = ProcessInfo.processInfo.environment.merging(
            ["FIELDSTONE_SCHEMA": schema]
          ) { $1 }
          process.standardOutput = output
          process.standardInput = FileHandle.nullDevice
          Thread {
            continuation.resume(
              with: Swift.Result {
                try process.run()
                var line = ""
                while !line.contains("\n") {
                  let data = output.fileHandleForReading.availableData
                  if data.isEmpty { break }
                  line += String(decoding: data, as: UTF8.self)
                }
                return line
              })
          }.start()
        }
        #expect(!line.contains("hush"))
        // The token in the address admits this browser; browsers resolve its name by themselves.
        var address = try #require(
          line.split(whereSeparator: \.isWhitespace).last.flatMap {
            URLComponents(string: String($0))
          })
        address.host = "127.0.0.1"
        let browser = URLSession(configuration: .ephemeral)
        func page(_ address: URLComponents) async throws -> (status: Int?, text: String) {
          let (data, response) = try await browser.data(from: try #require(address.url))
          return (
            (response as? HTTPURLResponse)?.statusCode, String(decoding: data, as: UTF8.self)
          )
        }
        #expect(try await page(address).status == 200)
        address.query = nil
        address.path = "/runs"
        let list = try await page(address)
        #expect(list.status == 200 && list.text.contains("/runs/\(run.id)"), "\(list)")
      }
    #endif

    #if SQLite
      @Test("It copies a journal from SQLite, and asks before it seals it")
      func copies() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "copied-\(UUID()).sqlite")
        defer {
          for end in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: file.path + end)
          }
        }
        let source = try SQLiteJournal(path: file.path)
        let runner = try DurableRunner(
          journal: source, flows: [DurableFlow(Errand.self, services: Errand.Script())])
        let run = try await runner.start(Errand(name: "one", number: 1), key: "one")
        let schema = PostgresServer.shared.newSchema()
        let text = try await url()
        let copy = ["journal", "copy", "--from", file.path, "--to", text]
        let unconfirmed = try await fieldstone(copy, schema: schema)
        #expect(unconfirmed.status == 2, "\(unconfirmed)")
        let elsewhere = try await fieldstone(
          ["journal", "copy", "--from", file.path, "--to", file.path, "--yes"], schema: schema)
        #expect(elsewhere.status == 2 && elsewhere.complaint.contains("postgresql://"))
        _ = try await runner.start(Errand(name: "two", number: 1), key: "two")

        let copied = try await fieldstone(copy + ["--yes"], schema: schema)
        #expect(copied.status == 0 && copied.output.contains("2 runs\n"), "\(copied)")
        #expect(!copied.output.contains("hush"))
        await #expect(throws: JournalError.sealed) {
          _ = try await runner.start(Errand(name: "three", number: 1), key: "three")
        }
        let show = try await fieldstone(
          ["runs", "show", "\(run.id)", "--journal", text], schema: schema)
        #expect(show.status == 0 && show.output.contains("errand"), "\(show)")
        let again = try await fieldstone(copy + ["--yes", "--json"], schema: schema)
        #expect(again.status == 2 && again.complaint.contains("has runs already"), "\(again)")
      }

      @Test(
        "A copy goes on to its end where its output can't be written",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "no disk is always full"))
      func outputLost() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "lost-\(UUID()).sqlite")
        defer {
          for end in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: file.path + end)
          }
        }
        let source = try SQLiteJournal(path: file.path)
        let flows = [DurableFlow(Errand.self, services: Errand.Script())]
        let runner = try DurableRunner(journal: source, flows: flows)
        let run = try await runner.start(Errand(name: "one", number: 1), key: "one")
        let schema = PostgresServer.shared.newSchema()
        let text = try await url()
        let copied = try await fieldstone(
          ["journal", "copy", "--from", file.path, "--to", text, "--yes"], schema: schema,
          output: "/dev/full")
        #expect(copied.status == 2 && copied.complaint.contains("can't be written"), "\(copied)")
        let cancel = try await fieldstone(
          ["runs", "cancel", "\(run.id)", "--journal", text], schema: schema)
        #expect(cancel.status == 0, "\(cancel)")
      }
    #endif

    @Test("It makes no journal, and shows no password", arguments: ["list", "purge"])
    func refuses(command: String) async throws {
      let server = PostgresServer.shared
      let schema = server.newSchema()
      let more = command == "purge" ? ["--days", "7"] : []
      let result = try await fieldstone(
        ["runs", command, "--journal", try await url()] + more, schema: schema)
      #expect(result.status == 2 && result.complaint.contains("no journal"), "\(result)")
      #expect(!result.complaint.contains("hush"))
      let journal = try await server.journal()
      #expect(
        try await journal.texts("SELECT nspname::text FROM pg_namespace").contains(schema) == false)
    }
  }
#endif
