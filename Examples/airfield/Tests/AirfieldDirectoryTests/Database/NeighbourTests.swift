import AirfieldTestSupport
import Testing

@testable import AirfieldApp

@Suite("The neighbours of an airport")
struct NeighbourTests {
  let folder: TemporaryFolder
  let directory: AirportDirectory

  init() async throws {
    folder = try TemporaryFolder()
    directory = try AirportDirectory(path: try folder.path("airports.sqlite"))
  }

  private func airport(_ code: String, _ latitude: Double, _ longitude: Double) -> Airport {
    var airport = Samples.airport(code, name: code)
    (airport.latitude, airport.longitude) = (latitude, longitude)
    return airport
  }

  @Test("are the nearest first, with their distances, and never itself")
  func nearest() async throws {
    let vienna = airport("LOWW", 48.1103, 16.5697)
    _ = try await directory.store([
      vienna, airport("LZIB", 48.1702, 17.2127), airport("LHBP", 47.4298, 19.2611),
      airport("LKPR", 50.1008, 14.26), airport("YSSY", -33.9461, 151.1772),
    ])
    let found = try await directory.neighbours(of: vienna, limit: 3)
    #expect(found.map(\.airport.icao) == ["LZIB", "LHBP", "LKPR"])
    #expect((47...49).contains(try #require(found.first).kilometres))
    let all = try await directory.neighbours(of: vienna, limit: 10)
    #expect(all.map(\.airport.icao).last == "YSSY")
    #expect((15_900...16_100).contains(try #require(all.last).kilometres))
  }

  @Test("are found across the date line and around a pole, and no nearer one is passed over")
  func edges() async throws {
    let fiji = airport("FIJI", -17, 179.9)
    _ = try await directory.store([
      fiji, airport("EAST", -17, -179.9), airport("WEST", -17, 178), airport("FARR", -16.6, 170),
      // Farther north than the first parallels and nearer than what lies between them.
      airport("NEAR", -16, 179.9), airport("POL1", 89.9, 0), airport("POL2", 89.9, 180),
    ])
    let near = try await directory.neighbours(of: fiji, limit: 3).map(\.airport.icao)
    #expect(near == ["EAST", "NEAR", "WEST"])
    let pole = try await directory.neighbours(of: airport("POL1", 89.9, 0), limit: 1)
    #expect((22...23).contains(try #require(pole.first).kilometres))
    #expect(try await directory.neighbours(of: airport("NONE", 0, 0), limit: 0).isEmpty)
  }
}

@Suite("A code that an airport had before")
struct FormerCodeTests {
  @Test("leads to the code that it has now")
  func formerCodes() async throws {
    let folder = try TemporaryFolder()
    let directory = try AirportDirectory(path: try folder.path("airports.sqlite"))
    _ = try await directory.store([
      Samples.airport("AAAA", name: "First"), Samples.airport("BBBB", name: "Second"),
    ])
    func rename(_ code: String, _ next: String) async throws {
      let record = try #require(try await directory.record(icao: code))
      var airport = record.airport
      airport.icao = next
      _ = try await directory.save(airport, replacing: code, basedOn: record.revision)
    }
    #expect(try await directory.successor(of: "AAAA") == nil)
    try await rename("AAAA", "CCCC")
    try await rename("CCCC", "DDDD")
    #expect(try await directory.successor(of: "aaaa") == "DDDD")
    #expect(try await directory.successor(of: "CCCC") == "DDDD")
    #expect(try await directory.record(icao: "AAAA") == nil)
    // Whoever has the code now is found by it, and only a page that finds nobody asks.
    try await rename("BBBB", "AAAA")
    #expect(try await directory.record(icao: "AAAA")?.airport.name == "Second")
    try await directory.tamper("DELETE FROM airport WHERE icao = 'DDDD'")
    #expect(try await directory.successor(of: "CCCC") == nil)
  }
}
