import Testing

@testable import AirfieldApp

@Suite("The names of countries and time zones")
struct CountryNamesTests {
  @Test("are English, and the code itself where there is none")
  func names() {
    let names = CountryNames()
    #expect(names.name(of: "IS") == "Iceland")
    #expect(names.name(of: "IS") == "Iceland")
    #expect(names.name(of: "QQ") == "QQ")
    // A region, and no country.
    #expect(names.name(of: "001") == "001")
  }

  @Test(
    "are known for zones that exist and nothing else",
    arguments: [
      ("Europe/Zurich", true), ("Asia/Kolkata", true), ("UTC", true), ("Europe/Nowhere", false),
      ("", false), ("../../etc/passwd", false), ("Europe", false), ("europe/zurich", false),
    ])
  func zones(_ name: String, _ exists: Bool) {
    #expect(TimeZoneCatalog.contains(name) == exists)
    #expect(TimeZoneCatalog.contains(name) == exists)
    #expect(!TimeZoneCatalog.contains(name + "\u{0}"))
    #expect(!TimeZoneCatalog.contains(name + " "))
  }

  @Test("are not remembered in any number where they are none, nor at any length")
  func slipped() {
    for number in 0..<2_500 { #expect(!TimeZoneCatalog.contains("Remark/\(number)")) }
    #expect(!TimeZoneCatalog.contains(String(repeating: "x", count: 1 << 20)))
    #expect(TimeZoneCatalog.count <= 1_000)
  }
}
