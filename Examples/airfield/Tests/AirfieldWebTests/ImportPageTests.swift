import AirfieldTestSupport
import Fieldstone
import FieldstoneServing
import FieldstoneTesting
import Foundation
import Testing

@testable import AirfieldApp

@MainActor
@Suite("The page that imports a file", .timeLimit(.minutes(10)))
struct ImportPageTests {
  let gate = Gate()
  let site: TestSite

  init() async throws {
    site = try await TestSite(importGate: gate)
  }

  private let rows = Samples.file(rows: 2_000)

  private func html(_ response: SiteResponse) -> String {
    String(decoding: response.body, as: UTF8.self)
  }

  private var kept: [String] {
    let path = site.directory.path + ".uploads"
    return (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
  }

  @Test("is a form that works without scripts, and every page leads to it")
  func form() async throws {
    let page = await site.page("/import")
    for part in [
      "method=\"post\"", "enctype=\"multipart/form-data\"", "action=\"/import\"",
      "<input id=\"file\" type=\"file\" name=\"file\"", "<label for=\"file\">", "at most 1 MB",
      "<title id=\"title\">Import – airfield</title>", "data-live=\"/live?view=import\"",
    ] {
      #expect(page.contains(part), "\(part)")
    }
    #expect(!page.contains("<h2"))
    #expect(!page.contains("http-equiv"))
    #expect(await site.page("/").contains("<a href=\"/import\">Import</a>"))
  }

  @Test("says what it waits for where the disk is full, and goes on once there is room")
  func fullDisk() async throws {
    #expect(await site.post(PostedFile(text: rows)).status == 303)
    try await site.working {
      await gate.arrivals(atLeast: 1)
      try await site.directory.leaveRoom(for: 2)
      gate.open()
      await eventually { site.model.importing?.state.status?.wait != nil }
      let page = await site.page("/import")
      #expect(page.contains("Waiting to store more."))
      #expect(page.contains("disk is full"))
      #expect(page.contains("<bdi>airports.csv</bdi> is waiting."))
      try await site.directory.leaveRoom(for: nil)
      await eventually { site.model.importing?.state.isBusy == false }
    }
    let page = await site.page("/import")
    #expect(!page.contains("Waiting"))
    #expect(page.contains("<dt>New</dt><dd>1,972</dd>"))
  }

  @Test("imports a posted file, shows how far it is, and then its counts and rejects")
  func imports() async throws {
    let posted = await site.post(PostedFile(text: rows))
    #expect(posted.status == 303)
    #expect(posted.headers["Location"] == "/import")
    try await site.working {
      await gate.arrivals(atLeast: 1)
      let page = await site.page("/import")
      for part in [
        "<h2 class=\"import-busy\">Importing <bdi>airports.csv</bdi>…</h2>",
        "<progress max=\"100\"",
        // Without scripts it comes again by itself.
        "<noscript><meta http-equiv=\"refresh\" content=\"2\"></noscript>",
        "name=\"do\" value=\"cancel\"", "See how far it is",
      ] {
        #expect(page.contains(part), "\(part)")
      }
      gate.open()
      await eventually { site.model.importing?.state.isBusy == false }
    }
    let page = await site.page("/import")
    for part in [
      "<h2><bdi>airports.csv</bdi> is imported</h2>", "<dt>Rows read</dt><dd>2,000</dd>",
      "<dt>New</dt><dd>1,972</dd>", "<dt>Rejected</dt><dd>28</dd>", "28 rows were rejected",
      "<th scope=\"row\" class=\"line\">71</th><td><bdi>tz “Nowhere” is not a known time zone</bdi>",
      "href=\"/import/rejects.csv\"",
    ] {
      #expect(page.contains(part), "\(part)")
    }
    #expect(!page.contains("http-equiv"))
    #expect(!page.contains("…and"))
    let rejects = try await site.download("/import/rejects.csv")
    #expect(rejects.headers["Content-Disposition"] == "attachment; filename=\"rejects.csv\"")
    try await rejects.forEachPiece { piece in
      #expect(
        String(decoding: piece, as: UTF8.self).hasPrefix(
          "record,line,reason\r\n70,71,tz “Nowhere”"))
    }
    #expect(try await site.directory.count() == 1_972)
  }

  @Test("shows a hundred rejects and says how many more there are")
  func manyRejects() async throws {
    let text = Samples.header + String(repeating: ",,Field,,,IS,,1,1,UTC,\r\n", count: 1_234)
    _ = await site.post(PostedFile(text: text))
    gate.open()
    try await site.working { await eventually { site.model.importing?.state.isBusy == false } }
    let page = await site.page("/import")
    #expect(page.contains("1,234 rows were rejected"))
    #expect(page.components(separatedBy: "<td>").count == 101)
    #expect(page.contains("…and 1,134 more."))
  }

  /// Posts a file to be compared, and gives the page that says what its import would do.
  private func preview(_ text: String) async throws -> String {
    let posted = await site.post(PostedFile(text: Samples.header + text, button: "preview"))
    #expect(posted.status == 303)
    #expect(posted.headers["Location"] == "/import")
    await eventually { site.model.importing?.state.isBusy == false }
    return await site.page("/import")
  }

  @Test("shows what an import would do, and does it or not, by buttons that work without scripts")
  func previews() async throws {
    gate.open()
    _ = try await site.directory.store([
      Samples.airport("BIRK", iata: "RKV", name: "<b>Field</b>", city: "Reykjavík")
    ])
    let text = "BIRK,,Other,,,IS,,1,2,UTC,\r\nBIKF,,K,,,IS,,1,2,UTC,\r\nX,,K,,,IS,,1,2,UTC,\r\n"
    let page = try await preview(text)
    for part in [
      "<h2 class=\"import-asking\">Preview of <bdi>airports.csv</bdi></h2>",
      "Nothing is stored yet.", "<dt>New</dt><dd>1</dd>", "<dt>Changed</dt><dd>1</dd>",
      "<dt>Rejected</dt><dd>1</dd>", "<dt>IATA code</dt><dd>cleared in 1 airport</dd>",
      "<dt>Name</dt><dd>changed in 1 airport</dd>", "<dt>City</dt><dd>cleared in 1 airport</dd>",
      "Name: <bdi>&lt;b&gt;Field&lt;/b&gt;</bdi> becomes <bdi>Other</bdi>",
      "City: <bdi>Reykjavík</bdi> becomes nothing",
      "name=\"do\" value=\"import\"", "name=\"do\" value=\"discard\"",
    ] {
      #expect(page.contains(part), "\(part)")
    }
    #expect(!page.contains("…and more"))
    #expect(!page.contains("http-equiv"))
    #expect(try await site.directory.count() == 1)
    #expect(await site.response("POST", "/import", [("do", "discard")]).status == 303)
    #expect(await !site.page("/import").contains("<h2"))
    #expect(kept.isEmpty)
    #expect(try await site.directory.count() == 1)
    _ = try await preview(text)
    #expect(await site.response("POST", "/import", [("do", "import")]).status == 303)
    try await site.working {
      await eventually { site.model.importing?.state.status?.phase == .finished }
    }
    #expect(try await site.directory.airport(icao: "BIRK")?.name == "Other")
    #expect(try await site.directory.count() == 2)
  }

  @Test("shows the first changes of many, and that the file lacks a column")
  func manyChanges() async throws {
    let codes = (100..<140).map { "A\($0)" }
    _ = try await site.directory.store(codes.map { Samples.airport($0, name: "Field") })
    let page = try await preview(codes.map { "\($0),,Other,,,IS,,1,2,UTC,\r\n" }.joined())
    #expect(page.contains("changed in 40 airports"))
    #expect(page.components(separatedBy: "<td>").count == 21)
    #expect(page.contains("…and more."))
    #expect(!page.contains("says nothing of"))
    let file = PostedFile(
      text: "icao,name,country,lat,lon,tz\nA100,Field,IS,1,2,UTC\n", button: "preview")
    #expect(await site.post(file).status == 303)
    await eventually { site.model.importing?.state.isBusy == false }
    let second = await site.page("/import")
    #expect(second.contains("says nothing of IATA code, City, Region, Elevation, Local code:"))
    #expect(second.contains("<dt>Unchanged</dt><dd>1</dd>"))
    #expect(!second.contains("class=\"facts\""))
  }

  @Test("says why a file can’t be compared, and is free for another")
  func previewRefused() async throws {
    _ = await site.post(PostedFile(text: "icao;name\n", button: "preview"))
    await eventually { site.model.importing?.problem != nil }
    let page = await site.page("/import")
    #expect(page.contains("airports.csv is not a CSV file of airports: "))
    #expect(kept.isEmpty)
    // A button of another name is none of ours, however long it is.
    let file = PostedFile(text: "icao", button: "preview" + String(repeating: "x", count: 9_000))
    #expect(await site.post(file).status == 303)
    #expect(site.model.importing?.state.status?.phase == .running)
  }

  @Test("cancels, goes on and gives up by buttons that work without scripts")
  func cancels() async throws {
    _ = await site.post(PostedFile(text: rows))
    try await site.working {
      await gate.arrivals(atLeast: 1)
      let cancelled = await site.response("POST", "/import", [("do", "cancel")])
      #expect(cancelled.status == 303)
      let page = await site.page("/import")
      #expect(page.contains("<bdi>airports.csv</bdi> was cancelled"))
      #expect(page.contains("name=\"do\" value=\"resume\""))
      #expect(!page.contains("value=\"cancel\""))
      #expect(!page.contains("http-equiv"))
      let stored = try await site.directory.count()
      #expect(stored > 0 && stored < 1_972)
      gate.open()
      #expect(await site.response("POST", "/import", [("do", "resume")]).status == 303)
      await eventually { site.model.importing?.state.status?.phase == .finished }
    }
    #expect(try await site.directory.count() == 1_972)
    _ = await site.post(PostedFile(text: rows))
    _ = await site.response("POST", "/import", [("do", "cancel")])
    #expect(kept.count == 1)
    _ = await site.response("POST", "/import", [("do", "giveUp")])
    #expect(kept.isEmpty)
    #expect(await !site.page("/import").contains("<h2"))
    #expect(await site.response("POST", "/import", [("do", "<b>")]).status == 422)
  }

  @Test("takes no second file while one is imported, and says so")
  func second() async throws {
    _ = await site.post(PostedFile(text: rows))
    let refused = await site.post(PostedFile(name: "second.csv", text: rows))
    #expect(refused.status == 409)
    #expect(html(refused).contains("Another import is under way. Wait until it has ended"))
    #expect(html(refused).contains("role=\"alert\""))
    #expect(kept.count == 1)
    #expect(site.model.importing?.state.status?.file == "airports.csv")
  }

  @Test("refuses a file that is too large, whatever is said of its length")
  func tooLarge() async throws {
    let large = PostedFile(text: String(repeating: "x", count: (1 << 20) + 1))
    let refused = await site.post(large)
    #expect(refused.status == 413)
    #expect(html(refused).contains("The file is larger than 1 MB."))
    let request = SiteRequest(
      method: "POST", target: "/import", headers: ["content-type": large.type])
    let early = await site.site.answer(
      request, body: SiteBody(length: 40 << 20) { throw CancellationError() })
    #expect(early.status == 413)
    #expect(kept.isEmpty)
    #expect(site.model.importing?.state == .nothing)
    let largest = PostedFile(text: String(repeating: "x", count: 1 << 20))
    #expect(await site.post(largest).status == 303)
  }

  nonisolated static let hostile: [(body: String, status: Int, problem: String)] = [
    ("", 400, "did not come to its end"), ("nonsense", 400, "no form with a file"),
    ("--B--\r\n", 422, "No file was chosen"),
    (part("name=\"file\"; filename=\"a.csv\"", "icao"), 400, "did not come to its end"),
    (part("name=\"file\"; filename=\"\"", "") + "\r\n--B--", 422, "No file was chosen"),
    (part("name=\"file\"", "icao") + "\r\n--B--", 422, "No file was chosen"),
    (
      part("name=\"file\"; filename=\"a\"", "x") + "\r\n"
        + part("name=\"file\"; filename=\"b\"", "y") + "\r\n--B--", 422, "more than one file"
    ),
    (part("name=\"file\"; filename=\"a\"", "x") + "\r\n--Bad", 400, "no form with a file"),
    (part("filename=\"a\"", "x") + "\r\n--B--", 400, "no form with a file"),
    (
      "--B\r\nContent-Disposition: form-data; name=\"" + String(repeating: "x", count: 9_000), 400,
      "no form with a file"
    ),
    (
      String(repeating: part("name=\"a\"", "") + "\r\n", count: 20) + "--B--", 400,
      "no form with a file"
    ),
  ]

  private nonisolated static func part(_ parameters: String, _ content: String) -> String {
    "--B\r\nContent-Disposition: form-data; \(parameters)\r\n\r\n\(content)"
  }

  @Test(
    "refuses what is no form with one file, keeps nothing of it, and takes the next one",
    arguments: hostile)
  func hostile(_ body: String, _ status: Int, _ problem: String) async throws {
    let type = "multipart/form-data; boundary=B"
    for size in [1, 4_096] {
      let refused = await site.post(Array(body.utf8), type: type, size: size)
      #expect(refused.status == status)
      #expect(html(refused).contains(problem))
      #expect(kept.isEmpty)
    }
    #expect(await site.post(PostedFile(text: "icao")).status == 303)
  }

  @Test("has to be told a boundary, and takes files nowhere else")
  func elsewhere() async throws {
    let file = PostedFile(text: "icao")
    #expect(await site.post(file.body, type: "multipart/form-data").status == 400)
    #expect(await site.post(file, to: "/settings").status == 415)
    #expect(await site.post(file, to: "/actions").status == 415)
    #expect(await site.post(file, to: "/nothing").status == 404)
    let none = try await TestSite()
    #expect(await none.post(file).status == 415)
    #expect(await none.page("/import", status: 404).contains("Not found"))
    #expect(await none.page("/import/rejects.csv", status: 404).contains("Not found"))
    #expect(await site.page("/import/rejects.csv", status: 404).contains("Not found"))
  }

  @Test("shows what is in names and reasons as the text that it is", arguments: SiteTests.names)
  func hostileNames(_ name: String) async throws {
    let code = name.replacing("\"", with: "\"\"")
    let text = Samples.header + "\"\(code)\",,Field,,,IS,,1,1,UTC,\r\n"
    _ = await site.post(PostedFile(name: name.replacing("\"", with: "%22"), text: text))
    gate.open()
    for _ in 0..<2 {
      let page = await site.page("/import")
      for markup in ["<script>", "<img src=x", "<h1>\n", "<%=", "</title></table>", "<svg/", "<b>"]
      {
        #expect(!page.contains(markup), "\(markup)")
      }
      try await site.working { await eventually { site.model.importing?.state.isBusy == false } }
    }
    #expect(site.model.importing?.state.status?.rejects.count == 1)
    #expect(kept.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{64}\.csv/) != nil })
  }

  @Test("says why a file can’t be imported")
  func refused() async throws {
    _ = await site.post(PostedFile(name: "<b>.csv", text: "icao;name\n"))
    try await site.working { await eventually { site.model.importing?.state.isBusy == false } }
    let page = await site.page("/import")
    #expect(page.contains("<bdi>&lt;b&gt;.csv</bdi> was not imported"))
    #expect(page.contains("&lt;b&gt;.csv is not a CSV file of airports: "))
    #expect(!page.contains("value=\"resume\""))
  }

  @Test("is told live what comes in, how far it is and what it came to, in every tab")
  func live() async throws {
    let first = try await site.events("/live?view=import")
    let second = try await site.events("/live?view=import")
    for events in [first, second] { _ = try await events.visitor() }
    let file = PostedFile(text: rows)
    let request = SiteRequest(
      method: "POST", target: "/import", headers: ["content-type": file.type])
    let (pieces, sending) = AsyncStream.makeStream(of: [UInt8].self)
    let body = SiteBody(length: file.body.count) {
      var next = pieces.makeAsyncIterator()
      return await next.next(isolation: #isolation)
    }
    let answer = Task { await site.site.answer(request, body: body) }
    for events in [first, second] {
      #expect(try await events.first { $0.id == "import-head" }.html.contains("Receiving the file"))
    }
    sending.yield(Array(file.body.prefix(200_000)))
    #expect(
      try await first.first { $0.id == "import-progress" }.html
        .contains("value=\"\(200_000 * 100 / file.body.count)\""))
    sending.yield(Array(file.body.dropFirst(200_000)))
    sending.finish()
    #expect(await answer.value.status == 303)
    try await site.working {
      for events in [first, second] {
        let head = try await events.first {
          $0.id == "import-head" && $0.html.contains("Importing")
        }
        #expect(head.html.contains("<bdi>airports.csv</bdi>"))
      }
      await gate.arrivals(atLeast: 1)
      let progress = try await first.first {
        $0.id == "import-progress" && !$0.html.contains("<dt>Rows read</dt><dd>0</dd>")
      }
      #expect(progress.html.contains("<progress"))
      gate.open()
      for events in [first, second] {
        let end = try await events.first {
          $0.id == "import-head" && $0.html.contains("is imported")
        }
        #expect(!end.html.contains("import-busy"))
      }
    }
    await first.stream.close()
    await second.stream.close()
  }

  @Test("lets the list of another tab follow")
  func list() async throws {
    let list = try await site.events("/live?view=directory")
    _ = try await list.first { $0.id == "count" && $0.html.contains("0 airports") }
    gate.open()
    _ = await site.post(PostedFile(text: rows))
    try await site.working {
      _ = try await list.first { $0.id == "count" && $0.html.contains("1,972 airports") }
    }
    await list.stream.close()
  }
}
