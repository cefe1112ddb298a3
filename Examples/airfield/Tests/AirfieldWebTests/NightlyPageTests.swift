import AirfieldTestSupport
import Fieldstone
import FieldstoneServing
import FieldstoneTesting
import Foundation
import Testing

@testable import AirfieldApp

@MainActor
@Suite("The page of the nightly export", .timeLimit(.minutes(10)))
struct NightlyPageTests {
  private let gate = Gate()
  private let folder: TemporaryFolder
  private let site: TestSite

  /// 1 December 2026, noon in Berlin.
  private let time = ManualTime(now: Date(timeIntervalSince1970: 1_796_122_800))

  init() async throws {
    folder = try TemporaryFolder()
    site = try await TestSite(
      (0..<3).map { Samples.airport("BI0\($0)", name: "Field \($0)") }, exportGate: gate,
      exportTime: time.source)
  }

  private var exports: NightlyExports { get throws { try #require(site.nightly) } }

  private func set(zone: String = "Europe/Berlin") async throws {
    try await exports.set(
      try NightlyPlan(folder: folder.url.path, at: "2:30", zone: zone, keeping: 5))
  }

  private func press(_ button: String) async {
    let answer = await site.response("POST", "/exports", [("do", button)])
    #expect(answer.status == 303)
    #expect(answer.headers["Location"] == "/exports")
  }

  private func shown(_ isMet: (NightlyStatus) -> Bool) async {
    await eventually {
      if case .scheduled(let status)? = site.model.nightly?.state { isMet(status) } else { false }
    }
  }

  @Test("says how one is set up, and every page leads to it")
  func missing() async throws {
    let page = await site.page("/exports")
    for part in [
      "No nightly export is set up", "--nightly-export FOLDER",
      "<title id=\"title\">Nightly export – airfield</title>",
      "data-live=\"/live?view=exports\"",
    ] {
      #expect(page.contains(part), "\(part)")
    }
    #expect(!page.contains("value=\"run\""))
    #expect(await site.page("/").contains("<a href=\"/exports\">Exports</a>"))
  }

  @Test("shows when the next one is made, by the clocks of its zone, and where to")
  func schedule() async throws {
    try await set()
    let page = await site.page("/exports")
    for part in [
      "<h2>Every night at 02:30</h2>",
      "<time datetime=\"2026-12-02T01:30:00Z\">Wed 2 Dec 2026, 02:30</time>",
      "<bdi>Europe/Berlin</bdi>", "<code><bdi>\(folder.url.path)</bdi></code>", "The newest 5",
      "name=\"do\" value=\"run\"", "name=\"do\" value=\"pause\"",
    ] {
      #expect(page.contains(part), "\(part)")
    }
    #expect(!page.contains("http-equiv"))
  }

  @Test("is paused and goes on by its buttons")
  func pause() async throws {
    try await set()
    await press("pause")
    let paused = await site.page("/exports")
    #expect(paused.contains("<span class=\"tag warning\">Paused</span>"))
    #expect(paused.contains("Not before it goes on"))
    #expect(!paused.contains("value=\"pause\""))
    await press("resume")
    let page = await site.page("/exports")
    #expect(!page.contains("Paused"))
    #expect(page.contains("Wed 2 Dec 2026, 02:30"))
  }

  @Test("makes one now, tells its progress as it goes on, and then its file")
  func runs() async throws {
    try await set()
    _ = await site.page("/exports")
    let events = try await site.events("/live?view=exports")
    _ = try await events.visitor()
    try await exports.working {
      await press("run")
      await gate.arrivals(atLeast: 1)
      let half = try await events.first { $0.id == "nightly-current" && $0.html.contains("33 %") }
      #expect(half.html.contains("1 airport so far. Begun <time"))
      let page = await site.page("/exports")
      for part in [
        "<h2 class=\"import-busy\">Exporting…</h2>",
        "<noscript><meta http-equiv=\"refresh\" content=\"2\"></noscript>",
        "name=\"do\" value=\"cancel\"",
      ] {
        #expect(page.contains(part), "\(part)")
      }
      #expect(!page.contains("value=\"run\""))
      // Of two who ask for one, the second is told.
      await press("run")
      #expect(await site.page("/exports").contains("An export is under way."))
      gate.open()
      await shown { $0.current == nil && $0.past.count == 1 }
    }
    let last = try await events.first { $0.id == "nightly-past" && $0.html.contains("airports-") }
    #expect(
      last.html.contains("3 airports<span class=\"file\"><code><bdi>airports-20261201T110000Z.csv"))
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).first)
    try FileManager.default.removeItem(at: folder.url.appending(path: name))
    #expect(await site.page("/exports").contains(" (removed since)"))
    await events.stream.close()
  }

  @Test("says that one was cancelled, and what one has failed of")
  func ends() async throws {
    try await set()
    try await exports.working {
      await press("run")
      await gate.arrivals(atLeast: 1)
      await press("cancel")
      await shown { $0.past.count == 1 }
      #expect(await site.page("/exports").contains("<td>Cancelled</td>"))
      gate.open()
      try FileManager.default.removeItem(at: folder.url)
      await press("run")
      await shown { $0.past.count == 2 }
    }
    #expect(await site.page("/exports").contains("Failed: there is no folder"))
  }

  @Test("can't be told while offline, and is there again after another try")
  func offline() async throws {
    try await set()
    var faults = Faults()
    faults.isOffline = true
    site.model.faults.use(faults)
    let page = await site.page("/exports", status: 503)
    #expect(page.contains("It can’t be told how the exports stand"))
    #expect(page.contains("name=\"do\" value=\"look\""))
    site.model.faults.clear()
    await press("look")
    #expect(await site.page("/exports").contains("Every night at 02:30"))
  }

  @Test("takes no button that it does not have, and is not there where no export is made")
  func refusals() async throws {
    #expect(await site.response("POST", "/exports", [("do", "remove")]).status == 400)
    #expect(await site.response("PUT", "/exports").headers["Allow"] == "GET, HEAD, POST")
    let other = try await TestSite()
    #expect(await other.response("GET", "/exports").status == 404)
    #expect(await other.response("POST", "/exports", [("do", "run")]).status == 404)
    #expect(await !other.page("/").contains("/exports"))
  }
}
