import AirfieldTestSupport
import FieldstoneServing
import Testing

@testable import AirfieldApp

@MainActor
@Suite("The order of the list in a page", .timeLimit(.minutes(10)))
struct OrderPageTests {
  private let airports = [
    Samples.airport("AAAA", name: "Alpha", city: "Zug"),
    Samples.airport("BBBB", name: "Bravo", city: "Aix"),
  ]

  private func codes(_ html: String) -> [String] {
    html.matches(of: /id="a-([A-Z]+)"/).map { String($0.output.1) }
  }

  @Test("stands in the address, at the head of its column and among the filters")
  func address() async throws {
    let site = try await TestSite(airports)
    let html = await site.page("/?q=a&sort=city")
    #expect(codes(html) == ["BBBB", "AAAA"])
    #expect(html.contains("aria-sort=\"ascending\"><a href=\"/?q=a&amp;sort=-city\">City</a>"))
    #expect(html.contains("<a href=\"/?q=a&amp;sort=name\">Airport</a>"))
    #expect(html.contains("<option value=\"city\" selected>City</option>"))
    #expect(html.contains("href=\"/export.csv?q=a\""))
    #expect(html.contains("/map.svg?q=a\""))
    #expect(codes(await site.page("/?sort=-city")) == ["AAAA", "BBBB"])
    let unsorted = await site.page("/?sort=nonsense")
    #expect(codes(unsorted) == ["AAAA", "BBBB"])
    #expect(!unsorted.contains("aria-sort"))
  }

  @Test("is changed in a live page")
  func live() async throws {
    let site = try await TestSite(airports)
    let events = try await site.events("/live?view=directory&sort=-name")
    let visitor = try await events.visitor()
    #expect(codes(try await events.first { $0.id == "results" }.html) == ["BBBB", "AAAA"])
    for (sort, expected) in [("-city", ["AAAA", "BBBB"]), ("icao", ["AAAA", "BBBB"])] {
      let told = await site.response(
        "POST", "/actions", [("visitor", visitor), ("do", "search"), ("q", ""), ("sort", sort)])
      #expect(told.status == 204)
      let results = try await events.first { $0.id == "results" }
      #expect(codes(results.html) == expected)
      #expect(results.html.contains("aria-sort"))
    }
    await events.stream.close()
  }
}
