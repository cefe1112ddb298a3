#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneInspector
  import FieldstoneServing
  import FieldstoneTesting
  import Foundation
  import Testing

  @Suite("The inspector's timeline")
  struct TimelineTests {
    private let desk = LiveDesk()

    /// Adds events of one flow.
    private func add(_ count: Int, flow: String = "import", error: String = "No disk.") {
      let handler = desk.inspector.runnerEvents(as: "runner")
      for index in 0..<count {
        handler(RunnerEvent(.blocked(error: "\(error) \(index)"), flow: flow))
      }
    }

    private func events(in page: String) -> Int {
      page.components(separatedBy: "<tr id=").count - 1
    }

    @Test("It is paged, the newest first, and the page of older ones keeps the filters")
    func pages() async {
      add(450)
      let page = await desk.get("/timeline?kind=run").text
      #expect(events(in: page) == 200 && page.contains("No disk. 449"))
      let next = "/timeline?kind=run&amp;before=251"
      #expect(page.contains(#"href="\#(next)""#))
      let older = await desk.get(next.replacing("&amp;", with: "&")).text
      #expect(older.contains("No disk. 249") && !older.contains("No disk. 250"))
      #expect(events(in: await desk.get("/timeline?before=51").text) == 50)
    }

    @Test("It is filtered by kind, source, identity and text")
    func filters() async {
      add(3)
      add(2, flow: "export", error: "Full <disk>")
      let counts = [
        ("/timeline", 5), ("/timeline?from=export", 2), ("/timeline?kind=run&kind=call", 5),
        ("/timeline?kind=call", 0), ("/timeline?text=FULL", 2), ("/timeline?of=runner", 5),
        ("/timeline?of=none", 0),
      ]
      for (target, count) in counts {
        #expect(events(in: await desk.get(target).text) == count, "\(target)")
      }
      #expect(await desk.get("/timeline?kind=nothing").status == 400)
      #expect(await desk.get("/timeline?before=x").status == 400)
    }

    @Test("It is bounded: older events make room, and their number is told")
    func bounded() async {
      add(10_003)
      let page = await desk.get("/timeline").text
      #expect(page.contains("3 older events made room."))
      #expect(!(await desk.get("/timeline?before=5").text.contains("No disk. 2<")))
      #expect(await desk.get("/timeline?before=5").text.contains("No disk. 3<"))
    }

    @Test("It is bounded by its bytes, too")
    func bytes() async {
      add(6_000, error: String(repeating: "x", count: 100_000))
      let page = await desk.get("/timeline").text
      #expect(page.contains("older events made room."))
      let file = await desk.get("/timeline.json")
      #expect(file.body.count < 20 << 20)
    }

    @Test("While it is paused events are counted, and not kept")
    func paused() async {
      add(1)
      #expect(await desk.post("/timeline/pause", from: "/timeline").status == 303)
      add(7)
      let page = await desk.get("/timeline").text
      #expect(events(in: page) == 1)
      #expect(page.contains("The record is paused. 7 events came while it was paused."))
      #expect(await desk.post("/timeline/resume", from: "/timeline").status == 303)
      add(1)
      #expect(events(in: await desk.get("/timeline").text) == 2)
      #expect(await desk.post("/timeline/clear", from: "/timeline").status == 303)
      #expect(await desk.get("/timeline").text.contains("No events yet."))
      #expect(await desk.post("/timeline/nothing", from: "/timeline").status == 404)
    }

    @Test("It is exported as a file of JSON, with the filters of its page")
    func export() async throws {
      struct File: Decodable {
        struct Entry: Decodable {
          var number: Int
          var detail: String?
        }
        var format: Int
        var name: String
        var entries: [Entry]
      }
      add(3)
      add(1, flow: "export")
      let response = await desk.get("/timeline.json?from=import")
      #expect(response.headers["Content-Disposition"]?.hasPrefix("attachment;") == true)
      let file = try JSONDecoder().decode(File.self, from: Data(response.body))
      #expect(file.format == 1 && file.name == "airfield")
      #expect(file.entries.map(\.number) == [1, 2, 3])
      #expect(file.entries.last?.detail == "No disk. 2")
    }

    @Test(
      "Of 100,000 events of several threads the bytes stay bounded, and each evicted one is counted"
    )
    func threads() async throws {
      struct File: Decodable {
        struct Entry: Decodable {
          var number: Int
          var source: String
          var identity: String
          var text: String
          var detail: String?
        }
        var dropped: Int
        var missed: Int
        var entries: [Entry]
      }
      let handler = desk.inspector.runnerEvents(as: "runner")
      let long = String(repeating: "x", count: 1_900)
      await withTaskGroup(of: Void.self) { group in
        for thread in 0..<8 {
          group.addTask { @concurrent in
            for index in 0..<12_500 {
              handler(RunnerEvent(.blocked(error: "\(thread) \(index) \(long)"), flow: "import"))
            }
          }
        }
      }
      let response = await desk.get("/timeline.json")
      let file = try JSONDecoder().decode(File.self, from: Data(response.body))
      #expect(file.dropped + file.entries.count == 100_000 && file.missed == 0)
      #expect(file.entries.map(\.number) == Array(file.dropped + 1...100_000))
      let bytes = file.entries.reduce(0) { sum, entry in
        sum + 160 + entry.source.utf8.count + entry.identity.utf8.count + entry.text.utf8.count
          + (entry.detail?.utf8.count ?? 0)
      }
      // The newest event that made room leaves less than one event's size free.
      #expect(bytes <= 8 << 20 && bytes > (8 << 20) - 3_000)
    }
  }
#endif
