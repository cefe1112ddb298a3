#if SQLite
  import FieldstoneDurable
  import FieldstoneSQLite
  import Foundation
  import Testing

  @Suite("Names and keys", .timeLimit(.minutes(20)))
  struct NameTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    @Test("with a NUL find no run and resume no pause", arguments: JournalKind.allCases)
    func findNoNUL(kind: JournalKind) async throws {
      let journal = try kind.make(in: folder)
      _ = try await journal.start(.sample(1, key: "order 1"), at: .at(0))
      try await journal.pause(.flow("samples"), until: nil, by: nil, at: .at(0))
      var queries = [RunQuery(flow: "samples\0x"), RunQuery(flow: "samples", key: "order 1\0x")]
      var query = RunQuery()
      query.keyPrefix = "order\0"
      queries.append(query)
      query = RunQuery()
      query.attributes = ["a\0": .string("b")]
      queries.append(query)
      for query in queries {
        #expect(try await journal.runs(query).runs.isEmpty)
        #expect(try await journal.count(query, atMost: 10) == RunCount(0))
      }
      #expect(try await journal.resume(.flow("samples\0x"), by: nil, at: .at(1)) == false)
      #expect(try await journal.pauses().count == 1)
    }

    @Test("with a NUL do not hold up a claim of many flows")
    func claimNoNUL() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      let id = try await journal.start(.sample(1), at: .at(0)).id
      let rooms = ["samples", "samples\0x", "z"].map {
        ClaimRequest.FlowRoom(flow: $0, version: 1, limit: 9)
      }
      let request = ClaimRequest(
        worker: "worker", flows: rooms, lease: .seconds(60), quarantine: .left(after: 2))
      for wanted in [[id], []] {
        #expect(try await journal.claim(request, at: .at(0)).runs.map(\.record.id) == wanted)
      }
    }

    @Test("with a NUL consume no signal of another name")
    func consumeNoNUL() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      let id = try await journal.start(1)[0]
      let run = try #require(try await journal.claim(1).first)
      let sent = SignalRecord(
        id: "yes", name: "go", payload: Data("1".utf8), sentAt: JournalTime.at(0).date)
      try await journal.signal(id, sent, at: .at(0))
      var checkpoint = run.checkpoint(
        .receiving(Data("{}".utf8), signals: ["go"], until: nil))
      checkpoint.consumedSignals = ["yes\0x"]
      try await journal.checkpoint(checkpoint, at: .at(0))
      let request = ClaimRequest(
        worker: "worker", flows: [.init(flow: "samples", version: 1, limit: 1)],
        lease: .seconds(60))
      #expect(try await journal.claim(request, at: .at(1)).runs.first?.signal == sent)
    }

    @Test("that Swift takes for equal have a rate each")
    func equalNames() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      let (composed, decomposed) = ("\u{e9}", "e\u{301}")
      try await journal.setLimits(
        FlowLimits(rate: .init(1, each: .seconds(3_600))), of: composed, replacing: true,
        at: .at(0))
      for number in 1...3 {
        _ = try await journal.start(.sample(number, flow: composed), at: .at(0))
      }
      let rooms = [composed, decomposed].map {
        ClaimRequest.FlowRoom(flow: $0, version: 1, limit: 9)
      }
      let request = ClaimRequest(worker: "worker", flows: rooms, lease: .seconds(60))
      #expect(try await journal.claim(request, at: .at(0)).runs.count == 1)
      #expect(try await journal.claim(request, at: .at(1)).runs.isEmpty)
    }

    @Test(
      "with a NUL, which a database would cut, are refused and leave nothing",
      arguments: JournalKind.allCases)
    func holdNoNUL(kind: JournalKind) async throws {
      let journal = try kind.make(in: folder)
      // Cut, all of these would be the same.
      for key in ["order\0 1", "order\0 2", "\0"] {
        await #expect(throws: JournalError.containsNUL(key)) {
          _ = try await journal.start(.sample(1, key: key), at: .at(0))
        }
        await #expect(throws: JournalError.containsNUL(key)) {
          _ = try await journal.start(.sample(1, flow: key), at: .at(0))
        }
      }
      #expect(try await journal.runs(RunQuery()).runs.isEmpty)
      let run = try await journal.start(.sample(1, key: "order"), at: .at(0))
      for (id, name, wrong) in [("yes\0", "go", "yes\0"), ("yes", "go\0", "go\0")] {
        let signal = SignalRecord(
          id: id, name: name, payload: Data("1".utf8), sentAt: JournalTime.at(0).date)
        await #expect(throws: JournalError.containsNUL(wrong)) {
          try await journal.signal(run.id, signal, at: .at(0))
        }
      }
      let request = ClaimRequest(
        worker: "worker", flows: [.init(flow: "samples", version: 1, limit: 1)],
        lease: .seconds(60))
      let claimed = try #require(try await journal.claim(request, at: .at(0)).runs.first?.record)
      let checkpoint = Checkpoint(
        claim: claimed.claim, version: 1,
        next: .receiving(Data("{}".utf8), signals: ["go\0"], until: nil),
        beganAt: JournalTime.at(0).date, lease: .seconds(60))
      await #expect(throws: JournalError.containsNUL("go\0")) {
        try await journal.checkpoint(checkpoint, at: .at(0))
      }
      for names in [[], ["go", "s\u{1F}top"], (0...16).map { "name \($0)" }] {
        var wrong = checkpoint
        wrong.next = .receiving(Data("{}".utf8), signals: names, until: nil)
        await #expect(throws: JournalError.invalidSignalNames(names)) {
          try await journal.checkpoint(wrong, at: .at(0))
        }
      }
      let several = SignalRecord(
        id: "1", name: "\u{1F}go", payload: Data("1".utf8), sentAt: JournalTime.at(0).date)
      await #expect(throws: JournalError.invalidSignalNames(["\u{1F}go"])) {
        try await journal.signal(run.id, several, at: .at(0))
      }
      let kept = try await journal.run(run.id)
      #expect(kept == claimed)
      let message = JournalError.containsNUL("go\0").message
      #expect(message.hasPrefix("“go␀” holds"))
    }
  }
#endif
