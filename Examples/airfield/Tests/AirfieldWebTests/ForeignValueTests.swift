import AirfieldTestSupport
import FieldstoneServing
import Testing

@testable import AirfieldApp

@MainActor
@Suite("A value in the database that no airfield wrote", .timeLimit(.minutes(10)))
struct ForeignValueTests {
  nonisolated static let columns = [
    "iata", "name", "city", "region", "country", "countryName", "elevation", "latitude",
    "longitude", "timeZone", "localCode", "tags", "sortName", "words", "revision",
  ]

  static let values = ["x'FF00'", "'text'", "1e300"]

  static let addresses = [
    "/", "/?q=field", "/airports/BIBD", "/airports/BIBD/edit", "/map.svg", "/map.txt",
    "/export.csv",
  ]

  @Test("is a page that says so and a line in the log, and ends nothing", arguments: columns)
  func pages(_ column: String) async throws {
    let site = try await TestSite([
      Samples.airport("BIBD", iata: "BIU", name: "Field"),
      Samples.airport("BIRK", iata: "RKV", name: "Other field"),
    ])
    for value in Self.values {
      try await site.directory.tamper("UPDATE airport SET \(column) = \(value) WHERE icao = 'BIBD'")
      for address in Self.addresses {
        _ = site.log.take()
        let status = await site.response("GET", address).status
        #expect([200, 503].contains(status), "\(address) with \(column) \(value)")
        let log = site.log.take()
        #expect(status == 200 || !log.isEmpty, "\(address) with \(column) \(value)")
        #expect(log.allSatisfy { $0.hasPrefix("cannot read ") && !$0.contains("\n") })
      }
    }
  }

  @Test("is told of with what to do, and the other airports are there all the same")
  func told() async throws {
    let site = try await TestSite([
      Samples.airport("BIBD", name: "Field"), Samples.airport("BIRK", name: "Other"),
    ])
    try await site.directory.tamper("UPDATE airport SET latitude = 'north' WHERE icao = 'BIBD'")
    let page = await site.page("/airports/BIBD", status: 503)
    #expect(page.contains("a value in it is of another type than airfield writes"))
    #expect(await site.page("/airports/BIRK").contains("Other"))
    #expect(site.log.take().count == 1)
  }

  @Test("is left out of the map where it is no place")
  func nowhere() async throws {
    let site = try await TestSite([
      Samples.airport("BIBD", name: "Field"), Samples.airport("BIRK", name: "Other"),
    ])
    try await site.directory.tamper("UPDATE airport SET latitude = 1e300 WHERE icao = 'BIBD'")
    #expect(await site.page("/map.txt") == "BIRK\t1000\t2000\tOther\n")
    #expect(await site.page("/map.svg").contains("<svg"))
  }
}
