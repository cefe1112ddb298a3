import AirfieldTestSupport
import Foundation
import Testing

@testable import AirfieldApp

@Suite("The directory")
struct DirectoryTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try folder.path("airports.sqlite")
  }

  private func filled(_ count: Int) async throws -> AirportDirectory {
    let directory = try AirportDirectory(path: path)
    _ = try await directory.store(
      (0..<count).map { number in
        Samples.airport(String(format: "X%03d", number), name: String(format: "Field %03d", number))
      })
    return directory
  }

  @Test(
    "gives pages of 50 by name, the nearest where a number is out of range",
    arguments: [
      (1, 1, 0), (2, 2, 50), (3, 3, 100), (4, 3, 100), (Int.max, 3, 100), (0, 1, 0),
      (Int.min, 1, 0),
    ])
  func pages(_ asked: Int, _ shown: Int, _ first: Int) async throws {
    let page = try await filled(120).page(asked)
    #expect(page.number == shown)
    #expect(page.last == 3)
    #expect(page.total == 120)
    #expect(page.airports.count == (shown == 3 ? 20 : 50))
    #expect(page.airports.first?.icao == String(format: "X%03d", first))
  }

  @Test("is in the order of names whatever the case of their letters")
  func order() async throws {
    let directory = try AirportDirectory(path: path)
    _ = try await directory.store([
      Samples.airport("AAA1", name: "beta"), Samples.airport("AAA2", name: "Alpha"),
      Samples.airport("AAA4", name: "ALPHA"), Samples.airport("AAA3", name: "Gamma"),
    ])
    #expect(try await directory.page(1).airports.map(\.icao) == ["AAA2", "AAA4", "AAA1", "AAA3"])
  }

  static let orders: [[String]] = [
    ["Bilbao", "Bíldudalur", "Billings", "BISMARCK", "Blackpool"],
    ["Lodwar", "Łódź", "Loei", "Łomża", "Lübeck", "Lugano", "Zürich"],
    ["Æra", "Afton", "Ørebro", "Orenburg", "Theodore", "Þingeyri", "Thira"],
    ["Femo Airfield", "Femø Bay", "FEMØ COVE", "Fe\u{301}mo Dale", "Femo Elm"],
    ["İnönü", "Ios", "ıspir", "Ithaca"],
    ["Straße 1", "Strasse 2", "STRASSE 3", "STRAẞE 4"],
    ["Gueppi\u{AD} Airport", "Gueppi Bay"],
    ["42", "Ωμέγα 1", "ωμεγα 2", "東京"],
  ]

  @Test("is in the order of names whatever the marks on their letters", arguments: orders)
  func marks(_ names: [String]) async throws {
    let directory = try AirportDirectory(path: path)
    // The codes run against the names, so that they can't be what the order comes from.
    let airports = names.enumerated().map { index, name in
      Samples.airport("X\(900 - index)", name: name, city: "Anywhere")
    }
    _ = try await directory.store(airports)
    #expect(try await directory.page(1).airports.map(\.name) == names)
    let found = try await directory.page(1, matching: AirportSearch("anywhere"))
    #expect(found.airports.map(\.name) == names)
  }

  @Test("orders an airport anew when its name changes")
  func renamed() async throws {
    let directory = try AirportDirectory(path: path)
    _ = try await directory.store([
      Samples.airport("AAA1", name: "Álfa"), Samples.airport("AAA2", name: "Beta"),
    ])
    _ = try await directory.store([Samples.airport("AAA1", name: "Çelik")])
    #expect(try await directory.page(1).airports.map(\.icao) == ["AAA2", "AAA1"])
  }

  @Test("needs the bundled airports while it is empty, and until their import has ended")
  func bundled() async throws {
    struct Stopped: Error {}
    let directory = try AirportDirectory(path: path)
    #expect(try await directory.needsBundledAirports())
    await #expect(throws: Stopped.self) {
      try await directory.importingBundledAirports {
        _ = try await directory.store([Samples.airport("AAA1", name: "Alpha")])
        throw Stopped()
      }
    }
    let opened = try AirportDirectory(path: path)
    #expect(try await opened.needsBundledAirports())
    try await opened.importingBundledAirports {}
    #expect(try await opened.needsBundledAirports() == false)
    #expect(try await AirportDirectory(path: path).needsBundledAirports() == false)
  }

  @Test("does not need the bundled airports where it has others")
  func filledByHand() async throws {
    let directory = try await filled(1)
    #expect(try await directory.needsBundledAirports() == false)
  }

  @Test("has one empty page where it has no airports")
  func empty() async throws {
    let page = try await AirportDirectory(path: path).page(1)
    #expect(page == DirectoryPage(number: 1, last: 1, total: 0, airports: []))
  }

  @Test("gives back an airport as it was stored, by its code in any case")
  func lookup() async throws {
    let airport = Airport(
      icao: "BIBD", iata: "BIU", name: "Bíldudalur <Airport>", city: "Bíldudalur",
      region: "Westfjords", country: "IS", elevation: 18.5, latitude: 65.6413,
      longitude: -23.5462, timeZone: "Atlantic/Reykjavik", localCode: "X-1")
    let directory = try AirportDirectory(path: path)
    _ = try await directory.store([airport])
    #expect(try await directory.airport(icao: "bibd") == airport)
    #expect(try await directory.airport(icao: "NONE") == nil)
    #expect(try await AirportDirectory(path: path).airport(icao: "BIBD") == airport)
  }

  @Test("says in one line why a file is no database")
  func notADatabase() throws {
    let other = try folder.path("other.sqlite", "this is no database, and long enough to be one…")
    let error = #expect(throws: DirectoryError.self) { try AirportDirectory(path: other) }
    #expect(error?.message.contains("file is not a database") == true)
    #expect(throws: DirectoryError.self) { try AirportDirectory(path: folder.url.path) }
  }
}
