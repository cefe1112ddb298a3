import AirfieldTestSupport
import FieldstoneServing
import FieldstoneTesting
import Foundation
import Testing

@testable import AirfieldApp

@MainActor
@Suite("The page that edits an airport", .timeLimit(.minutes(10)))
struct EditPageTests {
  private let airport = Samples.airport(
    "BIBD", iata: "BIU", name: "Bíldudalur Airport", city: "Bíldudalur")

  private func value(_ name: String, of html: String) -> String? {
    guard let start = html.range(of: "name=\"\(name)\"") else { return nil }
    let rest = html[start.upperBound...].prefix { $0 != ">" }
    return rest.firstMatch(of: /value="([^"]*)"/).map { String($0.output.1) }
  }

  private func values(_ draft: String, _ changes: [String: String]) -> [(String, String)] {
    let all = [
      "icao": "BIBD", "iata": "BIU", "name": "Bíldudalur Airport", "city": "Bíldudalur",
      "region": "", "country": "IS", "localCode": "", "elevation": "", "latitude": "1",
      "longitude": "2", "timeZone": "UTC", "tags": "",
    ]
    return [("draft", draft)] + all.merging(changes) { $1 }.map { ($0, $1) }
  }

  /// What the form of a page posts, with changes.
  private func posted(
    _ response: SiteResponse, _ changes: [String: String] = [:]
  ) -> [(String, String)] {
    let html = String(decoding: response.body, as: UTF8.self)
    let form = html.components(separatedBy: "id=\"edit\"").last?.components(separatedBy: "</form>")[
      0]
    let controls = (form ?? "").split(separator: "<input ").dropFirst()
      .compactMap { input -> (String, String)? in
        guard let name = input.firstMatch(of: /name="([^"]*)"/)?.output.1 else { return nil }
        let value = input.prefix { $0 != ">" }.firstMatch(of: /value="([^"]*)"/)?.output.1 ?? ""
        let text = value.replacing("&quot;", with: "\"").replacing("&amp;", with: "&")
        return (String(name), String(text))
      }
    return controls.map { ($0, changes[$0] ?? $1) } + [("country", "IS")]
      + (changes["do"].map { [("do", $0)] } ?? [])
  }

  @Test(
    "counts as mine only what was touched in it, whatever its draft has taken from others since",
    arguments: ["idle", "edited", "forgotten"])
  func touched(_ draft: String) async throws {
    let (site, address) = (try await TestSite([airport]), "/airports/BIBD/edit")
    var mine = await site.response("GET", address)
    if draft == "edited" {
      mine = await site.response("POST", address, posted(mine, ["latitude": "95"]))
    }
    var theirs = airport
    (theirs.name, theirs.elevation) = ("Renamed", 77)
    _ = try await site.model.save(theirs, replacing: "BIBD", basedOn: 1)
    var changes = ["city": "My city", "latitude": "1"]
    if draft == "forgotten" { changes["draft"] = "nobody" }
    let refused = await site.response("POST", address, posted(mine, changes))
    #expect(refused.status == 422)
    let html = String(decoding: refused.body, as: UTF8.self)
    #expect(html.components(separatedBy: "yours: ").count == 2)
    #expect(html.contains("theirs: ") && html.contains("Renamed"))
    let kept = await site.response("POST", address, posted(refused, ["do": "keep"]))
    let merged = await site.response("GET", try #require(kept.headers["Location"]))
    #expect(await site.response("POST", address, posted(merged)).status == 303)
    theirs.city = "My city"
    #expect(try await site.directory.airport(icao: "BIBD") == theirs)
  }

  @Test("saves when Enter is pressed, also while it asks whose edits are to stay")
  func enter() async throws {
    let (site, address) = (try await TestSite([airport]), "/airports/BIBD/edit")
    let mine = await site.response("GET", address)
    var theirs = airport
    theirs.name = "Theirs"
    _ = try await site.directory.save(theirs, replacing: "BIBD", basedOn: 1)
    let refused = await site.response("POST", address, posted(mine, ["city": "My city"]))
    let html = String(decoding: refused.body, as: UTF8.self)
    let notice = try #require(html.range(of: "id=\"notice\""))
    let first = html[notice.upperBound...].firstMatch(of: /<button[^>]*>/)?.output
    #expect(first?.contains("form=\"edit\"") == true)
    #expect(first?.contains("name=") == false)
  }

  @Test(
    "keeps what was typed where its draft was forgotten and its airport is no longer there",
    arguments: [true, false])
  func forgottenAndGone(_ isRenamed: Bool) async throws {
    let (site, address) = (try await TestSite([airport]), "/airports/BIBD/edit")
    let mine = await site.response("GET", address)
    var theirs = airport
    theirs.icao = "BIXX"
    if isRenamed {
      _ = try await site.directory.save(theirs, replacing: "BIBD", basedOn: 1)
    } else {
      try await site.directory.delete(icao: "BIBD", basedOn: 1)
    }
    let changes = ["city": "My city", "draft": "nobody"]
    let refused = await site.response("POST", address, posted(mine, changes))
    #expect(refused.status == 422)
    #expect(value("city", of: String(decoding: refused.body, as: UTF8.self)) == "My city")
    if !isRenamed { _ = try await site.directory.restore(icao: "BIBD") }
    let asked = await site.response("POST", address, posted(refused))
    let kept = await site.response("POST", address, posted(asked, ["do": "keep"]))
    let merged = await site.response("GET", try #require(kept.headers["Location"]))
    #expect(await site.response("POST", address, posted(merged)).status == 303)
    if !isRenamed { theirs.icao = "BIBD" }
    theirs.city = "My city"
    #expect(try await site.directory.airport(icao: theirs.icao) == theirs)
  }

  @Test("saves without scripts, and leads to the airport")
  func saves() async throws {
    let site = try await TestSite([airport])
    let draft = try #require(value("draft", of: await site.page("/airports/BIBD/edit")))
    let saved = await site.response(
      "POST", "/airports/BIBD/edit", values(draft, ["name": "Changed", "tags": "scenic"]))
    #expect(saved.status == 303)
    #expect(saved.headers["Location"] == "/airports/BIBD?saved")
    #expect(await site.page("/airports/BIBD?saved").contains("Saved."))
    #expect(try await site.directory.airport(icao: "BIBD")?.tags == ["scenic"])
    #expect(site.site.visitors.count == 0)
  }

  @Test("shows what is wrong at the field, with the focus on the first, and keeps what was typed")
  func wrong() async throws {
    let site = try await TestSite([airport])
    let draft = try #require(value("draft", of: await site.page("/airports/BIBD/edit")))
    let refused = await site.response(
      "POST", "/airports/BIBD/edit", values(draft, ["name": "", "latitude": "<91>"]))
    #expect(refused.status == 422)
    let html = String(decoding: refused.body, as: UTF8.self)
    #expect(html.contains("value=\"&lt;91&gt;\""))
    #expect(html.components(separatedBy: "autofocus").count == 2)
    #expect(
      html.contains("id=\"edit-2\" name=\"name\" aria-required=\"true\" aria-invalid=\"true\""))
  }

  @Test("takes back and makes again without scripts, also of what was only just typed")
  func undo() async throws {
    let site = try await TestSite([airport])
    let draft = try #require(value("draft", of: await site.page("/airports/BIBD/edit")))
    let back = await site.response(
      "POST", "/airports/BIBD/edit", values(draft, ["name": "Typed"]) + [("do", "undo")])
    let address = try #require(back.headers["Location"])
    #expect(address == "/airports/BIBD/edit?draft=" + draft)
    #expect(value("name", of: await site.page(address)) == "Bíldudalur Airport")
    _ = await site.response("POST", "/airports/BIBD/edit", [("draft", draft), ("do", "redo")])
    #expect(value("name", of: await site.page(address)) == "Typed")
  }

  @Test(
    "shows what others have saved, and goes on as the person chooses",
    arguments: ["keep", "theirs"])
  func conflict(_ choice: String) async throws {
    let site = try await TestSite([airport])
    let draft = try #require(value("draft", of: await site.page("/airports/BIBD/edit")))
    var theirs = airport
    theirs.city = "Their city"
    _ = try await site.directory.save(theirs, replacing: "BIBD", basedOn: 1)
    let refused = await site.response(
      "POST", "/airports/BIBD/edit", values(draft, ["name": "Mine"]))
    #expect(refused.status == 422)
    #expect(String(decoding: refused.body, as: UTF8.self).contains("Their city"))
    let chosen = await site.response(
      "POST", "/airports/BIBD/edit", [("draft", draft), ("do", choice)])
    let html = await site.page(try #require(chosen.headers["Location"]))
    #expect(value("city", of: html) == "Their city")
    #expect(value("name", of: html) == (choice == "keep" ? "Mine" : "Bíldudalur Airport"))
  }

  @Test("goes on when its draft was forgotten, and still knows what it was based on")
  func forgotten() async throws {
    let site = try await TestSite([airport])
    let values = values("nobody", ["name": "Mine"])
    var theirs = airport
    theirs.name = "Theirs"
    _ = try await site.directory.save(theirs, replacing: "BIBD", basedOn: 1)
    let stale = await site.response("POST", "/airports/BIBD/edit", values + [("revision", "1")])
    #expect(stale.status == 422)
    #expect(String(decoding: stale.body, as: UTF8.self).contains("Somebody else has saved"))
    let fresh = await site.response("POST", "/airports/BIBD/edit", values + [("revision", "2")])
    #expect(fresh.status == 303)
  }

  @Test("refuses what a page says that shows less than its draft has taken from others")
  func stale() async throws {
    let site = try await TestSite([airport])
    let mine = try #require(value("draft", of: await site.page("/airports/BIBD/edit")))
    let theirs = try #require(value("draft", of: await site.page("/airports/BIBD/edit")))
    let saved = await site.response(
      "POST", "/airports/BIBD/edit",
      values(theirs, ["city": "Their city"]) + [("revision", "1")])
    #expect(saved.status == 303)
    let refused = await site.response(
      "POST", "/airports/BIBD/edit", values(mine, ["name": "Mine"]) + [("revision", "1")])
    #expect(refused.status == 422)
    #expect(String(decoding: refused.body, as: UTF8.self).contains("Their city"))
    #expect(try await site.directory.airport(icao: "BIBD")?.city == "Their city")
  }

  @Test("adds the first airport, in any country there is", arguments: ["IS", "AX", "ZW"])
  func addsFirst(_ country: String) async throws {
    let site = try await TestSite()
    let page = await site.page("/new")
    let draft = try #require(value("draft", of: page))
    #expect(page.contains("<option value=\"\(country)\">"))
    let saved = await site.response(
      "POST", "/new", values(draft, ["icao": "BINN", "country": country]))
    #expect(saved.headers["Location"] == "/airports/BINN?saved")
    #expect(try await site.directory.airport(icao: "BINN")?.country == country)
  }

  @Test("has countries to choose and none of the regions that are none")
  func countries() async throws {
    let page = try await TestSite().page("/new")
    for code in ["EU", "UN", "ZZ", "XX"] {
      #expect(!page.contains("<option value=\"\(code)\">"))
    }
  }

  @Test("suggests time zones")
  func zones() async throws {
    let page = try await TestSite().page("/new")
    #expect(page.contains("name=\"timeZone\" list=\"time-zones\""))
    #expect(page.contains("<option value=\"Europe/Vienna\">"))
  }

  @Test("refuses a form that has to be unpacked first")
  func encoded() async throws {
    let site = try await TestSite([airport])
    for (encoding, status) in [("gzip", 415), ("identity", 422)] {
      let answer = await site.site.answer(
        SiteRequest(
          method: "POST", target: "/airports/BIBD/edit",
          headers: [
            "content-type": "application/x-www-form-urlencoded", "content-encoding": encoding,
          ], body: Array("name=".utf8)))
      guard case .response(let response) = answer else {
        Issue.record("it is no response")
        return
      }
      #expect(response.status == status)
    }
  }

  @Test("takes several tags that stand in one box, and leaves those whole that are there")
  func tags() async throws {
    var airport = airport
    airport.tags = ["one, two"]
    let site = try await TestSite()
    _ = try await site.directory.save(airport, replacing: nil, basedOn: nil)
    let draft = try #require(value("draft", of: await site.page("/airports/BIBD/edit")))
    let saved = await site.response(
      "POST", "/airports/BIBD/edit",
      values(draft, ["tags": "one, two"]) + [("tags", " scenic,gravel , "), ("tags", "")])
    #expect(saved.status == 303)
    #expect(
      try await site.directory.airport(icao: "BIBD")?.tags == ["one, two", "scenic", "gravel"])
  }

  @Test("adds an airport")
  func adds() async throws {
    let site = try await TestSite([airport])
    let draft = try #require(value("draft", of: await site.page("/new")))
    let saved = await site.response("POST", "/new", values(draft, ["icao": "binn", "iata": ""]))
    #expect(saved.headers["Location"] == "/airports/BINN?saved")
  }
}
