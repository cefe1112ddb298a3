import AirfieldTestSupport
import Fieldstone
import Testing

@testable import AirfieldApp

@Suite("A query")
struct QueryTests {
  let folder: TemporaryFolder
  let directory: AirportDirectory

  init() async throws {
    folder = try TemporaryFolder()
    directory = try AirportDirectory(path: try folder.path("airports.sqlite"))
  }

  private func store() async throws {
    var field = Samples.airport("1AL2", name: "Øvre Field", city: "Tromsø", country: "NO")
    field.localCode = "AL2"
    _ = try await directory.store([
      Samples.airport("EPLL", iata: "LCJ", name: "Łódź Airport", city: "Łódź", country: "PL"),
      Samples.airport("BIBD", iata: "BIU", name: "Bíldudalur Airport", city: "Bíldudalur"),
      Samples.airport("BIRK", iata: "RKV", name: "Reykjavik Airport", city: "Reykjavik"),
      Samples.airport("EDDG", iata: "FMO", name: "Straße Münster", country: "DE"), field,
    ])
  }

  @Test(
    "finds letters that Unicode does not take apart, as a keyboard without them has them",
    arguments: [
      ("lodz", "EPLL"), ("LODZ", "EPLL"), ("Łódź", "EPLL"), ("łódź", "EPLL"), ("ovre", "1AL2"),
      ("øvre", "1AL2"), ("tromso", "1AL2"), ("strasse", "EDDG"), ("munster", "EDDG"),
      ("bildudalur", "BIBD"),
    ])
  func folds(_ text: String, _ code: String) async throws {
    try await store()
    let results = try await directory.results(
      of: AirportQuery(search: AirportSearch(text)), limit: 10)
    #expect(results.airports.map(\.icao) == [code])
    #expect(results.total == 1)
  }

  @Test("is narrowed down to a country and to a kind of code")
  func filters() async throws {
    try await store()
    func codes(_ query: AirportQuery) async throws -> [String] {
      try await directory.results(of: query, limit: 10).airports.map(\.icao)
    }
    #expect(try await codes(AirportQuery(country: "IS")) == ["BIBD", "BIRK"])
    #expect(try await codes(AirportQuery(kind: .iata)) == ["BIBD", "EPLL", "BIRK", "EDDG"])
    #expect(try await codes(AirportQuery(kind: .icao)).contains("1AL2") == false)
    #expect(try await codes(AirportQuery(kind: .local)) == ["1AL2"])
    let search = AirportSearch("airport")
    #expect(try await codes(AirportQuery(search: search, country: "PL")) == ["EPLL"])
    #expect(try await codes(AirportQuery(search: search, country: "' OR 1 --")).isEmpty)
    #expect(
      try await directory.countriesWithAirports().map(\.code).sorted() == ["DE", "IS", "NO", "PL"])
    #expect(try await directory.points(of: AirportQuery(country: "IS")).count == 2)
  }

  @Test("goes on after each slice until every airport has come once", arguments: [1, 2, 3, 7, 50])
  func slices(_ limit: Int) async throws {
    _ = try await directory.store(
      (0..<40).map { Samples.airport("X0\($0 + 10)", name: "Same \($0 % 3)") })
    for query in [AirportQuery(), AirportQuery(search: AirportSearch("x023"))] {
      let found = try await directory.codes(of: query, inSlicesOf: limit)
      let all = try await directory.page(1, of: query, size: 100)
      #expect(found == all.airports.map(\.icao))
    }
  }

  @Test("gives the airport with the very code first, also across slices", arguments: [1, 2, 3])
  func exact(_ limit: Int) async throws {
    _ = try await directory.store([
      Samples.airport("ORDA", name: "Aardvark"), Samples.airport("ORDB", name: "Zebra"),
      Samples.airport("KORD", iata: "ORD", name: "O'Hare"),
    ])
    let query = AirportQuery(search: AirportSearch("ord"))
    var found: [String] = []
    var cursor: AirportCursor?
    repeat {
      let slice = try await directory.airports(of: query, after: cursor, limit: limit)
      found += slice.airports.map(\.icao)
      cursor = slice.next
    } while cursor != nil
    #expect(found == ["KORD", "ORDA", "ORDB"])
  }
}
