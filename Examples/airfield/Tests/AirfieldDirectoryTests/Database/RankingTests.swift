import AirfieldTestSupport
import Testing

@testable import AirfieldApp

@Suite("What a query finds, kept for its next page")
struct RankingTests {
  let folder: TemporaryFolder
  let directory: AirportDirectory

  init() async throws {
    folder = try TemporaryFolder()
    directory = try AirportDirectory(path: try folder.path("airports.sqlite"))
    _ = try await directory.store(
      (0..<60).map { number in
        Samples.airport(
          "X0\(number + 10)", iata: number.isMultiple(of: 7) ? "A\(number + 10)" : nil,
          name: "Field \(number % 9)", city: number.isMultiple(of: 5) ? "Lund" : "Lundby",
          country: number.isMultiple(of: 2) ? "IS" : "SE")
      })
  }

  static let queries = [
    AirportQuery(), AirportQuery(search: AirportSearch("f")),
    AirportQuery(search: AirportSearch("lund")), AirportQuery(search: AirportSearch("field 3")),
    AirportQuery(search: AirportSearch("x012")), AirportQuery(search: AirportSearch("zzz")),
    AirportQuery(search: AirportSearch("lund"), country: "SE"), AirportQuery(kind: .iata),
    AirportQuery(search: AirportSearch("fi"), country: "IS", kind: .iata),
  ]

  @Test("has the same order by pages, by slices and by first results", arguments: queries)
  func sameOrder(_ query: AirportQuery) async throws {
    var paged: [String] = []
    let last = try await directory.page(1, of: query, size: 7).last
    for number in 1...last {
      paged += try await directory.page(number, of: query, size: 7).airports.map(\.icao)
    }
    let first = try await directory.results(of: query, limit: 11)
    var (sliced, cursor) = (first.airports.map(\.icao), first.next)
    while let place = cursor {
      let slice = try await directory.airports(of: query, after: place, limit: 11)
      sliced += slice.airports.map(\.icao)
      cursor = slice.next
    }
    #expect(paged == sliced)
    #expect(paged.count == first.total)
    #expect(Set(paged).count == paged.count)
  }

  @Test("goes on behind an airport that has another name or is gone by then")
  func movedPlace() async throws {
    let query = AirportQuery(search: AirportSearch("lund"))
    let first = try await directory.results(of: query, limit: 12)
    let rest = try await directory.airports(of: query, after: first.next, limit: 100).airports
    let last = try #require(first.airports.last)
    try await directory.tamper("DELETE FROM airport WHERE icao = '\(last.icao)'")
    #expect(
      try await directory.airports(of: query, after: first.next, limit: 100).airports == rest)
    let moved = try #require(rest.first)
    let record = try #require(try await directory.record(icao: moved.icao))
    var renamed = record.airport
    renamed.name = "Aardvark"
    _ = try await directory.save(renamed, replacing: moved.icao, basedOn: record.revision)
    // The place says where it was, and not where its airport is now.
    #expect(
      try await directory.airports(of: query, after: first.next, limit: 100).airports.map(\.icao)
        == rest.dropFirst().map(\.icao))
  }

  @Test("is found anew once an airport is written, here or by another process")
  func writes() async throws {
    let query = AirportQuery(search: AirportSearch("lund"))
    #expect(try await directory.page(1, of: query).total == 60)
    _ = try await directory.store([Samples.airport("ZZZZ", name: "New", city: "Lund")])
    #expect(try await directory.page(1, of: query).total == 61)
    let other = try AirportDirectory(path: directory.path)
    _ = try await other.store([Samples.airport("ZZZY", name: "Newer", city: "Lund")])
    #expect(try await directory.page(1, of: query).total == 62)
    let record = try #require(try await other.record(icao: "ZZZY"))
    var moved = record.airport
    moved.city = "Malmö"
    _ = try await other.save(moved, replacing: "ZZZY", basedOn: record.revision)
    #expect(try await directory.page(1, of: query).total == 61)
    #expect(try await directory.results(of: AirportQuery(), limit: 1).total == 62)
  }

  @Test("is forgotten for others, also where it is nothing")
  func bound() async throws {
    for number in 0..<100 {
      let query = AirportQuery(search: AirportSearch("nothing\(number)"))
      #expect(try await directory.page(1, of: query).total == 0)
    }
    #expect(directory.rankings.count == RankingCache.mostRankings)
  }

  @Test(
    "holds whatever number a row has",
    arguments: [-5, 0, 1 << 26, 1 << 40, Int64.max, Int64.min])
  func numbers(_ number: Int64) async throws {
    try await directory.tamper("UPDATE airport SET id = \(number) WHERE icao = 'X012'")
    for query in [AirportQuery(), AirportQuery(kind: .icao), AirportQuery(country: "IS")] {
      let results = try await directory.results(of: query, limit: 100)
      #expect(results.total == results.airports.count)
      #expect(results.airports.contains { $0.icao == "X012" } == (query.kind == nil))
    }
  }
}

@Suite("The dots of a map")
struct MapPointTests {
  let folder: TemporaryFolder
  let directory: AirportDirectory

  init() async throws {
    folder = try TemporaryFolder()
    directory = try AirportDirectory(path: try folder.path("airports.sqlite"))
  }

  private static func grid(_ count: Int) -> [Airport] {
    (0..<count).map { number in
      var airport = Samples.airport(code(number), name: "Field")
      airport.latitude = Double(number % 170) - 84.5
      airport.longitude = Double(number / 170) * 0.2 - 170
      return airport
    }
  }

  private static func code(_ number: Int) -> String {
    let text = String(number, radix: 36).uppercased()
    return String(repeating: "_", count: 4 - text.count) + text
  }

  @Test("are one for each airport in the area, where they are few enough")
  func few() async throws {
    _ = try await directory.store(Self.grid(400))
    #expect(try await directory.points(of: AirportQuery()).count == 400)
    let area = MapArea(latitudes: -10...10, longitudes: -171...(-169.9))
    let points = try await directory.points(of: AirportQuery(), in: area)
    #expect(points.count == 20)
    #expect(points.allSatisfy { area.latitudes.contains($0.latitude) && $0.count == 1 })
    #expect(try await directory.points(of: AirportQuery(country: "SE"), in: area).isEmpty)
  }

  @Test("are squares where they are too many, and none is left out")
  func many() async throws {
    _ = try await directory.store(Self.grid(AirportDirectory.mostPoints + 5_000))
    for query in [AirportQuery(), AirportQuery(search: AirportSearch("field"))] {
      let points = try await directory.points(of: query)
      #expect(points.count <= AirportDirectory.mostPoints)
      #expect(points.reduce(0) { $0 + $1.count } == AirportDirectory.mostPoints + 5_000)
      #expect(points.allSatisfy { ($0.count == 1) == !$0.icao.isEmpty })
    }
    // Nearer, they are told apart again.
    let area = MapArea(latitudes: -90...90, longitudes: -170.1...(-165))
    #expect(try await directory.points(of: AirportQuery(), in: area).allSatisfy { $0.count == 1 })
  }
}
