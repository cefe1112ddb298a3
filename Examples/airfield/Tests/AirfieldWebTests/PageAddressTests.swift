import FieldstoneServing
import Testing

@testable import AirfieldApp

@Suite("An address", .timeLimit(.minutes(10)))
struct PageAddressTests {
  static let directories: [(query: String, text: String?, page: Int)] = [
    ("", nil, 1), ("q=", nil, 1), ("q=+%20", nil, 1), ("page=3", nil, 3),
    ("q=abc&page=2", "abc", 2),
    ("page=2&q=abc", "abc", 2), ("q=a+b", "a b", 1), ("q=a%20b", "a b", 1), ("q=a%2Bb", "a+b", 1),
    ("q=B%C3%ADldudalur", "Bíldudalur", 1), ("q=Bíldudalur", "Bíldudalur", 1),
    ("q=a%26b%3Dc", "a&b=c", 1), ("q=a=b", "a=b", 1), ("q=%", "%", 1), ("q=%zz%4", "%zz%4", 1),
    ("q=%+1", "% 1", 1), ("q=%FF", "\u{FFFD}", 1), ("q=a&q=b", "a", 1), ("%71=a", "a", 1),
    ("x=1&&=&q", nil, 1), ("page=0", nil, 1), ("page=-1", nil, 1), ("page=1.5", nil, 1),
    ("page=", nil, 1), ("page=%D9%A3", nil, 1), ("page=abc", nil, 1), ("page=+2", nil, 1),
  ]

  @Test("of the directory tells search and page, whatever was typed", arguments: directories)
  func directory(_ query: String, _ text: String?, _ page: Int) throws {
    let address = try #require(PageAddress(path: "/", query: query))
    guard case .directory(let query, let number) = address else {
      Issue.record("\(address)")
      return
    }
    #expect(query.search?.text == text)
    #expect(number.number == page)
  }

  @Test(
    "of an airport tells its code",
    arguments: [
      ("/airports/BIBD", "BIBD"), ("/airports/%42IBD", "BIBD"), ("/airports/a%2Fb", "a/b"),
      ("/airports/%3Cb%3E", "<b>"),
    ])
  func airport(_ path: String, _ code: String) {
    #expect(PageAddress(path: path, query: "") == .airport(icao: code))
  }

  @Test(
    "of nothing is none",
    arguments: [
      "/x", "//", "/airports", "/airports/", "/airports/BIBD/", "/airports//BIBD", "x/airports/A",
      "/../etc/passwd", "/Airports/BIBD", "*", "/airports/BIBD/destroy", "/airports/BIBD/edit/x",
      "/airports/BIBD/delete/x", "/airports//restore",
      "/Settings", "/live/", "/actions/x", "/airports//edit",
    ])
  func unknown(_ path: String) {
    #expect(PageAddress(path: path, query: "") == nil)
  }

  @Test("of what is done to an airport tells its code", arguments: ["BIBD", "a/b", "<b>"])
  func deeds(_ code: String) {
    for address in [PageAddress.delete(icao: code), .restore(icao: code)] {
      #expect(PageAddress(path: address.text, query: "") == address)
    }
  }

  @Test(
    "made for a link is read back as what it was",
    arguments: ["abc", "a b", "Bíldudalur", "a&b=c+d%20#?/\"<", "🛬"])
  func roundTrip(_ text: String) throws {
    let query = AirportQuery(
      search: AirportSearch(text), country: text, kind: .iata,
      order: AirportOrder(.city, isDescending: true))
    let address = PageAddress.directory(query, page: PageNumber(7))
    let parts = address.text.split(separator: "?", maxSplits: 1)
    #expect(parts.count == 2)
    #expect(!address.text.contains { "\"<> ".contains($0) })
    #expect(PageAddress(path: String(parts[0]), query: String(parts[1])) == address)
  }

  @Test("of every kind is read back as what it was")
  func kinds() {
    let query = AirportQuery(search: AirportSearch("a b"), country: "IS", kind: .local)
    let addresses: [PageAddress] = [
      .airport(icao: "BIBD"), .edit(icao: "BIBD", draft: "x"), .edit(icao: nil, draft: nil),
      .settings, .faults, .nightly, .live(LiveRequest(.nightly)),
      .mapPicture(query, nil, theme: "dark"),
      .mapPicture(query, MapArea(latitudes: 1...2, longitudes: 3...4), theme: nil),
      .mapPoints(query, .world),
      .mapPoints(query, MapArea(latitudes: -10.5...20, longitudes: 3...4.25)), .actions,
      .export(query), .export(AirportQuery()),
      .live(LiveRequest(.directory(query), visitor: "v")), .live(LiveRequest(.airport("BIBD"))),
      .live(LiveRequest(.edit, visitor: "v", revision: 3)),
      .live(LiveRequest(.directory(query), count: 150)), .live(LiveRequest(.other)),
      .asset(.script),
    ]
    for address in addresses {
      let parts = address.text.split(separator: "?", maxSplits: 1).map(String.init)
      #expect(PageAddress(path: parts[0], query: parts.count > 1 ? parts[1] : "") == address)
    }
  }
}
