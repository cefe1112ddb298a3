#if CommandLineTool
  import FieldstoneCommand
  import FieldstoneDurable
  import Foundation
  import Testing

  @Suite("fieldstone runs and flows pause and resume")
  struct PauseTests {
    private let desk = Desk()

    @Test("A run is paused until a day, and goes on")
    func runs() async throws {
      let id = try await desk.start("1")
      let result = await desk.run("pause", "\(id)", "--until", "2030-01-02")
      #expect(result.status == 0 && result.accesses == [.writing])
      #expect(result.output == "Run \(id) is paused until 2030-01-02T00:00:00Z.\n")
      #expect(try await desk.journal.run(id)?.isPaused == true)
      let resumed = await desk.run("resume", "\(id)")
      #expect(resumed.output == "Run \(id) goes on.\n")
      #expect(try await desk.journal.pauses() == [])
      let again = await desk.run("resume", "\(id)", "--json")
      #expect(again.output.contains("\"wasPaused\": false"))
    }

    @Test("A flow without a name is neither paused nor resumed")
    func emptyFlow() async throws {
      for command in ["pause", "resume"] {
        let result = await desk.flows(command, "")
        #expect(result.status == 2 && result.complaints.first?.contains("is empty") == true)
      }
      #expect(try await desk.journal.pauses() == [])
    }

    @Test(
      "A pause until what is no time, or none to come, is refused",
      arguments: [
        "2020-01-01", "2030-02-31", "2030-01-02T25:00:00Z", "2030-01-02x", "30-01-02", "tomorrow",
        "2030-01-02 18:00", "2030-01-02T18:00:00Zulu", "2030-01-02T18:00+1:00",
        "2030-01-02T18:00.5",
      ])
    func wrongTimes(_ text: String) async throws {
      let id = try await desk.start("1")
      for result in [
        await desk.run("pause", "\(id)", "--until", text),
        await desk.flows("pause", "order", "--until", text),
      ] {
        #expect(result.status == 2 && result.complaints.first?.contains(text) == true, "\(result)")
      }
      #expect(try await desk.journal.pauses() == [])
    }

    @Test(
      "The time of a pause has minutes, seconds and a zone",
      arguments: [
        ("2030-01-02T18:30", "2030-01-02T18:30:00Z"), ("2030-01-02T18:30Z", "2030-01-02T18:30:00Z"),
        ("2030-01-02T18:30:05", "2030-01-02T18:30:05Z"),
        ("2030-01-02T18:30:05.250Z", "2030-01-02T18:30:05Z"),
        ("2030-01-02T18:30+01:30", "2030-01-02T17:00:00Z"),
        ("2030-01-02T18:30:00-0100", "2030-01-02T19:30:00Z"),
      ])
    func times(_ text: String, _ shown: String) async throws {
      let id = try await desk.start("1")
      let result = await desk.run("pause", "\(id)", "--until", text)
      #expect(result.output == "Run \(id) is paused until \(shown).\n", "\(result)")
    }

    @Test("A flow is paused, or a concurrency key of it")
    func flows() async throws {
      let whole = await desk.flows("pause", "order")
      #expect(whole.status == 0 && whole.output == "Flow order is paused.\n")
      let key = await desk.flows("pause", "order", "--concurrency-key", "7", "--json")
      #expect(key.output.contains("\"concurrencyKey\": \"7\""))
      let wanted = [
        JournalPause(.flow("order")), JournalPause(.concurrencyKey("7", flow: "order")),
      ]
      #expect(try await desk.journal.pauses() == wanted)
      let resumed = await desk.flows("resume", "order", "--concurrency-key", "7")
      #expect(resumed.output == "Concurrency key 7 of flow order goes on.\n")
      #expect(try await desk.journal.pauses() == [JournalPause(.flow("order"))])
    }
  }
#endif
