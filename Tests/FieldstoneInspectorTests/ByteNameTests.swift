#if INSPECTOR && SQLite
  import FieldstoneDurable
  import FieldstoneInspector
  import Foundation
  import Testing

  @Suite("Names of flows that differ in their bytes alone")
  struct ByteNameTests {
    @Test("Each has its own limits, pauses and figures")
    func flows() async throws {
      let folder = try InspectedFolder()
      let desk = InspectedJournal(over: try await InspectedKind.sqlite.make(in: folder))
      let (one, other) = ("caf\u{e9}", "cafe\u{301}")
      try await desk.start(flow: one)
      for _ in 0..<2 { try await desk.start(flow: other) }
      try await desk.journal.setLimits(
        FlowLimits(runs: 1), of: one, replacing: true, at: desk.now)
      try await desk.journal.pause(.flow(one), until: nil, at: desk.now)
      let (first, second) = ("/flow?name=caf%C3%A9", "/flow?name=cafe%CC%81")
      let limited = await desk.get(first).text
      #expect(!limited.contains("keeps no limits") && !limited.contains("Nothing of it is paused."))
      let free = await desk.get(second).text
      #expect(free.contains("keeps no limits") && free.contains("Nothing of it is paused."))
      let overview = await desk.get("/").text
      #expect(overview.contains(first) && overview.contains(second))
    }
  }
#endif
