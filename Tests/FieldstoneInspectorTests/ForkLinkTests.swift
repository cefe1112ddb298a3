#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneInspector
  import FieldstoneServing
  import Testing

  @Suite("The links that fork a run from a stage")
  struct ForkLinkTests {
    private static func stages(_ count: Int) -> [String] {
      (0..<count).map { #"{"read":{"row":\#($0)}}"# }
    }

    /// The addresses of a page's links, by the text.
    private func links(_ text: String, in page: String) -> [String] {
      page.matches(of: #/<a href="([^"]*)">([^<]*)<\/a>/#).filter { $0.2 == text }
        .map { String($0.1) }
    }

    @Test("Each stage has one, whose form begins with its number and forks there")
    func stages() async throws {
      let desk = InspectedJournal()
      let id = try await desk.longRun(Self.stages(4))
      let found = links("Fork from here", in: await desk.get("/runs/\(id)").text)
      #expect(found == [3, 2, 1, 0].map { "/runs/\(id)/fork?from=\($0)" })
      let form = await desk.get(found[2]).text
      #expect(form.contains(#"name="from" value="1""#))
      let values = InspectedJournal.hidden(in: form) + [("from", "1")]
      let review = await desk.post("/runs/\(id)/fork", values).text
      #expect(review.contains("From stage 1."))
      let answer = await desk.post("/runs/\(id)/fork", InspectedJournal.hidden(in: review))
      #expect(answer.status == 303)
      let run = try #require(
        try await desk.journal.runs(RunQuery(limit: 5)).runs.first { $0.origin != nil })
      #expect(run.origin?.run == id && run.origin?.sequence == 1)
      #expect(String(decoding: run.payload, as: UTF8.self) == #"{"read":{"row":1}}"#)
    }

    @Test("A completion has none, and pages that only read have none at all")
    func others() async throws {
      let desk = InspectedJournal()
      let id = try await desk.longRun(Self.stages(2))
      let run = try #require(try await desk.journal.run(id))
      try await desk.journal.checkpoint(
        Checkpoint(
          claim: InspectedJournal.claim(of: run), version: 1, next: .completion(.init("1".utf8)),
          beganAt: desk.now.date, lease: .seconds(30)), at: desk.now)
      let found = links("Fork from here", in: await desk.get("/runs/\(id)").text)
      #expect(found == [1, 0].map { "/runs/\(id)/fork?from=\($0)" })
      let reading = InspectedJournal(over: desk.journal) { $0.isReadOnly = true }
      #expect(!(await reading.get("/runs/\(id)").text.contains("Fork from here")))
      #expect(await reading.get("/runs/\(id)/fork?from=1").status == 403)
    }
  }
#endif
