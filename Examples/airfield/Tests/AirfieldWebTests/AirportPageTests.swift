import AirfieldTestSupport
import FieldstoneServing
import FieldstoneTesting
import Testing

@testable import AirfieldApp

@MainActor
@Suite("The page of an airport", .timeLimit(.minutes(10)))
struct AirportPageTests {
  @Test("has a map, its neighbours with their distances, and its local time")
  func around() async throws {
    var first = Samples.airport("VIDP", name: "Delhi", country: "IN")
    first.timeZone = "Asia/Kolkata"
    var second = Samples.airport("CYYT", name: "<b>St. John’s</b>", country: "CA")
    (second.latitude, second.longitude, second.timeZone) = (1.5, 2, "America/St_Johns")
    let time = ManualTime()
    let site = try await TestSite([first, second], time: time.source)
    let page = await site.page("/airports/VIDP")
    // The first moment of 2001 in UTC.
    #expect(page.contains("Monday 05:30 (UTC+5:30)"))
    #expect(await site.page("/airports/CYYT").contains("Sunday 20:30 (UTC−3:30)"))
    #expect(page.contains("<img src=\"/map.svg?area=-6.0%2C-3.0%2C10.0%2C5.0\""))
    #expect(page.contains("href=\"/airports/CYYT\""))
    #expect(page.contains("30 nmi (56 km)"))
    #expect(!page.contains("<b>St."))
    time.advance(by: .seconds(18 * 3_600 + 29 * 60))
    #expect(await site.page("/airports/VIDP").contains("Monday 23:59 (UTC+5:30)"))
    time.advance(by: .seconds(60))
    #expect(await site.page("/airports/VIDP").contains("Tuesday 00:00 (UTC+5:30)"))
  }

  @Test("is where the address of a code leads that it had before")
  func former() async throws {
    let site = try await TestSite([Samples.airport("BIBD", name: "Bíldudalur")])
    let record = try #require(try await site.directory.record(icao: "BIBD"))
    var airport = record.airport
    airport.icao = "BIXX"
    _ = try await site.directory.save(airport, replacing: "BIBD", basedOn: record.revision)
    let page = await site.response("GET", "/airports/bibd")
    #expect(page.status == 303)
    #expect(page.headers["Location"] == "/airports/BIXX")
    let edit = await site.response("GET", "/airports/BIBD/edit")
    #expect(edit.headers["Location"] == "/airports/BIXX/edit")
    #expect(await site.page("/airports/BIYY", status: 404).contains("Not found"))
  }
}
