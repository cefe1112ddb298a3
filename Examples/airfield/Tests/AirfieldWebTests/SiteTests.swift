import AirfieldTestSupport
import FieldstoneServing
import Foundation
import Testing

@testable import AirfieldApp

@MainActor
@Suite("The site", .timeLimit(.minutes(10)))
struct SiteTests {
  private static let bildudalur = Samples.airport(
    "BIBD", iata: "BIU", name: "Bíldudalur Airport", city: "Bíldudalur")

  private func fields(_ count: Int) -> [Airport] {
    (0..<count).map { Samples.airport("\($0 + 1_000)", name: "Field \($0 + 1_000)") }
  }

  @Test("lists airports with links to their pages")
  func lists() async throws {
    let html = try await TestSite([Self.bildudalur]).page("/")
    #expect(html.contains("<a href=\"/airports/BIBD\"><bdi>Bíldudalur Airport</bdi></a>"))
    #expect(html.contains("1 airport, by name"))
    #expect(html.contains("Iceland"))
  }

  @Test("shows all that is known of an airport")
  func shows() async throws {
    var airport = Self.bildudalur
    airport.region = "Westfjords"
    airport.elevation = 1552
    airport.latitude = 65.6413
    airport.longitude = -23.5462
    airport.timeZone = "Atlantic/Reykjavik"
    airport.tags = ["scenic"]
    let site = try await TestSite()
    _ = try await site.directory.save(airport, replacing: nil, basedOn: nil)
    for path in ["/airports/BIBD", "/airports/bibd"] {
      let html = await site.page(path)
      for text in [
        "<h1><bdi>Bíldudalur Airport</bdi></h1>", "Bíldudalur, Westfjords, Iceland", "BIU",
        "<dt>Elevation</dt><dd>1,552 ft (473 m)</dd>", "65.6413° N, 23.5462° W",
        "<dd>Atlantic/Reykjavik</dd>", "href=\"/?country=IS\"", "<li><bdi>scenic</bdi></li>",
        "<link rel=\"canonical\" href=\"/airports/BIBD\">", "href=\"/airports/BIBD/edit\"",
      ] {
        #expect(html.contains(text), "\(text)")
      }
    }
  }

  @Test(
    "marks the link that leads to the page itself, and no other",
    arguments: [
      ("/settings", "Settings"), ("/new", "Add"), ("/faults", "Faults"), ("/", nil),
      ("/airports/BIBD/edit", nil),
    ])
  func current(_ path: String, _ name: String?) async throws {
    let html = try await TestSite([Self.bildudalur]).page(path)
    let marked = html.matches(of: /<a [^>]*aria-current="page"[^>]*>([^<]*)</).map(\.output.1)
    #expect(marked == (name.map { [$0[...]] } ?? []))
  }

  nonisolated static let names = [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onmouseover='x", "&lt;b&gt;",
    "</title></table><h1>", "\u{202E}desrever", "${x} {{y}} <%= z %>", "javascript:alert(1)",
    "</textarea><svg/onload=x>", "<\u{301}b>",
  ]

  @Test("shows hostile names as the text that they are", arguments: names)
  func hostileNames(_ name: String) async throws {
    var airport = Samples.airport("BIBD", name: name, city: name)
    airport.region = name
    airport.localCode = name
    airport.tags = [name]
    let site = try await TestSite()
    _ = try await site.directory.save(airport, replacing: nil, basedOn: nil)
    let query = TestSite.encoded(name)
    for html in [
      await site.page("/"), await site.page("/airports/BIBD"), await site.page("/?q=" + query),
      await site.page("/?page=" + query), await site.page("/?country=" + query),
      await site.page("/airports/" + query, status: 404), await site.page("/airports/BIBD/edit"),
      await site.page("/airports/BIBD/edit?draft=" + query),
    ] {
      for markup in [
        "<script>", "<img src=x", "' on", "<h1>\n", "<%=", "</title></table>", "<svg/",
      ] {
        #expect(!html.contains(markup), "\(markup)")
      }
      #expect(html.components(separatedBy: "<h1>").count == 2)
    }
  }

  @Test(
    "answers 404 with a page where there is nothing",
    arguments: [
      "/airports/NONE", "/airports/%00", "/airports/%FF%FE", "/nothing", "/airports/", "//",
      "/favicon.ico", "/airports/NONE/edit",
    ])
  func notFound(_ path: String) async throws {
    #expect(try await TestSite().page(path, status: 404).contains("<h1>Not found</h1>"))
  }

  @Test("leads from page to page, and keeps the search")
  func paging() async throws {
    let site = try await TestSite(fields(620))
    let middle = await site.page("/?q=field&kind=icao&page=1")
    #expect(middle.contains("No airport matches."))
    let page = await site.page("/?q=field&page=7")
    for text in [
      "<a href=\"/?q=field&amp;page=6\" class=\"step prev\" rel=\"prev\">Previous</a>",
      "<a href=\"/?q=field&amp;page=8\" class=\"step next\" rel=\"next\">Next</a>",
      "<a href=\"/?q=field&amp;page=7\" aria-current=\"page\">7</a>",
      "<a href=\"/?q=field\">1</a>", "Page 7 of 13",
    ] {
      #expect(page.contains(text), "\(text)")
    }
    let first = await site.page("/")
    #expect(!first.contains("rel=\"prev\""))
    #expect(first.components(separatedBy: "<th scope=\"row\"").count == 51)
    let last = await site.page("/?page=13")
    #expect(!last.contains("rel=\"next\""))
    #expect(last.components(separatedBy: "<th scope=\"row\"").count == 21)
  }

  @Test(
    "shows the nearest page, and says so, where there is none of that number",
    arguments: [
      ("0", "“<bdi>0</bdi>” is no page. This is the first."), ("-3", "This is the first."),
      ("abc", "This is the first."), ("1e3", "This is the first."), ("", "This is the first."),
      ("99", "There is no page 99. This is the last."),
      ("99999999999999999999999", "This is the last."),
    ])
  func outOfRange(_ number: String, _ note: String) async throws {
    let site = try await TestSite(fields(120))
    #expect(await site.page("/?page=" + number).contains(note))
  }

  @Test("has a heading that says what is filtered, and the way back keeps the search")
  func wayBack() async throws {
    let site = try await TestSite([Self.bildudalur])
    #expect(await site.page("/").contains("<span id=\"heading\">Airports of the world</span>"))
    #expect(
      await site.page("/?country=IS&kind=iata")
        .contains("<span id=\"heading\">Airports with an IATA code, <bdi>Iceland</bdi></span>"))
    func page(from referrer: String) async -> String {
      let answer = await site.site.answer(
        SiteRequest(
          method: "GET", target: "/airports/BIBD",
          headers: ["host": "127.0.0.1:8470", "referer": referrer]))
      guard case .response(let response) = answer else { return "" }
      return String(decoding: response.body, as: UTF8.self)
    }
    let list = "http://127.0.0.1:8470/?q=b%C3%ADl&country=IS"
    #expect(
      await page(from: list)
        .contains("<a href=\"/?q=b%C3%ADl&amp;country=IS\">Back to the list</a>"))
    for other in [
      "http://127.0.0.1:8470/", "http://evil.example/?q=b", "http://127.0.0.1:8470.evil/?q=b",
      "http://127.0.0.1:8470/airports/BIBD/edit", "",
    ] {
      #expect(await page(from: other).contains("<a href=\"/\">All airports</a>"), "\(other)")
    }
  }

  @Test("shows which country is chosen, also where it has no airport any more")
  func goneCountry() async throws {
    let site = try await TestSite(fields(1))
    let page = await site.page("/?country=SE")
    #expect(page.contains("<option value=\"SE\" selected>Sweden</option>"))
    #expect(page.contains("<option value=\"IS\">Iceland (1)</option>"))
    #expect(await !site.page("/?country=IS").contains("Sweden"))
  }

  @Test("says what to do where there is nothing to show")
  func empty() async throws {
    let site = try await TestSite()
    let page = await site.page("/")
    #expect(page.contains("There are no airports yet."))
    #expect(page.contains("<p id=\"beginning\" class=\"screen-note\"><a href=\"/import\">"))
    let search = await site.page("/?q=zzz")
    #expect(search.contains("No airport matches."))
    #expect(search.contains("value=\"zzz\""))
    #expect(!search.contains("<table"))
    #expect(!search.contains("beginning"))
  }

  @Test("shows the other views where faults are switched on, and says that they are")
  func faults() async throws {
    let site = try await TestSite([Self.bildudalur])
    let switched = await site.response("POST", "/faults", [("latency", "0"), ("offline", "true")])
    #expect(switched.status == 200)
    for address in ["/", "/airports/BIBD", "/airports/BIBD/edit"] {
      let html = await site.page(address, status: 503)
      #expect(html.contains("switched on among the faults"), "\(address)")
    }
    #expect(await site.response("POST", "/faults", [("latency", "-1")]).status == 422)
    #expect(await site.response("POST", "/faults", [("do", "clear")]).status == 303)
    #expect(await site.page("/").contains("1 airport"))
  }

  @Test("keeps what was set, and shows it")
  func settings() async throws {
    let site = try await TestSite(fields(60))
    let saved = await site.response(
      "POST", "/settings", [("theme", "dark"), ("pageSize", "25"), ("units", "metres")])
    #expect(String(decoding: saved.body, as: UTF8.self).contains("Saved."))
    let page = await site.page("/")
    #expect(page.contains("data-theme=\"dark\""))
    #expect(page.components(separatedBy: "<th scope=\"row\"").count == 26)
    #expect(await site.response("POST", "/settings", [("theme", "pink")]).status == 422)
  }

  @Test(
    "takes only methods that a page has",
    arguments: [
      ("POST", "/", "GET, HEAD"), ("PUT", "/settings", "GET, HEAD, POST"),
      ("DELETE", "/airports/BIBD", "GET, HEAD"), ("get", "/", "GET, HEAD"),
      ("<b>", "/", "GET, HEAD"), ("HEAD", "/live", "GET"), ("GET", "/actions", "POST"),
    ])
  func methods(_ method: String, _ path: String, _ allowed: String) async throws {
    let response = try await TestSite().response(method, path)
    #expect(response.status == 405)
    #expect(response.headers["Allow"] == allowed)
  }

  @Test("takes forms and nothing else")
  func bodies() async throws {
    let site = try await TestSite()
    let request = SiteRequest(
      method: "POST", target: "/settings", headers: ["content-type": "text/plain"],
      body: Array("theme=dark".utf8))
    guard case .response(let response) = await site.site.answer(request) else { return }
    #expect(response.status == 415)
  }

  @Test(
    "allows browsers nothing that its pages do not need",
    arguments: ["/", "/airports/NONE", "/airfield.css", "/airfield.js", "/icon.svg", "/new"])
  func headers(_ path: String) async throws {
    let headers = try await TestSite().response("GET", path).headers
    let policy = try #require(headers["Content-Security-Policy"])
    #expect(policy.hasPrefix("default-src 'none'; style-src 'self'; script-src 'self';"))
    #expect(!policy.contains("unsafe"))
    #expect(headers["X-Content-Type-Options"] == "nosniff")
    #expect(headers["Referrer-Policy"] == "same-origin")
  }

  @Test("has the landmarks, labels and language that readers need, and no script in its markup")
  func landmarks() async throws {
    let html = try await TestSite(fields(120)).page("/")
    for part in [
      "<html lang=\"en\"", "<a class=\"skip\" href=\"#content\">", "<header", "role=\"search\"",
      "<label for=\"q\">", "<main id=\"content\"", "<nav class=\"pages\" aria-label=\"Pages",
      "<footer", "<caption", "scope=\"col\"", "scope=\"row\"", "name=\"viewport\"",
      "name=\"color-scheme\"", "<label for=\"country\">", "alt=\"World map with 120 airports",
      "<script src=\"/airfield.js\" defer></script>",
    ] {
      #expect(html.contains(part), "\(part)")
    }
    #expect(html.components(separatedBy: "<script src=\"/").count == 3)
    for part in [" style=", "onclick", "http-equiv"] { #expect(!html.contains(part)) }
  }

  @Test("draws every airport of a search on its map, and nothing else")
  func map() async throws {
    var north = Self.bildudalur
    north.latitude = 45
    north.longitude = -90
    let site = try await TestSite([north, Samples.airport("EPLL", name: "Łódź", country: "PL")])
    let picture = await site.page("/map.svg?q=bildudalur&theme=dark")
    #expect(picture.contains("M180 90h0"))
    #expect(picture.components(separatedBy: "h0\"").count == 2)
    #expect(
      await site.page("/map.txt").split(separator: "\n").sorted()
        == ["BIBD\t45000\t-90000\tBíldudalur Airport", "EPLL\t1000\t2000\tŁódź"])
  }
}
