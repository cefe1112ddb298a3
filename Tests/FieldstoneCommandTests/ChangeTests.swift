#if CommandLineTool
  import FieldstoneCommand
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneTesting
  import Foundation
  import Testing

  @Suite("fieldstone runs retry, edit, cancel, signal and purge")
  struct ChangeTests {
    private let desk = Desk()

    @Test("A dead run is retried")
    func retries() async throws {
      let id = try await desk.deadRun()
      let result = await desk.run("retry", "\(id)")
      #expect(result.status == 0 && result.accesses == [.writing])
      #expect(result.output == "Run \(id) is ready at stage 7.\n")
      #expect(try await desk.journal.run(id)?.attempts == 0)
      let json = await desk.run("cancel", "\(id)", "--json")
      #expect(json.output.contains(#""state": "cancelled""#))
      #expect(try await desk.journal.run(id)?.state == .cancelled)
    }

    @Test("An edit asks first, showing both stages, and what it replaced stays in the steps")
    func edits() async throws {
      let id = try await desk.deadRun()
      let refused = await desk.run("edit", "\(id)", "--unchecked", "--stage", #"{"read":{"_0":9}}"#)
      #expect(refused.status == 2 && refused.accesses == [.reading])
      #expect(refused.complaints == ["fieldstone: Nothing was changed; answer y, or say --yes."])
      let question = try #require(refused.questions.first)
      #expect(
        question.contains(#"is  {"close":{}}"#) && question.contains(#"new {"read":{"_0":9}}"#))
      #expect(try await desk.journal.run(id)?.state == .dead)
      let accepted = await desk.run(
        "edit", "\(id)", "--unchecked", answer: true, input: #"{"read":{"_0":9}}"#)
      #expect(accepted.status == 0 && accepted.questions.count == 1)
      #expect(accepted.accesses == [.reading, .writing])
      let run = try #require(try await desk.journal.run(id))
      #expect(run.state == .ready && run.payload == Data(#"{"read":{"_0":9}}"#.utf8))
      let step = try #require(
        try await desk.journal.steps(of: id, after: 6, limit: 1).steps.first)
      #expect(step.kind == .edited && step.payload == Data(#"{"close":{}}"#.utf8))
      let unasked = await desk.run(
        "edit", "\(id)", "--unchecked", "--yes", "--stage", "3", "--flow-version", "2")
      #expect(unasked.status == 0 && unasked.questions == [])
      #expect(try await desk.journal.run(id)?.version == 2)
    }

    @Test("A run that has gone on while a person was asked is not edited")
    func hasGoneOn() async throws {
      let id = try await desk.deadRun()
      let later = InMemoryJournal()
      let stage = Data(#"{"other":{}}"#.utf8)
      _ = try await later.start(
        RunStart(id: id, flow: "order", version: 1, payload: stage), at: desk.now)
      desk.changedJournal.withLock { $0 = later }
      let result = await desk.run(
        "edit", "\(id)", "--unchecked", "--stage", #"{"read":{"_0":9}}"#, answer: true)
      #expect(result.status == 2 && result.questions.count == 1)
      #expect(result.complaints.first?.contains("from stage 7 to stage 0") == true)
      #expect(try await later.run(id)?.payload == stage)
    }

    @Test("A signal is sent, once by its name", arguments: [true, false])
    func signals(isJSON: Bool) async throws {
      let id = try await desk.start("1")
      _ = try await desk.advance(
        try await desk.claim(), to: .receiving(Data("2".utf8), signals: ["approval"], until: nil))
      for word in ["sent", "alreadySent"] {
        let result =
          isJSON
          ? await desk.run(
            "signal", "\(id)", "approval", "--payload", #"{"by":"ada"}"#, "--id", "s1", "--json")
          : await desk.run(
            "signal", "\(id)", "approval", "--payload", #"{"by":"ada"}"#, "--id", "s1")
        #expect(result.status == 0 && result.accesses == [.writing])
        #expect(result.output.contains("s1"))
        let told = isJSON ? "\"\(word)\"" : word == "sent" ? "was sent to run" : "nothing was sent"
        #expect(result.output.contains(told), "\(result.output)")
      }
      let taken = await desk.run("signal", "\(id)", "refusal", "--id", "s1")
      #expect(taken.status == 2 && taken.complaints.first?.contains("“approval”") == true)
      let request = ClaimRequest(
        worker: "w", flows: [.init(flow: "order", version: 1, limit: 9)], lease: .seconds(9))
      let claimed = try await desk.journal.claim(request, at: desk.now).runs
      #expect(claimed.first?.signal?.payload == Data(#"{"by":"ada"}"#.utf8))
    }

    @Test("A signal needs a name, and an identifier that is given has characters")
    func emptySignals() async throws {
      let id = try await desk.start("1")
      for arguments in [
        ["signal", "\(id)", "approval", "--id", ""], ["signal", "\(id)", ""],
        ["signal", "", "--flow", "order", "--yes"],
      ] {
        let result = await desk.run(arguments)
        #expect(result.status == 2 && result.complaints.first?.contains("is empty") == true)
        #expect(result.accesses == [])
      }
    }

    @Test("A signal leaves an audit row with its sender and its name, and without its payload")
    func signalRows() async throws {
      let id = try await desk.start("1")
      for _ in 0..<2 {
        let result = await desk.run(
          "signal", "\(id)", "approval", "--payload", "9876", "--id", "s1")
        #expect(result.status == 0)
      }
      _ = await desk.run("signal", "\(id)", "refusal", "--id", "s2", "--actor", "eve")
      let lines = await desk.audit("list").output.split(separator: "\n")
      #expect(lines.count == 2)
      #expect(
        lines.first?.hasSuffix(
          #"eve  signal  run \#(id)  nothing → {"id":"s2","name":"refusal"}"#) == true, "\(lines)")
      #expect(
        lines.last?.hasSuffix(
          #"ada  signal  run \#(id)  nothing → {"id":"s1","name":"approval"}"#) == true, "\(lines)")
    }

    @Test("A purge tells how many runs it deleted")
    func purges() async throws {
      let id = try await desk.start("1")
      try await desk.journal.change(id, .cancel, at: desk.now)
      desk.time.advance(by: .seconds(2 * 86_400))
      #expect(await desk.run("purge").output == "Deleted 0 runs.\n")
      for options in [
        ["--dry-run"], ["--after", "\(id)"], ["--up-to", "\(id)"], ["--change-id", "a"],
      ] {
        let result = await desk.run(["purge", "--days", "0"] + options)
        #expect(result.status == 2 && result.complaints.first?.contains(options[0]) == true)
      }
      for options in [["--days", "0"], ["--steps", "1"]] {
        let result = await desk.run(["purge", "--flow", "order", "--dry-run"] + options)
        #expect(result.status == 2 && result.complaints.first?.contains("by age") == true)
      }
      #expect(try await desk.journal.run(id) != nil)
      #expect(await desk.run("purge", "--days", "1", "--json").output.contains(#""purged": 1"#))
      #expect(try await desk.journal.run(id) == nil)
    }

    @Test("What is refused says so in one line, with status 2")
    func refusals() async throws {
      let id = try await desk.start("1")
      let unknown = desk.newID()
      func expectRefusal(_ result: Desk.Result, _ part: String) {
        #expect(result.status == 2)
        #expect(result.output == "")
        #expect(result.complaints.count == 1, "\(result.complaints)")
        let line = result.complaints.first ?? ""
        #expect(line.hasPrefix("fieldstone: ") && line.contains(part), "\(line)")
        #expect(!line.contains("\n"))
      }
      expectRefusal(await desk.run("show", "nonsense"), "no run's identifier")
      expectRefusal(await desk.run("list", "--before", "nonsense"), "no run's identifier")
      expectRefusal(await desk.run("show", "\(unknown)"), "There is no run")
      expectRefusal(await desk.run("retry", "\(unknown)"), "There is no run")
      expectRefusal(await desk.run("list", "--state", "asleep"), "is no state")
      expectRefusal(await desk.run("list", "--since", "tomorrow"), "is no date")
      expectRefusal(await desk.run("list", "--limit", "many"), "many")
      expectRefusal(await desk.run("edit", "\(id)", "--stage", "{", "--yes"), "no JSON")
      expectRefusal(await desk.run("edit", "\(id)", "--yes"), "no JSON")
      expectRefusal(await desk.run("signal", "\(id)", "go", "--payload", "yes"), "no JSON")
      expectRefusal(await desk.run("purge", "--days", "-1"), "days")
      expectRefusal(
        await desk.run("show", "\(id)", "--graph", "nowhere/picture"), "can't be written")
      expectRefusal(await desk.run("dance"), "is no command of fieldstone runs")
      _ = try await desk.claim()
      expectRefusal(await desk.run("retry", "\(id)"), "is running, so it can't be retried")
      #expect(try await desk.journal.run(id)?.payload == Data("1".utf8))
      for arguments in [["runs", "list", "--journal", "missing"], ["runs", "list"]] {
        let status = await JournalTool.run(arguments, in: desk.environment())
        #expect(status == 2)
      }
    }

    @Test(
      "A command closes each journal that it has opened, also if it is refused",
      arguments: [["list"], ["retry", "00000000000000000000000000"], ["purge", "--yes"]])
    func closes(arguments: [String]) async {
      let result = await desk.run(arguments)
      #expect(!result.accesses.isEmpty)
      #expect(desk.closedCount.withLock { $0 } == result.accesses.count)
    }

    @Test("Help is no error")
    func help() async {
      for arguments in [["--help"], ["runs", "edit", "--help"], ["help", "runs"], []] {
        #expect(await JournalTool.run(arguments, in: desk.environment()) == 0)
      }
    }
  }
#endif
