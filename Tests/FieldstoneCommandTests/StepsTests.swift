#if CommandLineTool
  import FieldstoneCommand
  import FieldstoneDurable
  import FieldstoneTesting
  import Foundation
  import Testing

  @Suite("fieldstone runs show --steps")
  struct StepsTests {
    private let desk = Desk()

    /// A run with so many steps behind it.
    private func longRun(_ count: Int) async throws -> RunID {
      let id = try await desk.start(#"{"lap":{"_0":0}}"#)
      var run = try await desk.claim()
      for number in 0..<count {
        run = try await desk.advance(
          run, to: .stage(Data(#"{"lap":{"_0":\#(number + 1)}}"#.utf8)), after: 0)
      }
      return id
    }

    /// The sequences in the table, and what stands under it.
    private func table(_ result: Desk.Result) -> (sequences: [Int], rest: String) {
      let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
      let rows = lines.drop { $0 != "" }.dropFirst(2)
      let sequences = rows.prefix { $0.first?.isNumber == true }
        .compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }
      return (sequences, rows.dropFirst(sequences.count).joined(separator: "\n"))
    }

    private func page(_ result: Desk.Result) throws -> (sequences: [Int], next: Int?) {
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
      let steps = try #require(object["steps"] as? [[String: Any]])
      let next = try #require(object["next"])
      return (steps.compactMap { $0["sequence"] as? Int }, next as? Int)
    }

    @Test("The newest fifty are shown, with how many older there are and how to see them")
    func newest() async throws {
      let id = try await longRun(120)
      let shown = await desk.run("show", "\(id)")
      #expect(shown.status == 0 && shown.accesses == [.reading])
      #expect(table(shown).sequences == Array(70...120))
      #expect(table(shown).rest == "There are 70 older steps: --before 70, or --steps all\n")
      let fewer = table(await desk.run("show", "\(id)", "--steps", "2"))
      #expect(fewer.sequences == [118, 119, 120])
      #expect(fewer.rest == "There are 118 older steps: --before 118, or --steps all\n")
      let page = try page(await desk.run("show", "\(id)", "--json"))
      #expect(page.sequences == Array(70..<120) && page.next == 70)
    }

    @Test(
      "All of them are shown when they are asked for", arguments: ["all", "ALL", "120", "5000"])
    func all(steps: String) async throws {
      let id = try await longRun(120)
      let shown = table(await desk.run("show", "\(id)", "--steps", steps))
      #expect(shown.sequences == Array(0...120) && shown.rest == "")
      let page = try page(await desk.run("show", "\(id)", "--steps", steps, "--json"))
      #expect(page.sequences == Array(0..<120) && page.next == nil)
    }

    @Test("More than a page of the journal is read page by page, and no step twice")
    func manyPages() async throws {
      let id = try await longRun(2_500)
      let all = try page(await desk.run("show", "\(id)", "--steps", "all", "--json"))
      #expect(all.sequences == Array(0..<2_500))
      let most = try page(
        await desk.run("show", "\(id)", "--steps", "2000", "--before", "2200", "--json"))
      #expect(most.sequences == Array(200..<2_200) && most.next == 200)
    }

    @Test("Page by page, the older ones lead to the first")
    func older() async throws {
      let id = try await longRun(12)
      var found: [Int] = []
      var next: Int? = 12
      while let before = next {
        let result = await desk.run(
          "show", "\(id)", "--steps", "5", "--before", "\(before)", "--json")
        let page = try page(result)
        found = page.sequences + found
        next = page.next
      }
      #expect(found == Array(0..<12))
      // Where the run is does not follow on an older page.
      let shown = table(await desk.run("show", "\(id)", "--steps", "5", "--before", "6"))
      #expect(shown.sequences == Array(1..<6))
      #expect(shown.rest == "There is 1 older step: --before 1, or --steps all\n")
      for before in ["0", "-3"] {
        let none = await desk.run("show", "\(id)", "--before=\(before)")
        #expect(none.status == 0 && none.output.hasSuffix("\n\nThere are no such steps.\n"))
      }
      let future = table(await desk.run("show", "\(id)", "--before", "\(Int.max)"))
      #expect(future.sequences == Array(0...12))
    }

    @Test("Steps that were purged are not counted")
    func purged() async throws {
      let id = try await longRun(80)
      try await desk.journal.purge(JournalRetention(stepsPerRun: 60), at: desk.now)
      let shown = table(await desk.run("show", "\(id)"))
      #expect(shown.sequences == Array(30...80))
      #expect(shown.rest == "There are 10 older steps: --before 30, or --steps all\n")
      let all = table(await desk.run("show", "\(id)", "--steps", "all"))
      #expect(all.sequences == Array(20...80) && all.rest == "")
      let page = try page(await desk.run("show", "\(id)", "--before", "30", "--json"))
      #expect(page.sequences == Array(20..<30) && page.next == nil)
    }

    @Test("The path is drawn over all steps, however many are shown")
    func graph() async throws {
      let id = try await longRun(1_200)
      let result = await desk.run("show", "\(id)", "--steps", "1", "--graph", "run")
      #expect(table(result).sequences == [1_199, 1_200])
      let mermaid = try #require(result.files["run.mmd"])
      #expect(mermaid.contains("1201 times") && mermaid.contains(#"-->|"1200 ×"#), "\(mermaid)")
    }

    @Test("What is no number of steps is told", arguments: ["0", "-1", "some", "1.5"])
    func refused(steps: String) async throws {
      let id = try await longRun(1)
      let result = await desk.run("show", "\(id)", "--steps=\(steps)")
      #expect(result.status == 2 && result.output == "" && result.complaints.count == 1)
      #expect(result.complaints.first?.contains("is no number of steps") == true)
    }
  }
#endif
