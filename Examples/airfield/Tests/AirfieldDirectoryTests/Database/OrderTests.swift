import AirfieldTestSupport
import Testing

@testable import AirfieldApp

@Suite("An order of the list")
struct OrderTests {
  let folder: TemporaryFolder
  let directory: AirportDirectory

  init() async throws {
    folder = try TemporaryFolder()
    directory = try AirportDirectory(path: try folder.path("airports.sqlite"))
    _ = try await directory.store([
      Samples.airport("AAAA", iata: "ZZZ", name: "Éclair", city: "Örebro", country: "SE"),
      Samples.airport("BBBB", name: "Delta", city: "Zug", country: "CH"),
      Samples.airport("CCCC", iata: "AAA", name: "Alpha", country: "AX"),
      Samples.airport("DDDD", iata: "MMM", name: "Bravo", city: "Zug", country: "AR"),
    ])
  }

  static let orders: [(text: String, codes: String)] = [
    ("name", "CCCC DDDD BBBB AAAA"), ("-name", "AAAA BBBB DDDD CCCC"),
    ("city", "AAAA DDDD BBBB CCCC"), ("-city", "DDDD BBBB AAAA CCCC"),
    // Åland stands among the names in A.
    ("country", "CCCC DDDD AAAA BBBB"), ("-country", "BBBB AAAA DDDD CCCC"),
    ("icao", "AAAA BBBB CCCC DDDD"), ("-icao", "DDDD CCCC BBBB AAAA"),
    ("iata", "CCCC DDDD AAAA BBBB"), ("-iata", "AAAA DDDD CCCC BBBB"),
  ]

  @Test(
    "goes by a column, then by name, with those at the end that have nothing there",
    arguments: orders)
  func columns(_ text: String, _ codes: String) async throws {
    let query = AirportQuery(order: AirportOrder(text))
    let page = try await directory.page(1, of: query)
    #expect(page.airports.map(\.icao).joined(separator: " ") == codes)
    #expect(query.order?.text == text)
  }

  @Test("is the same by pages and by slices, whatever is searched for", arguments: orders)
  func slices(_ text: String, _ codes: String) async throws {
    _ = try await directory.store(
      (0..<40).map { number in
        Samples.airport(
          "X0\(number + 10)", iata: number % 3 == 0 ? nil : "I\(number + 10)",
          name: "Same \(number % 4)", city: number % 5 == 0 ? nil : "City \(number % 6)",
          country: ["IS", "SE", "AX"][number % 3])
      })
    for search in [nil, "same", "x0"] {
      let query = AirportQuery(
        search: search.flatMap(AirportSearch.init), order: AirportOrder(text))
      let all = try await directory.page(1, of: query, size: 100).airports.map(\.icao)
      for limit in [1, 7] {
        let sliced = try await directory.codes(of: query, inSlicesOf: limit)
        #expect(sliced == all, "\(search ?? "") \(limit)")
      }
    }
  }

  @Test("takes the place of relevance")
  func relevance() async throws {
    let search = AirportSearch("aaaa")
    _ = try await directory.store([Samples.airport("QQQQ", name: "Aaaa field")])
    let found = try await directory.results(of: AirportQuery(search: search), limit: 9)
    #expect(found.airports.map(\.icao) == ["AAAA", "QQQQ"])
    let sorted = try await directory.results(
      of: AirportQuery(search: search, order: AirportOrder(.name)), limit: 9)
    #expect(sorted.airports.map(\.icao) == ["QQQQ", "AAAA"])
  }

  @Test("is none where a text names none", arguments: ["", "-", "elevation", "--name", "name;"])
  func none(_ text: String) {
    #expect(AirportOrder(text) == nil)
  }
}
