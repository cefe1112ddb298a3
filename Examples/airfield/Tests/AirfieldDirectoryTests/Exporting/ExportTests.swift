import AirfieldTestSupport
import Foundation
import Synchronization
import Testing

@testable import AirfieldApp

@Suite("An export into a file")
struct ExportTests {
  let place: ExportFolder
  var directory: AirportDirectory { place.directory }

  init() throws {
    place = try ExportFolder()
  }

  private func export(_ request: ExportRequest) async throws -> ExportSummary {
    try await AirportExporter(directory: directory).run(request)
  }

  @Test("has the columns, the rows and the order of the file that was imported")
  func bundled() async throws {
    let source = try BundledAirports.path()
    _ = try await AirportImporter(directory: directory).run(source)
    let summary = try await export(ExportRequest(to: ExportTarget(try place.path("all.csv"))))
    #expect(summary.rows == 28_298)
    #expect(summary.pages == 29)

    func codes(_ text: String) -> [Substring] {
      text.split(separator: "\r\n").map { $0.prefix { $0 != "," } }
    }
    let original = try String(contentsOfFile: source, encoding: .utf8).replacing("\"", with: "")
      .replacing("\n", with: "\r\n")
    #expect(codes(try place.text("all.csv")) == codes(original))

    // Each value, too: what is imported from it is the same.
    let other = try AirportDirectory(path: try place.path("airports.sqlite-other"))
    let counts = try await AirportImporter(directory: other).run(try place.path("all.csv")).counts
    #expect(counts.stored == 28_298)
    let all = try await directory.airports(of: AirportQuery(), after: nil, limit: 30_000)
    #expect(try await other.airports(of: AirportQuery(), after: nil, limit: 30_000) == all)
  }

  @Test("has all airports of a country once, whatever the size of its pages", arguments: 1...24)
  func pages(_ pageSize: Int) async throws {
    try await place.store(23)
    let summary = try await export(try place.request(pageSize: pageSize))
    #expect(try place.text("airports.csv") == ExportFolder.csv(0..<23))
    #expect(summary.rows == 23)
    #expect(summary.pages == (23 + pageSize - 1) / pageSize)
    #expect(try place.files == ["airports.csv"])
  }

  @Test("takes a country’s code in small letters, too")
  func smallLetters() async throws {
    try await place.store(3)
    #expect(try await export(try place.request(country: "is")).rows == 3)
    #expect(try await export(try place.request(country: nil)).rows == 6)
  }

  @Test("has an object a line where its name says so")
  func jsonLines() async throws {
    try await place.store(7)
    _ = try await export(try place.request("airports.JSONL", pageSize: 3))
    let lines = try place.text("airports.JSONL").split(separator: "\n")
    #expect(lines.count == 7)
    #expect(
      lines.first == """
        {"city":"Höfn","country":"IS","iata":"A10","icao":"BI10","lat":1,"lon":2,\
        "name":"z field, “0” \\"ý\\"","tz":"UTC"}
        """)
  }

  @Test(
    "of nothing has a header and no rows",
    arguments: [("airports.csv", Samples.header), ("airports.jsonl", "")])
  func empty(_ name: String, _ text: String) async throws {
    try await place.store(2)
    let summary = try await export(try place.request(name, country: "VA"))
    #expect(summary.rows == 0)
    #expect(summary.pages == 1)
    #expect(try place.text(name) == text)
  }

  @Test("of a directory without airports has none", arguments: [nil, "IS"])
  func nothing(_ country: String?) async throws {
    #expect(try await export(try place.request(country: country)).rows == 0)
    #expect(try place.text("airports.csv") == Samples.header)
  }

  @Test("knows a country that only the directory knows")
  func ownCountry() async throws {
    _ = try await directory.store([Samples.airport("AAAA", name: "A", country: "QX")])
    #expect(try await export(try place.request(country: "QX")).rows == 1)
  }

  @Test("is made anew when it is asked for again, of what is there then")
  func again() async throws {
    try await place.store(3)
    for country in [nil, "IS"] {
      _ = try await export(try place.request(country: country))
      _ = try await export(try place.request(country: country))
    }
    _ = try await directory.store([ExportFolder.airport(3)])
    #expect(try await export(try place.request()).rows == 4)
    #expect(try place.text("airports.csv") == ExportFolder.csv(0..<4))
  }

  @Test("leaves the file that is there as it is until the end, and its permissions for ever")
  func replaces() async throws {
    try await place.store(12)
    let path = try place.folder.path("airports.csv", "before")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    let seen = Mutex<[String]>([])
    let exporter = AirportExporter(directory: directory) { _ in
      seen.withLock { $0.append((try? String(contentsOfFile: path, encoding: .utf8)) ?? "gone") }
    }
    _ = try await exporter.run(try place.request())
    // Before each of three pages, and before the end.
    #expect(seen.withLock { $0 } == Array(repeating: "before", count: 4))
    #expect(try place.text("airports.csv") == ExportFolder.csv(0..<12))
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o640)
  }

  @Test("leaves a file alone that appears meanwhile, unless it is told to replace it")
  func appears() async throws {
    try await place.store(12)
    let path = try place.path("airports.csv")
    func exporter(replaces: Bool) -> AirportExporter {
      AirportExporter(directory: directory, replaces: replaces) { progress in
        if progress.fraction == 1 { try? Data("mine".utf8).write(to: URL(filePath: path)) }
      }
    }
    let request = try place.request()
    for _ in 0..<2 {
      await #expect(throws: ExportError.exists(path: path)) {
        try await exporter(replaces: false).run(request)
      }
      #expect(try place.text("airports.csv") == "mine")
      #expect(try place.files == ["airports.csv"])
    }
    _ = try await exporter(replaces: true).run(request)
    #expect(try place.text("airports.csv") == ExportFolder.csv(0..<12))
  }

  @Test("through a link replaces what the link leads to")
  func link() async throws {
    try await place.store(2)
    _ = try place.folder.path("real.csv", "before")
    let link = try place.path("link.csv")
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: try place.path("real.csv"))
    _ = try await export(try place.request("link.csv"))
    #expect(try place.text("real.csv") == ExportFolder.csv(0..<2))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link).hasSuffix("real.csv"))
  }

  @Test("tells how far it has come, up to the end")
  func progress() async throws {
    try await place.store(20)
    let seen = Mutex<[ExportProgress]>([])
    let exporter = AirportExporter(directory: directory) { progress in
      seen.withLock { $0.append(progress) }
    }
    _ = try await exporter.run(try place.request())
    #expect(
      seen.withLock { $0 } == [
        ExportProgress(fraction: 0, rows: 0), ExportProgress(fraction: 0.25, rows: 5),
        ExportProgress(fraction: 0.5, rows: 10), ExportProgress(fraction: 0.75, rows: 15),
        ExportProgress(fraction: 1, rows: 20),
      ])
  }

  @Test(
    "stopped leaves what was there, tells how far it is, and goes on when it is asked for again")
  func cancelled() async throws {
    try await place.store(23)
    let seen = Mutex<[Int]>([])
    let task = Mutex<Task<ExportSummary, any Error>?>(nil)
    let exporter = AirportExporter(directory: directory) { progress in
      seen.withLock { $0.append(progress.rows) }
      if progress.rows == 10 { task.withLock { $0 }?.cancel() }
    }
    let request = try place.request()
    task.withLock { $0 = Task { try await exporter.run(request) } }
    let result = await task.withLock { $0 }?.result
    #expect(throws: CancellationError.self) { try result?.get() }
    #expect(seen.withLock { $0 } == [0, 5, 10, 10])
    #expect(!FileManager.default.fileExists(atPath: try place.path("airports.csv")))

    #expect(try await export(request).rows == 23)
    #expect(try place.text("airports.csv") == ExportFolder.csv(0..<23))
  }
}
