#if PostgreSQL && (os(macOS) || os(Linux))
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstonePostgres
  import Foundation
  import Testing

  @Suite(
    "What a journal in PostgreSQL answers about all its runs",
    .enabled(if: PostgresServer.isWanted, Comment(rawValue: PostgresServer.reasonForNone ?? "")),
    .timeLimit(.minutes(20)))
  struct PostgresSurveyTests {
    private let clock = Locked(Date(timeIntervalSince1970: 1_795_000_000))

    private var now: JournalTime {
      JournalTime(date: clock.withLock { $0 }, uptime: .zero, boot: "boot")
    }

    private func advance(by seconds: Double) { clock.withLock { $0 += seconds } }

    private func journal() async throws -> PostgresJournal {
      let clock = clock
      return try await PostgresServer.shared.journal(serverClock: { clock.withLock { $0 } })
    }

    @discardableResult
    private func start(
      in journal: any Journal, flow: String = "order", version: Int = 1, key: String? = nil,
      priority: Int = 0, notBefore date: Date? = nil
    ) async throws -> RunID {
      advance(by: 1)
      var start = RunStart(
        id: RunID(at: now.date), flow: flow, version: version, payload: Data("1".utf8),
        notBefore: date, priority: priority, concurrencyKey: key)
      start.attributes = ["of \(flow)": .integer(1)]
      return try await journal.start(start, at: now).id
    }

    private func claim(
      _ flow: String, limit: Int, in journal: any Journal
    ) async throws -> [RunID] {
      let request = ClaimRequest(
        worker: "worker-1", flows: [.init(flow: flow, version: 9, limit: limit)],
        lease: .seconds(30))
      return try await journal.claim(request, at: now).runs.map(\.record.id)
    }

    @Test("Names are in order and bounded, and the longest due runs are in the order of claims")
    func due() async throws {
      let journal = try await journal()
      #expect(try await journal.names(of: .flow, atMost: 10) == [])
      #expect(try await journal.longestDue(atMost: 9, at: now) == [])
      let waited = try await start(in: journal, notBefore: now.date + 100)
      let first = try await start(in: journal)
      let later = try await start(in: journal, flow: "import", version: 7)
      try await start(in: journal, flow: "paused")
      try await journal.pause(.flow("paused"), until: nil, at: now)
      let held = try await start(in: journal)
      try await journal.pause(.run(held), until: nil, at: now)
      let preferred = try await start(in: journal, priority: 1)
      #expect(try await journal.names(of: .flow, atMost: 2) == ["import", "order"])
      #expect(
        try await journal.names(of: .attribute, atMost: 9) == [
          "of import", "of order", "of paused",
        ])
      let timed = try await start(in: journal, priority: 1, notBefore: now.date + 10)
      #expect(
        try await journal.longestDue(atMost: 9, at: now)?.map(\.id) == [preferred, first, later])
      advance(by: 500)
      #expect(
        try await journal.longestDue(atMost: 9, at: now)?.map(\.id) == [
          preferred, timed, first, later, waited,
        ])
      #expect(try await claim("order", limit: 9, in: journal) == [preferred, timed, first, waited])
    }

    @Test("Due runs and tokens go by the server's clock", arguments: [-3_600.0, 3_600])
    func callerClock(offset: TimeInterval) async throws {
      let journal = try await journal()
      func caller() -> JournalTime {
        JournalTime(date: now.date + offset, uptime: .zero, boot: "boot")
      }
      try await journal.setLimits(
        FlowLimits(rate: .init(2, each: .seconds(60))), of: "order", replacing: true, at: now)
      let due = try await start(in: journal, notBefore: now.date + 50)
      let later = try await start(in: journal, notBefore: now.date + 500)
      try await start(in: journal, flow: "paused")
      try await journal.pause(.flow("paused"), until: now.date + 500, at: now)
      #expect(try await journal.longestDue(atMost: 9, at: caller()) == [])
      advance(by: 100)
      #expect(try await journal.longestDue(atMost: 9, at: caller())?.map(\.id) == [due])
      #expect(try await claim("order", limit: 1, in: journal) == [due])
      advance(by: 1)
      let standings = try #require(try await journal.limitStandings(at: caller()))
      #expect(standings.first?.bucket?.available == 1)
      #expect(try await journal.run(later)?.state == .ready)
      await journal.close()
    }

    @Test("Limits have their places, tokens and full keys")
    func limits() async throws {
      let journal = try await journal()
      try await journal.setLimits(
        FlowLimits(runs: 3, rate: .init(2, each: .seconds(60))), of: "order", replacing: true,
        at: now)
      try await journal.setLimits(
        FlowLimits(runs: 2, counting: .wholeRun, perKey: .init(1)), of: "import",
        replacing: true, at: now)
      for _ in 0..<3 { try await start(in: journal) }
      for key in ["b", "a", "a", "a"] { try await start(in: journal, flow: "import", key: key) }
      _ = try await claim("order", limit: 2, in: journal)
      _ = try await claim("import", limit: 1, in: journal)
      _ = try await claim("import", limit: 5, in: journal)
      let standings = try #require(try await journal.limitStandings(at: now))
      #expect(standings.map(\.flow) == ["import", "order"])
      #expect(standings.map(\.used) == [RunCount(2), RunCount(2)])
      #expect(standings.map(\.isFull) == [true, false])
      #expect(standings.last?.bucket?.available == 0)
      #expect(
        standings.first?.keys == [
          LimitStanding.Key(name: "a", used: 1, waiting: RunCount(2))
        ])
    }
  }
#endif
