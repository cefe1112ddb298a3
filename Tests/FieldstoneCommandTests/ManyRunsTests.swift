#if CommandLineTool
  import FieldstoneCommand
  import FieldstoneDurable
  import FieldstoneTesting
  import Foundation
  import Testing

  @Suite(
    "fieldstone runs retry, edit, cancel, pause, signal, fork and purge of many, and audit list")
  struct ManyRunsTests {
    private let desk = Desk()

    private func start(_ count: Int) async throws -> [RunID] {
      var ids: [RunID] = []
      for number in 0..<count {
        desk.time.advance(by: .milliseconds(2))
        ids.append(try await desk.start("\(number)"))
      }
      return ids
    }

    @Test("A dry run counts and changes nothing", arguments: [false, true])
    func dryRun(isJSON: Bool) async throws {
      let ids = try await start(3)
      let result = await desk.run(
        "cancel", "--flow", "order", "--dry-run", isJSON ? "--json" : "--yes")
      #expect(result.status == 0 && result.accesses == [.reading] && result.questions == [])
      #expect(
        result.output
          == (isJSON
            ? "{\"count\": 3, \"more\": false, \"youngest\": \"\(ids[2])\"}\n"
            : "3 runs would be cancelled.\n"))
      #expect(try await desk.journal.run(ids[0])?.state == .ready)
    }

    @Test("An expression without a term chooses no runs", arguments: ["", " \t"])
    func noTerm(_ text: String) async throws {
      let ids = try await start(3)
      for command in ["cancel", "purge", "retry"] {
        let result = await desk.run(command, "--where", text, "--yes")
        #expect(result.status == 2 && result.complaints.first?.contains("--where is empty") == true)
      }
      #expect(try await desk.journal.run(ids[0])?.state == .ready)
    }

    @Test("Many are changed once that is confirmed, under the user's name or another")
    func many() async throws {
      let ids = try await start(70)
      let refused = await desk.run("cancel", "--flow", "order")
      #expect(refused.status == 2 && refused.questions == ["Cancel 70 runs? [y/N]"])
      #expect(try await desk.journal.audit(AuditQuery()).records.isEmpty)
      let result = await desk.run("cancel", "--flow", "order", answer: true)
      #expect(result.status == 0)
      let lines = result.output.split(separator: "\n")
      #expect(lines.count == 2 && lines[1] == "70 runs cancelled.", "\(lines)")
      #expect(lines[0].hasPrefix("64 so far; to go on: --after \(ids[6]) --up-to \(ids[69])"))
      let rows = try await desk.journal.audit(AuditQuery(limit: 100)).records
      #expect(rows.count == 70 && rows.allSatisfy { $0.actor == "ada" })
      let retried = await desk.run(
        "retry", "--state", "cancelled", "--yes", "--json", "--actor", "bob", "--after",
        "\(ids[2])", "--up-to", "\(ids[69])")
      let line = #/\{"changed": 2, "skipped": 0, "position": "(\w+)", "upTo": "(\w+)", /#
      let told = try #require(retried.output.prefixMatch(of: line))
      #expect(told.1 == "\(ids[0])" && told.2 == "\(ids[69])")
      #expect(retried.output.hasSuffix(", \"done\": true}\n"))
      #expect(try await desk.journal.audit(AuditQuery()).records.first?.actor == "bob")
      let purged = await desk.run("purge", "--state", "cancelled", "--yes")
      #expect(purged.output.hasSuffix("68 runs deleted.\n"))
      #expect(try await desk.journal.runs(RunQuery()).runs.map(\.id) == [ids[1], ids[0]])
      let paused = await desk.run("pause", "--flow", "order", "--yes", "--until", "2030-01-02")
      #expect(paused.output == "2 runs paused.\n")
      #expect(try await desk.journal.run(ids[0])?.isPaused == true)
      let resumed = await desk.run("resume", "--flow", "order", "--state", "ready", "--yes")
      #expect(resumed.output == "2 runs resumed.\n")
      #expect(try await desk.journal.run(ids[0])?.isPaused == false)
      let none = await desk.run("resume", "--flow", "order", "--yes")
      #expect(none.output == "There are no such runs.\n")
    }

    @Test("Many are sent a signal by its name alone, each once, also where it goes on")
    func signals() async throws {
      let ids = try await start(70)
      let dry = await desk.run("signal", "go", "--flow", "order", "--dry-run")
      #expect(dry.output == "70 runs would be signalled.\n" && dry.accesses == [.reading])
      let payload = #"{"by": "ada"}"#
      let refused = await desk.run("signal", "go", "--flow", "order", "--payload", payload)
      #expect(
        refused.questions
          == [#"Send the signal “go” with {"by": "ada"} to 70 runs? [y/N]"#])
      #expect(try await desk.journal.audit(AuditQuery()).records.isEmpty)
      let result = await desk.run(
        "signal", "go", "--flow", "order", "--payload", payload, answer: true)
      #expect(result.output.hasSuffix("70 runs signalled.\n"), "\(result)")
      let match = try #require(result.output.firstMatch(of: /--up-to (\w+) --change-id (\w+)/))
      let again = await desk.run(
        "signal", "go", "--flow", "order", "--payload", payload, "--yes", "--up-to",
        String(match.1), "--change-id", String(match.2))
      #expect(again.output.hasSuffix("70 runs signalled.\n"))
      let rows = try await desk.journal.audit(AuditQuery(limit: 1_000)).records
      #expect(rows.count == 70 && Set(rows.map(\.subject)) == Set(ids.map { .run($0) }))
      #expect(rows.allSatisfy { $0.action == .signal && $0.actor == "ada" })
    }

    @Test("What stopped a program that reads JSON can go on without sending a signal twice")
    func signalsByJSON() async throws {
      _ = try await start(70)
      let signal = ["signal", "go", "--flow", "order", "--yes", "--json"]
      let first = await desk.run(signal)
      let told = try #require(
        first.output.firstMatch(of: #/"upTo": "(\w+)", "changeId": "(\w+)", "done": false/#))
      let again = await desk.run(
        signal + ["--up-to", String(told.1), "--change-id", String(told.2)])
      #expect(again.output.contains("\"changeId\": \"\(told.2)\", \"done\": true"))
      let rows = try await desk.journal.audit(AuditQuery(limit: 1_000)).records
      #expect(rows.count == 70)
    }

    private func stage(_ id: RunID) async throws -> String? {
      try await desk.journal.run(id).map { String(decoding: $0.payload, as: UTF8.self) }
    }

    @Test("A part of many stages is edited by a patch, shown for the first of them")
    func edits() async throws {
      var ids: [RunID] = []
      for number in 0..<5 {
        desk.time.advance(by: .milliseconds(2))
        ids.append(
          try await desk.start(
            number == 4 ? #"{"ship":{}}"# : #"{"charge":{"n":\#(number).10,"to":1}}"#))
      }
      let edit = ["edit", "--flow", "order", "--patch", #"{"charge":{"to":2}}"#, "--unchecked"]
      let dry = await desk.run(edit + ["--dry-run"])
      #expect(dry.accesses == [.reading] && dry.output.hasPrefix("4 runs would be edited.\n"))
      #expect(dry.output.contains(#"new {"charge":{"n":3.10,"to":2}}"#), "\(dry.output)")
      let json = await desk.run(edit + ["--dry-run", "--json"])
      #expect(
        json.output
          == "{\"count\": 4, \"more\": false, \"youngest\": \"\(ids[3])\", \"unreadable\": 0, \"error\": null}\n"
      )
      let refused = await desk.run(edit)
      #expect(refused.status == 2)
      let question = try #require(refused.questions.first)
      #expect(question.hasPrefix("Edit 4 runs, and make them ready at once? The first:\n"))
      #expect(question.contains("Run \(ids[3]) of order") && question.hasSuffix("[y/N]"))
      #expect(!question.contains("\(ids[0])"), "Only the first three are shown.")
      #expect(try await desk.journal.audit(AuditQuery()).records.isEmpty)
      let result = await desk.run(edit, answer: true)
      #expect(result.output.hasSuffix("4 runs edited.\n"))
      for number in 0..<4 {
        #expect(try await stage(ids[number]) == #"{"charge":{"n":\#(number).10,"to":2}}"#)
      }
      #expect(try await stage(ids[4]) == #"{"ship":{}}"#)
      #expect(await desk.run(edit + ["--yes"]).output == "There are no such runs.\n")
      // One alone, by a patch, too.
      let one = await desk.run(
        "edit", "\(ids[0])", "--patch", #"{"charge":{"to":3}}"#, "--unchecked", "--yes")
      #expect(one.status == 0)
      #expect(try await stage(ids[0]) == #"{"charge":{"n":0.10,"to":3}}"#)
      let other = await desk.run(
        "edit", "\(ids[0])", "--patch", #"{"ship":{"to":3}}"#, "--unchecked", "--yes")
      #expect(other.status == 2 && other.complaints.first?.contains("is for another stage") == true)
    }

    @Test("Neither a run nor a filter, or both, is refused")
    func refusals() async throws {
      let id = try await start(1)[0]
      for (result, part) in [
        (await desk.run("retry"), "No run is named"),
        (await desk.run("cancel", "\(id)", "--flow", "order"), "give either"),
        (await desk.run("cancel", "\(id)", "--dry-run"), "give either"),
        (await desk.run("signal", "\(id)"), "No signal is named"),
        (await desk.run("signal"), "No signal is named"),
        (await desk.run("signal", "--flow", "order"), "No signal is named"),
        (await desk.run("signal", "\(id)", "go", "--flow", "order"), "give either"),
        (await desk.run("signal", "go", "--flow", "order", "--id", "s1"), "leave --id out"),
        (await desk.run("signal", "go", "--flow", "order", "--payload", "{"), "no JSON"),
        (await desk.run("fork", "\(id)"), "--unchecked"),
        (await desk.run("edit", "\(id)", "--stage", "1", "--yes"), "--unchecked"),
        (await desk.run("edit", "--flow", "order", "--unchecked"), "by --patch"),
        (await desk.run("edit", "--unchecked"), "No run is named"),
        (await desk.run("edit", "\(id)", "--flow", "order", "--stage", "1"), "give either"),
        (await desk.run("edit", "--flow", "order", "--patch", "{}"), "--unchecked"),
        (await desk.run("edit", "--flow", "order", "--patch", "{", "--unchecked"), "no JSON"),
        (await desk.run("edit", "\(id)", "--patch", "{}", "--stage", "1"), "give one"),
        (
          await desk.run("fork", "--flow", "order", "--unchecked", "--new-key", "a"),
          "Only one run"
        ),
        (await desk.flows("check"), "knows no flows"),
        (await desk.audit("list", "--run", "\(id)", "--flow", "order"), "Name one of"),
      ] {
        #expect(result.status == 2 && result.output == "", "\(part): \(result)")
        #expect(result.complaints.first?.contains(part) == true, "\(result.complaints)")
      }
      #expect(await desk.run("retry", "--flow", "none").output == "There are no such runs.\n")
      #expect(try await desk.journal.audit(AuditQuery()).records.isEmpty)
    }

    @Test("A fork asks, and says that effects are repeated")
    func forks() async throws {
      let id = try await desk.deadRun()
      let refused = await desk.run("fork", "\(id)", "--from", "0", "--unchecked")
      #expect(refused.status == 2)
      #expect(refused.questions.first?.contains("Effects of its stages are repeated.") == true)
      let result = await desk.run(
        "fork", "\(id)", "--from", "0", "--unchecked", "--new-key", "again", answer: true)
      #expect(result.status == 0 && result.output.contains("from stage 0 of run \(id)"))
      #expect(result.output.contains("It is not checked."))
      let fork = try #require(try await desk.journal.runs(RunQuery(key: "again")).runs.first)
      #expect(fork.origin == RunOrigin(run: id, sequence: 0) && fork.state == .ready)
      #expect(fork.payload == Data(#"{"open":{"path":"in.csv"}}"#.utf8))
      let many = await desk.run("fork", "--state", "dead", "--unchecked", answer: true)
      #expect(many.output == "1 run forked.\n")
      #expect(many.questions == ["Fork 1 run? Effects of their stages are repeated. [y/N]"])
    }

    @Test("A fork of many goes on past runs that lack the stage, or whose stage is purged")
    func forksWithoutStage() async throws {
      let purged = try await desk.deadRun()
      desk.time.advance(by: .milliseconds(2))
      let whole = try await desk.start("1")
      _ = try await desk.advance(try await desk.claim(), to: .stage(Data("2".utf8)))
      desk.time.advance(by: .milliseconds(2))
      _ = try await desk.start("3")
      _ = try await desk.journal.purge(
        JournalRetention(runs: .seconds(1_000_000), stepsPerRun: 2), at: desk.now)
      let fork = ["fork", "--flow", "order", "--from", "1", "--unchecked"]
      #expect(await desk.run(fork + ["--dry-run"]).output == "2 runs would be forked.\n")
      let result = await desk.run(fork, answer: true)
      #expect(result.status == 0)
      #expect(
        result.output.hasPrefix(
          "1 run forked; 1 was left alone. Run \(purged) has no stage 1 in the journal"))
      let again = await desk.run(fork + ["--state", "dead", "--yes", "--json"]).output
      #expect(again.hasPrefix("{\"changed\": 0, \"skipped\": 1, ") && again.contains("\"error\": "))
      let forks = try await desk.journal.runs(RunQuery()).runs.compactMap(\.origin)
      #expect(forks == [RunOrigin(run: whole, sequence: 1)])
    }

    @Test("Changes are listed with who, when, what, before and after")
    func audit() async throws {
      let id = try await desk.deadRun()
      #expect(await desk.audit("list").output.contains("edit"))
      _ = await desk.run("retry", "\(id)")
      _ = await desk.flows("pause", "order", "--actor", "eve\u{1B}")
      let list = await desk.audit("list", "--limit", "2")
      #expect(list.status == 0 && list.accesses == [.reading])
      let lines = list.output.split(separator: "\n")
      #expect(lines.count == 3 && lines[2] == "There are more: --before 2")
      #expect(lines[0].contains("pause  flow order  nothing → {"), "\(lines)")
      #expect(lines[1].contains("ada  retry  run \(id)"), "\(lines)")
      #expect(!list.output.contains("\u{1B}"))
      let json = await desk.audit("list", "--run", "\(id)", "--json")
      let rows = try json.output.split(separator: "\n").map {
        try #require(
          try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
      #expect(rows.count == 2 && rows[0]["action"] as? String == "retry")
      #expect((rows[0]["before"] as? [String: Any])?["state"] as? String == "dead")
      #expect((rows[0]["subject"] as? [String: Any])?["run"] as? String == "\(id)")
      #expect(await desk.audit("list", "--schedule", "x").output == "There are no such changes.\n")
    }

    @Test(
      "A change is one line of JSON, whatever line ends its stage has",
      arguments: ["\n", "\r", "\r\n"])
    func lineEnds(_ end: String) async throws {
      let id = try await desk.deadRun()
      let stage = "{\(end)\"place\": {}\(end)}"
      let edited = await desk.run("edit", "\(id)", "--unchecked", "--yes", "--stage", stage)
      #expect(edited.status == 0, "\(edited)")
      #expect(try await desk.journal.run(id)?.payload == Data(stage.utf8))
      let records = try await desk.journal.audit(AuditQuery()).records
      let output = await desk.audit("list", "--json").output
      #expect(!output.utf8.contains(13))
      let lines = output.utf8.split(separator: 10)
      #expect(lines.count == records.count)
      for line in lines {
        _ = try JSONSerialization.jsonObject(with: Data(line))
      }
    }
  }
#endif
