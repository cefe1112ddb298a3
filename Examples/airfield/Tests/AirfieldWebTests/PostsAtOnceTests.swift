import AirfieldTestSupport
import FieldstoneServing
import FieldstoneTesting
import Foundation
import Testing

@testable import AirfieldApp

@MainActor
@Suite("Posts at once", .timeLimit(.minutes(10)))
struct PostsAtOnceTests {
  private let airport = Samples.airport(
    "BIBD", iata: "BIU", name: "Bíldudalur Airport", city: "Bíldudalur")

  private static func settings(
    _ theme: String, _ pageSize: String, _ units: String
  ) -> [(String, String)] {
    [("theme", theme), ("pageSize", pageSize), ("units", units)]
  }

  @Test("of the settings are taken one after the other, and each is answered with its own")
  func settings() async throws {
    let time = ManualTime()
    let site = try await TestSite([airport], time: time.source)
    _ = await site.page("/settings")
    let file = try HeldFile(site.folder.url.appending(path: ".settings.json.fieldstone-lock"))
    let first = Task {
      await site.response(
        "POST", "/settings", Self.settings("dark", "25", "feet"))
    }
    // The first one is being written.
    await time.sleepers(atLeast: 1)
    let second = Task {
      await site.response(
        "POST", "/settings", Self.settings("light", "100", "metres"))
    }
    for _ in 0..<3 { _ = await site.page("/settings") }
    file.release()
    time.advance(by: .seconds(1))
    let answers = [await first.value, await second.value]
    for (answer, theme) in zip(answers, ["dark", "light"]) {
      #expect(answer.status == 200)
      let html = String(decoding: answer.body, as: UTF8.self)
      #expect(html.contains("<option value=\"\(theme)\" selected"), "\(theme)")
      #expect(html.contains("Saved."))
    }
    #expect(site.model.settings.settings.theme == .light)
    #expect(site.model.settings.settings.pageSize == 100)
    #expect(site.model.settings.settings.units == .metres)
  }

  @Test("of the settings, or one after another, never hold what another was refused for")
  func refused() async throws {
    let site = try await TestSite([airport])
    let wrong = await site.response("POST", "/settings", Self.settings("dark", "7", "metres"))
    #expect(wrong.status == 422)
    #expect(
      String(decoding: wrong.body, as: UTF8.self).contains("<option value=\"dark\" selected"))
    #expect(!(await site.page("/settings")).contains("<option value=\"dark\" selected"))
    let right = await site.response("POST", "/settings", [("pageSize", "25")])
    #expect(right.status == 200)
    #expect(site.model.settings.settings.pageSize == 25)
    #expect(site.model.settings.settings.theme == .system)
    #expect(site.model.settings.settings.units == .feet)
  }

  @Test("of the faults never hold what another was refused for")
  func faults() async throws {
    let site = try await TestSite([airport])
    let wrong = await site.response("POST", "/faults", [("latency", "99999"), ("save", "true")])
    #expect(wrong.status == 422)
    #expect(String(decoding: wrong.body, as: UTF8.self).contains("99999"))
    #expect(!(await site.page("/faults")).contains("99999"))
    #expect(await site.response("POST", "/faults", [("latency", "0")]).status == 200)
    #expect(site.model.faults.faults == Faults())
  }

  private func values(
    _ draft: String, icao: String = "BINN", name: String, revision: Int = 1
  ) -> [(String, String)] {
    [
      ("draft", draft), ("revision", "\(revision)"), ("icao", icao), ("iata", "BIU"),
      ("name", name), ("city", "Bíldudalur"), ("country", "IS"), ("latitude", "1"),
      ("longitude", "2"), ("timeZone", "UTC"),
    ]
  }

  private func draft(_ html: String) throws -> String {
    String(try #require(html.firstMatch(of: /name="draft" value="([^"]*)"/)).output.1)
  }

  /// What two posts are answered, of which the second comes while the first is being saved.
  private func answers(
    of site: TestSite, _ gate: Gate,
    to first: (address: String, values: [(String, String)]),
    and second: (address: String, values: [(String, String)])
  ) async -> [SiteResponse] {
    let saved = Task { await site.response("POST", first.address, first.values) }
    // It is being asked whether the code is taken.
    await gate.arrivals(atLeast: 1)
    let late = Task { await site.response("POST", second.address, second.values) }
    while site.site.visitors.waitingCount == 0, !Task.isCancelled { await Task.yield() }
    gate.open()
    return [await saved.value, await late.value]
  }

  @Test("of one edit: what is saved is what was posted, and the other is told")
  func edit() async throws {
    let gate = Gate()
    let site = try await TestSite([airport]) { AirportSource.gated($0, "BINN", gate) }
    let draft = try draft(await site.page("/airports/BIBD/edit"))
    let answers = await answers(
      of: site, gate, to: ("/airports/BIBD/edit", values(draft, name: "First")),
      and: ("/airports/BIBD/edit", values(draft, name: "Second")))
    #expect(answers.map(\.status) == [303, 422])
    let html = String(decoding: answers[1].body, as: UTF8.self)
    #expect(html.contains("Somebody else has saved this airport meanwhile."))
    #expect(html.contains("value=\"Second\""))
    #expect(try await site.directory.airport(icao: "BINN")?.name == "First")
  }

  @Test("of one edit by a script wait for what is being saved")
  func field() async throws {
    let gate = Gate()
    let site = try await TestSite([airport]) { AirportSource.gated($0, "BINN", gate) }
    let draft = try draft(await site.page("/airports/BIBD/edit"))
    let answers = await answers(
      of: site, gate, to: ("/airports/BIBD/edit", values(draft, name: "First")),
      and: (
        "/actions",
        [("visitor", draft), ("do", "field"), ("name", "name"), ("value", "Second")]
      ))
    #expect(answers.map(\.status) == [303, 204])
    #expect(try await site.directory.airport(icao: "BINN")?.name == "First")
  }

  @Test("by a double click save once, and both lead to what was saved", arguments: [true, false])
  func doubleClick(_ isNew: Bool) async throws {
    let gate = Gate()
    let site = try await TestSite([airport]) { AirportSource.gated($0, "BINN", gate) }
    let address = isNew ? "/new" : "/airports/BIBD/edit"
    let draft = try draft(await site.page(address))
    var values = values(draft, name: "Twice", revision: isNew ? 0 : 1)
    if isNew { values.removeAll { $0.0 == "iata" } }
    let posted = values
    let answers = await answers(of: site, gate, to: (address, posted), and: (address, posted))
    for answer in answers {
      #expect(answer.status == 303)
      #expect(answer.headers["Location"] == "/airports/BINN?saved")
    }
    #expect(try await site.directory.record(icao: "BINN")?.revision == (isNew ? 1 : 2))
    // One that comes after all was forgotten finds it saved, too.
    let late = await site.response("POST", isNew ? address : "/airports/BINN/edit", posted)
    #expect(late.status == (isNew ? 422 : 303))
  }
}

/// A file that nobody else can lock meanwhile.
private final class HeldFile {
  private let handle: FileHandle

  init(_ url: URL) throws {
    if !FileManager.default.fileExists(atPath: url.path) {
      try Data().write(to: url)
    }
    handle = try FileHandle(forUpdating: url)
    try #require(flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) == 0)
  }

  func release() {
    flock(handle.fileDescriptor, LOCK_UN)
  }
}
