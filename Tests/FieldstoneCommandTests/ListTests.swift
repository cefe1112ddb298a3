#if CommandLineTool
  import FieldstoneCommand
  import FieldstoneDurable
  import FieldstoneTesting
  import Foundation
  import Testing

  @Suite("fieldstone runs list and show")
  struct ListTests {
    private let desk = Desk()

    @Test("A table, page by page, from a connection that only reads")
    func pages() async throws {
      var ids: [RunID] = []
      for number in 0..<5 {
        ids.append(try await desk.start(#"{"charge":{"card":1}}"#, key: "order \(number)"))
        desk.time.advance(by: .seconds(1))
      }
      let first = await desk.run("list", "--limit", "2")
      #expect(first.status == 0 && first.accesses == [.reading] && first.complaints == [])
      let lines = first.output.split(separator: "\n")
      try #require(lines.count == 4)
      #expect(lines[0].hasPrefix("run ") && lines[0].contains("started (UTC)"))
      #expect(lines[1].hasPrefix("\(ids[4])  order  order 4  ready  0 charge  0 "))
      #expect(lines[1].contains("2026-11-18 11:06:44"))
      #expect(lines[2].hasPrefix("\(ids[3])"))
      #expect(lines[3] == "There are more: --before \(ids[3])")
      let last = await desk.run("list", "--limit", "3", "--before", "\(ids[3])")
      #expect(last.output.split(separator: "\n").count == 4)
      #expect(!last.output.contains("There are more"))
      let none = await desk.run("list", "--before", "\(ids[0])")
      #expect(none.output == "There are no such runs.\n" && none.status == 0)
    }

    @Test("Filters by flow, state, key and time")
    func filters() async throws {
      try await desk.start("1", flow: "import", key: "a")
      let dead = try await desk.deadRun()
      desk.time.advance(by: .seconds(86_400))
      let late = try await desk.start("1", flow: "export", key: "b")
      func ids(_ arguments: String...) async -> [String] {
        let result =
          switch arguments.count {
          case 2: await desk.run("list", arguments[0], arguments[1])
          default: await desk.run("list", arguments[0], arguments[1], arguments[2], arguments[3])
          }
        return result.output.split(separator: "\n").dropFirst().map { String($0.prefix(26)) }
      }
      #expect(await ids("--flow", "order") == ["\(dead)"])
      #expect(await ids("--state", "dead") == ["\(dead)"])
      #expect(await ids("--state", "dead", "--state", "ready").count == 3)
      #expect(await ids("--key", "b") == ["\(late)"])
      #expect(await ids("--since", "2026-11-19") == ["\(late)"])
      #expect(await ids("--since", "2026-11-19T11:06:40Z") == ["\(late)"])
      #expect(await ids("--since", "2026-11-19T11:47:00Z") == [])
    }

    @Test("JSON has the stage as it is in the journal, to the last digit")
    func json() async throws {
      let stage = #"{"pay":{"amount":0.1,"number":12345678901234567890}}"#
      let id = try await desk.start(stage, key: "a \"b\"\n")
      let list = await desk.run("list", "--json")
      #expect(list.output.contains(#""payload": \#(stage)"#))
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(list.output.utf8)) as? [String: Any])
      let runs = try #require(object["runs"] as? [[String: Any]])
      #expect(object["next"] is NSNull && runs.count == 1)
      #expect(runs.first?["id"] as? String == "\(id)")
      #expect(runs.first?["key"] as? String == "a \"b\"\n")
      #expect(runs.first?["startedAt"] as? String == "2026-11-18T11:06:40.000Z")
      let dead = try await desk.deadRun()
      let show = await desk.run("show", "\(dead)", "--json")
      let run = try #require(
        try JSONSerialization.jsonObject(with: Data(show.output.utf8)) as? [String: Any])
      #expect((run["steps"] as? [[String: Any]])?.count == 7)
      #expect((run["run"] as? [String: Any])?["state"] as? String == "dead")
      #expect(
        run["hasMoreChildren"] as? Bool == false && (run["children"] as? [Any])?.isEmpty == true)
    }

    @Test("JSON has what a run was started with, and its children")
    func family() async throws {
      var start = RunStart(
        id: desk.newID(), flow: "order", version: 1, payload: Data("1".utf8), priority: 3,
        concurrencyKey: "ada")
      start.attributes = ["paid": .boolean(true), "place": .string("Rīga"), "size": .integer(7)]
      start.deadline = desk.time.now + 60
      _ = try await desk.journal.start(start, at: desk.now)
      let child = RunStart(id: desk.newID(), flow: "letter", version: 1, payload: Data("2".utf8))
      _ = try await desk.advance(
        try await desk.claim(), to: .joining(Data("3".utf8), .init([ChildStart(child)])))
      func shown(_ id: RunID) async throws -> [String: Any] {
        let text = await desk.run("show", "\(id)", "--json").output
        return try #require(
          try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      }
      let parent = try await shown(start.id)
      let run = try #require(parent["run"] as? [String: Any])
      #expect(run["priority"] as? Int == 3 && run["concurrencyKey"] as? String == "ada")
      #expect(run["parent"] is NSNull && run["isPaused"] as? Bool == false)
      #expect(run["deadline"] as? String == "2026-11-18T11:07:40.000Z")
      let attributes = try #require(run["attributes"] as? [String: Any])
      #expect(attributes["paid"] as? Bool == true && attributes["size"] as? Int == 7)
      #expect(attributes["place"] as? String == "Rīga" && attributes.count == 3)
      let children = try #require(parent["children"] as? [[String: Any]])
      #expect(children.map { $0["id"] as? String } == ["\(child.id)"])
      #expect(children.map { $0["state"] as? String } == ["ready"])
      let shownChild = try #require(try await shown(child.id)["run"] as? [String: Any])
      #expect(shownChild["parent"] as? String == "\(start.id)")
    }

    @Test("A run is shown with its stages, times, attempts and errors")
    func shows() async throws {
      let id = try await desk.deadRun()
      let shown = await desk.run("show", "\(id)")
      #expect(shown.status == 0 && shown.accesses == [.reading])
      let lines = shown.output.split(separator: "\n").map(String.init)
      #expect(lines.contains("flow      order, version 1"))
      #expect(lines.contains("key       import 7"))
      #expect(lines.contains(#"state     dead the server said <no> & "no""#))
      #expect(lines.contains(#"stage     {"close":{}}"#))
      let rows = lines.suffix(8)
      #expect(
        rows.first?.hasPrefix("0  open   done    1         2026-11-18 11:06:40  250 ms") == true)
      #expect(rows.dropFirst(3).first?.contains("1.5 s   worker 1") == true)
      #expect(rows.dropFirst(2).first?.contains("250 ms  worker 1") == true)
      #expect(rows.dropFirst(6).first?.contains("write  edited  2 ") == true)
      #expect(rows.last?.hasPrefix("7  close  dead    1 ") == true)
      let small = await desk.run("show", "\(id)".lowercased())
      #expect(small.output == shown.output)
    }

    @Test("What a terminal would obey is not written to it")
    func terminal() async throws {
      let id = try await desk.start("\"\\u001b[2J\"", flow: "a\u{1B}[31m\nb", key: "k\r\u{7}")
      let run = try await desk.claim("a\u{1B}[31m\nb")
      try await desk.park(run, .dead(error: "no\n\u{1B}]0;title\u{7}\u{202E}evil"))
      for result in [
        await desk.run("list"), await desk.run("show", "\(id)"),
        await desk.run("edit", "\(id)", "--unchecked", "--stage", "\"\\u001b\""),
      ] {
        let text = (result.output + (result.complaints + result.questions).joined())
        let obeyed = text.unicodeScalars.filter {
          $0 != "\n" && [.control, .format].contains($0.properties.generalCategory)
        }
        #expect(obeyed.isEmpty, "\(text)")
        #expect(!text.contains("31m\nb"))
      }
    }
  }
#endif
