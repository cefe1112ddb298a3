import AirfieldTestSupport
import FieldstoneDurable
import FieldstoneSQLite
import Foundation
import GRDB
import Testing

@testable import AirfieldApp

/// While a batch is stored the next one is read.
///
/// What is asked for next is another one after a failure, when an import goes on elsewhere, with parts of another size, and when another file is imported.
@Suite("A batch that was read ahead")
struct ReadAheadTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A file of five batches of 64 rows, in which places are those of any other such file.
  private func file(_ name: String, _ words: String) throws -> ImportFile {
    // Of a column that airports do not have nothing is kept, so few rows are a batch.
    let rest = String(repeating: "x", count: 2_000)
    let rows = (0..<320).map { number in
      "A\(number + 100),,\(words) \(number),,,IS,,1,2,UTC,,\(rest)\r\n"
    }
    let text = Samples.header.replacing("lid", with: "lid,rest") + rows.joined()
    return try ImportFile(ImportSource(path: try folder.path(name, text)))
  }

  /// What there is to ask for: all batches of a file, up to the end of the file and of a part of it.
  private func requests(_ file: ImportFile) async throws -> [Request] {
    var position = ImportPosition(file: file)
    var places = [position.place]
    while !position.isAtEnd {
      _ = try await ReadAhead().rows(at: &position)
      places.append(position.place)
    }
    let ends: [Int?] = [nil] + places.dropFirst().map(\.offset)
    return places.dropLast().flatMap { place in
      ends.filter { $0 ?? .max > place.offset }.map {
        Request(start: ImportPosition(file: file, place: place), end: $0)
      }
    }
  }

  private struct Request {
    let start: ImportPosition
    let end: Int?

    /// What comes of it; each row with what it says.
    func answer(_ reading: ReadAhead) async throws -> (rows: [String], next: ImportPosition) {
      var position = start
      let rows = try await reading.rows(at: &position, upTo: end)
      return (rows.map { "\($0.number) \($0.line) \($0.airport)" }, position)
    }
  }

  @Test("is taken for none but itself, whatever is asked for and in which order")
  func place() async throws {
    var random = RandomSource.fresh()
    let (first, second) = (try file("first.csv", "Field"), try file("second.csv", "Other"))
    let all = try await requests(first) + requests(second)
    #expect(all.count >= 30)
    let reading = ReadAhead()
    var ahead: Request?
    for number in 0..<100 {
      // Every other time what an import asks for that goes on undisturbed.
      let next = Bool.random(using: &random) ? ahead : nil
      let request = try #require(next ?? all.randomElement(using: &random))
      let (answer, expected) = try await (
        request.answer(reading), request.answer(ReadAhead())
      )
      try #require(answer.rows == expected.rows, "request \(number) of seed \(random.seed)")
      try #require(answer.next == expected.next)
      let isLast = answer.next.place.offset >= request.end ?? .max || answer.next.isAtEnd
      ahead = isLast ? nil : Request(start: answer.next, end: request.end)
    }
  }

  @Test("is of no use once the file is another one")
  func changed() async throws {
    let file = try file("file.csv", "Field")
    let reading = ReadAhead()
    let first = try await Request(start: ImportPosition(file: file), end: nil).answer(reading)
    // As long as it takes to read it.
    let next = Request(start: first.next, end: nil)
    _ = try await next.answer(ReadAhead())
    _ = try self.file("file.csv", "Changed")
    await #expect(throws: ImportError.self) { try await next.answer(reading) }
  }

  @Test("is not stored in the place of one that could not be stored")
  func failure() async throws {
    let directory = try AirportDirectory(path: try folder.path("airports.sqlite"))
    // The second batch has the row, and is stored by the third attempt.
    let code = "A" + String(1_700, radix: 36).uppercased()
    try await directory.journal.write { db in
      try db.execute(
        sql: """
          CREATE TRIGGER refused BEFORE INSERT ON airport WHEN new.icao = '\(code)'
          BEGIN SELECT RAISE(ABORT, 'not yet'); END
          """)
    }
    let imports = try DirectoryImports(directory: directory)
    let text = Samples.file(rows: 3_000)
    let upload = try imports.folder.begin(name: "airports.csv")
    try await upload.write(Array(text.utf8))
    try await imports.begin(try await upload.finish())
    try await imports.working {
      for attempt in 1...2 {
        let status = try await Self.end(of: imports)
        guard case .failed(let message) = status.phase else {
          Issue.record("\(status)")
          return
        }
        #expect(message.contains("not yet"))
        #expect(status.progress.counts.read > 0 && status.progress.counts.read < 700)
        if attempt == 2 {
          try await directory.journal.write { try $0.execute(sql: "DROP TRIGGER refused") }
        }
        try await imports.resume()
      }
      let status = try await Self.end(of: imports)
      #expect(status.phase == .finished)
      #expect(status.progress.counts.read == 3_000)
      #expect(status.progress.counts.stored == 3_000 - 42)
    }
    let page = try await directory.page(1, matching: AirportSearch("Field 700"))
    #expect(page.total == 1)
  }

  /// Waits until the import does not run any more.
  private static func end(of imports: DirectoryImports) async throws -> ImportStatus {
    let changes = imports.changes()
    if let status = try await imports.status(), status.phase != .running { return status }
    for await _ in changes {
      if let status = try await imports.status(), status.phase != .running { return status }
    }
    throw CancellationError()
  }
}
