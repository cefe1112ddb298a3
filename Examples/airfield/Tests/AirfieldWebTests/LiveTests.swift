import AirfieldTestSupport
import Fieldstone
import FieldstoneServing
import FieldstoneTesting
import Foundation
import Testing

@testable import AirfieldApp

@MainActor
@Suite("A live page", .timeLimit(.minutes(10)))
struct LiveTests {
  private let airports = [
    Samples.airport("BIBD", iata: "BIU", name: "Bíldudalur Airport", city: "Bíldudalur"),
    Samples.airport("EPLL", iata: "LCJ", name: "Łódź Airport", city: "Łódź", country: "PL"),
  ]

  @Test("is told of the list, and then of what a search finds")
  func searches() async throws {
    let site = try await TestSite(airports)
    let events = try await site.events("/live?view=directory")
    let visitor = try await events.visitor()
    let list = try await events.first { $0.id == "results" }
    #expect(list.html.contains("Bíldudalur Airport"))
    let answer = await site.response(
      "POST", "/actions", [("visitor", visitor), ("do", "search"), ("q", "lodz")])
    #expect(answer.status == 204)
    let found = try await events.first { $0.id == "results" }
    #expect(found.html.contains("Łódź Airport"))
    #expect(!found.html.contains("Bíldudalur"))
    await events.stream.close()
  }

  @Test("is sent only the airports that are new when the list grows, and the ones that changed")
  func grows() async throws {
    let many = (0..<80).map { Samples.airport("\($0 + 1_000)", name: "Field \($0 + 1_000)") }
    let site = try await TestSite(many)
    let events = try await site.events("/live?view=directory")
    let visitor = try await events.visitor()
    _ = try await events.first { $0.id == "results" }
    _ = await site.response("POST", "/actions", [("visitor", visitor), ("do", "more")])
    let more = try await events.first { $0.op == "append" }
    #expect(more.id == "rows")
    #expect(more.html.components(separatedBy: "<tr").count == 31)
    var changed = many[3]
    changed.city = "<Elsewhere>"
    _ = try await site.model.save(changed, replacing: changed.icao, basedOn: 1)
    let row = try await events.first { $0.op == "swap" }
    #expect(row.id == "a-1003")
    #expect(row.html.contains("&lt;Elsewhere&gt;"))
    await events.stream.close()
  }

  @Test("is told how its list goes on with each list that a search or an order puts in its place")
  func goesOn() async throws {
    let many = (0..<120).map { Samples.airport("\($0 + 1_000)", name: "Field \($0 + 1_000)") }
    let site = try await TestSite(many)
    let events = try await site.events("/live?view=directory")
    let visitor = try await events.visitor()
    _ = try await events.first { $0.id == "more" }
    for (name, value) in [("q", "field"), ("sort", "-name")] {
      _ = await site.response(
        "POST", "/actions", [("visitor", visitor), ("do", "search"), (name, value)])
      var patches: [Events.Patch] = []
      while !patches.contains(where: { $0.id == "results" }) {
        patches = try #require(try await events.next())
      }
      let more = patches.first { $0.id == "more" }
      #expect(more?.html.contains("data-count=\"50\"") == true, "\(name)")
    }
    await events.stream.close()
  }

  @Test("is told that its map is another one when an airport is edited, also one it does not list")
  func map() async throws {
    let many = (0..<80).map { Samples.airport("\($0 + 1_000)", name: "Field \($0 + 1_000)") }
    let site = try await TestSite(many)
    func revision(_ html: String) -> String? {
      html.firstMatch(of: /data-revision="([\d.]+)"/).map { String($0.output.1) }
    }
    var told = [try #require(revision(await site.page("/")))]
    let events = try await site.events("/live?view=directory")
    let shown = try await events.first { $0.id == "map-source" }
    #expect(revision(shown.html) == told[0])
    var moved = many[70]
    moved.latitude = 60
    _ = try await site.model.save(moved, replacing: moved.icao, basedOn: 1)
    told.append(try #require(revision(try await events.first { $0.id == "map-source" }.html)))
    // As an import or another process does.
    _ = try await site.directory.store([Samples.airport("1075", name: "Elsewhere")])
    site.model.reload()
    told.append(try #require(revision(try await events.first { $0.id == "map-source" }.html)))
    await events.stream.close()
    // While the page is not connected.
    moved.latitude = 50
    _ = try await site.model.save(moved, replacing: moved.icao, basedOn: 2)
    let again = try await site.events("/live?view=directory")
    told.append(try #require(revision(try await again.first { $0.id == "map-source" }.html)))
    await again.stream.close()
    #expect(Set(told).count == told.count, "\(told)")
  }

  @Test("follows what another tab saves, as a list, an airport and an edit")
  func tabs() async throws {
    let site = try await TestSite(airports)
    let list = try await site.events("/live?view=directory")
    let airport = try await site.events("/live?view=airport&icao=BIBD")
    _ = try await list.first { $0.id == "results" }
    _ = try await airport.first { $0.id == "airport" }
    let html = await site.page("/airports/BIBD/edit")
    let draft = try #require(html.firstMatch(of: /name="draft" value="([^"]*)"/)?.output.1)
    let edit = try await site.events("/live?view=edit&visitor=\(draft)")
    #expect(try await edit.visitor() == draft)
    _ = await site.response(
      "POST", "/actions",
      [("visitor", String(draft)), ("do", "field"), ("name", "city"), ("value", "Mine")])

    var changed = airports[0]
    changed.name = "Changed in another tab"
    _ = try await site.model.save(changed, replacing: "BIBD", basedOn: 1)
    #expect(try await list.first { $0.op == "swap" }.html.contains("Changed in another tab"))
    #expect(try await airport.first { $0.id == "airport" }.html.contains("Changed in another tab"))
    let notice = try await edit.first { $0.id == "notice" }
    #expect(notice.html.contains("Somebody else has saved"))
    for events in [list, airport, edit] { await events.stream.close() }
  }

  @Test("shows an edit anew that nobody has touched when another tab saves")
  func renews() async throws {
    let site = try await TestSite(airports)
    let html = await site.page("/airports/BIBD/edit")
    let draft = try #require(html.firstMatch(of: /name="draft" value="([^"]*)"/)?.output.1)
    let edit = try await site.events("/live?view=edit&visitor=\(draft)")
    #expect(try await edit.visitor() == draft)
    var changed = airports[0]
    changed.name = "Changed in another tab"
    _ = try await site.model.save(changed, replacing: "BIBD", basedOn: 1)
    let form = try await edit.first { $0.id == "editing" }
    #expect(form.html.contains("value=\"Changed in another tab\""))
    #expect(form.html.contains("name=\"revision\" value=\"2\""))
    await edit.stream.close()
  }

  @Test("that comes back is shown the edit anew where it shows what is no longer so")
  func renewsLate() async throws {
    let site = try await TestSite(airports)
    let html = await site.page("/airports/BIBD/edit")
    let draft = try #require(html.firstMatch(of: /name="draft" value="([^"]*)"/)?.output.1)
    var changed = airports[0]
    changed.name = "Changed in another tab"
    // Nobody listens while it is saved, as in a tab that is not seen.
    _ = try await site.model.save(changed, replacing: "BIBD", basedOn: 1)
    let current = try await site.events("/live?view=edit&visitor=\(draft)&revision=2")
    #expect(try await current.next()?.contains { $0.id == "editing" } == false)
    await current.stream.close()
    let edit = try await site.events("/live?view=edit&visitor=\(draft)&revision=1")
    let patches = try await edit.next() ?? []
    let form = try #require(patches.first { $0.id == "editing" })
    #expect(form.html.contains("value=\"Changed in another tab\""))
    await edit.stream.close()
  }

  @Test(
    "that comes back and was forgotten is sent a list as long as the one it shows, within limits",
    arguments: [(0, 50), (49, 50), (70, 70), (75, 75), (1_000, 75), (-1, 50)])
  func lengths(_ shown: Int, _ sent: Int) async throws {
    var limits = RequestLimits()
    limits.shown = 75
    let many = (0..<80).map { Samples.airport("\($0 + 1_000)", name: "Field \($0 + 1_000)") }
    let site = try await TestSite(many, limits: limits)
    let events = try await site.events("/live?view=directory&visitor=nobody&count=\(shown)")
    let list = try await events.first { $0.id == "results" }
    #expect(list.html.components(separatedBy: "<tr id").count == sent + 1)
    await events.stream.close()
  }

  @Test("is told what is wrong with a field when the person has left it")
  func issues() async throws {
    let site = try await TestSite(airports)
    let html = await site.page("/airports/BIBD/edit")
    let draft = try #require(html.firstMatch(of: /name="draft" value="([^"]*)"/)?.output.1)
    let edit = try await site.events("/live?view=edit&visitor=\(draft)")
    _ = try await edit.visitor()
    func type(_ text: String) async {
      _ = await site.response(
        "POST", "/actions",
        [("visitor", String(draft)), ("do", "field"), ("name", "icao"), ("value", text)])
    }
    await type("E")
    let wrong = try await edit.first { $0.op == "issues" && $0.flag == true }
    #expect(wrong.id == "edit-0")
    await type("epll")
    let taken = try await edit.first { $0.op == "issues" && $0.html.contains("taken") }
    #expect(taken.flag == true)
    await type("BIBD")
    #expect(try await edit.first { $0.op == "issues" && $0.flag == false }.html.isEmpty)
    await edit.stream.close()
  }

  @Test("goes on where it was when its connection was lost and it comes back in time")
  func comesBack() async throws {
    let time = ManualTime()
    let site = try await TestSite(airports, time: time.source)
    let events = try await site.events("/live?view=other")
    let visitor = try await events.visitor()
    await events.stream.close()
    #expect(try await events.next() == nil)
    time.advance(by: RequestLimits().absence - .seconds(1))
    site.site.visitors.forgetGone()
    let again = try await site.events("/live?view=other&visitor=" + visitor)
    #expect(try await again.visitor() == visitor)
    await again.stream.close()
    time.advance(by: RequestLimits().absence + .seconds(1))
    site.site.visitors.forgetGone()
    let late = try await site.events("/live?view=other&visitor=" + visitor)
    #expect(try await late.visitor() != visitor)
    #expect(
      await site.response("POST", "/actions", [("visitor", visitor), ("do", "more")]).status == 404)
    await late.stream.close()
  }

  @Test("gives a sign of life when nothing happens")
  func heartbeat() async throws {
    let time = ManualTime()
    let site = try await TestSite(airports, time: time.source)
    let events = try await site.events("/live?view=other")
    _ = try await events.visitor()
    await time.sleepers(atLeast: 1)
    time.advance(by: .seconds(15))
    #expect(try await events.next()?.isEmpty == true)
    await events.stream.close()
  }

  @Test("of a visitor who has gone costs nothing: 1,000 come and go")
  func thousand() async throws {
    let time = ManualTime()
    let site = try await TestSite(airports, time: time.source)
    let seen = WeakScreens()
    for number in 0..<1_000 {
      let events = try await site.events(
        number.isMultiple(of: 2) ? "/live?view=directory" : "/live?view=airport&icao=BIBD")
      _ = try await events.visitor()
      seen.add(events.stream)
      await events.stream.close()
    }
    #expect(site.site.visitors.count == 1_000)
    time.advance(by: .seconds(90))
    site.site.visitors.forgetGone()
    #expect(site.site.visitors.count == 0)
    #expect(seen.alive == 0)
    #expect(site.model.changes.count == 0)
  }

  @Test("is refused where there are too many, and let in again when one has gone")
  func limits() async throws {
    var limits = RequestLimits()
    limits.server.streams = 2
    limits.visitors = 3
    let site = try await TestSite(airports, limits: limits)
    let first = try await site.events("/live?view=other")
    _ = try await site.events("/live?view=other")
    #expect(await site.response("GET", "/live?view=other").status == 503)
    await first.stream.close()
    _ = try await site.events("/live?view=other")
    #expect(site.site.visitors.count == 3)
    // Whoever has been away longest makes room for an edit.
    _ = await site.page("/airports/BIBD/edit")
    #expect(site.site.visitors.count == 3)
  }

  @Test(
    "does nothing that a page could not ask for",
    arguments: ["", "save", "search", "field", "<b>"])
  func unknown(_ action: String) async throws {
    let site = try await TestSite(airports)
    let events = try await site.events("/live?view=airport&icao=BIBD")
    let visitor = try await events.visitor()
    let answer = await site.response("POST", "/actions", [("visitor", visitor), ("do", action)])
    #expect(answer.status == 400)
    await events.stream.close()
  }
}

/// Counts those that are still there.
@MainActor
private final class WeakScreens {
  private struct Box {
    weak var stream: EventStream?
  }

  private var boxes: [Box] = []

  func add(_ stream: EventStream) { boxes.append(Box(stream: stream)) }

  var alive: Int { boxes.filter { $0.stream != nil }.count }
}
