import AirfieldTestSupport
import Testing

@testable import AirfieldApp

@MainActor
@Suite("The countries to choose from", .timeLimit(.minutes(10)))
struct CountryChoiceTests {
  @Test("are counted anew when an airport moves to another country that has some")
  func moves() async throws {
    let screens = try await Screens(Screens.some)
    func counts() async throws -> [String: Int] {
      let countries = try await screens.model.countriesWithAirports()
      return Dictionary(uniqueKeysWithValues: countries.map { ($0.code, $0.count) })
    }
    #expect(try await counts() == ["IS": 2, "PL": 1])
    var airport = Screens.some[1]
    airport.country = "PL"
    _ = try await screens.model.save(airport, replacing: "BIRK", basedOn: 1)
    #expect(try await counts() == ["IS": 1, "PL": 2])
  }

  @Test("are not those that were being read when something changed")
  func late() async throws {
    let screens = try await Screens(Screens.some)
    var hasBegun = false
    let early = Task {
      hasBegun = true
      return try await screens.model.countriesWithAirports()
    }
    while !hasBegun { await Task.yield() }
    screens.model.reload()
    #expect(try await early.value.map(\.code) == ["IS", "PL"])
    _ = try await screens.directory.store([
      Samples.airport("ENGM", name: "Oslo", country: "NO")
    ])
    #expect(try await screens.model.countriesWithAirports().map(\.code) == ["IS", "NO", "PL"])
  }
}
