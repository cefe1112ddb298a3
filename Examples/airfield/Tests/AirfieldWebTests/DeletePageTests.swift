import AirfieldTestSupport
import Fieldstone
import FieldstoneServing
import FieldstoneTesting
import Testing

@testable import AirfieldApp

@MainActor
@Suite("Deleting in a page", .timeLimit(.minutes(10)))
struct DeletePageTests {
  private let airports = [
    Samples.airport("BIBD", name: "Bíldudalur Airport"), Samples.airport("BIRK", name: "<b>Rvk"),
  ]

  @Test("leads to a page that undoes it")
  func undo() async throws {
    let site = try await TestSite(airports)
    let page = await site.page("/airports/BIRK")
    #expect(page.contains("action=\"/airports/BIRK/delete\""))
    #expect(page.contains("name=\"revision\" value=\"1\""))
    let deleted = await site.response("POST", "/airports/birk/delete", [("revision", "1")])
    #expect(deleted.status == 303)
    #expect(deleted.headers["Location"] == "/airports/BIRK")
    let gone = await site.page("/airports/BIRK", status: 410)
    #expect(gone.contains("BIRK was deleted."))
    #expect(gone.contains("<h1><bdi>&lt;b&gt;Rvk</bdi></h1>"))
    #expect(gone.contains("action=\"/airports/BIRK/restore\""))
    #expect(!gone.contains("/edit\""))
    #expect(await site.page("/").contains("1 airport, by name"))
    let restored = await site.response("POST", "/airports/BIRK/restore")
    #expect(restored.headers["Location"] == "/airports/BIRK")
    #expect(await site.page("/airports/BIRK").contains("name=\"revision\" value=\"2\""))
  }

  @Test("is refused, and says why, where the airport is another one by now")
  func refused() async throws {
    let site = try await TestSite(airports)
    var theirs = airports[0]
    theirs.city = "Elsewhere"
    _ = try await site.directory.save(theirs, replacing: "BIBD", basedOn: 1)
    for values in [[("revision", "1")], [("revision", "x")], []] {
      let refused = await site.response("POST", "/airports/BIBD/delete", values)
      #expect(refused.status == 409)
      #expect(String(decoding: refused.body, as: UTF8.self).contains("has changed this airport"))
    }
    for path in ["/airports/NONE/delete", "/airports/NONE/restore", "/airports/BIBD/restore"] {
      #expect(await site.response("POST", path, [("revision", "1")]).status == 409)
    }
    let asked = await site.response("GET", "/airports/BIBD/delete")
    #expect(asked.status == 405)
    #expect(asked.headers["Allow"] == "POST")
    #expect(try await site.directory.count() == 2)
  }

  @Test("is told to open pages, as undoing it is")
  func live() async throws {
    let site = try await TestSite(airports)
    let list = try await site.events("/live?view=directory")
    let airport = try await site.events("/live?view=airport&icao=BIBD")
    _ = try await list.first { $0.id == "results" }
    _ = try await airport.first { $0.id == "airport" }
    _ = await site.response("POST", "/airports/BIBD/delete", [("revision", "1")])
    #expect(try await airport.first { $0.id == "airport" }.html.contains("BIBD was deleted."))
    #expect(try await !list.first { $0.id == "results" }.html.contains("BIBD"))
    _ = await site.response("POST", "/airports/BIBD/restore")
    #expect(try await airport.first { $0.id == "airport" }.html.contains("Coordinates"))
    #expect(try await list.first { $0.id == "results" }.html.contains("BIBD"))
    for events in [list, airport] { await events.stream.close() }
  }

  @Test("leaves an edit of the airport in its page, which can be saved once that is undone")
  func edited() async throws {
    let site = try await TestSite(airports)
    let record = try #require(try await site.directory.record(icao: "BIBD"))
    let screen = AirportEditScreen(
      site.model, editing: record, countries: try await site.model.countriesWithAirports())
    screen.form["city"]?.text = "Mine"
    try await site.model.delete(icao: "BIBD", basedOn: 1)
    #expect(await screen.save().error as? AirportSaveError == .gone(icao: "BIBD"))
    _ = try await site.model.restore(icao: "BIBD")
    _ = await screen.save()
    screen.keepMine()
    #expect(await screen.save().value?.airport.city == "Mine")
  }
}
