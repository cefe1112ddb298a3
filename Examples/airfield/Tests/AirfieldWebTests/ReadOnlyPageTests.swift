import AirfieldTestSupport
import FieldstoneServing
import Testing

@testable import AirfieldApp

@MainActor
@Suite("A site over a database that can't be written", .timeLimit(.minutes(10)))
struct ReadOnlyPageTests {
  @Test("says so, leads to nothing that writes, and refuses it")
  func refuses() async throws {
    let site = try await TestSite(
      [Samples.airport("BIBD", name: "Bíldudalur Airport")],
      source: { AirportSource((try? AirportDirectory(path: $0.path, toRead: true)) ?? $0) })
    for path in ["/", "/airports/BIBD", "/settings"] {
      let page = await site.page(path)
      #expect(page.contains("This database can’t be written"))
      for address in ["/edit\"", "/new\"", "/import\"", "/delete\"", "/exports\""] {
        #expect(!page.contains(address), "\(path) \(address)")
      }
    }
    for path in ["/new", "/airports/BIBD/edit", "/import", "/exports"] {
      let page = await site.page(path, status: 403)
      #expect(page.contains("Nothing can be changed here"))
      #expect(page.contains("Start airfield without --read-only"))
      #expect(!page.contains(site.directory.path))
      #expect(await site.response("POST", path, [("name", "x")]).status == 403)
    }
    for path in ["/airports/BIBD/delete", "/airports/BIBD/restore"] {
      #expect(await site.response("POST", path, [("revision", "1")]).status == 403)
    }
    #expect(await site.page("/export.csv").contains("BIBD"))
    #expect(try await site.directory.count() == 1)
  }
}
