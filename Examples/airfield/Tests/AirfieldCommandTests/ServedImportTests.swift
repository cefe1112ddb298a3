import AirfieldTestSupport
import Foundation
import GRDB
import Testing

@testable import AirfieldApp

extension ProcessTests {
  @Suite("An import in the page of a server", .serialized)
  @WaitingActor struct ServedImportTests {
    let folder: URL

    init() throws {
      folder = FileManager.default.temporaryDirectory.appending(
        path: "airfield-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// The bundled airports, with a faulty row after every thousandth.
    private func file() throws -> String {
      let text = try String(contentsOfFile: BundledAirports.path(), encoding: .utf8)
      var lines: [Substring] = []
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        if lines.count % 1_000 == 999 { lines.append("\"BAD\",,,,,,,,,,") }
        lines.append(line)
      }
      let path = folder.appending(path: "file.csv").path
      try lines.joined(separator: "\n").write(toFile: path, atomically: false, encoding: .utf8)
      return path
    }

    private func airports(_ database: String) async throws -> [Airport] {
      try await AirportDirectory(path: database).results(of: AirportQuery(), limit: 100_000)
        .airports
    }

    private func serve(_ database: String) throws -> (RunningProgram, ServedPages) {
      let program = try RunningProgram(["serve", "--database", database, "--port", "0"])
      try program.waitForOutput("\n")
      return (program, try ServedPages(program.outputSoFar))
    }

    /// Sends a program a signal as soon as so many airports are stored; how many there are then.
    private nonisolated func signal(
      _ signal: Int32, to program: Int32, atRows rows: Int, in database: String
    ) async throws -> Int {
      try await onThread {
        let queue = try DatabaseQueue(path: database)
        // A server that takes no file would keep this waiting.
        while kill(program, 0) == 0 {
          let stored = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM airport") }
          if let stored, stored >= rows {
            kill(program, signal)
            return stored
          }
        }
        throw ServerEnded()
      }
    }

    private struct ServerEnded: Error {}

    @Test("goes on by itself after the server was killed, and ends as if it had not been")
    func killed() async throws {
      defer { try? FileManager.default.removeItem(at: folder) }
      let path = try file()
      let expected = folder.appending(path: "expected.sqlite").path
      let undisturbed = try RunningProgram(["import", path, "--database", expected]).end()
      #expect(undisturbed.status == 0)
      let database = folder.appending(path: "airports.sqlite").path
      _ = try AirportDirectory(path: database)

      var (program, pages) = try serve(database)
      let bytes = try Data(contentsOf: URL(filePath: path))
      let first = program.identifier
      async let killedFirst = signal(SIGKILL, to: first, atRows: 1_000, in: database)
      // It may be gone before the answer is.
      let posted = try? await pages.post(bytes, name: "file.csv")
      let isTaken = posted.map { $0.isEmpty || $0.hasPrefix("HTTP/1.1 303 ") } ?? true
      if !isTaken { program.interrupt() }
      try #require(isTaken, "\(posted ?? "")")
      let before = try await killedFirst
      #expect(before < 28_298)
      _ = program.end()
      (program, pages) = try serve(database)
      let second = program.identifier
      let after = try await signal(SIGKILL, to: second, atRows: before + 4_000, in: database)
      #expect(after < 28_298)
      _ = program.end()
      (program, pages) = try serve(database)
      #expect(try await pages.get("/import").contains("<bdi>file.csv</bdi>"))
      try await pages.waitForText("is imported")
      let page = try await pages.get("/import")
      #expect(page.contains("<dt>New</dt><dd>28,298</dd>"))
      #expect(page.contains("28 rows were rejected"))
      let rejects = try await pages.get("/import/rejects.csv")
      program.interrupt()
      #expect(program.end().status == 0)

      #expect(try await airports(database) == airports(expected))
      let listed = try String(contentsOfFile: expected + ".rejects.csv", encoding: .utf8)
      #expect(rejects.hasSuffix("\r\n" + listed + "\r\n0\r\n\r\n"))
      #expect(try String(contentsOfFile: database + ".rejects.csv", encoding: .utf8) == listed)
      // The file went when its import had ended, or goes before the next page is served.
      (program, pages) = try serve(database)
      #expect(try await pages.get("/import").contains("<bdi>file.csv</bdi> is imported"))
      program.interrupt()
      #expect(program.end().status == 0)
      #expect(try FileManager.default.contentsOfDirectory(atPath: database + ".uploads").isEmpty)
    }

    @Test("is given back when the server is stopped, and goes on with the next start")
    func stopped() async throws {
      defer { try? FileManager.default.removeItem(at: folder) }
      let database = folder.appending(path: "airports.sqlite").path
      _ = try AirportDirectory(path: database)
      var (program, pages) = try serve(database)
      let bytes = try Data(contentsOf: URL(filePath: try BundledAirports.path()))
      let server = program.identifier
      async let interrupted = signal(SIGINT, to: server, atRows: 1_000, in: database)
      let posted = try? await pages.post(bytes, name: "airports.csv")
      if posted?.hasPrefix("HTTP/1.1 4") == true { program.interrupt() }
      _ = try await interrupted
      let ended = program.end()
      #expect(ended.status == 0)
      #expect(ended.errors.hasSuffix("Stopped.\n"))
      let stored = try await AirportDirectory(path: database).count()
      #expect(stored >= 1_000 && stored < 28_298)

      (program, pages) = try serve(database)
      try await pages.waitForText("is imported")
      program.interrupt()
      #expect(program.end().status == 0)
      #expect(try await AirportDirectory(path: database).count() == 28_298)
    }
  }
}
