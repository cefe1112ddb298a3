import Foundation
import Testing

/// Runs the program as a shell does, beside the tests' own resources in the build folder.
@Suite("The program", .serialized)
struct ProcessTests {
  let folder: URL
  let database: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "airfield-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    database = folder.appending(path: "airports.sqlite").path
  }

  private struct Ended {
    let status: Int32
    let output: String
    let errors: String
  }

  private func run(_ arguments: String...) throws -> Ended {
    let process = Process()
    let output = Pipe()
    let errors = Pipe()
    process.executableURL = Bundle.module.bundleURL.deletingLastPathComponent()
      .appending(path: "airfield")
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let text = (
      output.fileHandleForReading.readDataToEndOfFile(),
      errors.fileHandleForReading.readDataToEndOfFile()
    )
    process.waitUntilExit()
    return Ended(
      status: process.terminationStatus, output: String(decoding: text.0, as: UTF8.self),
      errors: String(decoding: text.1, as: UTF8.self))
  }

  private var three: String {
    get throws {
      try #require(
        Bundle.module.url(forResource: "three", withExtension: "csv", subdirectory: "Fixtures")
      ).path
    }
  }

  @Test("imports a file and says what became of its rows")
  func imports() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let first = try run("import", three, "--database", database)
    #expect(first.status == 0)
    #expect(first.output == "3 rows read, 3 stored, 0 updated, 0 unchanged, 0 rejected.\n")
    #expect(first.errors == "100 % imported, 3 rows read\n")
    let second = try run("import", three, "--database", database)
    #expect(second.output == "3 rows read, 0 stored, 0 updated, 3 unchanged, 0 rejected.\n")
  }

  @Test(
    "ends with status 2 and one line for a file that can't be imported",
    arguments: [nil, "", "no header\n", "icao,name\u{0}"])
  func refuses(_ contents: String?) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "file.csv")
    try contents.map { try Data($0.utf8).write(to: file) }
    let ended = try run("import", file.path, "--database", database)
    #expect(ended.status == 2)
    #expect(ended.output.isEmpty)
    #expect(ended.errors.hasPrefix("airfield: "))
    #expect(ended.errors.filter { $0 == "\n" }.count == 1)
    #expect(!FileManager.default.fileExists(atPath: database))
  }

  @Test("says how it is used where it is used wrongly")
  func usage() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let ended = try run("import")
    #expect(ended.status == 64)
    #expect(ended.errors.contains("Usage: airfield import <file> --database <path>"))
    #expect(try run("--help").output.contains("SUBCOMMANDS"))
    #expect(try run("serve", "--database", database).status == 1)
  }
}
