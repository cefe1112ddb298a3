import AirfieldTestSupport
import FieldstoneServing
import FieldstoneTesting
import Foundation
import Testing

@testable import AirfieldApp

@MainActor
@Suite("A visitor", .timeLimit(.minutes(10)))
struct VisitorTests {
  private let airports = [Samples.airport("BIBD", name: "Bíldudalur Airport")]

  private func draft(_ html: String) throws -> String {
    String(try #require(html.firstMatch(of: /name="draft" value="([^"]*)"/)).output.1)
  }

  @Test("is remembered for as long as it is connected, however quiet it is")
  func connected() async throws {
    let time = ManualTime()
    let site = try await TestSite(airports, time: time.source)
    let events = try await site.events("/live?view=other")
    time.advance(by: .seconds(100_000))
    site.site.visitors.forgetGone()
    #expect(site.site.visitors.count == 1)
    await events.stream.close()
  }

  @Test("who has saved in one tab keeps the stream of that edit until it goes")
  func saved() async throws {
    let time = ManualTime()
    let site = try await TestSite(airports, time: time.source)
    let draft = try draft(await site.page("/airports/BIBD/edit"))
    let events = try await site.events("/live?view=edit&visitor=\(draft)")
    let values = [
      "icao": "BIBD", "name": "Changed", "country": "IS", "latitude": "1", "longitude": "2",
      "timeZone": "UTC",
    ]
    #expect(
      await site.response(
        "POST", "/airports/BIBD/edit", [("draft", draft)] + values.map { ($0, $1) }
      ).status == 303)
    #expect(site.site.visitors.count == 1)
    let again = try await site.events("/live?view=edit&visitor=\(draft)")
    #expect(try await again.visitor() == draft)
    await again.stream.close()
    await events.stream.close()
    // Nothing of it is left to be lost, so it is not kept for as long as an edit.
    time.advance(by: RequestLimits().absence)
    site.site.visitors.forgetGone()
    #expect(site.site.visitors.count == 0)
  }

  @Test("who has been away longest makes room, and nobody else does")
  func room() async throws {
    let time = ManualTime()
    var limits = RequestLimits()
    limits.visitors = 2
    let site = try await TestSite(airports, limits: limits, time: time.source)
    var drafts: [String] = []
    for _ in 0..<3 {
      drafts.append(try draft(await site.page("/airports/BIBD/edit")))
      time.advance(by: .seconds(1))
    }
    #expect(site.site.visitors.count == 2)
    // The one that was forgotten comes last: it gets a new draft, for which somebody has to go.
    for (draft, isThere) in zip(drafts, [false, true, true]).reversed() {
      let page = await site.page("/airports/BIBD/edit?draft=" + draft)
      #expect((try self.draft(page) == draft) == isThere, "\(draft)")
    }
  }

  @Test("who edits is not pushed out by pages that are merely asked for, which are soon forgotten")
  func asked() async throws {
    let time = ManualTime()
    var limits = RequestLimits()
    limits.visitors = 4
    let site = try await TestSite(airports, limits: limits, time: time.source)
    let posted = try draft(await site.page("/airports/BIBD/edit"))
    _ = await site.response("POST", "/airports/BIBD/edit", [("draft", posted), ("name", "")])
    let shown = try draft(await site.page("/airports/BIBD/edit"))
    let events = try await site.events("/live?view=edit&visitor=\(shown)")
    await events.stream.close()
    for _ in 0..<limits.visitors {
      time.advance(by: .seconds(1))
      _ = await site.page("/new")
    }
    time.advance(by: limits.absence + .seconds(1))
    site.site.visitors.forgetGone()
    #expect(site.site.visitors.count == 2)
    for draft in [posted, shown] { #expect(site.site.visitors.visitor(draft) != nil) }
  }

  @Test("whose draft was forgotten is told of others only where there are others")
  func alone() async throws {
    let site = try await TestSite(airports)
    for (revision, isConflict) in [("1", false), ("0", true)] {
      let answer = await site.response(
        "POST", "/airports/BIBD/edit",
        [("draft", "nobody"), ("revision", revision), ("name", "")])
      #expect(answer.status == 422)
      let page = String(decoding: answer.body, as: UTF8.self)
      #expect(page.contains("Somebody else has saved") == isConflict, "\(revision)")
    }
  }

  @Test("is known by 128 bits, of which no part repeats")
  func identifiers() async throws {
    let site = try await TestSite(airports)
    var halves: Set<Substring> = []
    for _ in 0..<100 {
      let draft = try draft(await site.page("/airports/BIBD/edit"))
      #expect(draft.count == 32)
      halves.formUnion([draft.prefix(16), draft.suffix(16)])
    }
    #expect(halves.count == 200)
  }
}
