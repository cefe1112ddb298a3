import AirfieldDirectory
import AirfieldTestSupport
import AirfieldWeb
import Foundation
import Testing

@Suite("The site")
struct SiteTests {
  let folder: TemporaryFolder
  let directory: AirportDirectory
  let site: DirectorySite

  init() throws {
    folder = try TemporaryFolder()
    directory = try AirportDirectory(path: try folder.path("airports.sqlite"))
    site = DirectorySite(directory: directory)
  }

  private func store(_ airports: Airport...) async throws {
    _ = try await directory.store(airports)
  }

  private func fill(_ count: Int) async throws {
    _ = try await directory.store(
      (0..<count).map { number in
        Samples.airport(String(format: "X%03d", number), name: String(format: "Field %03d", number))
      })
  }

  private func page(_ path: String, _ query: String = "", status: Int = 200) async -> String {
    let response = await site.respond(method: "GET", path: path, query: query)
    #expect(response.status == status)
    #expect(response.headers["Content-Type"] == "text/html; charset=utf-8")
    return String(decoding: response.body, as: UTF8.self)
  }

  @Test("lists airports with links to their pages")
  func lists() async throws {
    try await store(
      Samples.airport("BIBD", iata: "BIU", name: "Bíldudalur Airport", city: "Bíldudalur"))
    let html = await page("/")
    #expect(html.contains("<a href=\"/airports/BIBD\"><bdi>Bíldudalur Airport</bdi></a>"))
    #expect(html.contains("1 airport, by name"))
    #expect(html.contains("Iceland"))
  }

  @Test("shows all that is known of an airport")
  func shows() async throws {
    var airport = Samples.airport(
      "BIBD", iata: "BIU", name: "Bíldudalur Airport", city: "Bíldudalur")
    airport.region = "Westfjords"
    airport.elevation = 1552
    airport.latitude = 65.6413
    airport.longitude = -23.5462
    airport.timeZone = "Atlantic/Reykjavik"
    try await store(airport)
    for path in ["/airports/BIBD", "/airports/bibd"] {
      let html = await page(path)
      for text in [
        "<h1><bdi>Bíldudalur Airport</bdi></h1>", "Bíldudalur, Westfjords, Iceland", "BIU",
        "<dt>Elevation</dt><dd>1,552 ft (473 m)</dd>", "65.6413° N, 23.5462° W",
        "<dd>Atlantic/Reykjavik</dd>", "href=\"/?q=Iceland\"",
        "<link rel=\"canonical\" href=\"/airports/BIBD\">",
      ] {
        #expect(html.contains(text), "\(text)")
      }
    }
  }

  static let names = [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onmouseover='x", "&lt;b&gt;",
    "</title></table><h1>", "a\u{0}b", "\u{202E}desrever", "${x} {{y}} <%= z %>",
    "javascript:alert(1)",
  ]

  @Test("shows hostile names as the text that they are", arguments: names)
  func hostileNames(_ name: String) async throws {
    var airport = Samples.airport("BIBD", name: name, city: name)
    airport.region = name
    airport.localCode = name
    try await store(airport)
    let query = name.utf8.map { String(format: "%%%02X", $0) }.joined()
    for html in [
      await page("/"), await page("/airports/BIBD"), await page("/", "q=" + query),
      await page("/", "page=" + query), await page("/airports/" + query, status: 404),
    ] {
      for markup in ["<script", "<img", "' on", "<h1>\n", "<%=", "\u{0}", "</title></table>"] {
        #expect(!html.contains(markup), "\(markup)")
      }
      #expect(html.components(separatedBy: "<h1>").count == 2)
    }
  }

  @Test(
    "answers 404 with a page where there is nothing",
    arguments: [
      "/airports/NONE", "/airports/%00", "/airports/%FF%FE", "/nothing", "/airports/", "//",
      "/favicon.ico",
    ])
  func notFound(_ path: String) async throws {
    #expect(await page(path, status: 404).contains("<h1>Not found</h1>"))
  }

  @Test("leads from page to page, and keeps the search")
  func paging() async throws {
    try await fill(620)
    let middle = await page("/", "q=field&page=7")
    #expect(
      middle.contains(
        "<a class=\"step prev\" rel=\"prev\" href=\"/?q=field&amp;page=6\">Previous</a>"))
    #expect(
      middle.contains("<a class=\"step next\" rel=\"next\" href=\"/?q=field&amp;page=8\">Next</a>"))
    #expect(middle.contains("<a href=\"/?q=field&amp;page=7\" aria-current=\"page\">7</a>"))
    #expect(middle.contains("<a href=\"/?q=field\">1</a>"))
    #expect(middle.contains("Page 7 of 13"))
    #expect(middle.components(separatedBy: "<li class=\"gap\"").count == 3)
    let first = await page("/")
    #expect(!first.contains("rel=\"prev\""))
    #expect(first.contains("href=\"/?page=2\""))
    #expect(first.components(separatedBy: "<th scope=\"row\"").count == 51)
    let last = await page("/", "page=13")
    #expect(!last.contains("rel=\"next\""))
    #expect(last.components(separatedBy: "<th scope=\"row\"").count == 21)
    let near = await page("/", "page=4")
    #expect(near.contains(">2</a>"))
    #expect(near.contains(">3</a>"))
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
    try await fill(120)
    #expect(await page("/", "page=" + number).contains(note))
  }

  @Test("says what to do where there is nothing to show")
  func empty() async throws {
    #expect(await page("/").contains("There are no airports yet."))
    let search = await page("/", "q=zzz")
    #expect(search.contains("No airport matches."))
    #expect(search.contains("value=\"zzz\""))
    #expect(!search.contains("<table"))
  }

  @Test(
    "can be read and nothing else", arguments: ["POST", "PUT", "DELETE", "OPTIONS", "get", "<b>"])
  func methods(_ method: String) async {
    let response = await site.respond(method: method, path: "/")
    #expect(response.status == 405)
    #expect(response.headers["Allow"] == "GET, HEAD")
  }

  @Test(
    "allows browsers nothing that its pages do not need",
    arguments: ["/", "/airports/NONE", "/airfield.css", "/icon.svg"])
  func headers(_ path: String) async throws {
    let headers = await site.respond(method: "GET", path: path).headers
    let policy = try #require(headers["Content-Security-Policy"])
    #expect(policy.hasPrefix("default-src 'none'; style-src 'self';"))
    #expect(!policy.contains("unsafe"))
    #expect(headers["X-Content-Type-Options"] == "nosniff")
    #expect(headers["Referrer-Policy"] == "no-referrer")
  }

  @Test("has the landmarks, labels and language that readers need")
  func landmarks() async throws {
    try await fill(120)
    let html = await page("/")
    for part in [
      "<html lang=\"en\">", "<a class=\"skip\" href=\"#content\">", "<header", "role=\"search\"",
      "<label for=\"q\">", "<main id=\"content\"", "<nav class=\"pages\" aria-label=\"Pages\">",
      "<footer", "<caption", "scope=\"col\"", "scope=\"row\"", "name=\"viewport\"",
      "name=\"color-scheme\"",
    ] {
      #expect(html.contains(part), "\(part)")
    }
    for part in ["<script", " style=", "onclick", "http-equiv"] { #expect(!html.contains(part)) }
  }
}
