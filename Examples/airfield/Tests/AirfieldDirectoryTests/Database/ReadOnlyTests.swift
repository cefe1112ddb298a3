import AirfieldTestSupport
import Foundation
import Testing

@testable import AirfieldApp

@Suite("A directory that is opened to be read")
struct ReadOnlyTests {
  let folder: TemporaryFolder
  let path: String

  init() async throws {
    folder = try TemporaryFolder()
    path = try folder.path("airports.sqlite")
    let directory = try AirportDirectory(path: path)
    _ = try await directory.store([
      Samples.airport("BIBD", name: "Bíldudalur", city: "Bíldudalur"),
      Samples.airport("BIRK", name: "Reykjavik"),
    ])
    await directory.close()
  }

  private func refusal(_ work: () async throws -> Void) async -> String? {
    do {
      try await work()
      return nil
    } catch DirectoryError.readOnly(let path, isAsked: true) {
      return path
    } catch {
      return "\(error)"
    }
  }

  @Test("is searched, shown and exported")
  func reads() async throws {
    let directory = try AirportDirectory(path: path, toRead: true)
    #expect(directory.isReadOnly)
    let found = try await directory.results(
      of: AirportQuery(search: AirportSearch("bild"), order: AirportOrder(.country)), limit: 9)
    #expect(found.airports.map(\.icao) == ["BIBD"])
    #expect(try await directory.points(of: AirportQuery()).count == 2)
    let target = try folder.path("all.csv")
    let request = ExportRequest(to: try ExportTarget(target))
    let summary = try await AirportExporter(directory: directory).run(request)
    #expect(summary.rows == 2)
    #expect(
      try String(contentsOfFile: target, encoding: .utf8)
        == (try await directory.exportPiece(of: AirportQuery(), at: nil).text))
    await directory.close()
  }

  @Test("refuses all that writes, and its file stays as it is")
  func refuses() async throws {
    let before = try Data(contentsOf: URL(filePath: path))
    let directory = try AirportDirectory(path: path, toRead: true)
    let airport = Samples.airport("ZZZZ", name: "New")
    let refusals = [
      await refusal { _ = try await directory.store([airport]) },
      await refusal { _ = try await directory.save(airport, replacing: nil, basedOn: nil) },
      await refusal { try await directory.delete(icao: "BIBD", basedOn: 1) },
      await refusal { _ = try await directory.restore(icao: "BIBD") },
      await refusal { try await directory.importingBundledAirports {} },
    ]
    #expect(refusals == Array(repeating: path, count: 5))
    await directory.close()
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test("follows what another process writes to it")
  func follows() async throws {
    let directory = try AirportDirectory(path: path, toRead: true)
    let other = try AirportDirectory(path: path)
    _ = try await other.store([Samples.airport("ZZZZ", name: "New")])
    #expect(try await directory.lastChangeByOthers() > 0)
    #expect(try await directory.results(of: AirportQuery(), limit: 9).total == 3)
    await other.close()
  }

  @Test("is refused where it has to be brought up to date first")
  func outdated() async throws {
    let directory = try AirportDirectory(path: path)
    try await directory.tamper(
      "DELETE FROM grdb_migrations WHERE identifier = 'relevance, parts and deleted airports'")
    await directory.close()
    let error = #expect(throws: DirectoryError.self) {
      _ = try AirportDirectory(path: path, toRead: true)
    }
    #expect(error?.message.contains("an older airfield") == true)
  }

  @Test("is refused where it is of another program, or is not there")
  func foreign() async throws {
    let directory = try AirportDirectory(path: path)
    try await directory.tamper("ALTER TABLE airport RENAME TO something")
    await directory.close()
    #expect(throws: DirectoryError.self) { _ = try AirportDirectory(path: path, toRead: true) }
    #expect(throws: DirectoryError.self) {
      _ = try AirportDirectory(path: try folder.path("none.sqlite"), toRead: true)
    }
    #expect(!FileManager.default.fileExists(atPath: try folder.path("none.sqlite")))
  }
}
