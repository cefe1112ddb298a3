import AirfieldDirectory
import Foundation
import Testing

@Suite("An import in the page of a server", .serialized)
struct ServedImportTests {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "airfield-\(UUID().uuidString)")
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
    try await AirportDirectory(path: database).results(of: AirportQuery(), limit: 100_000).airports
  }

  private func serve(_ database: String) throws -> (RunningProgram, ServedPages) {
    let program = try RunningProgram(["serve", "--database", database, "--port", "0"])
    try program.waitForOutput("\n")
    return (program, try ServedPages(program.outputSoFar))
  }

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
    let posted = try await pages.post(try Data(contentsOf: URL(filePath: path)), name: "file.csv")
    #expect(posted.hasPrefix("HTTP/1.1 303 "))
    var before = 0
    for rows in [1_000, 4_000] {
      try await pages.waitForRows { $0 >= rows }
      try #require(program.kill(), "the server ended before it could be killed")
      let stored = try await AirportDirectory(path: database).count()
      #expect(stored > before && stored < 28_298)
      before = stored
      (program, pages) = try serve(database)
      let page = try await pages.get("/import")
      #expect(page.contains("<bdi>file.csv</bdi>"))
    }
    try await pages.waitForText("is imported")
    let page = try await pages.get("/import")
    #expect(page.contains("<dt>New</dt><dd>28,298</dd>"))
    #expect(page.contains("28 rows were rejected"))
    let rejects = try await pages.get("/import/rejects.csv")
    program.interrupt()
    #expect(program.end().status == 0)

    #expect(try await airports(database) == airports(expected))
    let listed = try String(contentsOfFile: expected + ".rejects.csv", encoding: .utf8)
    #expect(rejects.hasSuffix("\r\n\r\n" + listed))
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
    _ = try await pages.post(bytes, name: "airports.csv")
    try await pages.waitForRows { $0 >= 1_000 }
    program.interrupt()
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
