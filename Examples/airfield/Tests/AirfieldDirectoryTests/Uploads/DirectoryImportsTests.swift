import AirfieldTestSupport
import Fieldstone
import FieldstoneDurable
import FieldstoneSQLite
import FieldstoneTesting
import Foundation
import GRDB
import Testing

@testable import AirfieldApp

@Suite("The import of an uploaded file")
struct DirectoryImportsTests {
  /// Four batches or more.
  static let text = Samples.file(rows: 2_000)

  let folder: TemporaryFolder
  let directory: AirportDirectory

  init() throws {
    folder = try TemporaryFolder()
    directory = try AirportDirectory(path: try folder.path("airports.sqlite"))
  }

  private func take(
    _ text: String, _ imports: DirectoryImports, name: String = "airports.csv"
  ) async throws -> UploadedFile {
    let file = try imports.folder.begin(name: name)
    try await file.write(Array(text.utf8))
    return try await file.finish()
  }

  private var kept: [String] {
    let path = directory.path + ".uploads"
    return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  /// Works on imports until one stands as described.
  private func run(
    _ imports: DirectoryImports, until isMet: @escaping @Sendable (ImportStatus?) -> Bool
  ) async throws {
    let changes = imports.changes()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await imports.run() }
      group.addTask {
        if isMet(try await imports.status()) { return }
        for await _ in changes where isMet(try await imports.status()) { return }
      }
      try await group.next()
      group.cancelAll()
      while let result = await group.nextResult() {
        if case .failure(let error) = result, !(error is CancellationError) { throw error }
      }
    }
  }

  private static func isOver(_ status: ImportStatus?) -> Bool {
    status.map { $0.phase != .running } ?? true
  }

  /// Imports whose stage of a number waits at a gate before its work.
  private func gated(
    _ gate: Gate, at sequence: Int, of other: AirportDirectory? = nil
  ) throws -> DirectoryImports {
    var options = DurableRunnerOptions(shutdownGrace: .zero)
    options.aroundStage = { attempt in
      if attempt.sequence == sequence { try await gate.waitUnlessCancelled() }
      return try await attempt.perform()
    }
    return try DirectoryImports(directory: other ?? directory, options: options)
  }

  /// All airports, and the counts of the import.
  private struct Result: Equatable {
    let airports: [Airport]
    let counts: ImportCounts?
    let rejects: String?

    init(_ directory: AirportDirectory, _ imports: DirectoryImports) async throws {
      airports = try await directory.results(of: AirportQuery(), limit: 100_000).airports
      counts = try await imports.status()?.progress.counts
      rejects = try await imports.rejectsText()
    }
  }

  private func undisturbed() async throws -> Result {
    let directory = try AirportDirectory(path: try folder.path("undisturbed.sqlite"))
    let imports = try DirectoryImports(directory: directory)
    try await imports.begin(try await take(Self.text, imports))
    try await run(imports, until: Self.isOver)
    return try await Result(directory, imports)
  }

  @Test("stores its airports, keeps its first rejects to be looked at, and then its file is gone")
  func imports() async throws {
    let imports = try DirectoryImports(directory: directory)
    #expect(try await imports.status() == nil)
    let rows = (0..<150).map { "BAD-\($0),,Field,,,IS,,1,1,UTC,\r\n" }.joined()
    try await imports.begin(
      try await take(Samples.header + "BIRK,,Field,,,IS,,1,1,UTC,\r\n" + rows, imports))
    #expect(kept.count == 1)
    #expect(try await imports.status()?.phase == .running)
    try await run(imports) { Self.isOver($0) && kept.isEmpty }
    let status = try #require(try await imports.status())
    #expect(status.file == "airports.csv")
    #expect(status.phase == .finished)
    #expect(status.progress.fraction == 1)
    #expect(status.progress.counts.stored == 1)
    #expect(status.progress.counts.rejected == 150)
    #expect(status.rejects.count == 100)
    #expect(status.rejects.first?.record == 2)
    #expect(status.rejects.first?.line == 3)
    let text = try #require(try await imports.rejectsText())
    #expect(text.components(separatedBy: "\r\n").count == 152)

    try await imports.begin(
      try await take(Samples.header + "BIRK,,Field,,,IS,,1,1,UTC,\r\n", imports))
    #expect(try await imports.rejectsText() == nil)
    try await run(imports) { Self.isOver($0) }
    #expect(try await imports.status()?.progress.counts.unchanged == 1)
  }

  @Test("of rows of which none is an airport hands out a thousand rejects at a time, and lists all")
  func manyRejects() async throws {
    let imports = try DirectoryImports(directory: directory)
    try await imports.begin(
      try await take(Samples.header + String(repeating: "x\r\n", count: 2_500), imports))
    try await run(imports, until: Self.isOver)
    var rejects = try #require(try await imports.rejects())
    let lines = try await rejects.reduce(into: []) {
      $0.append($1.components(separatedBy: "\r\n").count - 1)
    }
    #expect(lines == [1_001, 1_000, 500])
    let listed = try String(contentsOfFile: directory.path + ".rejects.csv", encoding: .utf8)
    #expect(try await imports.rejectsText() == listed)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(!left.contains { $0.hasSuffix(".part") })
    // Who is in the middle of them when they are forgotten is not told that this was all.
    _ = try await rejects.next()
    try await directory.forgetRejects()
    let rest = rejects
    await #expect(throws: MessageError.self) {
      for try await _ in rest {}
    }
  }

  @Test("goes on by itself when the process has ended at any stage", arguments: 0..<6)
  func goesOn(_ sequence: Int) async throws {
    let expected = try await undisturbed()
    #expect(expected.counts?.read == 2_000)
    #expect(expected.counts?.rejected == 28)
    let gate = Gate()
    do {
      // Another process has the file open for itself.
      let directory = try AirportDirectory(path: directory.path)
      let imports = try gated(gate, at: sequence, of: directory)
      try await imports.begin(try await take(Self.text, imports))
      let work = Task { try await imports.run() }
      await gate.arrivals(atLeast: 1)
      work.cancel()
      await #expect(throws: CancellationError.self) { try await work.value }
      try await directory.journal.close()
    }
    #expect(kept.count == 1)

    let imports = try DirectoryImports(directory: directory)
    let before = try #require(try await imports.status())
    #expect(before.phase == .running)
    #expect(before.file == "airports.csv")
    #expect((before.progress.counts.read > 0) == (sequence > 1))
    try await run(imports, until: Self.isOver)
    #expect(try await Result(directory, imports) == expected)
  }

  @Test("cancelled keeps what it stored, and resumed it ends as if it had never been")
  func cancelled() async throws {
    let expected = try await undisturbed()
    let gate = Gate()
    let imports = try gated(gate, at: 3)
    try await imports.begin(try await take(Self.text, imports))
    let work = Task { try await imports.run() }
    await gate.arrivals(atLeast: 1)
    try await imports.cancel()
    let status = try #require(try await imports.status())
    #expect(status.phase == .cancelled)
    #expect(status.file == "airports.csv")
    #expect(status.progress.counts.read > 0 && status.progress.counts.read < 2_000)
    #expect(try await directory.count() == status.progress.counts.stored)
    #expect(status.progress.fraction > 0 && status.progress.fraction < 1)
    #expect(kept.count == 1)

    gate.open()
    try await imports.resume()
    let changes = imports.changes()
    if try await !Self.isOver(imports.status()) {
      for await _ in changes where Self.isOver(try await imports.status()) { break }
    }
    work.cancel()
    _ = await work.result
    #expect(try await Result(directory, imports) == expected)
  }

  @Test("cancelled goes on when the same file is given again, and is given up for another")
  func again() async throws {
    let gate = Gate()
    let first = try gated(gate, at: 3)
    try await first.begin(try await take(Self.text, first))
    let work = Task { try await first.run() }
    await gate.arrivals(atLeast: 1)
    try await first.cancel()
    work.cancel()
    _ = await work.result
    let counts = try #require(try await first.status()).progress.counts
    #expect(counts.read > 0)

    try await first.begin(try await take(Self.text, first, name: "other name.csv"))
    #expect(try await first.status()?.phase == .running)
    #expect(try await first.status()?.progress.counts == counts)
    try await first.cancel()

    try await first.begin(
      try await take(Samples.header + "BIRK,,Field,,,IS,,1,1,UTC,\r\n", first, name: "b.csv"))
    #expect(try await first.status()?.progress.counts == ImportCounts())
    #expect(kept.count == 1)
    let left = try await DatabaseQueue(path: directory.path).read { db in
      try Int.fetchAll(
        db, sql: "SELECT count(*) FROM importSeen UNION ALL SELECT count(*) FROM importReject")
    }
    #expect(left == [0, 0])
    try await run(first, until: Self.isOver)
    #expect(try await first.status()?.file == "b.csv")
    #expect(try await first.rejectsText() == nil)
    #expect(try await directory.count() == counts.stored + 1)
  }

  @Test("given up is forgotten with its file, and one that is under way can’t be given up")
  func givenUp() async throws {
    let imports = try DirectoryImports(directory: directory)
    try await imports.giveUp()
    try await imports.resume()
    try await imports.cancel()
    try await imports.begin(try await take(Self.text, imports))
    try await imports.giveUp()
    #expect(try await imports.status()?.phase == .running)
    try await imports.cancel()
    try await imports.giveUp()
    #expect(try await imports.status() == nil)
    #expect(kept.isEmpty)
    try await imports.resume()
    #expect(try await imports.status() == nil)
    try await imports.begin(try await take(Self.text, imports))
    try await run(imports, until: Self.isOver)
    #expect(try await directory.count() == 1_972)
  }

  @Test("has to wait while another is under way")
  func busy() async throws {
    let imports = try DirectoryImports(directory: directory)
    try await imports.begin(try await take(Self.text, imports))
    let other = try await take("icao", imports)
    await #expect(throws: UploadError.busy) { try await imports.begin(other) }
    try await run(imports, until: Self.isOver)
    #expect(try await directory.count() == 1_972)
  }

  @Test(
    "that can’t be one says why, by the name that its giver knows",
    arguments: [
      ("", "airports.csv is empty"), ("icao\n", "airports.csv is not a CSV file of airports"),
      ("icao,name\u{0}", "airports.csv"),
    ])
  func refused(_ text: String, _ problem: String) async throws {
    let imports = try DirectoryImports(directory: directory)
    try await imports.begin(try await take(text, imports))
    try await run(imports, until: Self.isOver)
    let status = try #require(try await imports.status())
    guard case .refused(let error) = status.phase else {
      Issue.record("\(status.phase)")
      return
    }
    #expect(error.message.contains(problem))
    #expect(!error.message.contains(".uploads"))
    #expect(status.file == "airports.csv")
  }

  @Test("that has failed goes on once its cause is mended")
  func failed() async throws {
    let expected = try await undisturbed()
    let inTheWay = URL(filePath: directory.path + ".rejects.csv")
    try FileManager.default.createDirectory(
      at: inTheWay.appending(path: "full"), withIntermediateDirectories: true)
    let imports = try DirectoryImports(directory: directory)
    try await imports.begin(try await take(Self.text, imports))
    try await run(imports, until: Self.isOver)
    guard case .failed(let message)? = try await imports.status()?.phase else {
      Issue.record("it has not failed")
      return
    }
    #expect(message.contains("cannot write"))
    #expect(kept.count == 1)
    try FileManager.default.removeItem(at: inTheWay)
    try await imports.resume()
    try await run(imports, until: Self.isOver)
    #expect(try await Result(directory, imports) == expected)
  }

  @Test("is left alone by a server that starts meanwhile, half of it or all of it")
  func otherServer() async throws {
    let first = try DirectoryImports(directory: directory)
    let second = try DirectoryImports(directory: try AirportDirectory(path: directory.path))
    let file = try first.folder.begin(name: "airports.csv")
    let bytes = Array(Self.text.utf8)
    try await file.write(Array(bytes.prefix(1_000)))
    await second.tidy()
    try await file.write(Array(bytes.dropFirst(1_000)))
    let whole = try await file.finish()
    // Somebody looks at what it would do.
    await second.tidy()
    #expect(kept.count == 1)
    let same = try await take(Self.text, second)
    await second.discard(same)
    #expect(kept.count == 1)
    try await first.begin(whole)
    await second.tidy()
    try await run(first) { Self.isOver($0) && kept.isEmpty }
    #expect(try await first.status()?.progress.counts.stored == 1_972)
  }

  @Test("leaves nothing of what never came whole, and is left alone by an import of the command")
  func apart() async throws {
    let imports = try DirectoryImports(directory: directory)
    try await imports.begin(try await take(Self.text, imports))
    let part = directory.path + ".uploads/left.part"
    try Data([65]).write(to: URL(filePath: part))
    let other = try folder.path("other.csv", Samples.header + "BIRK,,Field,,,IS,,1,1,UTC,\r\n")
    #expect(try await AirportImporter(directory: directory).run(other).counts.stored == 1)
    #expect(try await imports.status()?.phase == .running)
    await imports.tidy()
    #expect(!FileManager.default.fileExists(atPath: part))
    #expect(kept.count == 1)
    try await run(imports, until: Self.isOver)
    #expect(try await imports.status()?.progress.counts.stored == 1_972)
  }
}
