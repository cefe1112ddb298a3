#if INSPECTOR && SQLite
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneInspector
  import FieldstoneServing
  import Foundation
  import Testing

  #if canImport(FoundationXML)
    import FoundationXML
  #endif

  @Suite("A run's path on the diagram of its flow")
  struct PathTests {
    /// Records the numbers of the steps that are read, and their runs.
    private struct Counted: JournalDecorator {
      let decorated: any Journal
      let pages = Locked<[(run: RunID, steps: Int)]>([])

      func steps(of id: RunID, after sequence: Int?, limit: Int) async throws -> StepPage {
        let page = try await decorated.steps(of: id, after: sequence, limit: limit)
        pages.withLock { $0.append((id, page.steps.count)) }
        return page
      }
    }

    private static func stages(_ names: [String]) -> [String] { names.map { #"{"\#($0)":{}}"# } }

    private func complete(_ id: RunID, _ desk: InspectedJournal) async throws {
      let run = try #require(try await desk.journal.run(id))
      try await desk.journal.checkpoint(
        Checkpoint(
          claim: InspectedJournal.claim(of: run), version: 1, next: .completion(Data("1".utf8)),
          beganAt: desk.now.date, lease: .seconds(30)), at: desk.now)
    }

    /// The groups of a picture with a class, as text.
    private func groups(_ kind: String, in svg: String) -> [String] {
      svg.split(separator: "\n").map(String.init).filter {
        $0.hasPrefix("<g class=\"\(kind)")
      }
    }

    private func names(_ boxes: [String]) -> [String] {
      boxes.compactMap { box in
        box.firstMatch(of: /<text class="name"[^>]*>([^<]*)</).map { String($0.1) }
      }
    }

    @Test(
      "Its own stages are marked, those of other runs are quiet, on every journal",
      arguments: InspectedKind.allCases)
    func marked(kind: InspectedKind) async throws {
      let folder = try InspectedFolder()
      let desk = InspectedJournal(over: try await kind.make(in: folder))
      let refused = try await desk.longRun(Self.stages(["read", "check", "refuse"]))
      try await complete(refused, desk)
      _ = try await desk.longRun(Self.stages(["read", "check", "read", "archive"]))
      _ = try await desk.start(#"{"elsewhere":{}}"#, flow: "order")
      let id = try await desk.longRun(Self.stages(["read", "check", "pay"]))
      let svg = await desk.get("/runs/\(id)/path.svg").text
      #expect(XMLParser(data: Data(svg.utf8)).parse())
      #expect(
        names(groups("box", in: svg)) == ["read", "check", "pay", "refuse", "archive", "completed"])
      #expect(Set(names(groups("box quiet", in: svg))) == ["refuse", "archive", "completed"])
      #expect(names(groups("box current running", in: svg)) == ["pay"])
      // read to check, and check to pay; check to refuse to completed, check to read to archive.
      #expect(groups("arrow done\"", in: svg).count == 2)
      #expect(groups("arrow done quiet", in: svg).count == 4)
      #expect(
        svg.contains("read, then check, then pay (running). Only other runs: "), "\(svg)")
      let page = await desk.get("/runs/\(id)").text
      #expect(page.contains("diagram of its flow: read, then check, then pay (running).\""))
      // The other way round.
      let other = await desk.get("/runs/\(refused)/path.svg").text
      #expect(names(groups("box current completed", in: other)) == ["completed"])
      #expect(names(groups("box quiet", in: other)).contains("pay"))
    }

    @Test("A branch stands between the stage that it leaves and the one that it joins")
    func branch() async throws {
      let desk = InspectedJournal()
      for name in ["refuse", "expire"] {
        let other = try await desk.longRun(Self.stages(["read", "check", name, "close"]))
        try await complete(other, desk)
      }
      let id = try await desk.longRun(Self.stages(["read", "check", "pay", "close"]))
      let svg = await desk.get("/runs/\(id)/path.svg").text
      let boxes = names(groups("box", in: svg))
      #expect(
        boxes.prefix(3) == ["read", "check", "pay"] && boxes.suffix(2) == ["close", "completed"])
      #expect(Set(boxes[3..<5]) == ["refuse", "expire"])
    }

    @Test("What stages are called is text, whatever it is")
    func escaped() async throws {
      let desk = InspectedJournal()
      _ = try await desk.start(#"{"</title><script>&\"":{}}"#)
      let id = try await desk.start(#"{"]]><img src=x onerror=1>":{}}"#)
      let svg = await desk.get("/runs/\(id)/path.svg").text
      #expect(XMLParser(data: Data(svg.utf8)).parse())
      #expect(!svg.contains("<script") && !svg.contains("<img"))
      #expect(svg.contains("&lt;script&gt;&amp;") && svg.contains("&lt;img"))
      #expect(!(await desk.get("/runs/\(id)").text.contains("<img src=x")))
    }

    @Test("A bounded number of steps is read, however long the runs are and however many")
    func bounded() async throws {
      let journal = Counted(decorated: InMemoryJournal())
      let desk = InspectedJournal(over: journal)
      _ = try await desk.longRun(Self.stages(["forgotten"]), flow: "import")
      let loop = (0..<150).flatMap { _ in ["read", "write"] }
      for number in 0..<14 {
        let id = try await desk.longRun(Self.stages(["open"] + loop + ["end\(number)"]))
        if number < 2 { try await complete(id, desk) }
      }
      let long = (0..<1_500).flatMap { _ in ["read", "write"] }
      let id = try await desk.longRun(Self.stages(["begin"] + long))
      journal.pages.withLock { $0 = [] }
      let svg = await desk.get("/runs/\(id)/path.svg").text
      let pages = journal.pages.withLock { $0 }
      let own = pages.filter { $0.run == id }
      #expect(own.reduce(0) { $0 + $1.steps } <= 2_016 && own.count < 20, "\(own.count) pages")
      let others = Dictionary(grouping: pages.filter { $0.run != id }, by: \.run)
      // The newest ten, one of which is the run itself, and the two that have completed.
      #expect(others.count == 11)
      #expect(others.values.allSatisfy { $0.reduce(0) { $0 + $1.steps } <= 32 })
      let quiet = names(groups("box quiet", in: svg))
      #expect(quiet.contains("open") && quiet.contains("end0") && quiet.contains("end13"))
      #expect(!quiet.contains("end3") && !svg.contains("forgotten"))
      // Of what lies between its first and its newest steps there is no arrow.
      #expect(svg.contains("<desc id=\"words\">begin, then read ("))
      #expect(groups("arrow done\"", in: svg).count == 3)
    }

    @Test("Large stages are fewer, and the newest of them are drawn")
    func large() async throws {
      let journal = Counted(decorated: InMemoryJournal())
      let desk = InspectedJournal(over: journal)
      let text = String(repeating: "x", count: 200_000)
      let stages = (0..<60).map { #"{"stage\#($0)":{"text":"\#(text)"}}"# }
      _ = try await desk.longRun(stages)
      let id = try await desk.longRun(stages)
      let svg = await desk.get("/runs/\(id)/path.svg").text
      let read = journal.pages.withLock { $0.filter { $0.run == id }.reduce(0) { $0 + $1.steps } }
      #expect(read >= 8 && read <= 20)
      #expect(svg.contains(">stage58</text>") && svg.contains(">stage59</text>"))
      #expect(names(groups("box current running", in: svg)) == ["stage59"])
    }
  }
#endif
