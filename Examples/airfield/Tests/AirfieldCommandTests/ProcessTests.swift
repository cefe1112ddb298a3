import AirfieldTestSupport
import Foundation
import GRDB
import Testing

@testable import AirfieldApp

@Suite("The program", .serialized)
@WaitingActor
struct ProcessTests {
  let folder: URL
  let database: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "airfield-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    database = folder.appending(path: "airports.sqlite").path
  }

  func run(_ arguments: String...) throws -> RunningProgram.Ended {
    try RunningProgram(arguments).end()
  }

  var three: String {
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

  /// The three airports of the fixture, compressed.
  private static let packed = """
    H4sIAAAAAAACA1VQ3U6DMBi931OQXncg0BW4HOoiYrzYshh3YyrUrKNrl9LO4Dv5FL6YX3Ex7Ob85STna5FomEYYCWYZ\
    kGJHDtQIOwD17r31TjtljQ+45GdmhVagJbMeR22/vBQtmqGyKu/AlNXW48+3bF3LpDPBUpiTNvY6BffCe/tx0KbtwVQb\
    hOMc00VISZzieZKGC0ITjJZWMmVFE6350B3YWXTQhrn6cVWDuqDeq2AV1Fwp3g5BpSw3aryXycn+M/8MXrXpruXWT6eY\
    3IQ0LYokx/MsDbMsp4WfP3IDPxVB/+3S95Mz9LTZPYDZrUd0UNpPlv6CqbiFXkxiikkWEkoynMMDizjD6N4ZfeLRfxPN\
    fgFfJ/cNnAEAAA==
    """

  @Test("imports a file that is compressed with gzip, and says so where that is broken")
  func compressed() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let bytes = try #require(Data(base64Encoded: Self.packed))
    let file = folder.appending(path: "three.csv.gz")
    try bytes.write(to: file)
    let ended = try run("import", file.path, "--database", database)
    #expect(ended.status == 0, "\(ended.errors)")
    #expect(ended.output == "3 rows read, 3 stored, 0 updated, 0 unchanged, 0 rejected.\n")
    let input = try RunningProgram(["import", "-", "--database", database], input: file).end()
    #expect(input.output == "3 rows read, 0 stored, 0 updated, 3 unchanged, 0 rejected.\n")
    try bytes.prefix(100).write(to: file)
    let broken = try run("import", file.path, "--database", database)
    #expect(broken.status != 0)
    #expect(broken.errors.contains("three.csv.gz is compressed with gzip and can’t be unpacked"))
  }

  @Test(
    "killed while it imports what is compressed, or its standard input, goes on and leaves no copy",
    arguments: [true, false])
  func killedCopies(_ isInput: Bool) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let (packed, temporary) = (folder.appending(path: "a.csv.gz"), folder.appending(path: "tmp"))
    try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
    #expect(FileManager.default.createFile(atPath: packed.path, contents: nil))
    let gzip = Process()
    gzip.executableURL = URL(filePath: "/usr/bin/env")
    gzip.arguments = ["gzip", "-c", "--", try BundledAirports.path()]
    gzip.standardOutput = try FileHandle(forWritingTo: packed)
    try gzip.run()
    gzip.waitUntilExit()
    func start() throws -> RunningProgram {
      try RunningProgram(
        ["import", isInput ? "-" : packed.path, "--database", database],
        input: isInput ? packed : nil, by: ["/usr/bin/env", "TMPDIR=\(temporary.path)"])
    }
    let program = try start()
    try program.waitForImport(quarters: 2)
    try #require(program.kill(), "the program ended before it could be killed")
    let copies = { try FileManager.default.contentsOfDirectory(atPath: temporary.path) }
    #expect(try !copies().isEmpty)
    // As one was called that an earlier version left.
    let other = "airfield-\(UUID().uuidString).csv"
    try Data().write(to: temporary.appending(path: other))
    let ended = try start().end()
    #expect(ended.status == 0)
    #expect(ended.output == "28298 rows read, 28298 stored, 0 updated, 0 unchanged, 0 rejected.\n")
    #expect(!ended.errors.contains("25 %"))
    #expect(try copies() == [])
  }

  @Test("imports what it is given on its standard input, and calls it that")
  func standardInput() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let arguments = ["import", "-", "--database", database]
    let ended = try RunningProgram(arguments, input: URL(filePath: three)).end()
    #expect(ended.status == 0)
    #expect(ended.output == "3 rows read, 3 stored, 0 updated, 0 unchanged, 0 rejected.\n")
    let picture = folder.appending(path: "picture.png")
    try Data([0x89, 0x50, 0x4E, 0x47]).write(to: picture)
    let refused = try RunningProgram(arguments, input: picture).end()
    #expect(refused.status == 2)
    #expect(refused.errors == "airfield: standard input is a PNG picture; choose a CSV file\n")
  }

  @Test("leaves the whole database in its one file, and no locks of processes that are gone")
  func oneFile() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    for _ in 0..<3 { #expect(try run("import", three, "--database", database).status == 0) }
    let server = try RunningProgram(["serve", "--database", database, "--port", "0"])
    try server.waitForOutput("Serving http://")
    server.interrupt()
    #expect(server.end().status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!names.contains { $0.hasSuffix("-wal") || $0.hasSuffix("-shm") }, "\(names)")
    // A process leaves the files of its own workers; the next one removes them.
    let processes = names.filter { $0.contains("-worker-") }.map {
      $0.split(separator: "-").dropFirst(2).first
    }
    #expect(Set(processes).count <= 1, "\(names)")
    let copy = folder.appending(path: "copy.sqlite")
    try FileManager.default.copyItem(at: URL(filePath: database), to: copy)
    let again = try run("import", three, "--database", copy.path)
    #expect(again.output == "3 rows read, 0 stored, 0 updated, 3 unchanged, 0 rejected.\n")
  }

  @Test("says what an import would do, and makes no database for it")
  func preview() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let first = try run("import", three, "--database", database, "--preview")
    #expect(first.status == 0)
    #expect(first.output.hasPrefix("3 rows: 3 new, 0 changed, 0 unchanged, 0 rejected.\n"))
    #expect(!FileManager.default.fileExists(atPath: database))
    _ = try run("import", three, "--database", database)
    let second = try run("import", three, "--database", database, "--preview")
    #expect(second.output.hasPrefix("3 rows: 0 new, 0 changed, 3 unchanged, 0 rejected.\n"))
  }

  @Test("says what an import would do, or why it can’t, and writes nothing to the database")
  func previewWrites() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try run("import", three, "--database", database)
    let older =
      "DELETE FROM grdb_migrations WHERE identifier = 'relevance, parts and deleted airports'"
    for (sql, status) in [("PRAGMA journal_mode = DELETE", 0), (older, 1)] {
      try DatabaseQueue(path: database).inDatabase { try $0.execute(sql: sql) }
      let before = try Data(contentsOf: URL(filePath: database))
      let ended = try run("import", three, "--database", database, "--preview")
      #expect(ended.status == status, "\(ended.errors)")
      #expect((ended.status == 0) == ended.errors.isEmpty)
      #expect((ended.status == 0) != ended.errors.contains("on a copy that can be written"))
      #expect(try Data(contentsOf: URL(filePath: database)) == before)
    }
    let empty = folder.appending(path: "empty.sqlite")
    try Data().write(to: empty)
    #expect(try run("import", three, "--database", empty.path, "--preview").status == 0)
    #expect(try Data(contentsOf: empty).isEmpty)
  }

  @Test("says on one line that its database was deleted while it imports, and has failed")
  func deletedDatabase() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let program = try RunningProgram(["import", BundledAirports.path(), "--database", database])
    try program.waitForImport(quarters: 1)
    try FileManager.default.removeItem(atPath: database)
    let ended = program.end()
    #expect(ended.status == 1)
    #expect(ended.output.isEmpty)
    let lines = ended.errors.split(separator: "\n")
    let told = lines.filter { $0.hasPrefix("airfield: ") }
    #expect(told.count == 1 && told.last == lines.last, "\(ended.errors)")
    #expect(lines.last?.contains("airports.sqlite") == true, "\(ended.errors)")
    #expect(!FileManager.default.fileExists(atPath: database))
  }

  @Test("stopped while it imports, keeps what it stored")
  func stopped() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let program = try RunningProgram(["import", BundledAirports.path(), "--database", database])
    try program.waitForImport(quarters: 1)
    program.interrupt()
    let ended = program.end()
    #expect(ended.status == 130)
    #expect(ended.output.isEmpty)
    #expect(ended.errors.contains("\nairfield: interrupted; what was stored stays, and "))
    let stored = try await AirportDirectory(path: database).count()
    #expect(stored > 0 && stored < 28_298)
    #expect(ended.errors.contains(" rows read, \(stored) stored, "))
  }

  @Test("killed while it imports, again and again, goes on from there when it is started again")
  func killed() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let arguments = ["import", try BundledAirports.path(), "--database", database]
    // At once: wherever that is.
    _ = try RunningProgram(arguments).kill()
    var before = 0
    for (quarters, rows) in [(1, 7_000), (2, 14_000)] {
      let program = try RunningProgram(arguments)
      try program.waitForImport(quarters: quarters)
      try #require(program.kill(), "the program ended before it could be killed")
      let stored = try await AirportDirectory(path: database).count()
      #expect(stored >= max(rows, before) && stored < 28_298)
      before = stored
    }
    let last = try RunningProgram(arguments)
    let ended = last.end()
    #expect(ended.status == 0)
    #expect(
      ended.output == "28298 rows read, 28298 stored, 0 updated, 0 unchanged, 0 rejected.\n")
    // It begins where it had been.
    #expect(!ended.errors.contains("25 %"))
    #expect(ended.errors.hasPrefix("50 % imported, ") || ended.errors.hasPrefix("75 % imported, "))
    #expect(ended.errors.hasSuffix("100 % imported, 28298 rows read\n"))
    #expect(try await AirportDirectory(path: database).count() == 28_298)
  }

  @Test("alone goes on with an import of the bundled airports that was stopped, then serves")
  func goesOn() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let first = try RunningProgram(["--database", database, "--port", "0"])
    try first.waitForImport(quarters: 1)
    first.interrupt()
    let stopped = first.end()
    #expect(stopped.status == 130)
    #expect(!stopped.output.contains("Serving"))
    let stored = try await AirportDirectory(path: database).count()
    #expect(stored > 0 && stored < 28_298)

    let second = try RunningProgram(["--database", database, "--port", "0"])
    try second.waitForOutput("Serving http://127.0.0.1:")
    second.interrupt()
    let served = second.end()
    #expect(served.status == 0)
    #expect(
      served.output.hasPrefix(
        "28298 rows read, 28298 stored, 0 updated, 0 unchanged, 0 rejected.\n")
    )
    #expect(served.errors.hasSuffix("Stopped.\n"))
    #expect(try await AirportDirectory(path: database).count() == 28_298)

    let third = try RunningProgram(["--database", database, "--port", "0"])
    try third.waitForOutput("\n")
    third.interrupt()
    #expect(third.end().output.hasPrefix("Serving "))
  }

  @Test("alone serves a directory of somebody's own as it is")
  func ownDirectory() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try run("import", three, "--database", database)
    let program = try RunningProgram(["--database", database, "--port", "0"])
    try program.waitForOutput("Serving ")
    program.interrupt()
    #expect(program.end().status == 0)
    #expect(try await AirportDirectory(path: database).count() == 3)
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
