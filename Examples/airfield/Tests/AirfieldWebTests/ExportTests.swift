import AirfieldTestSupport
import FieldstoneServing
import FieldstoneTesting
import Foundation
import Testing

@testable import AirfieldApp

@MainActor
@Suite("The download of the list", .timeLimit(.minutes(10)))
struct ExportTests {
  /// Airports whose names come in another order than they do.
  nonisolated static func fields(_ count: Int) -> [Airport] {
    (0..<count).map { number in
      Samples.airport(
        "\(number + 1_000)", iata: number % 3 == 0 ? "A\(number + 1_000)" : nil,
        name: "\(number % 2 == 0 ? "Field" : "Airstrip") \(9_999 - number)",
        country: number % 5 == 0 ? "PL" : "IS")
    }
  }

  /// The codes of the rows of a file, in their order.
  private func codes(_ text: String) -> [String] {
    text.components(separatedBy: "\r\n").dropFirst().dropLast()
      .map { String($0.prefix { $0 != "," }) }
  }

  private func pieces(_ download: SiteDownload) async throws -> [String] {
    let pieces = Recorder<String>()
    try await download.forEachPiece { pieces.record(String(decoding: $0, as: UTF8.self)) }
    return pieces.elements
  }

  private static func faults(_ change: (inout Faults) -> Void) -> Faults {
    var faults = Faults()
    change(&faults)
    return faults
  }

  nonisolated static let queries: [(String, AirportQuery, Int)] = [
    ("", AirportQuery(), 60), ("?q=field", AirportQuery(search: AirportSearch("field")), 30),
    ("?country=PL", AirportQuery(country: "PL"), 12), ("?kind=iata", AirportQuery(kind: .iata), 20),
    (
      "?q=fie&country=PL&kind=iata",
      AirportQuery(search: AirportSearch("fie"), country: "PL", kind: .iata), 2
    ),
    ("?q=1007", AirportQuery(search: AirportSearch("1007")), 1), ("?page=2", AirportQuery(), 60),
  ]

  @Test("has the airports that the list shows, and those of its other pages", arguments: queries)
  func rows(_ address: String, _ query: AirportQuery, _ count: Int) async throws {
    let site = try await TestSite(Self.fields(60))
    let listed = try await site.directory.airports(of: query, after: nil, limit: 1_000)
    let text = await site.page("/export.csv" + address)
    #expect(text.hasPrefix(Samples.header))
    #expect(codes(text) == listed.airports.map(\.icao).sorted())
    #expect(codes(text).count == count)
  }

  @Test("goes out piece by piece where it is long, under one header, and nothing comes twice")
  func pieces() async throws {
    let site = try await TestSite(Self.fields(2_300))
    let download = try await site.download("/export.csv")
    let pieces = Recorder<String>()
    let directory = site.directory
    try await download.forEachPiece { piece in
      pieces.record(String(decoding: piece, as: UTF8.self))
      if pieces.count == 1 {
        // What comes first by name now was sent already, or comes last, and the other way round.
        for (code, name) in [("1000", "Zzz"), ("3299", "Aaa")] {
          var airport = try #require(try await directory.airport(icao: code))
          airport.name = name
          _ = try await directory.save(airport, replacing: code, basedOn: 1)
        }
        _ = try await directory.store([Samples.airport("NEWW", name: "New")])
      }
    }
    #expect(pieces.count == 3)
    let text = pieces.elements.joined()
    let isComplete = codes(text) == (1_000..<3_300).map(String.init)
    #expect(isComplete)
    #expect(text.components(separatedBy: "icao").count == 2)
    #expect(text.contains("3299,,Aaa,"))
  }

  @Test("of a search has what it found as the download began, as that is when it is read")
  func search() async throws {
    let site = try await TestSite(Self.fields(2_300))
    let download = try await site.download("/export.csv?q=field")
    let pieces = Recorder<String>()
    let directory = site.directory
    try await download.forEachPiece { piece in
      pieces.record(String(decoding: piece, as: UTF8.self))
      guard pieces.count == 1 else { return }
      // The first is found no longer, and the second is found only now.
      for (code, name) in [("3298", "Renamed"), ("3297", "Field")] {
        var airport = try #require(try await directory.airport(icao: code))
        airport.name = name
        _ = try await directory.save(airport, replacing: code, basedOn: 1)
      }
    }
    let text = pieces.elements.joined()
    let isComplete = codes(text) == stride(from: 1_000, to: 3_300, by: 2).map(String.init)
    #expect(isComplete)
    #expect(text.hasSuffix("3298,A3298,Renamed,,,IS,,1,2,UTC,\r\n"))
  }

  @Test(
    "leaves values as they are, formulas too: the file is one to import again",
    arguments: ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "=HYPERLINK(\"http://x\",\"y\")", "a\r\nb"])
  func formulas(_ name: String) async throws {
    let site = try await TestSite()
    _ = try await site.directory.save(
      Samples.airport("BIBD", name: name), replacing: nil, basedOn: nil)
    let value = CSVWriter.line(["BIBD", "", name, "", "", "IS", "", "1", "2", "UTC", ""])
    #expect(await site.page("/export.csv") == Samples.header + value)
  }

  @Test(
    "of a query that nobody means is a file without rows, under a harmless name",
    arguments: [
      "q=%22%20OR%20*", "q=%00", "q=***", "country=..%2F..%2Fetc%2Fpasswd",
      "country=%0D%0AX-Evil:%20yes", "country=%22;%20filename=x.exe", "country=%C3%9C", "q=zzz",
      "country=is",
    ])
  func hostile(_ query: String) async throws {
    let response = try await TestSite(Self.fields(3)).response("GET", "/export.csv?" + query)
    #expect(response.status == 200)
    #expect(String(decoding: response.body, as: UTF8.self) == Samples.header)
    #expect(
      response.headers["Content-Disposition"] == "attachment; filename=\"airports.csv\"")
  }

  @Test(
    "is named after what it is narrowed down to",
    arguments: [
      ("", "airports.csv"), ("?country=IS", "airports-IS.csv"), ("?q=field", "airports.csv"),
      ("?country=PL&kind=iata", "airports-PL-iata.csv"), ("?kind=x", "airports.csv"),
    ])
  func names(_ query: String, _ name: String) async throws {
    let headers = try await TestSite(Self.fields(12)).response("GET", "/export.csv" + query).headers
    #expect(headers["Content-Disposition"] == "attachment; filename=\"\(name)\"")
    #expect(headers["Content-Type"]?.hasPrefix("text/csv; charset=utf-8") == true)
    #expect(headers["Cache-Control"] == "no-store")
    #expect(headers["X-Content-Type-Options"] == "nosniff")
  }

  @Test("is a link of the list, with its search, where there is something to download")
  func link() async throws {
    let site = try await TestSite(Self.fields(60))
    #expect(await site.page("/").contains("<a href=\"/export.csv\">Download as CSV</a>"))
    #expect(
      await site.page("/?q=field&country=PL&kind=iata&page=1").contains(
        "<a href=\"/export.csv?q=field&amp;country=PL&amp;kind=iata\">Download as CSV</a>"))
    #expect(!(await site.page("/?q=zzz").contains("Download")))
    var faults = Faults()
    faults.isOffline = true
    site.model.faults.use(faults)
    #expect(!(await site.page("/", status: 503).contains("Download")))
  }

  @Test("is a link that follows the search of a live page")
  func liveLink() async throws {
    let site = try await TestSite(Self.fields(10))
    let events = try await site.events("/live?view=directory")
    let visitor = try await events.visitor()
    #expect(try await events.first { $0.id == "export" }.html.contains("\"/export.csv\""))
    for (search, link) in [("field", "\"/export.csv?q=field\""), ("zzz", nil)] {
      _ = await site.response(
        "POST", "/actions", [("visitor", visitor), ("do", "search"), ("q", search)])
      let html = try await events.first { $0.id == "export" }.html
      #expect(link.map { html.contains($0) } ?? html.isEmpty, "\(search)")
    }
    await events.stream.close()
  }

  @Test("fails as other pages do where faults are switched on")
  func faults() async throws {
    let site = try await TestSite(Self.fields(1_001))
    site.model.faults.use(Self.faults { $0.isOffline = true })
    let page = await site.page("/export.csv?q=field", status: 503)
    #expect(page.contains("switched on among the faults"))
    #expect(page.contains("href=\"/export.csv?q=field\""))
    site.model.faults.use(Self.faults { $0.findsNothing = true })
    #expect(await site.page("/export.csv") == Samples.header)
    site.model.faults.use(Self.faults { $0.failsNextPage = true })
    let download = try await site.download("/export.csv")
    await #expect(throws: FaultError.nextPage) { try await pieces(download) }
    site.model.faults.use(Faults())
    #expect(try await pieces(download).count == 2)
  }

  @Test("has a place for some at once, which is free when nobody has the file any more")
  func places() async throws {
    var limits = RequestLimits()
    limits.downloads = 1
    let site = try await TestSite(Self.fields(1_001), limits: limits)
    var download: SiteDownload? = try await site.download("/export.csv")
    let refused = await site.response("GET", "/export.csv")
    #expect(refused.status == 503)
    #expect(refused.headers["Retry-After"] == "60")
    if let download { #expect(try await pieces(download).count == 2) }
    download = nil
    for _ in 0..<3 { #expect(await site.response("GET", "/export.csv?q=1007").status == 200) }
    _ = try await site.download("/export.csv")
  }

  @Test("takes GET and HEAD alone")
  func methods() async throws {
    let response = try await TestSite().response("POST", "/export.csv")
    #expect(response.status == 405)
    #expect(response.headers["Allow"] == "GET, HEAD")
  }
}
