#if SQLite
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneSQLite
  import FieldstoneTesting
  import Foundation
  import Testing

  @Suite("What journals answer about all their runs", .timeLimit(.minutes(20)))
  struct SurveyTests {
    /// The journals that are tried.
    enum Kind: CaseIterable {
      case inMemory
      case sqlite
      case sharded
      case decorated
    }

    private struct Decorator: JournalDecorator {
      let decorated: any Journal
    }

    private let time = ManualTime(now: Date(timeIntervalSince1970: 1_795_000_000))
    private let folder: Folder

    init() throws { folder = try Folder() }

    private var now: JournalTime { JournalTime(time.source, boot: "boot") }

    private func journal(_ kind: Kind) async throws -> any SurveyedJournal {
      switch kind {
      case .inMemory: InMemoryJournal()
      case .sqlite: try SQLiteJournal(path: folder.path)
      case .sharded:
        try await ShardedJournal([
          try SQLiteJournal(path: folder["a.sqlite"]), try SQLiteJournal(path: folder["b.sqlite"]),
        ])
      case .decorated: Decorator(decorated: InMemoryJournal())
      }
    }

    @discardableResult
    private func start(
      in journal: any Journal, flow: String = "order", version: Int = 1, key: String? = nil,
      priority: Int = 0, notBefore date: Date? = nil, attributes: [String: RunAttribute] = [:],
      slot other: UInt16 = 0
    ) async throws -> RunID {
      time.advance(by: .seconds(1))
      let slot = (journal as? any RunRouting)?.slotOfRun(in: flow, key: key) ?? other
      var start = RunStart(
        id: RunID(at: time.now, slot: slot), flow: flow, version: version,
        payload: Data("1".utf8), notBefore: date, priority: priority, concurrencyKey: key)
      start.attributes = attributes
      return try await journal.start(start, at: now).id
    }

    private func claim(_ flow: String, limit: Int, in journal: any Journal) async throws -> [RunID]
    {
      let request = ClaimRequest(
        worker: "worker-1", flows: [.init(flow: flow, version: 9, limit: limit)],
        lease: .seconds(30))
      return try await journal.claim(request, at: now).runs.map(\.record.id)
    }

    @Test("Names are those of flows and attributes, in order and bounded", arguments: Kind.allCases)
    func names(_ kind: Kind) async throws {
      let journal = try await journal(kind)
      #expect(try await journal.names(of: .flow, atMost: 10) == [])
      for flow in ["zebra", "ant", "Ärmel", "ant"] {
        // On both shards.
        try await start(
          in: journal, flow: flow, attributes: ["of \(flow)": .integer(1)],
          slot: flow == "zebra" ? 0x8000 : 0)
      }
      #expect(try await journal.names(of: .flow, atMost: 10) == ["ant", "zebra", "Ärmel"])
      #expect(try await journal.names(of: .flow, atMost: 2) == ["ant", "zebra"])
      #expect(
        try await journal.names(of: .attribute, atMost: 10) == ["of ant", "of zebra", "of Ärmel"])
    }

    @Test(
      "The longest due runs are those that workers get next, in their order",
      arguments: Kind.allCases)
    func due(_ kind: Kind) async throws {
      let journal = try await journal(kind)
      let waited = try await start(in: journal, notBefore: time.now + 100)
      let first = try await start(in: journal)
      let later = try await start(in: journal, flow: "import", version: 7, slot: 0x8000)
      try await start(in: journal, flow: "paused")
      try await journal.pause(.flow("paused"), until: nil, at: now)
      let held = try await start(in: journal)
      try await journal.pause(.run(held), until: nil, at: now)
      let preferred = try await start(in: journal, priority: 1)
      let timed = try await start(in: journal, priority: 1, notBefore: time.now + 10)
      let urgent = try await start(in: journal, priority: 2, notBefore: time.now + 20)
      #expect(
        try await journal.longestDue(atMost: 9, at: now)?.map(\.id) == [preferred, first, later])
      time.advance(by: .seconds(500))
      let due = try #require(try await journal.longestDue(atMost: 9, at: now))
      #expect(due.map(\.id) == [urgent, preferred, timed, first, later, waited])
      #expect(try await journal.longestDue(atMost: 1, at: now)?.map(\.id) == [urgent])
      #expect(try await journal.longestDue(atMost: 2, at: now)?.map(\.id) == [urgent, preferred])
      #expect(try await journal.longestDue(atMost: 0, at: now) == [])
      // The same order as that of claims.
      #expect(
        try await claim("order", limit: 9, in: journal)
          == [urgent, preferred, timed, first, waited])
      #expect(try await journal.longestDue(atMost: 9, at: now)?.map(\.id) == [later])
    }

    @Test("Limits have their places, tokens and full keys", arguments: Kind.allCases)
    func limits(_ kind: Kind) async throws {
      let journal = try await journal(kind)
      let rate = FlowLimits.Rate(2, each: .seconds(60))
      try await journal.setLimits(
        FlowLimits(runs: 3, rate: rate), of: "order", replacing: true, at: now)
      // The two keys are on one shard, which has half of the places.
      let places = kind == .sharded ? 4 : 2
      try await journal.setLimits(
        FlowLimits(runs: places, counting: .wholeRun, perKey: .init(1)), of: "import",
        replacing: true, at: now)
      var standings = try #require(try await journal.limitStandings(at: now))
      #expect(standings.map(\.flow) == ["import", "order"])
      #expect(standings.map(\.used) == [RunCount(0), RunCount(0)])
      #expect(standings.allSatisfy { !$0.holdsBack })
      #expect(standings.last?.bucket?.available == 2)
      // Two shards share the limit of the flow and its rate.
      for slot: UInt16 in [0, 0x8000, 0] { try await start(in: journal, slot: slot) }
      for key in ["b", "a", "a", "a"] { try await start(in: journal, flow: "import", key: key) }
      _ = try await claim("order", limit: 2, in: journal)
      _ = try await claim("import", limit: 1, in: journal)
      _ = try await claim("import", limit: 5, in: journal)
      standings = try #require(try await journal.limitStandings(at: now))
      let (imports, orders) = (standings[0], standings[1])
      #expect(orders.used == RunCount(2) && !orders.isFull)
      #expect(orders.bucket?.available == 0)
      let next = try #require(orders.nextToken)
      #expect(next > time.now && next <= time.now + 60)
      #expect(imports.used == RunCount(2) && imports.isFull == (places == 2))
      #expect(
        imports.keys == [LimitStanding.Key(name: "a", used: 1, waiting: RunCount(2))])
      time.advance(by: .seconds(31))
      standings = try #require(try await journal.limitStandings(at: now))
      #expect(standings.last?.bucket?.available == 1)
    }
  }
#endif
