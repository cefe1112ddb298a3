import AirfieldDirectory
import AirfieldTestSupport
import Fieldstone
import Foundation
import Synchronization
import Testing

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
