import AirfieldTestSupport
import Fieldstone
import Foundation
import GRDB
import Synchronization
import Testing

@testable import AirfieldApp

@Suite("An import")
struct ImportTests {
  let folder: TemporaryFolder
  let directory: AirportDirectory

  init() throws {
    folder = try TemporaryFolder()
    directory = try AirportDirectory(path: try folder.path("airports.sqlite"))
  }

  private var rejectsPath: String { directory.path + ".rejects.csv" }

  private func importing(_ path: String) async throws -> ImportCounts {
    try await AirportImporter(directory: directory).run(path).counts
  }

  @Test("stores every bundled airport, and changes nothing the second time")
  func bundled() async throws {
    let path = try BundledAirports.path()
    var expected = ImportCounts()
    expected.read = 28_298
    expected.stored = 28_298
    #expect(try await importing(path) == expected)
    #expect(!FileManager.default.fileExists(atPath: rejectsPath))
    #expect(try await directory.count() == 28_298)

    expected.stored = 0
    expected.unchanged = 28_298
    #expect(try await importing(path) == expected)
    #expect(try await directory.count() == 28_298)
  }

  @Test("rejects each kind of faulty row with its record, line and reason, and goes on")
  func faults() async throws {
    let counts = try await importing(try Fixture.url("faults").path)
    #expect(counts.read == 44)
    #expect(counts.stored == 4)
    #expect(counts.rejected == 40)
    let expected = try Data(contentsOf: try Fixture.url("faults.rejects"))
    let written = try Data(contentsOf: URL(filePath: rejectsPath))
    #expect(String(decoding: written, as: UTF8.self) == String(decoding: expected, as: UTF8.self))

    let stored = try await directory.page(1)
    #expect(stored.airports.map(\.icao).sorted() == ["BIAR", "BIBD", "BIKF", "BIRK"])
    let keflavik = try await directory.airport(icao: "BIKF")
    #expect(keflavik?.name == "Keflavík \"International\",\r\nAirport")
    #expect(try await directory.airport(icao: "BIRK")?.elevation == nil)
  }

  @Test("leaves a list of its own rejects and none of an earlier import")
  func rejectsFile() async throws {
    let row = ",,Field,,,IS,,1,1,UTC,\r\n"
    let bad = try folder.path("bad.csv", Samples.header + row + row)
    _ = try await importing(bad)
    _ = try await importing(bad)
    let twice = try String(contentsOfFile: rejectsPath, encoding: .utf8)
    #expect(twice == "record,line,reason\r\n1,2,icao is empty\r\n2,3,icao is empty\r\n")

    let good = try folder.path("good.csv", Samples.header + "BIRK" + row)
    _ = try await importing(good)
    #expect(!FileManager.default.fileExists(atPath: rejectsPath))
  }

  @Test("tells changed airports from new and equal ones, and finds them by what is new")
  func updates() async throws {
    let first = "BIRK,,Field,,,IS,,1,1,UTC,\nBIKF,,Other,,,IS,,1,1,UTC,\n"
    _ = try await importing(try folder.path("1.csv", Samples.header + first))
    let second =
      "BIRK,RKV,Renamed,,,IS,,1,1,UTC,\nBIKF,,Other,,,IS,,1,1,UTC,\nBIAR,,New,,,IS,,1,1,UTC,\n"
    let counts = try await importing(try folder.path("2.csv", Samples.header + second))
    #expect(counts.stored == 1)
    #expect(counts.updated == 1)
    #expect(counts.unchanged == 1)
    #expect(try await directory.page(1, matching: AirportSearch("renamed")).total == 1)
    #expect(try await directory.page(1, matching: AirportSearch("field")).total == 0)
  }

  @Test("finds columns by their names, in any order and among others")
  func columns() async throws {
    let text = "TZ,extra,lon,lat,Country,name,icao\nUTC,x,2,1,IS,Field,BIRK\n"
    _ = try await importing(try folder.path("order.csv", text))
    let airport = try await directory.airport(icao: "BIRK")
    #expect(airport == Samples.airport("BIRK", name: "Field"))
  }

  @Test("leaves columns alone that the file lacks, and clears those that are empty")
  func absentColumns() async throws {
    let whole = Samples.header + "BIRK,RKV,Field,City,Region,IS,45,1,1,UTC,LC\n"
    _ = try await importing(try folder.path("1.csv", whole))
    let before = try #require(try await directory.airport(icao: "BIRK"))

    let short = "icao,name,country,lat,lon,tz\n"
    let same = try await importing(try folder.path("2.csv", short + "BIRK,Field,IS,1,1,UTC\n"))
    #expect(same.unchanged == 1)
    let renamed = try folder.path("3.csv", short + "BIRK,New,IS,1,1,UTC\nBIKF,Other,IS,1,1,UTC\n")
    #expect(try await importing(renamed).updated == 1)
    var expected = before
    expected.name = "New"
    #expect(try await directory.airport(icao: "BIRK") == expected)
    #expect(try await directory.page(1, matching: AirportSearch("city")).total == 1)

    let cleared = Samples.header + "BIRK,,New,City,,IS,,1,1,UTC,\n"
    #expect(try await importing(try folder.path("4.csv", cleared)).updated == 1)
    (expected.iata, expected.region, expected.elevation, expected.localCode) = (nil, nil, nil, nil)
    #expect(try await directory.airport(icao: "BIRK") == expected)
  }

  @Test("says before what would be new, changed and cleared, and changes nothing")
  func preview() async throws {
    let first = Samples.header + "BIRK,RKV,Field,City,,IS,45,1,1,UTC,\nBIKF,,K,,,IS,,1,1,UTC,\n"
    _ = try await importing(try folder.path("1.csv", first))
    let before = try await directory.page(1).airports
    let second =
      "icao,iata,name,city,country,elevation,lat,lon,tz\n"
      + "BIRK,,New,Town,IS,46,1,1,UTC\nBIKF,,K,,IS,,1,1,UTC\nBIAR,,A,,IS,,1,1,UTC\n"
      + "BIAR,,Again,,IS,,1,1,UTC\nBIEG,,,,IS,,1,1,UTC\n"
    let path = try folder.path("2.csv", second)
    let preview = try await ImportPreview.of(path, in: directory)
    #expect(preview.changed == [.name: 1, .city: 1, .elevation: 1])
    #expect(preview.cleared == [.iata: 1])
    #expect(preview.absent == [.subd, .lid])
    #expect(
      preview.lines == [
        "5 rows: 1 new, 1 changed, 1 unchanged, 2 rejected.",
        "Would change: name in 1, city in 1, elevation in 1.", "Would clear: iata in 1.",
        "The file has no subd, lid: what is stored there stays.",
      ])
    #expect(try await directory.page(1).airports == before)
    // The import does what the preview said.
    #expect(try await importing(path) == preview.counts)
  }

  @Test(
    "is not made into the database of another program, to which nothing is written",
    arguments: [
      "CREATE TABLE recipe (name TEXT)", "CREATE TABLE airport (code TEXT)",
      """
      CREATE TABLE airport (code TEXT);
      CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
      INSERT INTO grdb_migrations VALUES ('airports');
      """,
    ])
  func foreignDatabase(_ sql: String) throws {
    let path = try folder.path("other.sqlite")
    do {
      let other = try DatabaseQueue(path: path)
      try other.write { try $0.execute(sql: sql) }
    }
    let before = try Data(contentsOf: URL(filePath: path))
    let error = #expect(throws: DirectoryError.self) { try AirportDirectory(path: path) }
    #expect(error?.message.contains("is a database of another program") == true)
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(!names.contains { $0.hasPrefix("other.sqlite-") })
  }

  @Test("takes values that semicolons or tabs separate", arguments: [";", "\t"])
  func separators(_ separator: String) async throws {
    let rows = Samples.header + "BIRK,RKV,\"Field\",City,,IS,45,1,2,UTC,\n"
    let text = rows.replacing(",", with: separator).replacing("Field", with: "A, B; and\tC")
    let counts = try await importing(try folder.path("other.csv", text))
    #expect(counts.stored == 1)
    let airport = try await directory.airport(icao: "BIRK")
    #expect(airport?.name == "A, B; and\tC" && airport?.longitude == 2)
  }

  @Test("stopped keeps what it stored, tells it, and goes on when it is asked for again")
  func cancelled() async throws {
    let seen = Mutex<[ImportProgress]>([])
    let task = Mutex<Task<ImportSummary, any Error>?>(nil)
    let importer = AirportImporter(directory: directory) { progress in
      // The third is that of the third batch before it is read.
      let count = seen.withLock {
        $0.append(progress)
        return $0.count
      }
      if count == 3 { task.withLock { $0 }?.cancel() }
    }
    let path = try BundledAirports.path()
    task.withLock { $0 = Task { try await importer.run(path) } }
    let result = await task.withLock { $0 }?.result
    #expect(throws: CancellationError.self) { try result?.get() }
    let (stopped, before) = seen.withLock { ($0.last, $0.count) }
    let stored = try #require(stopped?.counts.stored)
    #expect(before == 4)
    #expect(stored > 0 && stored < 28_298)
    #expect(try await directory.count() == stored)

    var expected = ImportCounts()
    expected.read = 28_298
    expected.stored = 28_298
    #expect(try await importer.run(path).counts == expected)
    #expect(seen.withLock { $0[before] } == stopped)
    #expect(try await directory.count() == 28_298)
  }

  @Test("tells how far it has come, up to the end")
  func progress() async throws {
    let fractions = Mutex<[Double]>([])
    let importer = AirportImporter(directory: directory) { progress in
      fractions.withLock { $0.append(progress.fraction) }
    }
    _ = try await importer.run(BundledAirports.path())
    let seen = fractions.withLock { $0 }
    #expect(seen == seen.sorted())
    #expect(seen.count > 10)
    #expect(seen.first == 0)
    #expect(seen.last == 1)
  }
}
