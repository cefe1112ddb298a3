import AirfieldTestSupport
import Testing

@testable import AirfieldApp

@Suite("A search")
struct SearchTests {
  let folder: TemporaryFolder
  let directory: AirportDirectory

  init() async throws {
    folder = try TemporaryFolder()
    directory = try AirportDirectory(path: try folder.path("airports.sqlite"))
    _ = try await directory.store([
      Samples.airport("BIBD", iata: "BIU", name: "Bíldudalur Airport", city: "Bíldudalur"),
      Samples.airport("BIRK", iata: "RKV", name: "Reykjavik Airport", city: "Reykjavik"),
      Samples.airport(
        "KORD", iata: "ORD", name: "O'Hare International", city: "Chicago", country: "US"),
      Samples.airport("ORDA", name: "Aardvark Field", city: "Nowhere", country: "US"),
      Samples.airport(
        "LTFM", iata: "IST", name: "AND OR NOT NEAR", city: "\"quoted\" * ^ city", country: "TR"),
    ])
  }

  static let found: [(text: String, codes: [String])] = [
    ("Bíldudalur", ["BIBD"]), ("bildudalur", ["BIBD"]), ("BÍLDU", ["BIBD"]),
    ("B\u{69}\u{301}ldudalur", ["BIBD"]), ("bibd", ["BIBD"]), ("biu", ["BIBD"]),
    ("iceland", ["BIBD", "BIRK"]), ("IS", ["BIBD", "LTFM", "BIRK"]), ("airp reyk", ["BIRK"]),
    ("  reyk   airp ", ["BIRK"]), ("o'hare", ["KORD"]), ("hare", ["KORD"]), ("türkiye", ["LTFM"]),
    ("ord", ["KORD", "ORDA"]), ("united states", ["KORD", "ORDA"]), ("udalur", []),
    ("reykjavik chicago", []),
  ]

  @Test("finds by the beginnings of words, whatever their case and accents", arguments: found)
  func finds(_ text: String, _ codes: [String]) async throws {
    let page = try await directory.page(1, matching: AirportSearch(text))
    if text == "IS" {
      #expect(Set(page.airports.map(\.icao)) == Set(codes))
    } else {
      #expect(page.airports.map(\.icao) == codes)
    }
    #expect(page.total == codes.count)
  }

  static let hostile = [
    "\"", "\"\"", "'", "*", "a*", "^bildudalur", "name:bildudalur", "NEAR(a b)", "a AND", "OR",
    "NOT",
    "(", ")", "-", "---", "+", "{icao}: x", "; DROP TABLE airport", "%", "_", "\\", "a\u{0}b",
    "\u{0}",
    "\u{301}", "🛬", "\u{1E900}", "\u{FFFD}", "\u{202E}abc", String(repeating: "a ", count: 5000),
    String(repeating: "\"", count: 5000), "1e999", "'; --",
  ]

  @Test("takes any text as text, and never as a query language", arguments: hostile)
  func hostileText(_ text: String) async throws {
    let page = try await directory.page(1, matching: AirportSearch(text))
    #expect(page.total == page.airports.count)
    #expect(try await directory.count() == 5)
  }

  @Test("knows words that the query language would take for operators")
  func operators() async throws {
    for text in ["and or", "NOT", "near", "quoted city"] {
      let page = try await directory.page(1, matching: AirportSearch(text))
      #expect(page.airports.map(\.icao) == ["LTFM"], "\(text)")
    }
  }

  @Test("is none where the text is blank", arguments: ["", "  ", "\t\n", "\u{A0}"])
  func blank(_ text: String) {
    #expect(AirportSearch(text) == nil)
  }
}
