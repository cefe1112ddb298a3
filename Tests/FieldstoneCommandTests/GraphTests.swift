#if CommandLineTool
  import FieldstoneDurable
  import FieldstoneTesting
  import Foundation
  import Testing

  #if canImport(FoundationXML)
    import FoundationXML
  #endif

  @Suite("fieldstone runs show --graph")
  struct GraphTests {
    private let desk = Desk()

    @Test("Stages are boxes, counts and times are on the arrows, the dead are marked")
    func mermaid() async throws {
      let id = try await desk.deadRun()
      let result = await desk.run("show", "\(id)", "--graph", "run")
      #expect(Set(result.files.keys) == ["run.svg", "run.mmd"])
      let mermaid = try #require(result.files["run.mmd"])
      let lines = mermaid.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      let wanted = [
        "flowchart TD", #"n0["open"]"#, #"n1["read<br/>3 times"]"#,
        #"n2["write<br/>3 times, 4 attempts"]"#, #"n3["close<br/>dead"]:::dead"#,
        #"n0 -->|"1 × 250 ms"| n1"#, #"n1 -->|"3 × 1.5 s"| n2"#, #"n2 -->|"2 × 250 ms"| n1"#,
        #"n2 -.->|"edited"| n3"#,
      ]
      for line in wanted { #expect(lines.contains(line), "\(line) in \(mermaid)") }
    }

    @Test("The picture is XML, whatever errors and stages say", arguments: [true, false])
    func svg(isBlocked: Bool) async throws {
      let id = try await desk.deadRun()
      if isBlocked {
        try await desk.journal.change(
          id, .edit(Data(#"{"a<b&\"c\"":{}}"#.utf8), version: nil), at: desk.now)
        try await desk.park(try await desk.claim(), .blocked(error: "]]> <x>"))
      }
      let svg = try #require(await desk.run("show", "\(id)", "--graph", "run").files["run.svg"])
      #expect(XMLParser(data: Data(svg.utf8)).parse())
      #expect(svg.contains(isBlocked ? #"class="box blocked""# : #"class="box dead""#))
      #expect(svg.contains("3 × 1.5 s") && svg.contains("prefers-color-scheme:dark"))
    }

    @Test("Signs of XML and Mermaid are escaped also where a combining mark follows them")
    func combiningMarks() async throws {
      let stage = #"{"a<\u0301b&\u0301\"\u0301 \u0001":{}}"#
      let id = try await desk.start(stage, flow: "it'\u{301}s")
      let files = await desk.run("show", "\(id)", "--graph", "run").files
      let svg = try #require(files["run.svg"])
      #expect(XMLParser(data: Data(svg.utf8)).parse())
      #expect(svg.contains("a&lt;\u{301}b&amp;\u{301}&quot;\u{301}"))
      let mermaid = try #require(files["run.mmd"])
      #expect(mermaid.contains("a#60;\u{301}b#38;\u{301}#34;\u{301}"))
      #expect(mermaid.contains("title: 'it''\u{301}s "))
    }

    @Test("Titles and long names have the room that they need")
    func room() async throws {
      let name = String(repeating: "W", count: 40)
      let id = try await desk.start("{\"\(name)\":{}}", flow: "warehouse")
      let svg = try #require(await desk.run("show", "\(id)", "--graph", "run").files["run.svg"])
      let width = try #require(svg.firstMatch(of: /<svg[^>]* width="(\d+)/)).1
      let box = try #require(svg.firstMatch(of: /<rect x[^>]* width="(\d+)/)).1
      // A bold letter of 13 pixels is some nine wide, seen in a browser.
      #expect(Int(width) ?? 0 >= "warehouse \(id)".count * 9 + 48)
      #expect(Int(box) ?? 0 >= name.count * 9 + 16)
    }

    @Test("A stage that is named like the end is another box")
    func namedLikeTheEnd() async throws {
      _ = try await desk.start(#""completed""#, flow: "a")
      let run = try await desk.claim("a")
      let done = try await desk.advance(run, to: .completion(Data("true".utf8)))
      let graph = try #require(
        await desk.run("show", "\(done.id)", "--graph", "run").files["run.mmd"])
      #expect(graph.contains(#"n0["completed"]"#))
      #expect(graph.contains(#"n1(["completed"]):::completed"#))
      #expect(graph.contains("n0 -->") && graph.contains("| n1"))
    }

    @Test("Each way a run can stand is drawn")
    func standings() async throws {
      let started = try await desk.start(#""begin""#, flow: "a")
      let first = try #require(
        await desk.run("show", "\(started)", "--graph", "run").files["run.mmd"])
      #expect(first.contains(#"n0["begin<br/>waiting"]:::ready"#) && !first.contains("-->"))
      let run = try await desk.claim("a")
      let looped = try await desk.advance(run, to: .stage(Data(#""begin""#.utf8)))
      let loop = try #require(
        await desk.run("show", "\(looped.id)", "--graph", "run").files["run.mmd"])
      #expect(loop.contains(#"n0 -->|"1 × 1 s"| n0"#))
      #expect(loop.contains(#"n0["begin<br/>running, 2 times"]:::running"#))
      let done = try await desk.advance(looped, to: .completion(Data("true".utf8)))
      let end = try #require(
        await desk.run("show", "\(done.id)", "--graph", "run").files["run.mmd"])
      #expect(end.contains(#"n1(["completed"]):::completed"#))
      try await desk.journal.purge(JournalRetention(stepsPerRun: 1), at: desk.now)
      let cut = try #require(
        await desk.run("show", "\(done.id)", "--graph", "run").files["run.mmd"])
      #expect(cut.contains(#"n0["…"]"#))
      // How long the purged step took nobody knows.
      #expect(cut.contains(#"n0 -->|"1 ×"| n1"#))
    }
  }
#endif
