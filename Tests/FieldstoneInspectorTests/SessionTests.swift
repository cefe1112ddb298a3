#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneInspector
  import FieldstoneServing
  import Foundation
  import Testing

  @Suite("An exported timeline")
  struct SessionTests {
    private func page(_ inspector: Inspector, _ target: String) async -> SiteResponse {
      await inspector.response(
        to: SiteRequest(target: target, headers: ["Host": "localhost"]))
    }

    @Test("It is opened elsewhere, with its events, and without anything to change")
    func opened() async throws {
      let desk = LiveDesk()
      let handler = desk.inspector.runnerEvents(as: "runner")
      for index in 0..<300 {
        handler(RunnerEvent(.blocked(error: "No disk \(index)."), flow: "import"))
      }
      let file = Data(await desk.get("/timeline.json").body)
      let inspector = try Inspector(session: file, options: .open)
      let timeline = await page(inspector, "/timeline").text
      #expect(timeline.contains("No disk 299.") && timeline.contains("airfield"))
      #expect(!timeline.contains("method=\"post\""))
      #expect(await page(inspector, "/timeline?before=2").text.contains("No disk 0."))
    }

    @Test("It keeps the numbers of its dropped and missed events, and shows them")
    func counts() async throws {
      let desk = LiveDesk()
      let handler = desk.inspector.runnerEvents(as: "runner")
      for _ in 0..<10_003 { handler(RunnerEvent(.blocked(error: "No disk."), flow: "import")) }
      #expect(await desk.post("/timeline/pause", from: "/timeline").status == 303)
      for _ in 0..<7 { handler(RunnerEvent(.blocked(error: "No disk."), flow: "import")) }
      let inspector = try Inspector(
        session: Data(await desk.get("/timeline.json").body), options: .open)
      let timeline = await page(inspector, "/timeline").text
      #expect(timeline.contains("3 older events made room."))
      #expect(timeline.contains("7 events came while it was paused."))
      let again = await page(inspector, "/timeline.json").text
      #expect(again.contains(#""dropped":3"#) && again.contains(#""missed":7"#))
    }

    @Test("Counts of a file are bounded", arguments: [Int.max, Int.min, -1])
    func hostileCounts(_ count: Int) async throws {
      let file =
        #"{"format":1,"name":"","exportedAt":0,"dropped":\#(count),"missed":\#(count),"entries":[]}"#
      let inspector = try Inspector(session: Data(file.utf8), options: .open)
      #expect(await page(inspector, "/timeline").status == 200)
    }

    static let files: [(String, InspectorSessionError)] = [
      ("", .noTimeline), ("[]", .noTimeline), ("{}", .noTimeline),
      (
        #"{"format":2,"name":"","exportedAt":0,"dropped":0,"missed":0,"entries":[]}"#,
        .newer(format: 2)
      ),
      (#"{"format":3,"pages":[{"kind":"new"}]}"#, .newer(format: 3)),
      (#"{"format":1,"pages":[]}"#, .noTimeline), (#"{"format":0,"pages":[]}"#, .noTimeline),
      (
        #"{"format":1,"name":"","exportedAt":0,"dropped":0,"missed":0,"entries":[{}]}"#, .noTimeline
      ),
      (String(repeating: "[", count: 100_000), .noTimeline),
      (
        #"{"format":1,"name":"","exportedAt":"x","dropped":0,"missed":0,"entries":[]}"#, .noTimeline
      ),
    ]

    @Test("Another file is refused with the reason", arguments: files)
    func refused(_ file: String, _ expected: InspectorSessionError) {
      let error = #expect(throws: InspectorSessionError.self) {
        try Inspector(session: Data(file.utf8), options: .open)
      }
      #expect(error == expected)
      #expect(error?.message.isEmpty == false)
    }

    @Test("A file that is too large is refused before it is read")
    func large() {
      let error = #expect(throws: InspectorSessionError.self) {
        try Inspector(session: Data(count: (64 << 20) + 1))
      }
      #expect(error == .tooLarge(bytes: (64 << 20) + 1))
    }

    @Test(
      "What stands in a file is text, whatever it is",
      arguments: ["<script>alert(1)</script>", "\"><img src=x>", "\u{202E}x", "\0", "a\nb"])
    func text(_ text: String) async throws {
      func json(_ text: String) throws -> String {
        String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
      }
      let entry =
        #"{"number":-9,"time":1e300,"kind":"call","tone":"bad","source":\#(try json(text)),"#
        + #""identity":\#(try json(text)),"text":\#(try json(text)),"detail":\#(try json(text))}"#
      let file =
        #"{"format":1,"name":\#(try json(text)),"exportedAt":-1e300,"dropped":1,"missed":2,"#
        + #""entries":[\#(entry)]}"#
      let inspector = try Inspector(session: Data(file.utf8), options: .open)
      for target in ["/", "/timeline", "/timeline.json"] {
        let response = await page(inspector, target)
        #expect(response.status == 200)
        guard target != "/timeline.json" else { continue }
        let harmless = response.text.replacing("<script src=", with: "")
        #expect(!harmless.contains("<script>") && !harmless.contains("<img src=x"))
      }
    }
  }
#endif
