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
    let zones = TimeZoneCatalog()
    #expect(zones.contains(name) == exists)
    #expect(zones.contains(name) == exists)
    #expect(!zones.contains(name + "\u{0}"))
    #expect(!zones.contains(name + " "))
  }
}
