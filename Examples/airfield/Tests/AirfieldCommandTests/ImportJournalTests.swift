#if PostgreSQL
  import AirfieldTestSupport
  import Foundation
  import GRDB
  import Testing

  @testable import AirfieldApp

  // Of the same suite, so that programs run one after the other: waiting for them takes up a thread.
  extension ProcessTests {
    /// A file of three parts and some more, with rejected rows.
    private func file() throws -> String {
      let padding = String(repeating: "x", count: 190)
      let rows = (0..<16_000).map { number in
        let code = "A" + String(number + 1_000, radix: 36).uppercased()
        let zone = number % 70 == 69 ? "Nowhere" : "UTC"
        return "\(code.padding(toLength: 4, withPad: "_", startingAt: 0)),,\(padding) \(number),"
          + "\(padding),\(padding),IS,,1,2,\(zone),\r\n"
      }
      let file = folder.appending(path: "parts.csv")
      try Data((Samples.header + rows.joined()).utf8).write(to: file)
      return file.path
    }

    private static let summary =
      "16000 rows read, 15772 stored, 0 updated, 0 unchanged, 228 rejected.\n"

    /// What the import command and the workers of a database are called with.
    private func options() throws -> [String] {
      ["--database", database, "--journal", try PostgresServer.address]
    }

    private func startWorker() throws -> RunningProgram {
      let worker = try RunningProgram(["work"] + options())
      try worker.waitForErrors("Working on the imports into \(database) (Ctrl-C stops it)\n")
      return worker
    }

    /// Compares what an import has stored with that of another whose journal is in the database.
    private func expectWholeImport(of file: String) throws {
      let undivided = folder.appending(path: "undivided.sqlite").path
      #expect(try run("import", file, "--database", undivided).output.hasPrefix(Self.summary))
      func tables(_ path: String) throws -> [[Row]] {
        try DatabaseQueue(path: path).read { db in
          try ["airport", "importSeen", "importReject"].map { table in
            try Row.fetchAll(db, sql: "SELECT * FROM \(table) ORDER BY 1")
          }
        }
      }
      #expect(try tables(database) == tables(undivided))
      let rejects = try [database, undivided].map {
        try String(contentsOfFile: $0 + ".rejects.csv", encoding: .utf8)
      }
      #expect(rejects[0] == rejects[1])
    }

    @Test(
      "imports with its journal in PostgreSQL, by three workers",
      .enabled(if: PostgresServer.isWanted, PostgresServer.reasonForNone), .timeLimit(.minutes(20)))
    func importsByWorkers() async throws {
      defer { try? FileManager.default.removeItem(at: folder) }
      let file = try file()
      try await AirportDirectory(path: database).close()
      let workers = try (0..<3).map { _ in try startWorker() }
      let ended = try RunningProgram(["import", file] + options()).end()
      #expect(ended.status == 0, "\(ended.errors)")
      #expect(ended.output.hasPrefix(Self.summary), "\(ended.output)")
      for worker in workers {
        worker.interrupt()
        let ended = worker.end()
        #expect(ended.status == 0 && ended.errors.hasSuffix("Stopped.\n"), "\(ended.errors)")
      }
      try expectWholeImport(of: file)
      let again = try RunningProgram(["import", file] + options()).end()
      #expect(again.output.hasPrefix("16000 rows read, 0 stored, 0 updated, 15772 unchanged, "))
    }

    @Test(
      "killed while it imports with its journal in PostgreSQL, is taken over by one worker after the other",
      .enabled(if: PostgresServer.isWanted, PostgresServer.reasonForNone), .timeLimit(.minutes(20)))
    func killedWorkers() throws {
      defer { try? FileManager.default.removeItem(at: folder) }
      let file = try file()
      let program = try RunningProgram(["import", file] + options())
      try program.waitForImport(quarters: 1)
      try #require(program.kill(), "the program ended before it could be killed")
      let first = try startWorker()
      try first.waitForImport(quarters: 2)
      try #require(first.kill())
      // Asked for before another worker can end it: afterwards it would be another import.
      let asked = try RunningProgram(["import", file] + options())
      try asked.waitForErrors(" % imported")
      let second = try startWorker()
      let ended = asked.end()
      #expect(ended.status == 0, "\(ended.errors)")
      #expect(ended.output.hasPrefix(Self.summary), "\(ended.output)")
      second.interrupt()
      #expect(second.end().status == 0)
      try expectWholeImport(of: file)
    }

    @Test(
      "refuses a journal that can't be, says what to do, and makes no database",
      arguments: [
        ("mysql://host/name", "give postgresql://user@host/name, or leave it out"),
        ("postgresql://user:secret@127.0.0.1:1/name", "journal at postgresql://127.0.0.1:1/name: "),
        ("postgresql://127.0.0.1:1/name", "; start the server, make the database, or give another"),
      ])
    func refusesJournal(_ address: String, _ message: String) throws {
      defer { try? FileManager.default.removeItem(at: folder) }
      let ended = try run("import", three, "--database", database, "--journal", address)
      #expect(ended.status == 1)
      #expect(ended.errors.contains(message), "\(ended.errors)")
      #expect(ended.errors.hasPrefix("airfield: ") && !ended.errors.contains("secret"))
      #expect(!FileManager.default.fileExists(atPath: database))
      #expect(try run("work", "--database", database, "--journal", address).status == 1)
    }
  }
#endif
