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
    try await ImportStage.open(path: path).execute(in: ImportServices(directory: directory)).counts
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

  @Test("stopped between two batches keeps what it stored, and can be finished by another")
  func cancelled() async throws {
    let last = Mutex<ImportCounts>(ImportCounts())
    let batches = Mutex(0)
    let services = ImportServices(directory: directory) { progress in
      last.withLock { $0 = progress.counts }
      if batches.withLock({
        $0 += 1; return $0 == 3
      }) {
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    let path = try BundledAirports.path()
    let result = await Task {
      try await ImportStage.open(path: path).execute(in: services)
    }.result
    #expect(throws: CancellationError.self) { try result.get() }
    let stored = last.withLock { $0.stored }
    #expect(batches.withLock { $0 } == 3)
    #expect(stored > 0 && stored < 28_298)
    #expect(try await directory.count() == stored)

    let rest = try await importing(path)
    #expect(rest.unchanged == stored)
    #expect(rest.stored == 28_298 - stored)
  }

  @Test("goes on from any of its stages, stored as JSON, to the same end")
  func resumed() async throws {
    let path = try Fixture.url("faults").path
    var stages: [ImportStage] = []
    for try await stage in ImportStage.open(path: path)
      .stages(in: ImportServices(directory: directory))
    {
      stages.append(stage)
    }
    #expect(stages.count == 6)
    for stage in stages {
      let copy = try JSONDecoder().decode(ImportStage.self, from: JSONEncoder().encode(stage))
      #expect(copy == stage)
      let counts = try await copy.execute(in: ImportServices(directory: directory)).counts
      #expect(counts.read == 44)
      #expect(counts.rejected == 40)
    }
    #expect(try await directory.count() == 4)
  }

  @Test("tells how far it has come, up to the end")
  func progress() async throws {
    let fractions = Mutex<[Double]>([])
    let services = ImportServices(directory: directory) { progress in
      fractions.withLock { $0.append(progress.fraction) }
    }
    _ = try await ImportStage.open(path: BundledAirports.path()).execute(in: services)
    let seen = fractions.withLock { $0 }
    #expect(seen == seen.sorted())
    #expect(seen.count > 10)
    #expect(seen.last == 1)
  }
}
