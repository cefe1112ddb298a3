import AirfieldTestSupport
import Foundation
import GRDB
import Synchronization
import Testing

@testable import AirfieldApp

// Of the same suite, so that programs run one after the other: waiting for them takes up a thread.
extension ProcessTests {
  private func path(_ name: String) -> String { folder.appending(path: name).path }

  private func importAll() throws {
    let ended = try run("import", BundledAirports.path(), "--database", database)
    try #require(ended.status == 0)
  }

  @Test("exports a country into a file and says how much it is")
  func exports() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try run("import", three, "--database", database)
    let all = try run("export", "--to", path("all.csv"), "--database", database)
    #expect(all.status == 0)
    #expect(all.output == "3 airports exported to \(path("all.csv")).\n")
    #expect(all.errors == "100 % exported, 3 rows\n")
    let again = try run("import", path("all.csv"), "--database", database)
    #expect(again.output == "3 rows read, 0 stored, 0 updated, 3 unchanged, 0 rejected.\n")
    let none = try run(
      "export", "--country", "va", "--to", path("none.csv"), "--database", database)
    #expect(none.output == "0 airports exported to \(path("none.csv")).\n")
  }

  @Test("leaves a file alone that is there already, unless it is told to replace it")
  func keepsFiles() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try run("import", three, "--database", database)
    try Data("mine".utf8).write(to: URL(filePath: path("all.csv")))
    let refused = try run("export", "--to", path("all.csv"), "--database", database)
    #expect(refused.status == 2)
    #expect(refused.errors.hasPrefix("airfield: there is a file \(path("all.csv")) already; "))
    #expect(try String(contentsOfFile: path("all.csv"), encoding: .utf8) == "mine")
    let told = try run("export", "--to", path("all.csv"), "--replace", "--database", database)
    #expect(told.status == 0)
    #expect(try String(contentsOfFile: path("all.csv"), encoding: .utf8).hasPrefix("icao,"))
  }

  @Test("goes on with an export whose own file is in its place, and leaves any other alone")
  func finishesExport() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try run("import", three, "--database", database)
    for isReplaced in [true, false] {
      let target = path("\(isReplaced).csv")
      // As a kill does between the renaming and the checkpoint.
      try DatabaseQueue(path: database).write { db in
        try db.execute(
          sql: """
            CREATE TRIGGER held BEFORE INSERT ON exportRun BEGIN SELECT RAISE(ABORT, 'held'); END
            """)
      }
      #expect(try run("export", "--to", target, "--database", database).status == 1)
      #expect(try String(contentsOfFile: target, encoding: .utf8).hasPrefix("icao,"))
      try DatabaseQueue(path: database).write { try $0.execute(sql: "DROP TRIGGER held") }
      if isReplaced {
        try FileManager.default.removeItem(atPath: target)
        try Data("mine".utf8).write(to: URL(filePath: target))
      }
      let again = try run("export", "--to", target, "--database", database)
      #expect(again.status == (isReplaced ? 2 : 0), "\(again.errors)")
      #expect(try String(contentsOfFile: target, encoding: .utf8).hasPrefix("mine") == isReplaced)
      // It is over, or has to be told to replace what is there.
      #expect(try run("export", "--to", target, "--database", database).status == 2)
    }
  }

  @Test("ends with status 2 and one line for a country or a target that can't be used")
  func refusesExports() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try run("import", three, "--database", database)
    let uses = [
      ["--country", "ZZ", "--to", path("a.csv")], ["--to", folder.path],
      ["--to", path("nowhere/a.csv")], ["--to", "ftp://host/"],
    ]
    for use in uses {
      let ended = try RunningProgram(["export", "--database", database] + use).end()
      #expect(ended.status == 2)
      #expect(ended.output.isEmpty)
      #expect(ended.errors.hasPrefix("airfield: "))
      #expect(ended.errors.filter { $0 == "\n" }.count == 1)
    }
    let missing = try run("export", "--to", path("a.csv"), "--database", path("missing.sqlite"))
    #expect(missing.status == 1)
    #expect(missing.errors.contains("make one with airfield import"))
    #expect(!FileManager.default.fileExists(atPath: path("missing.sqlite")))
    #expect(try run("export", "--to", "a", "--page-size", "0", "--database", database).status == 64)
    #expect(try run("export", "--database", database).status == 64)
  }

  @Test("killed while it exports, again and again, comes to the same bytes")
  func killedExport() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try importAll()
    _ = try run("export", "--to", path("whole.csv"), "--database", database)
    let whole = try Data(contentsOf: URL(filePath: path("whole.csv")))
    #expect(whole.count > 2_000_000)

    let arguments = [
      "export", "--to", path("killed.csv"), "--page-size", "50", "--database", database,
    ]
    // At once: wherever that is.
    _ = try RunningProgram(arguments).kill()
    for quarter in ["25 %", "50 %", "75 %"] {
      let program = try RunningProgram(arguments)
      try program.waitForErrors(quarter + " exported")
      try #require(program.kill(), "the program ended before it could be killed")
      #expect(!FileManager.default.fileExists(atPath: path("killed.csv")))
    }
    let ended = try RunningProgram(arguments).end()
    #expect(ended.status == 0)
    #expect(ended.output == "28298 airports exported to \(path("killed.csv")).\n")
    // It begins where it had been.
    #expect(!ended.errors.contains("50 %"))
    #expect(ended.errors.hasPrefix("75 % exported, ") || ended.errors.hasPrefix("100 % exported, "))
    #expect(try Data(contentsOf: URL(filePath: path("killed.csv"))) == whole)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!files.contains { $0.hasSuffix(".part") })
  }

  @Test("stopped while it exports, says how far it is, and goes on when it is started again")
  func stoppedExport() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try importAll()
    let arguments = ["export", "--to", path("a.csv"), "--page-size", "50", "--database", database]
    let program = try RunningProgram(arguments)
    try program.waitForErrors("25 % exported")
    program.interrupt()
    let stopped = program.end()
    #expect(stopped.status == 130)
    #expect(stopped.output.isEmpty)
    let told = try #require(
      stopped.errors.firstMatch(
        of:
          /\nairfield: interrupted; the same command goes on from there: (\d+) airports exported\n/)
    )
    let rows = try #require(Int(told.1))
    #expect(rows >= 7_050 && rows < 28_298)
    #expect(!FileManager.default.fileExists(atPath: path("a.csv")))
    let ended = try RunningProgram(arguments).end()
    #expect(ended.status == 0)
    // It begins where it had been.
    let first = try #require(ended.errors.firstMatch(of: /^\d+ % exported, (\d+) rows\n/))
    #expect(try #require(Int(first.1)) >= rows)
    let lines = try String(contentsOfFile: path("a.csv"), encoding: .utf8)
      .split(separator: "\r\n").count
    #expect(lines == 28_299)
  }

  @Test("killed while a page is on its way, posts it again under the same key")
  func killedPost() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try importAll()
    let held = Mutex(Set<Int>())
    // Pages 2, 5 and 9 come to nothing the first time.
    let receiver = try PageReceiver { post in
      guard let page = post.page, [2, 5, 9].contains(page),
        held.withLock({ $0.insert(page).inserted })
      else { return .status(200) }
      return .hold
    }
    let arguments = [
      "export", "--country", "DE", "--to", receiver.address(), "--page-size", "50", "--database",
      database,
    ]
    var arrivals = receiver.arrivals.makeAsyncIterator()
    for page in [2, 5, 9] {
      let program = try RunningProgram(arguments)
      while let post = await arrivals.next(), post.page != page {}
      #expect(program.kill())
    }
    let ended = try RunningProgram(arguments).end()
    #expect(ended.status == 0)
    let rows = try await AirportDirectory(path: database)
      .results(of: AirportQuery(country: "DE"), limit: 1).total
    let pages = (rows + 49) / 50
    #expect(ended.output == "\(rows) airports posted to \(receiver.address()) in \(pages) pages.\n")

    let posts = receiver.requests
    #expect(receiver.accepted.compactMap(\.page) == Array(1...pages))
    #expect(posts.count == pages + 3)
    #expect(Set(posts.map(\.key)).count == pages)
    for (first, second) in zip(posts, posts.dropFirst()) where first.page == second.page {
      #expect(first == second)
    }
    let codes = receiver.accepted.flatMap { post in
      post.body.split(separator: "\r\n").dropFirst().map { $0.prefix(4) }
    }
    #expect(codes.count == rows)
    #expect(Set(codes).count == rows)
  }

  @Test("says why a page is posted again, and ends with what a server refused")
  func refusedPost() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try run("import", three, "--database", database)
    let isFirst = Mutex(true)
    let receiver = try PageReceiver { _ in
      let isFirst = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      return isFirst ? .status(503) : .status(422)
    }
    let ended = try run("export", "--to", receiver.address(), "--database", database)
    #expect(ended.status == 1)
    #expect(ended.errors.hasPrefix("Not accepted (status 503); trying again in "))
    #expect(
      ended.errors.contains("\nairfield: \(receiver.address()) answered page 1 with status 422"))
    #expect(ended.errors.filter { $0 == "\n" }.count == 2)
  }
}
