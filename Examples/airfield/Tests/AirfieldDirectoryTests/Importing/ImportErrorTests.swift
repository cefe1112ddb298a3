import AirfieldTestSupport
import Fieldstone
import Foundation
import Testing

@testable import AirfieldApp

@Suite("A file that can't be imported")
struct ImportErrorTests {
  static let files: [(contents: [UInt8], problem: String)] = [
    ([], "is empty"),
    (Array("\r\n\n\r\n".utf8), "is empty"),
    ([0xEF, 0xBB, 0xBF], "is empty"),
    (Array("icao|name|country|lat|lon|tz\n".utf8), "lacks icao, name, country, lat, lon, tz"),
    (Array("{\"airports\": []}".utf8), "a quote inside a value"),
    (Array("icao,name,country,lat,tz\n".utf8), "its header lacks lon"),
    (Array("icao,name,country,lat,lon,tz,ICAO\n".utf8), "names icao twice"),
    (Array("\"icao,name\nBIRK,x\n".utf8), "a quote opened on line 1 that never closes"),
    (Array(repeating: 0, count: 300), "lacks icao"),
    (Array((Samples.header + "BIRK,,Reykjav").utf8) + [0xED, 0x6B], "not UTF-8 (line 2)"),
    (Array(Samples.header.utf8) + [0xC3], "not UTF-8 (line 2)"),
    ([0xFF, 0xFE, 0x69, 0x00], "UTF-16; save it as UTF-8"),
    ([0x69, 0x00, 0x63, 0x00], "UTF-16; save it as UTF-8"),
    ([0x1F, 0x8B, 0x08, 0x00], "compressed with gzip; unpack it"),
    ([0x50, 0x4B, 0x03, 0x04], "a spreadsheet; unpack it, or save it as CSV"),
    ([0x89, 0x50, 0x4E, 0x47, 0x0D], "a PNG picture; choose a CSV file"),
    (Array("%PDF-1.7\n".utf8), "a PDF document; choose a CSV file"),
    (Array("SQLite format 3\0".utf8), "an SQLite database; export it as CSV first"),
    (
      Array((Samples.header + "BIRK,,\"Reykjavik,,,IS,,1,1,UTC,\nBIKF,,K,,,IS,,1,1,UTC,\n").utf8),
      "opens a quote on line 2 that never closes and swallows the last 1 line;"
    ),
    (
      Array((Samples.header + "BIRK,,\"R\n" + String(repeating: "x\n", count: 900_000)).utf8),
      "swallows the last 900000 lines; close it"
    ),
    (
      Array(
        (Samples.header + ",,O\"Hare,,,IS,,1,1,UTC,\nBIRK,,\"Open,,,IS,,1,1,UTC,\n"
          + "BIKF,,K,,,IS,,1,1,UTC,\n").utf8),
      "opens a quote on line 3 that never closes and swallows the last 1 line;"
    ),
    (Array(Samples.header.utf8) + Array(repeating: 0x0A, count: 200_000) + [0xC0], "(line 200002)"),
  ]

  @Test("is told in one line, and changes nothing", arguments: files)
  func refused(_ contents: [UInt8], _ problem: String) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.path("file.csv", contents)
    let rejects = try folder.path("airports.sqlite.rejects.csv", "of an earlier import")
    let directory = try AirportDirectory(path: try folder.path("airports.sqlite"))
    let error = await #expect(throws: ImportError.self) {
      try await AirportImporter(directory: directory).run(path)
    }
    let message = try #require(error?.message)
    #expect(message.contains(problem))
    #expect(message.contains(path))
    #expect(!message.contains("\n"))
    #expect(try await directory.count() == 0)
    #expect(FileManager.default.fileExists(atPath: rejects))
  }

  @Test("is not one whose characters are cut by the end of a chunk", arguments: 0..<4)
  func cutCharacters(_ shift: Int) async throws {
    let folder = try TemporaryFolder()
    // Blank lines put the planes where the first 131,072 bytes end.
    let blanks = String(repeating: "\n", count: 130_900 - Samples.header.utf8.count + shift)
    let name = String(repeating: "🛬", count: 100)
    let path = try folder.path("file.csv", Samples.header + blanks + "BIRK,,\(name),,,IS,,1,1,UTC,")
    let directory = try AirportDirectory(path: try folder.path("airports.sqlite"))
    _ = try await AirportImporter(directory: directory).run(path)
    #expect(try await directory.airport(icao: "BIRK")?.name == name)
  }

  @Test("is told from one that is not there, and from a folder")
  func absent() throws {
    let folder = try TemporaryFolder()
    let missing = try folder.path("missing.csv")
    #expect(throws: ImportError.self) { try ImportFile.inspect(missing) }
    #expect(throws: ImportError.self) { try ImportFile.inspect(folder.url.path) }
    #expect(ImportError.missing(path: missing).message.hasPrefix("there is no file at \(missing);"))
  }

  @Test("is told from a link that leads in a circle", arguments: ["self.csv", "nowhere.csv"])
  func links(_ target: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.path("self.csv")
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    let error = #expect(throws: ImportError.self) { try ImportFile.inspect(path) }
    #expect(error == .brokenLink(path: path))
    #expect(error?.message.contains("leads nowhere or in a circle") == true)
  }

  @Test("is none where stray quotes are even or odd, and the file goes on behind them")
  func strayQuotes() async throws {
    let folder = try TemporaryFolder()
    let rows = ["a\"b", "a\"b\"c", "\"a\"b"].map { ",,\($0),,,IS,,1,1,UTC,\n" }.joined()
    let path = try folder.path("file.csv", Samples.header + rows + "BIRK,,R,,,IS,,1,1,UTC,\n")
    let directory = try AirportDirectory(path: try folder.path("airports.sqlite"))
    let counts = try await AirportImporter(directory: directory).run(path).counts
    #expect(counts.rejected == 3 && counts.stored == 1)
  }

  @Test(
    "says so when it changes while it is imported, also to as many bytes",
    arguments: ["", Samples.header + "BIRK,,Other,,,IS,,1,1,UTC,\n"])
  func changed(_ text: String) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.path("file.csv", Samples.header + "BIRK,,Field,,,IS,,1,1,UTC,\n")
    // Long ago: two writes that follow at once may have the same time.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000)], ofItemAtPath: path)
    let directory = try AirportDirectory(path: try folder.path("airports.sqlite"))
    let importer = AirportImporter(directory: directory) { _ in
      try? Data(text.utf8).write(to: URL(filePath: path))
    }
    let error = await #expect(throws: ImportError.self) { try await importer.run(path) }
    #expect(error?.message.contains("changed") == true)
  }
}
