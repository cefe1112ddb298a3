import AirfieldTestSupport
import FieldstoneDurable
import FieldstoneSQLite
import FieldstoneTesting
import Foundation
import GRDB
import Testing

@testable import AirfieldApp

@Suite("The import of an uploaded file in parts", .timeLimit(.minutes(10)))
struct UploadPartsTests {
  let folder: TemporaryFolder
  let directory: AirportDirectory

  init() throws {
    folder = try TemporaryFolder()
    directory = try AirportDirectory(path: try folder.path("airports.sqlite"))
  }

  private func imports(
    _ directory: AirportDirectory, _ batchesPerPart: Int = 2, at gate: Gate? = nil,
    isAtPart: @escaping @Sendable (StageAttempt) -> Bool = { _ in false }
  ) throws -> DirectoryImports {
    var options = DurableRunnerOptions(shutdownGrace: .zero)
    options.aroundStage = { attempt in
      if let gate, isAtPart(attempt) { try await gate.waitUnlessCancelled() }
      return try await attempt.perform()
    }
    return try DirectoryImports(
      directory: directory, batchesPerPart: batchesPerPart, options: options)
  }

  /// The second batch of a part.
  private static func isMiddle(_ attempt: StageAttempt) -> Bool {
    attempt.flow == "airfield.upload.part" && attempt.sequence == 1
  }

  private func take(_ text: String, _ imports: DirectoryImports) async throws -> UploadedFile {
    let file = try imports.folder.begin(name: "airports.csv")
    try await file.write(Array(text.utf8))
    return try await file.finish()
  }

  private func end(of imports: DirectoryImports) async throws {
    let changes = imports.changes()
    guard try await imports.status()?.phase == .running else { return }
    for await _ in changes where try await imports.status()?.phase != .running { return }
  }

  private func result(_ directory: AirportDirectory, _ imports: DirectoryImports) async throws
    -> [String]
  {
    let airports = try await directory.results(of: AirportQuery(), limit: 100_000).airports
    let status = try #require(try await imports.status())
    return try await [
      "\(airports)", "\(status.progress)", "\(status.phase)", "\(status.rejects)",
      imports.rejectsText() ?? "",
    ]
  }

  private func undivided() async throws -> [String] {
    let directory = try AirportDirectory(path: try folder.path("undivided.sqlite"))
    let imports = try imports(directory, 100)
    try await imports.begin(try await take(ImportCrashTests.text, imports))
    try await imports.working { try await end(of: imports) }
    return try await result(directory, imports)
  }

  private func parts() async throws -> [RunRecord] {
    try await directory.journal.runs(RunQuery(flow: "airfield.upload.part")).runs
  }

  @Test(
    "cancelled in the middle of a part stores nothing more, and resumed it ends as if it had not been"
  )
  func cancelled() async throws {
    let expected = try await undivided()
    let gate = Gate()
    let imports = try imports(directory, at: gate, isAtPart: Self.isMiddle)
    try await imports.begin(try await take(ImportCrashTests.text, imports))
    try await imports.working {
      await gate.arrivals(atLeast: 1)
      try await imports.cancel()
      gate.open()
      let status = try #require(try await imports.status())
      #expect(status.phase == .cancelled)
      #expect(status.progress.counts.read > 0 && status.progress.counts.read < 2_000)
      #expect(status.progress.fraction > 0.2 && status.progress.fraction < 0.4)
      #expect(try await directory.count() == status.progress.counts.stored)
      #expect(try await parts().allSatisfy { $0.state != .running })
      try await imports.resume()
      try await end(of: imports)
    }
    #expect(try await result(directory, imports) == expected)
    #expect(try await parts().count { $0.state == .cancelled } == 2)
  }

  @Test("cancelled is given up for another file, and nothing of it comes later")
  func givenUp() async throws {
    let gate = Gate()
    let imports = try imports(directory, at: gate, isAtPart: Self.isMiddle)
    try await imports.begin(try await take(ImportCrashTests.text, imports))
    try await imports.working {
      await gate.arrivals(atLeast: 1)
      try await imports.cancel()
      let stored = try await directory.count()
      let row = "BIRK,,Field,,,IS,,1,1,UTC,\r\n"
      try await imports.begin(try await take(Samples.header + row, imports))
      gate.open()
      try await end(of: imports)
      #expect(try await imports.status()?.progress.counts.stored == 1)
      #expect(try await directory.count() == stored + 1)
    }
    let left = try await DatabaseQueue(path: directory.path).read { db in
      try Int.fetchAll(
        db, sql: "SELECT count(*) FROM importSeen UNION ALL SELECT count(*) FROM importReject")
    }
    #expect(left == [0, 0])
  }

  @Test("is given back when the server ends in the middle of a part, and shows where it is")
  func goesOn() async throws {
    let expected = try await undivided()
    let gate = Gate()
    do {
      let directory = try AirportDirectory(path: directory.path)
      let imports = try imports(directory, at: gate, isAtPart: Self.isMiddle)
      try await imports.begin(try await take(ImportCrashTests.text, imports))
      try await imports.working { await gate.arrivals(atLeast: 1) }
      try await directory.journal.close()
    }
    let imports = try imports(directory)
    let before = try #require(try await imports.status())
    #expect(before.phase == .running)
    #expect(before.file == "airports.csv")
    #expect(before.progress.fraction > 0.2 && before.progress.fraction < 0.4)
    try await imports.working { try await end(of: imports) }
    #expect(try await result(directory, imports) == expected)
  }

  @Test("is refused where the file becomes another meanwhile; the parts behind are passed over")
  func changed() async throws {
    let gate = Gate()
    let imports = try imports(directory, 1, at: gate) { $0.flow == "airfield.upload.part" }
    let file = try await take(ImportCrashTests.text, imports)
    try await imports.begin(file)
    try await imports.working {
      await gate.arrivals(atLeast: 1)
      try Data("icao".utf8).write(to: URL(filePath: file.path))
      gate.open()
      try await end(of: imports)
    }
    #expect(try await imports.status()?.phase == .refused(.changed(path: "airports.csv")))
    #expect(try await directory.count() == 0)
    let parts = try await parts()
    #expect(parts.count == 4)
    #expect(parts.count { $0.payload == Data(#"{"passedOver":{}}"#.utf8) } == 3)
  }

  @Test("a part of which fails has failed, and is tried again from there")
  func failed() async throws {
    let expected = try await undivided()
    let row = ImportCrashTests.text.split(separator: "\r\n")[1_302]
    try await directory.tamper(
      """
      CREATE TRIGGER refusal BEFORE INSERT ON airport WHEN new.icao = '\(row.prefix(4))' BEGIN
      SELECT RAISE(ABORT, 'no such airports here'); END
      """)
    let imports = try imports(directory)
    try await imports.begin(try await take(ImportCrashTests.text, imports))
    try await imports.working {
      try await end(of: imports)
      let status = try #require(try await imports.status())
      guard case .failed(let message) = status.phase else {
        Issue.record("\(status.phase)")
        return
      }
      #expect(message.contains("no such airports here"))
      #expect(status.progress.fraction >= 0.5 && status.progress.fraction < 1)
      try await directory.tamper("DROP TRIGGER refusal")
      try await imports.resume()
      try await end(of: imports)
    }
    #expect(try await result(directory, imports) == expected)
  }
}
