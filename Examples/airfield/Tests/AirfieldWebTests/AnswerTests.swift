import AirfieldTestSupport
import FieldstoneServing
import Testing

@testable import AirfieldApp

@MainActor
@Suite("What the site answers", .timeLimit(.minutes(10)))
struct AnswerTests {
  private let airports = [Samples.airport("BIBD", name: "Bíldudalur Airport")]

  @Test("An edit is stored by no browser and no proxy")
  func edits() async throws {
    let site = try await TestSite(airports)
    for path in ["/new", "/airports/BIBD/edit"] {
      #expect(await site.response("GET", path).headers["Cache-Control"] == "no-store", "\(path)")
    }
    let refused = await site.response("POST", "/new", [("name", "")])
    #expect(refused.status == 422)
    #expect(refused.headers["Cache-Control"] == "no-store")
    #expect(await site.response("GET", "/").headers["Cache-Control"] == "no-cache")
  }

  @Test("The picture of a map may have its own style, and neither script nor anything from outside")
  func picture() async throws {
    let headers = try await TestSite(airports).response("GET", "/map.svg").headers
    #expect(
      headers["Content-Security-Policy"] == "default-src 'none'; style-src 'unsafe-inline'")
    #expect(headers["X-Content-Type-Options"] == "nosniff")
  }

  @Test(
    "A name with a line break or a tab is one line of the map's text",
    arguments: ["a\nb", "a\r\nb", "a\tb", "a\u{2028}b", "a\u{85}b", "\n"])
  func lines(_ name: String) async throws {
    let site = try await TestSite()
    _ = try await site.directory.save(
      Samples.airport("BIBD", name: name), replacing: nil, basedOn: nil)
    let text = await site.page("/map.txt")
    #expect(text.split(whereSeparator: \.isNewline).count == 1)
    #expect(text.split(separator: "\t", omittingEmptySubsequences: false).count == 4)
  }

  @Test("The map's text is that of an area, and an area that is none is the world")
  func area() async throws {
    let site = try await TestSite(airports)
    #expect(await site.page("/map.txt?area=1,0,3,2").hasPrefix("BIBD\t1000\t2000\t"))
    #expect(await site.page("/map.txt?area=3,0,4,2").isEmpty)
    for area in ["", "1,2,3", "3,0,1,2", "a,b,c,d", "nan,0,1,2", "inf,-inf,inf,inf", ",,,"] {
      #expect(await site.page("/map.txt?area=" + area).hasPrefix("BIBD"), "\(area)")
    }
    #expect(await site.page("/map.txt?area=-1e300,-1e300,1e300,1e300").hasPrefix("BIBD"))
    #expect(await site.page("/map.txt?area=200,91,201,92").isEmpty)
  }

  @Test("Of an address all values are read")
  func values() {
    for count in [0, 255, 256, 5_000] {
      let query = String(repeating: "x=1&", count: count) + "q=abc"
      guard case .directory(let found, _)? = PageAddress(path: "/", query: query) else {
        Issue.record("\(count) values are no address")
        continue
      }
      #expect(found.search?.text == "abc", "\(count)")
    }
  }

  @Test(
    "A code that looks like a path is one part of an address", arguments: ["a/b", "..", "a?b#c"])
  func codes(_ code: String) throws {
    let airport = PageAddress.airport(icao: code)
    let edit = PageAddress.edit(icao: code, draft: nil)
    for (address, parts) in [(airport, 2), (edit, 3)] {
      #expect(!address.text.contains { "?#".contains($0) })
      #expect(PageAddress(path: address.text, query: "") == address)
      #expect(address.text.split(separator: "/").count == parts)
    }
  }
}
